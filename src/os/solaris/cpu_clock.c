/*
 * cpu_clock.c: a thread's CPU clock at the price of two clocks that need no system
 * call. Each clock is used by its own thread alone; no lock.
 *
 * gethrvtime() is the thread's time in user mode. As long as it advances as the
 * wall clock does, the thread has neither been in the kernel nor left its CPU,
 * and its CPU clock has advanced by the same amount. When user time falls short, the CPU
 * clock is read by a system call.
 */
#include "os.h"
#include "time_units.h"

#include <sys/time.h>

/* How far user time may fall short without being treated as an interruption: the two
 * clocks are not read at the same time. */
#define SLACK_NS NS_PER_US

/* After this time a system call is made in any case, for what the slack hides. */
#define TRUST_NS NS_PER_MS

/* The word of all clocks: never marked, as no word of Solaris is. */
static const volatile uint64_t no_word;

static uint64_t never_back(struct os_cpu_clock *clock, uint64_t cpu_ns)
{
	if (cpu_ns > clock->last_cpu_ns)
		clock->last_cpu_ns = cpu_ns;
	return clock->last_cpu_ns;
}

/* The time that the thread was not in user mode until wall_ns, plus a constant. */
static uint64_t gap_at(uint64_t wall_ns)
{
	return wall_ns - (uint64_t)gethrvtime();
}

static void rebase(struct os_cpu_clock *clock)
{
	uint64_t before_ns = os_monotonic_ns();
	clock->base_cpu_ns = os_self_cpu_ns();
	uint64_t after_ns = os_monotonic_ns();
	clock->base_wall_ns = before_ns + (after_ns - before_ns) / 2;
	clock->base_gap_ns = gap_at(after_ns);
}

/* The gap may shrink: user time is read a little later than the wall clock. */
static bool had_break(const struct os_cpu_clock *clock, uint64_t wall_ns)
{
	int64_t grown_ns = (int64_t)(gap_at(wall_ns) - clock->base_gap_ns);
	return grown_ns > (int64_t)SLACK_NS;
}

uint64_t os_cpu_clock_read(struct os_cpu_clock *clock, uint64_t *wall_ns)
{
	uint64_t now_ns = os_monotonic_ns();
	if (!clock->cheap) {
		*wall_ns = now_ns;
		return never_back(clock, os_self_cpu_ns());
	}
	uint64_t passed_ns = now_ns - clock->base_wall_ns;
	if (passed_ns < TRUST_NS && !had_break(clock, now_ns)) {
		*wall_ns = now_ns;
		return never_back(clock, clock->base_cpu_ns + passed_ns);
	}
	rebase(clock);
	*wall_ns = clock->base_wall_ns;
	return never_back(clock, clock->base_cpu_ns);
}

void os_cpu_clock_start(struct os_cpu_clock *clock, enum os_cpu_clock_kind kind)
{
	clock->cheap = kind == OS_CPU_CLOCK_ANY;
	clock->last_cpu_ns = 0;
	clock->base_cpu_ns = 0;
	clock->base_wall_ns = 0;
	clock->base_gap_ns = 0;
	if (clock->cheap)
		rebase(clock);
}

struct os_run_mark os_cpu_clock_mark(const struct os_cpu_clock *clock)
{
	return (struct os_run_mark){.word = &no_word, .until_ns = clock->base_wall_ns};
}

bool os_run_marks_work(void)
{
	return false;
}

uint64_t os_run_mark_value(void)
{
	return 1;
}

const char *os_cpu_clock_name(void)
{
	return "gethrtime while gethrvtime keeps pace, and CLOCK_THREAD_CPUTIME_ID after "
	       "each break";
}
