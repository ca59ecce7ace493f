/*
 * clocks.c: the monotonic clock and the threads' CPU clocks. Any thread, most of it
 * from signal handlers too; no lock.
 *
 * Java threads are threads of the C library, and these are LWPs, one each, since
 * Solaris 9: the LWP's id names the thread.
 */
#include "lwp_files.h"
#include "os.h"
#include "time_units.h"

#include <errno.h>
#include <sys/lwp.h>
#include <sys/time.h>

uint64_t os_monotonic_ns(void)
{
	return (uint64_t)gethrtime();
}

uint64_t os_ticks(void)
{
	return (uint64_t)gethrtime();
}

uint64_t os_ticks_per_second(void)
{
	return NS_PER_SECOND;
}

os_thread os_self_thread(void)
{
	return (os_thread)_lwp_self();
}

int os_thread_cpu_ns(os_thread thread, uint64_t *cpu_ns)
{
	prusage_t usage;
	int error = lwp_usage(thread, &usage);
	if (error == 0)
		*cpu_ns =
		        lwp_ns(&usage.pr_utime) + lwp_ns(&usage.pr_stime) + lwp_ns(&usage.pr_ttime);
	return error;
}

/* gethrvtime() would be cheaper, but leaves out the time in system calls. */
uint64_t os_self_cpu_ns(void)
{
	struct timespec now;
	uint64_t cpu_ns = 0;
	int saved = errno;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
		return lwp_ns(&now);
	/* Kernels of illumos before 2021 do not have that clock. */
	(void)os_thread_cpu_ns(os_self_thread(), &cpu_ns);
	errno = saved;
	return cpu_ns;
}

void os_sleep_until(uint64_t when_ns)
{
	for (;;) {
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= when_ns)
			return;
		uint64_t left_ns = when_ns - now_ns;
		struct timespec left = {.tv_sec = (time_t)(left_ns / NS_PER_SECOND),
		                        .tv_nsec = (long)(left_ns % NS_PER_SECOND)};
		(void)nanosleep(&left, NULL);
	}
}

const char *os_clock_names(void)
{
	return "ticks and time: gethrtime; CPU: CLOCK_THREAD_CPUTIME_ID and lwpusage";
}
