/*
 * process.c: facts about this process. Any thread; no lock.
 */
#include "os.h"

#include <unistd.h>

uint64_t os_pid(void)
{
	return (uint64_t)getpid();
}
