/*
 * process.c: facts about this process. Any thread; no lock.
 */
#include "system.h"

#include "os.h"

uint64_t os_pid(void)
{
	return GetCurrentProcessId();
}

/* NULL: none. */
static HANDLE console_of(enum os_standard stream)
{
	HANDLE console =
	        GetStdHandle(stream == OS_STANDARD_OUTPUT ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
	return console == INVALID_HANDLE_VALUE ? NULL : console;
}

/* The mode is asked of, not set: the console is the program's too. */
bool os_is_terminal(enum os_standard stream)
{
	DWORD mode = 0;
	HANDLE console = console_of(stream);
	return console != NULL && GetConsoleMode(console, &mode) &&
	       (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

uint32_t os_terminal_columns(enum os_standard stream)
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	HANDLE console = console_of(stream);
	return console != NULL && GetConsoleScreenBufferInfo(console, &info)
	               ? (uint32_t)(info.srWindow.Right - info.srWindow.Left + 1)
	               : 0;
}
