/*
 * thread_fence.c: see os_fence_threads(). Any thread; no lock.
 */
#include "os.h"

void os_prepare_thread_fence(void)
{
}

/* FlushProcessWriteBuffers() does that, but in Wine 8 it does nothing. */
bool os_can_fence_threads(void)
{
	return false;
}

bool os_fence_threads(void)
{
	return false;
}
