/*
 * cpu_timer_watch.c: os_cpu_timers_watch(): checks timers from another thread, so that a fault is
 * found even if the timer's thread makes no progress or its handler is not called:
 *
 * - a timer that its handler had to stop is replaced;
 * - a timer whose expirations take too much of its thread's time gets a longer period;
 * - when the program has taken the signal, all get another one, or are ended if none is free.
 *
 * One call checks only some timers: each costs system calls, and delays threads that
 * start and end. One caller at a time.
 */
#include "cpu_timer.h"
#include "cpu_timer_list.h"
#include "cpu_timer_signal.h"
#include "time_units.h"

#include <string.h>

#define PAUSE_NS (50 * NS_PER_MS)

enum {
	TIMERS_AT_ONCE = 64,

	/* A timer is judged after this number of periods of CPU time. */
	JUDGED_PERIODS = 32,

	/* Expirations may take one part in this many of it. */
	COST_SHARE = 4,

	/* A handler of the program that called ours when it was tried is tried again after
	 * this many periods without a call, on any thread. */
	SILENT_PERIODS = 100,

	HANDLERS_WAIT_MS = 100
};

/* What a round of looks finds. */
struct look {
	struct os_cpu_timers_findings *findings;
	uint64_t periods; /* of CPU time that threads have used */
	uint64_t calls;   /* of their handlers */
};

/* The watch's own state, under its callers' lock. */
static struct {
	uint64_t next_ns;
	uint64_t silent_periods;  /* under a foreign handler, since the last call */
	cpu_timer_handler *tried; /* the foreign handler that has been tried; or NULL */
} watch;

/* Expirations since the last check: by the system's clock, or
 * by the handler's count. */
static uint64_t expirations(const struct os_cpu_timer *timer, uint64_t ran_ns, uint64_t calls)
{
	const struct cpu_timer_meter *meter = &timer->meter;
	uint64_t came = calls - meter->judged_calls;
	uint64_t due = 0;
	if (ran_ns > meter->judged_ran_ns)
		due = (ran_ns - meter->judged_ran_ns) / atomic_load(&meter->period_ns);
	return due > came ? due : came;
}

static void lengthen(struct look *look, struct os_cpu_timer *timer)
{
	uint64_t period_ns = atomic_load(&timer->meter.period_ns) * 2;

	atomic_store(&timer->meter.period_ns, period_ns);
	if (!cpu_timer_set_period(timer))
		return;
	look->findings->slowed++;
	if (period_ns > look->findings->longest_period_ns)
		look->findings->longest_period_ns = period_ns;
}

static void judge(struct look *look, struct os_cpu_timer *timer, uint64_t cpu_ns)
{
	struct cpu_timer_meter *meter = &timer->meter;
	uint64_t used_ns = cpu_ns - meter->judged_cpu_ns;

	if (used_ns < JUDGED_PERIODS * atomic_load(&meter->period_ns))
		return;
	uint64_t calls = atomic_load(&meter->calls);
	uint64_t spent_ns = atomic_load(&meter->spent_ns);
	uint64_t ran_ns = cpu_timer_ran_ns(timer);
	uint64_t cost_ns = expirations(timer, ran_ns, calls) * cpu_timer_cost_ns() +
	                   (spent_ns - meter->judged_spent_ns);
	meter->judged_cpu_ns = cpu_ns;
	meter->judged_calls = calls;
	meter->judged_spent_ns = spent_ns;
	meter->judged_ran_ns = ran_ns;
	if (cost_ns > used_ns / COST_SHARE)
		lengthen(look, timer);
}

static void mend(struct look *look, struct os_cpu_timer *timer)
{
	if (timer->entry.lost)
		return;
	int error = cpu_timer_mend(timer);
	if (error == 0)
		return;
	timer->entry.lost = true;
	look->findings->lost++;
	look->findings->lost_error = error;
}

static void look_at(void *argument, struct os_cpu_timer *timer)
{
	struct look *look = argument;
	struct cpu_timer_meter *meter = &timer->meter;
	uint64_t cpu_ns;

	mend(look, timer);
	if (os_thread_cpu_ns(timer->thread, &cpu_ns) != 0)
		return;
	uint64_t calls = atomic_load(&meter->calls);
	if (meter->looked_at) {
		look->periods += (cpu_ns - meter->last_cpu_ns) / atomic_load(&meter->period_ns);
		look->calls += calls - meter->last_calls;
		judge(look, timer, cpu_ns);
	} else {
		meter->judged_cpu_ns = cpu_ns;
		meter->judged_calls = calls;
		meter->judged_spent_ns = atomic_load(&meter->spent_ns);
		meter->judged_ran_ns = cpu_timer_ran_ns(timer);
		meter->looked_at = true;
	}
	meter->last_cpu_ns = cpu_ns;
	meter->last_calls = calls;
}

/* Whether a handler that the program has set calls ours. One that calls it has been tried, since
 * others get each signal of our timers until they are found. */
static bool calls_ours(cpu_timer_handler *handler, const struct look *look)
{
	watch.silent_periods = look->calls > 0 ? 0 : watch.silent_periods + look->periods;
	if (handler == watch.tried && watch.silent_periods < SILENT_PERIODS)
		return true;
	watch.tried = handler;
	watch.silent_periods = 0;
	return cpu_timer_signal_reaches_us(cpu_timer_send_to_self);
}

/* Whether signals of ours no longer come to us. */
static bool is_taken(const struct look *look)
{
	cpu_timer_handler *handler;

	switch (cpu_timer_signal_owner(&handler)) {
	case CPU_TIMER_SIGNAL_UNHANDLED:
		return true;
	case CPU_TIMER_SIGNAL_FOREIGN:
		return !calls_ours(handler, look);
	case CPU_TIMER_SIGNAL_OURS:
	default:
		watch.tried = NULL;
		return false;
	}
}

static void mend_one(void *argument, struct os_cpu_timer *timer)
{
	mend(argument, timer);
}

/* A timer that is being armed now is mended in a later round. */
static void leave_signal(struct look *look)
{
	struct os_cpu_timers_findings *findings = look->findings;

	watch.tried = NULL;
	if (cpu_timer_signal_change()) {
		findings->next_signal = cpu_timer_signal_name();
		cpu_timer_list_each(mend_one, look);
	} else {
		(void)os_cpu_timers_end(HANDLERS_WAIT_MS);
	}
}

void os_cpu_timers_watch(struct os_cpu_timers_findings *findings)
{
	struct look look = {.findings = findings};
	uint64_t now_ns = os_monotonic_ns();

	memset(findings, 0, sizeof(*findings));
	findings->signal = cpu_timer_signal_name();
	if (now_ns < watch.next_ns || !cpu_timer_list_is_open())
		return;
	cpu_timer_calibrate();
	watch.next_ns = now_ns + PAUSE_NS;
	cpu_timer_list_some(TIMERS_AT_ONCE, look_at, &look);
	findings->taken = is_taken(&look);
	if (findings->taken)
		leave_signal(&look);
}

bool os_cpu_timers_taken(const char **signal)
{
	const struct look look = {0};

	*signal = cpu_timer_signal_name();
	return cpu_timer_list_is_open() && is_taken(&look);
}
