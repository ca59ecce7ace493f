/*
 * microstates.c: time of a thread by state, from three files of /proc and its
 * CPU clock. Any thread; no lock.
 *
 * The kernel reports the total run time in nanoseconds, its split into user and
 * system only in clock ticks, the wait for a CPU in nanoseconds and the
 * start in clock ticks. We keep the precise totals and split by the coarse ones.
 */
#include "proc_task.h"
#include "time_units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Numbers of the fields in stat, from proc(5). */
enum stat_field { STAT_USER_TICKS = 14, STAT_SYSTEM_TICKS = 15, STAT_START_TICKS = 22 };

struct readings {
	uint64_t user_ticks;
	uint64_t system_ticks;
	uint64_t start_ticks;
	uint64_t waited_ns;
	bool waited_known;
	uint64_t cpu_ns;
};

int os_microstates_enable(void)
{
	return 0;
}

static bool stat_number(const char *stat, enum stat_field field, uint64_t *number)
{
	const char *text = proc_task_stat_field(stat, (int)field);
	if (text == NULL)
		return false;
	char *end;
	*number = strtoull(text, &end, 10);
	return end != text;
}

static int read_stat(os_thread thread, struct readings *r)
{
	char stat[PROC_TASK_TEXT_MAX];
	int error = proc_task_read(thread, "stat", stat, sizeof(stat));
	if (error != 0)
		return error;
	bool complete = stat_number(stat, STAT_USER_TICKS, &r->user_ticks) &&
	                stat_number(stat, STAT_SYSTEM_TICKS, &r->system_ticks) &&
	                stat_number(stat, STAT_START_TICKS, &r->start_ticks);
	return complete ? 0 : EIO;
}

static void read_schedstat(os_thread thread, struct readings *r)
{
	char text[128];
	r->waited_known = proc_task_read(thread, "schedstat", text, sizeof(text)) == 0 &&
	                  proc_task_waited(text, &r->waited_ns);
}

static bool labelled_number(const char *text, const char *label, uint64_t *number)
{
	const char *at = strstr(text, label);
	if (at == NULL)
		return false;
	*number = strtoull(at + strlen(label), NULL, 10);
	return true;
}

static void read_switches(os_thread thread, struct os_microstates *states)
{
	char status[PROC_TASK_TEXT_MAX];
	states->switches_known =
	        proc_task_read(thread, "status", status, sizeof(status)) == 0 &&
	        labelled_number(status,
	                        "\nvoluntary_ctxt_switches:", &states->voluntary_switches) &&
	        labelled_number(status,
	                        "\nnonvoluntary_ctxt_switches:", &states->involuntary_switches);
}

/* From the middle of the tick in which the thread was started, the resolution
 * of the kernel, to now. */
static uint64_t life_ns(uint64_t start_ticks)
{
	long ticks_per_second = sysconf(_SC_CLK_TCK);
	uint64_t tick_ns =
	        NS_PER_SECOND / (uint64_t)(ticks_per_second > 0 ? ticks_per_second : 100);
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	uint64_t now_ns = (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
	uint64_t start_ns = start_ticks * tick_ns + tick_ns / 2;
	return now_ns > start_ns ? now_ns - start_ns : 0;
}

static void set(struct os_microstates *states, enum os_microstate state, uint64_t ns)
{
	states->ns[state] = ns;
	states->known |= 1U << state;
}

/* Before the first tick the kernel has no split, so that all run time counts as
 * user time and system time is unknown. */
static void split_run_time(const struct readings *r, struct os_microstates *states)
{
	uint64_t ticks = r->user_ticks + r->system_ticks;
	if (ticks == 0) {
		set(states, OS_USR, r->cpu_ns);
		return;
	}
	double user_share = (double)r->user_ticks / (double)ticks;
	uint64_t user_ns = (uint64_t)((double)r->cpu_ns * user_share);
	if (user_ns > r->cpu_ns)
		user_ns = r->cpu_ns;
	set(states, OS_USR, user_ns);
	set(states, OS_SYS, r->cpu_ns - user_ns);
}

int os_thread_microstates(os_thread thread, struct os_microstates *states)
{
	struct readings r = {0};
	memset(states, 0, sizeof(*states));
	int error = read_stat(thread, &r);
	if (error != 0)
		return error;
	read_schedstat(thread, &r);
	read_switches(thread, states);
	error = os_thread_cpu_ns(thread, &r.cpu_ns);
	if (error != 0)
		return error;

	uint64_t awake_ns = r.cpu_ns + (r.waited_known ? r.waited_ns : 0);
	states->life_ns = life_ns(r.start_ticks);
	if (states->life_ns < awake_ns)
		states->life_ns = awake_ns; /* less than a tick off, see life_ns() */
	split_run_time(&r, states);
	if (r.waited_known)
		set(states, OS_LAT, r.waited_ns);
	set(states, OS_SLP, states->life_ns - awake_ns);
	return 0;
}
