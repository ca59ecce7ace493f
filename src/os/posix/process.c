/*
 * process.c: facts about this process. Any thread; no lock.
 */
#include "os.h"

#include <unistd.h>

uint64_t os_pid(void)
{
	return (uint64_t)getpid();
}

bool os_stderr_is_terminal(void)
{
	return isatty(STDERR_FILENO) == 1;
}
