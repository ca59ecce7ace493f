/*
 * jvm_hold.c: a JVM of this user, and files that it writes to a directory of ours. For the hprof
 * command: one thread, no lock.
 */
#include "system.h"

#include "os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

struct os_jvm {
	HANDLE process;
	char directory[PATH_BYTES];
	char exchange_path[PATH_BYTES + 16];
};

static enum os_attach_outcome look_at(uint64_t pid, HANDLE *process, int *error)
{
	*process = pid <= UINT32_MAX ? OpenProcess(SYNCHRONIZE, FALSE, (DWORD)pid) : NULL;
	if (*process != NULL)
		return OS_ATTACH_ANSWERED;
	*error = system_error();
	return pid > UINT32_MAX || *error == ERROR_INVALID_PARAMETER ? OS_ATTACH_NO_PROCESS
	                                                             : OS_ATTACH_FAILED;
}

void os_jvm_hold(uint64_t pid, struct os_jvm **held, struct os_attach *result)
{
	struct os_jvm *jvm = calloc(1, sizeof(*jvm));
	HANDLE process = NULL;

	memset(result, 0, sizeof(*result));
	*held = NULL;
	result->outcome = look_at(pid, &process, &result->error);
	if (result->outcome == OS_ATTACH_ANSWERED) {
		result->error = jvm == NULL ? OS_NO_MEMORY
		                            : os_private_directory(NULL, jvm->directory,
		                                                   sizeof(jvm->directory));
		result->outcome = result->error == 0 ? OS_ATTACH_ANSWERED : OS_ATTACH_FAILED;
	}
	if (result->outcome != OS_ATTACH_ANSWERED) {
		if (process != NULL)
			(void)CloseHandle(process);
		free(jvm);
		return;
	}
	jvm->process = process;
	(void)snprintf(jvm->exchange_path, sizeof(jvm->exchange_path), "%s\\profile",
	               jvm->directory);
	*held = jvm;
}

void os_jvm_release(struct os_jvm *jvm)
{
	(void)CloseHandle(jvm->process);
	(void)os_directory_remove(jvm->directory);
	free(jvm);
}

bool os_jvm_is_running(const struct os_jvm *jvm)
{
	return WaitForSingleObject(jvm->process, 0) == WAIT_TIMEOUT;
}

bool os_jvm_is_here(const struct os_jvm *jvm)
{
	(void)jvm;
	return true;
}

const char *os_jvm_exchange_path(const struct os_jvm *jvm)
{
	return jvm->exchange_path;
}

static bool file_path(const struct os_jvm *jvm, const char *suffix, char *path, size_t size)
{
	return (size_t)snprintf(path, size, "%s%s", jvm->exchange_path, suffix) < size;
}

int os_jvm_file_open(const struct os_jvm *jvm, const char *suffix, struct os_file *file)
{
	char path[PATH_BYTES + 64];
	return file_path(jvm, suffix, path, sizeof(path)) ? os_file_open(path, file) : OS_TOO_LARGE;
}

int os_jvm_file_remove(const struct os_jvm *jvm, const char *suffix)
{
	char path[PATH_BYTES + 64];
	return file_path(jvm, suffix, path, sizeof(path)) ? os_file_remove(path) : OS_TOO_LARGE;
}
