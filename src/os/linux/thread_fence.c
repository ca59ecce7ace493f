/*
 * thread_fence.c: a fence on all threads, by membarrier(2); see os_fence_threads(). Any thread;
 * no lock.
 */
#include "os.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As linux/membarrier.h has them from Linux 4.14 on. */
enum { FENCE = 1 << 3, REGISTER = 1 << 4 };

static long call_membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0);
}

static _Atomic int answer = OS_UNKNOWN;

/* The process registers; a second time changes nothing. */
void os_prepare_thread_fence(void)
{
	if (atomic_load(&answer) == OS_UNKNOWN)
		atomic_store(&answer, call_membarrier(REGISTER) == 0 ? OS_YES : OS_NO);
}

bool os_can_fence_threads(void)
{
	return atomic_load(&answer) == OS_YES;
}

bool os_fence_threads(void)
{
	return call_membarrier(FENCE) == 0;
}
