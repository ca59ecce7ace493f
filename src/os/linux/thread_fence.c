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

/* The process registers once; a second time changes nothing. */
bool os_can_fence_threads(void)
{
	static _Atomic int answer = OS_UNKNOWN;
	int known = atomic_load_explicit(&answer, memory_order_relaxed);

	if (known == OS_UNKNOWN) {
		known = call_membarrier(REGISTER) == 0 ? OS_YES : OS_NO;
		atomic_store_explicit(&answer, known, memory_order_relaxed);
	}
	return known == OS_YES;
}

bool os_fence_threads(void)
{
	return call_membarrier(FENCE) == 0;
}
