/*
 * clocks.c: the monotonic clock, which is the performance counter, and sleeping by
 * it. Any thread; no lock.
 */
#include "system.h"

#include "clocks.h"
#include "os.h"
#include "time_units.h"

#define NS_PER_UNIT UINT64_C(100) /* of the system's times */

/* Newer than the oldest compilers' headers. */
#ifndef CREATE_WAITABLE_TIMER_HIGH_RESOLUTION
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 0x2
#endif

uint64_t os_ticks(void)
{
	LARGE_INTEGER now;
	(void)QueryPerformanceCounter(&now); /* can't fail since Windows XP */
	return (uint64_t)now.QuadPart;
}

/* Fixed at boot; asking costs no system call. */
uint64_t os_ticks_per_second(void)
{
	LARGE_INTEGER rate;
	(void)QueryPerformanceFrequency(&rate);
	return (uint64_t)rate.QuadPart;
}

uint64_t clocks_scale(uint64_t count, uint64_t rate)
{
	return count / rate * NS_PER_SECOND + count % rate * NS_PER_SECOND / rate;
}

uint64_t os_monotonic_ns(void)
{
	return clocks_scale(os_ticks(), os_ticks_per_second());
}

/* A timer of high resolution where the system has it (Windows 10, version 1803);
 * one that goes by the system's clock interrupt elsewhere. */
static HANDLE new_timer(void)
{
	HANDLE timer = CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION,
	                                      TIMER_ALL_ACCESS);
	return timer != NULL ? timer : CreateWaitableTimerExW(NULL, NULL, 0, TIMER_ALL_ACCESS);
}

/* Sleeps for about ns, rounded up to what the system counts in. */
static void sleep_for(HANDLE timer, uint64_t ns)
{
	uint64_t units = (ns + NS_PER_UNIT - 1) / NS_PER_UNIT;
	LARGE_INTEGER due = {.QuadPart = -(LONGLONG)(units < INT64_MAX ? units : INT64_MAX)};
	if (timer != NULL && SetWaitableTimer(timer, &due, 0, NULL, NULL, FALSE) &&
	    WaitForSingleObject(timer, INFINITE) == WAIT_OBJECT_0)
		return;
	uint64_t ms = ns / NS_PER_MS + 1;
	Sleep(ms < INFINITE ? (DWORD)ms : INFINITE - 1);
}

void os_sleep_until(uint64_t when_ns)
{
	uint64_t now_ns = os_monotonic_ns();
	if (now_ns >= when_ns)
		return;
	HANDLE timer = new_timer();
	for (; now_ns < when_ns; now_ns = os_monotonic_ns())
		sleep_for(timer, when_ns - now_ns);
	if (timer != NULL)
		(void)CloseHandle(timer);
}
