/*
 * process.c: facts about this process. Any thread; no lock.
 */
#include "system.h"

#include "os.h"

uint64_t os_pid(void)
{
	return GetCurrentProcessId();
}

/* The mode is asked of, not set: the console is the program's too. */
bool os_stderr_is_terminal(void)
{
	DWORD mode = 0;
	HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
	return console != NULL && console != INVALID_HANDLE_VALUE &&
	       GetConsoleMode(console, &mode) && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}
