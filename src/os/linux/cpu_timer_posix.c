/*
 * cpu_timer_posix.c: a thread's CPU-interval timer as a POSIX timer on the
 * thread's CPU clock. Needs no permission; expires at the scheduler's ticks,
 * so that an interval below a tick merges expirations. Threads as in
 * cpu_timer_kinds.h; no lock.
 */
#include "cpu_timer_kinds.h"
#include "cpu_timer_signal.h"
#include "thread_cpu_clock.h"
#include "time_units.h"

#include <errno.h>
#include <string.h>

/* A timer with this first period is deleted before it expires. */
#define NEVER_NS (3600 * NS_PER_SECOND)

/* Not every C library names this member of struct sigevent. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static struct timespec to_timespec(uint64_t ns)
{
	struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_SECOND),
	                        .tv_nsec = (long)(ns % NS_PER_SECOND)};
	return time;
}

bool posix_timer_permitted(void)
{
	struct os_cpu_timer timer;

	memset(&timer, 0, sizeof(timer));
	timer.thread = os_self_thread();
	timer.signal = cpu_timer_signal();
	timer.first_ns = NEVER_NS;
	if (posix_timer_start(&timer, NULL) != 0)
		return false;
	posix_timer_close(&timer);
	return true;
}

int posix_timer_start(struct os_cpu_timer *timer, void *cookie)
{
	struct sigevent event;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = timer->signal;
	event.sigev_value.sival_ptr = cookie;
	event.sigev_notify_thread_id = (pid_t)timer->thread;
	if (timer_create(thread_cpu_clock(timer->thread), &event, &timer->posix) != 0)
		return errno;
	timer->posix_made = true;

	struct itimerspec when = {.it_value = to_timespec(timer->first_ns),
	                          .it_interval = to_timespec(atomic_load(&timer->meter.period_ns))};
	if (timer_settime(timer->posix, 0, &when, NULL) != 0) {
		int error = errno;
		posix_timer_close(timer);
		return error;
	}
	return 0;
}

bool posix_timer_set_period(struct os_cpu_timer *timer)
{
	struct timespec period = to_timespec(atomic_load(&timer->meter.period_ns));
	struct itimerspec when = {.it_value = period, .it_interval = period};
	return timer_settime(timer->posix, 0, &when, NULL) == 0;
}

void posix_timer_disable(struct os_cpu_timer *timer)
{
	struct itimerspec never;
	memset(&never, 0, sizeof(never));
	(void)timer_settime(timer->posix, 0, &never, NULL);
}

void posix_timer_close(struct os_cpu_timer *timer)
{
	(void)timer_delete(timer->posix);
	timer->posix_made = false;
}
