/*
 * cpu_timer.c: a thread's CPU-interval timer as its LWP's ITIMER_PROF, which runs
 * while the LWP does, in user mode or in the kernel, and sends SIGPROF to that LWP.
 * It expires at ticks of the clock (100 in a second, 1000 with hires_tick), so that
 * a shorter interval merges expirations. Threads as in cpu_timer.h; no lock.
 *
 * timer_create() has no timers on threads' CPU clocks here.
 */
#include "cpu_timer.h"
#include "time_units.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/time.h>

int cpu_timer_choose(enum os_cpu_timer_kind kind)
{
	return kind == OS_CPU_TIMER_PERF ? OS_UNSUPPORTED : 0;
}

/* At most one in each tick of the clock: whatever it costs, it leaves time. */
void cpu_timer_calibrate(void)
{
}

const char *cpu_timer_name(uint64_t interval_ns)
{
	(void)interval_ns;
	return "ITIMER_PROF of each thread's LWP";
}

/* The kernel does not report the sender of an expiration's signal. */
bool cpu_timer_sent(const siginfo_t *info)
{
	return info == NULL || info->si_code == SI_NOINFO;
}

bool cpu_timer_may_be_sent(const siginfo_t *info)
{
	(void)info;
	return false;
}

void cpu_timer_taken(struct os_cpu_timer *timer)
{
	(void)timer;
}

void cpu_timer_expired(struct os_cpu_timer *timer)
{
	(void)timer;
}

/* Rounded up: 0 would stop the timer. */
static struct timeval to_timeval(uint64_t ns)
{
	uint64_t us = (ns + NS_PER_US - 1) / NS_PER_US;
	struct timeval time = {.tv_sec = (time_t)(us / US_PER_SECOND),
	                       .tv_usec = (suseconds_t)(us % US_PER_SECOND)};
	return time;
}

int cpu_timer_arm(struct os_cpu_timer *timer, bool own)
{
	(void)own; /* os_types.h: always */
	struct itimerval when = {.it_interval = to_timeval(timer->interval_ns),
	                         .it_value = to_timeval(timer->first_ns)};
	return setitimer(ITIMER_PROF, &when, NULL) == 0 ? 0 : errno;
}

void cpu_timer_disable(struct os_cpu_timer *timer)
{
	cpu_timer_disarm(timer, timer->thread == os_self_thread());
}

/* Another LWP's timer can't be stopped. It keeps running, and its signals find that
 * the thread has no timer. */
void cpu_timer_disarm(struct os_cpu_timer *timer, bool own)
{
	struct itimerval never;
	(void)timer;
	if (!own)
		return;
	memset(&never, 0, sizeof(never));
	(void)setitimer(ITIMER_PROF, &never, NULL);
}

uint64_t cpu_timer_cost_ns(void)
{
	return 0;
}

uint64_t cpu_timer_ran_ns(const struct os_cpu_timer *timer)
{
	(void)timer;
	return 0;
}

/* Nor can its period be changed. */
bool cpu_timer_set_period(struct os_cpu_timer *timer)
{
	(void)timer;
	return false;
}

int cpu_timer_mend(struct os_cpu_timer *timer)
{
	(void)timer;
	return 0;
}

void cpu_timer_send_to_self(int signal)
{
	(void)pthread_kill(pthread_self(), signal);
}
