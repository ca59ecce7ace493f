/*
 * microstates.c: time of a thread by state. The system reports its start, and its user and
 * kernel time; the rest is sleep or waiting for a CPU, which
 * it does not distinguish. Any thread; no lock.
 */
#include "system.h"

#include "os.h"
#include "thread_times.h"

#include <string.h>

#define NS_PER_UNIT UINT64_C(100)

int os_microstates_enable(void)
{
	return 0;
}

static uint64_t life_ns(uint64_t created_units)
{
	FILETIME now;
	GetSystemTimePreciseAsFileTime(&now);
	uint64_t units = (uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime;
	return units > created_units ? (units - created_units) * NS_PER_UNIT : 0;
}

static void set(struct os_microstates *states, enum os_microstate state, uint64_t ns)
{
	states->ns[state] = ns;
	states->known |= 1U << state;
}

/* Before the first tick the system has no split, so that all run time counts as
 * user time and kernel time is unknown. */
static void split_run_time(const struct thread_times *times, struct os_microstates *states)
{
	uint64_t ticks_ns = times->user_ns + times->kernel_ns;
	if (ticks_ns == 0) {
		set(states, OS_USR, times->cpu_ns);
		return;
	}
	double user_share = (double)times->user_ns / (double)ticks_ns;
	uint64_t user_ns = (uint64_t)((double)times->cpu_ns * user_share);
	if (user_ns > times->cpu_ns)
		user_ns = times->cpu_ns;
	set(states, OS_USR, user_ns);
	set(states, OS_SYS, times->cpu_ns - user_ns);
}

int os_thread_microstates(os_thread thread, struct os_microstates *states)
{
	struct thread_times times;
	memset(states, 0, sizeof(*states));
	int error = thread_times_read(thread, &times);
	if (error != 0)
		return error;
	states->life_ns = life_ns(times.created_units);
	if (states->life_ns < times.cpu_ns)
		states->life_ns = times.cpu_ns; /* the clock was set back, or a tick too much */
	split_run_time(&times, states);
	set(states, OS_SLP, states->life_ns - times.cpu_ns);
	return 0;
}
