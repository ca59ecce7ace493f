/*
 * jvm_handle.c: see jvm_handle.h. A process has no handle here: a later one with its number is
 * taken for it.
 */
#include "attach/by_jcmd/jvm_handle.h"

#include <errno.h>
#include <signal.h>

const char jvm_path_separator = '/';

enum attach_outcome jvm_handle_open(uint64_t pid, struct jvm_handle *handle, int *error)
{
	if (pid <= INT32_MAX && kill((pid_t)pid, 0) == 0) {
		handle->process = (intptr_t)pid;
		return ATTACH_ANSWERED;
	}
	if (pid > INT32_MAX || errno == ESRCH)
		return ATTACH_NO_PROCESS;
	*error = errno;
	return ATTACH_FAILED;
}

void jvm_handle_close(const struct jvm_handle *handle)
{
	(void)handle;
}

bool jvm_handle_is_running(const struct jvm_handle *handle)
{
	return kill((pid_t)handle->process, 0) == 0 || errno != ESRCH;
}
