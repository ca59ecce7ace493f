/*
 * interrupts.c: requests to end that the hprof command answers itself. The system calls the
 * handler on a thread of its own.
 */
#include "system.h"

#include "os_programs.h"

static volatile LONG interrupted;

static BOOL WINAPI on_event(DWORD event)
{
	if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
		return FALSE;
	(void)InterlockedExchange(&interrupted, 1);
	return TRUE;
}

void os_interrupts_catch(void)
{
	(void)InterlockedExchange(&interrupted, 0);
	(void)SetConsoleCtrlHandler(on_event, TRUE);
}

bool os_interrupted(void)
{
	return InterlockedCompareExchange(&interrupted, 0, 0) != 0;
}
