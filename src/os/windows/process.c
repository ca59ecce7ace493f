/*
 * process.c: facts about this process. Any thread; no lock.
 */
#include "system.h"

#include "os.h"

uint64_t os_pid(void)
{
	return GetCurrentProcessId();
}

bool os_stderr_is_terminal(void)
{
	DWORD mode;
	return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}
