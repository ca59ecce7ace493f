/*
 * jvm_hold.c: a JVM of this user, and files that it writes to a directory of ours. For the hprof
 * command: one thread, no lock.
 */
#include "os.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

struct os_jvm {
	pid_t pid;
	char directory[PATH_BYTES];
	char exchange_path[PATH_BYTES + 16];
};

static enum os_attach_outcome look_at(uint64_t pid, int *error)
{
	if (pid <= INT32_MAX && kill((pid_t)pid, 0) == 0)
		return OS_ATTACH_ANSWERED;
	if (pid > INT32_MAX || errno == ESRCH)
		return OS_ATTACH_NO_PROCESS;
	*error = errno;
	return OS_ATTACH_FAILED;
}

void os_jvm_hold(uint64_t pid, struct os_jvm **held, struct os_attach *result)
{
	struct os_jvm *jvm = calloc(1, sizeof(*jvm));

	memset(result, 0, sizeof(*result));
	*held = NULL;
	result->outcome = look_at(pid, &result->error);
	if (result->outcome == OS_ATTACH_ANSWERED) {
		result->error = jvm == NULL ? OS_NO_MEMORY
		                            : os_private_directory(NULL, jvm->directory,
		                                                   sizeof(jvm->directory));
		result->outcome = result->error == 0 ? OS_ATTACH_ANSWERED : OS_ATTACH_FAILED;
	}
	if (result->outcome != OS_ATTACH_ANSWERED) {
		free(jvm);
		return;
	}
	jvm->pid = (pid_t)pid;
	(void)snprintf(jvm->exchange_path, sizeof(jvm->exchange_path), "%s/profile",
	               jvm->directory);
	*held = jvm;
}

void os_jvm_release(struct os_jvm *jvm)
{
	(void)os_directory_remove(jvm->directory);
	free(jvm);
}

bool os_jvm_is_running(const struct os_jvm *jvm)
{
	return kill(jvm->pid, 0) == 0 || errno != ESRCH;
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
