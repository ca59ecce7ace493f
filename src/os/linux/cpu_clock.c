/*
 * cpu_clock.c: a thread's CPU clock at the price of reading the monotonic clock.
 * Each clock is used by its own thread alone; no lock.
 *
 * While a mark stays in the thread's word (run_mark.h) the thread has run without
 * a break, and its CPU clock has advanced just as the monotonic clock. When the
 * mark is gone, the CPU clock is read by a system call, once, and the mark set
 * again.
 */
#include "run_mark.h"

#include "os.h"
#include "time_units.h"

/* After this time a system call is made in any case: the kernel's clock leaves out
 * the time of interrupts. */
#define TRUST_NS NS_PER_MS

enum { MARK_TRIES = 4 };

/* The word of clocks without one: never marked. */
static volatile uint64_t no_word;

/* Found out once. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool marks_work;

static void find_out(void)
{
	volatile uint64_t *word = run_mark_word();
	marks_work = word != NULL && run_mark_works(word);
}

static inline bool is_marked(const struct os_cpu_clock *clock)
{
	return *clock->word == os_run_mark_value();
}

static uint64_t never_back(struct os_cpu_clock *clock, uint64_t cpu_ns)
{
	if (cpu_ns > clock->last_cpu_ns)
		clock->last_cpu_ns = cpu_ns;
	return clock->last_cpu_ns;
}

/* Marks the word and reads the CPU clock, between two readings of the
 * wall clock; the mark is intact if nothing interrupted them. */
static void rebase(struct os_cpu_clock *clock)
{
	for (int i = 0; i < MARK_TRIES; i++) {
		*clock->word = os_run_mark_value();
		uint64_t before_ns = os_monotonic_ns();
		clock->base_cpu_ns = os_self_cpu_ns();
		clock->base_wall_ns = before_ns + (os_monotonic_ns() - before_ns) / 2;
		if (is_marked(clock))
			break;
	}
}

uint64_t os_cpu_clock_read(struct os_cpu_clock *clock, uint64_t *wall_ns)
{
	if (clock->word == &no_word) {
		*wall_ns = os_monotonic_ns();
		return never_back(clock, os_self_cpu_ns());
	}
	/* In this order: a mark that is intact after the wall clock was read means
	 * that the thread ran for all of that time. */
	uint64_t now_ns = os_monotonic_ns();
	uint64_t passed_ns = now_ns - clock->base_wall_ns;
	if (is_marked(clock) && passed_ns < TRUST_NS) {
		*wall_ns = now_ns;
		return never_back(clock, clock->base_cpu_ns + passed_ns);
	}
	rebase(clock);
	*wall_ns = clock->base_wall_ns;
	return never_back(clock, clock->base_cpu_ns);
}

void os_cpu_clock_start(struct os_cpu_clock *clock, enum os_cpu_clock_kind kind)
{
	volatile uint64_t *word = NULL;

	(void)pthread_once(&once, find_out);
	if (kind == OS_CPU_CLOCK_ANY && marks_work)
		word = run_mark_word();
	clock->word = word != NULL ? word : &no_word;
	clock->last_cpu_ns = 0;
	clock->base_cpu_ns = 0;
	clock->base_wall_ns = 0;
	if (word != NULL)
		rebase(clock);
}

struct os_run_mark os_cpu_clock_mark(const struct os_cpu_clock *clock)
{
	return (struct os_run_mark){.word = clock->word,
	                            .until_ns = clock->base_wall_ns + TRUST_NS};
}

bool os_run_marks_work(void)
{
	(void)pthread_once(&once, find_out);
	return marks_work;
}

const char *os_cpu_clock_name(void)
{
	return os_run_marks_work() ? "CLOCK_MONOTONIC, and CLOCK_THREAD_CPUTIME_ID after each break"
	                           : "CLOCK_THREAD_CPUTIME_ID";
}
