/*
 * cpu_timer_watch.c: os_cpu_timers_watch(): checks timers from another thread, so that a fault is
 * found even if the timer's thread makes no progress or its handler is not called:
 *
 * - a timer that its handler had to stop is replaced;
 * - a timer whose expirations take too much of its thread's time gets a longer period;
 * - when the program has taken the signal, all are ended.
 *
 * One call checks only some timers: each costs system calls, and delays threads that
 * start and end. One caller at a time.
 */
#include "cpu_timer.h"
#include "cpu_timer_list.h"
#include "cpu_timers.h"

#include <string.h>

#define NS_PER_MS UINT64_C(1000000)
#define PAUSE_NS (50 * NS_PER_MS)

enum {
	TIMERS_AT_ONCE = 64,

	/* A timer is judged after this number of periods of CPU time. */
	JUDGED_PERIODS = 32,

	/* Expirations may take one part in this many of it. */
	COST_SHARE = 4,

	/* A handler that the program has set is assumed not to call ours after this
	 * many periods without a call, on any thread. */
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
	uint64_t silent_periods; /* under a foreign handler, since the last call */
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

static void look_at(void *argument, struct os_cpu_timer *timer)
{
	struct look *look = argument;
	struct cpu_timer_meter *meter = &timer->meter;
	uint64_t cpu_ns;

	if (cpu_timer_mend(timer) != 0)
		look->findings->lost++;
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

/* Whether signals of ours no longer come to us. */
static bool is_taken(const struct look *look)
{
	switch (cpu_timers_signal()) {
	case CPU_TIMERS_SIGNAL_IGNORED:
		return true;
	case CPU_TIMERS_SIGNAL_FOREIGN:
		if (look->calls > 0)
			watch.silent_periods = 0;
		else
			watch.silent_periods += look->periods;
		return watch.silent_periods >= SILENT_PERIODS;
	case CPU_TIMERS_SIGNAL_OURS:
	default:
		watch.silent_periods = 0;
		return false;
	}
}

void os_cpu_timers_watch(struct os_cpu_timers_findings *findings)
{
	struct look look = {.findings = findings};
	uint64_t now_ns = os_monotonic_ns();

	memset(findings, 0, sizeof(*findings));
	findings->signal = CPU_TIMER_SIGNAL_NAME;
	if (now_ns < watch.next_ns || !cpu_timer_list_is_open())
		return;
	watch.next_ns = now_ns + PAUSE_NS;
	cpu_timer_list_some(TIMERS_AT_ONCE, look_at, &look);
	findings->taken = is_taken(&look);
	if (findings->taken)
		(void)os_cpu_timers_end(HANDLERS_WAIT_MS);
}
