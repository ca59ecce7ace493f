/*
 * thread_fence.c: see os_fence_threads(). Any thread; no lock.
 */
#include "os.h"

void os_prepare_thread_fence(void)
{
}

/* No system call does that. */
bool os_can_fence_threads(void)
{
	return false;
}

bool os_fence_threads(void)
{
	return false;
}
