/*
 * jvm_handle.c: see jvm_handle.h.
 */
#include "os/windows/system.h"

#include "attach/by_jcmd/jvm_handle.h"

const char jvm_path_separator = '\\';

enum attach_outcome jvm_handle_open(uint64_t pid, struct jvm_handle *handle, int *error)
{
	HANDLE process = pid <= UINT32_MAX ? OpenProcess(SYNCHRONIZE, FALSE, (DWORD)pid) : NULL;

	handle->process = (intptr_t)process;
	if (process != NULL)
		return ATTACH_ANSWERED;
	*error = system_error();
	return pid > UINT32_MAX || *error == ERROR_INVALID_PARAMETER ? ATTACH_NO_PROCESS
	                                                             : ATTACH_FAILED;
}

void jvm_handle_close(const struct jvm_handle *handle)
{
	(void)CloseHandle((HANDLE)handle->process);
}

bool jvm_handle_is_running(const struct jvm_handle *handle)
{
	return WaitForSingleObject((HANDLE)handle->process, 0) == WAIT_TIMEOUT;
}
