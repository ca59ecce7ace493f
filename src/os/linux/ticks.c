/*
 * ticks.c: the cheapest monotonic counter. Any thread, signal handlers too.
 * The first caller chooses the counter. The choice
 * takes no lock: threads that choose at the same time come to the same result.
 */
#include "os.h"

#include "counter_rate.h"
#include "time_units.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum counter { UNDECIDED, PROCESSOR, SYSTEM_CLOCK };

static _Atomic enum counter decided;
static pthread_once_t rate_once = PTHREAD_ONCE_INIT;
static uint64_t rate; /* written once, under rate_once */

#if defined(__x86_64__)

#define COUNTER_NAME "TSC"

static bool list_has(const char *names, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = names; *at != '\0'; at += strspn(at, " \n")) {
		size_t word = strcspn(at, " \n");
		if (word == length && strncmp(at, name, length) == 0)
			return true;
		at += word;
	}
	return false;
}

/* The kernel offers the TSC as a clock source as long as it is synchronized on
 * all CPUs; otherwise, and without that file, the system's clock is used. */
static bool kernel_trusts_counter(void)
{
	int fd = open("/sys/devices/system/clocksource/clocksource0/available_clocksource",
	              O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	char names[256];
	ssize_t length = read(fd, names, sizeof(names) - 1);
	(void)close(fd);
	if (length <= 0)
		return false;
	names[length] = '\0';
	return list_has(names, "tsc");
}

static bool counter_usable(void)
{
	return tsc_keeps_rate() && kernel_trusts_counter();
}

static inline uint64_t read_counter(void)
{
	return __builtin_ia32_rdtsc();
}

static uint64_t counter_rate(void)
{
	return counter_rate_measure(read_counter);
}

#elif defined(__aarch64__)

#define COUNTER_NAME "CNTVCT"

/* The architecture promises one steady system counter. */
static bool counter_usable(void)
{
	return true;
}

static inline uint64_t read_counter(void)
{
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

static uint64_t counter_rate(void)
{
	uint64_t hz;
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

#else

#define COUNTER_NAME "none"

static bool counter_usable(void)
{
	return false;
}

static inline uint64_t read_counter(void)
{
	return os_monotonic_ns();
}

static uint64_t counter_rate(void)
{
	return NS_PER_SECOND;
}

#endif

static enum counter decide(void)
{
	enum counter expected = UNDECIDED;
	enum counter mine = counter_usable() ? PROCESSOR : SYSTEM_CLOCK;
	return atomic_compare_exchange_strong(&decided, &expected, mine) ? mine : expected;
}

static inline bool uses_counter(void)
{
	enum counter counter = atomic_load_explicit(&decided, memory_order_relaxed);
	return (counter != UNDECIDED ? counter : decide()) == PROCESSOR;
}

uint64_t os_ticks(void)
{
	return uses_counter() ? read_counter() : os_monotonic_ns();
}

static void find_rate(void)
{
	rate = uses_counter() ? counter_rate() : NS_PER_SECOND;
}

uint64_t os_ticks_per_second(void)
{
	(void)pthread_once(&rate_once, find_rate);
	return rate;
}

const char *os_clock_names(void)
{
	return uses_counter() ? "ticks: " COUNTER_NAME
	                        "; time: CLOCK_MONOTONIC; CPU: per-thread CPU clocks"
	                      : "ticks and time: CLOCK_MONOTONIC; CPU: per-thread CPU clocks";
}
