/*
 * jvm_hold.c: a JVM of this user, and files that it writes to a directory of ours. For the hprof
 * command: one thread, no lock.
 */
#include "attach/jvm.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

struct jvm {
	pid_t pid;
	char directory[PATH_BYTES];
	char exchange_path[PATH_BYTES + 16];
};

static enum attach_outcome look_at(uint64_t pid, int *error)
{
	if (pid <= INT32_MAX && kill((pid_t)pid, 0) == 0)
		return ATTACH_ANSWERED;
	if (pid > INT32_MAX || errno == ESRCH)
		return ATTACH_NO_PROCESS;
	*error = errno;
	return ATTACH_FAILED;
}

void jvm_hold(uint64_t pid, struct jvm **held, struct attach_result *result)
{
	struct jvm *jvm = calloc(1, sizeof(*jvm));

	memset(result, 0, sizeof(*result));
	*held = NULL;
	result->outcome = look_at(pid, &result->error);
	if (result->outcome == ATTACH_ANSWERED) {
		result->error = jvm == NULL ? OS_NO_MEMORY
		                            : os_private_directory(NULL, jvm->directory,
		                                                   sizeof(jvm->directory));
		result->outcome = result->error == 0 ? ATTACH_ANSWERED : ATTACH_FAILED;
	}
	if (result->outcome != ATTACH_ANSWERED) {
		free(jvm);
		return;
	}
	jvm->pid = (pid_t)pid;
	(void)snprintf(jvm->exchange_path, sizeof(jvm->exchange_path), "%s/profile",
	               jvm->directory);
	*held = jvm;
}

void jvm_release(struct jvm *jvm)
{
	(void)os_directory_remove(jvm->directory);
	free(jvm);
}

bool jvm_is_running(const struct jvm *jvm)
{
	return kill(jvm->pid, 0) == 0 || errno != ESRCH;
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
