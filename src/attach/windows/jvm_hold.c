/*
 * jvm_hold.c: a JVM of this user, and files that it writes to a directory of ours. For the hprof
 * command: one thread, no lock.
 */
#include "os/windows/system.h"

#include "attach/jvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

struct jvm {
	HANDLE process;
	char directory[PATH_BYTES];
	char exchange_path[PATH_BYTES + 16];
};

static enum attach_outcome look_at(uint64_t pid, HANDLE *process, int *error)
{
	*process = pid <= UINT32_MAX ? OpenProcess(SYNCHRONIZE, FALSE, (DWORD)pid) : NULL;
	if (*process != NULL)
		return ATTACH_ANSWERED;
	*error = system_error();
	return pid > UINT32_MAX || *error == ERROR_INVALID_PARAMETER ? ATTACH_NO_PROCESS
	                                                             : ATTACH_FAILED;
}

void jvm_hold(uint64_t pid, struct jvm **held, struct attach_result *result)
{
	struct jvm *jvm = calloc(1, sizeof(*jvm));
	HANDLE process = NULL;

	memset(result, 0, sizeof(*result));
	*held = NULL;
	result->outcome = look_at(pid, &process, &result->error);
	if (result->outcome == ATTACH_ANSWERED) {
		result->error = jvm == NULL ? OS_NO_MEMORY
		                            : os_private_directory(NULL, jvm->directory,
		                                                   sizeof(jvm->directory));
		result->outcome = result->error == 0 ? ATTACH_ANSWERED : ATTACH_FAILED;
	}
	if (result->outcome != ATTACH_ANSWERED) {
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

void jvm_release(struct jvm *jvm)
{
	(void)CloseHandle(jvm->process);
	(void)os_directory_remove(jvm->directory);
	free(jvm);
}

bool jvm_is_running(const struct jvm *jvm)
{
	return WaitForSingleObject(jvm->process, 0) == WAIT_TIMEOUT;
}

bool jvm_is_here(const struct jvm *jvm)
{
	(void)jvm;
	return true;
}

const char *jvm_exchange_path(const struct jvm *jvm)
{
	return jvm->exchange_path;
}

static bool file_path(const struct jvm *jvm, const char *suffix, char *path, size_t size)
{
	return (size_t)snprintf(path, size, "%s%s", jvm->exchange_path, suffix) < size;
}

int jvm_file_open(const struct jvm *jvm, const char *suffix, struct os_file *file)
{
	char path[PATH_BYTES + 64];
	return file_path(jvm, suffix, path, sizeof(path)) ? os_file_open(path, file) : OS_TOO_LARGE;
}

int jvm_file_remove(const struct jvm *jvm, const char *suffix)
{
	char path[PATH_BYTES + 64];
	return file_path(jvm, suffix, path, sizeof(path)) ? os_file_remove(path) : OS_TOO_LARGE;
}
