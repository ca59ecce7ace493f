/*
 * cpu_clock.c: a thread's CPU clock. The system has no mark that it clears when
 * a thread leaves its CPU, so each reading is a system call: thread_times.c
 * chooses which. Each clock is used by its own thread alone; no lock.
 */
#include "os.h"

#include "thread_times.h"

/* The word of all clocks: never marked. */
static const volatile uint64_t no_word;

void os_cpu_clock_start(struct os_cpu_clock *clock, enum os_cpu_clock_kind kind)
{
	(void)kind;
	clock->last_cpu_ns = 0;
	(void)thread_times_refined();
}

uint64_t os_cpu_clock_read(struct os_cpu_clock *clock, uint64_t *wall_ns)
{
	*wall_ns = os_monotonic_ns();
	uint64_t cpu_ns = os_self_cpu_ns();
	if (cpu_ns > clock->last_cpu_ns)
		clock->last_cpu_ns = cpu_ns;
	return clock->last_cpu_ns;
}

struct os_run_mark os_cpu_clock_mark(const struct os_cpu_clock *clock)
{
	(void)clock;
	return (struct os_run_mark){.word = &no_word, .until_ns = 0};
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
	return thread_times_refined() ? "thread cycle time" : "GetThreadTimes";
}
