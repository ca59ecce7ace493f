/*
 * clocks.c: the monotonic clock and the threads' CPU clocks. Any thread, most
 * of it from signal handlers too; no lock.
 */
#include "os.h"
#include "thread_cpu_clock.h"
#include "time_units.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t to_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_SECOND + (uint64_t)time->tv_nsec;
}

uint64_t os_monotonic_ns(void)
{
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return to_ns(&now);
}

uint64_t os_self_cpu_ns(void)
{
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return to_ns(&now);
}

os_thread os_self_thread(void)
{
	return (os_thread)syscall(SYS_gettid);
}

/* The kernel's id of a thread's CPU clock: the complement of the TID above
 * three bits that mean "one thread" (4) and "precise run time" (2). The kernel
 * refuses it (EINVAL) unless the thread is one of this process. */
clockid_t thread_cpu_clock(os_thread thread)
{
	return (clockid_t)((~(uint32_t)thread << 3) | 6U);
}

int os_thread_cpu_ns(os_thread thread, uint64_t *cpu_ns)
{
	/* 0 would mean the calling thread, and 29 bits are the clock id's room. */
	if (thread == 0 || thread >= UINT64_C(1) << 29)
		return ESRCH;
	struct timespec now;
	if (clock_gettime(thread_cpu_clock(thread), &now) != 0)
		return errno == EINVAL ? ESRCH : errno;
	*cpu_ns = to_ns(&now);
	return 0;
}

void os_sleep_until(uint64_t when_ns)
{
	struct timespec when = {.tv_sec = (time_t)(when_ns / NS_PER_SECOND),
	                        .tv_nsec = (long)(when_ns % NS_PER_SECOND)};
	int result;
	do
		result = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
	while (result == EINTR);
}
