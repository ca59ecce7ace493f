/*
 * event.c: wakes a thread, from signal handlers too. sema_post() may be called in
 * one, and sema_reltimedwait()'s time-out does not depend on the time of day.
 */
#include "os.h"
#include "time_units.h"

#include <errno.h>

int os_event_init(struct os_event *event)
{
	atomic_init(&event->signalled, 0);
	atomic_init(&event->waiters, 0);
	return sema_init(&event->wake, 0, USYNC_THREAD, NULL);
}

void os_event_destroy(struct os_event *event)
{
	(void)sema_destroy(&event->wake);
}

/* A waiter counts itself before it looks at signalled, and we set signalled before we look at the
 * count: at least one sees the other. A caller that finds the flag set leaves the wake-up to the
 * one that set it. */
void os_event_signal(struct os_event *event)
{
	if (atomic_exchange(&event->signalled, 1) != 0 || atomic_load(&event->waiters) == 0)
		return;
	int saved = errno;
	(void)sema_post(&event->wake);
	errno = saved;
}

/* May return early for a post that came too late for an earlier wait. */
static void sleep_while_unsignalled(struct os_event *event, uint64_t ns)
{
	timestruc_t timeout = {.tv_sec = (time_t)(ns / NS_PER_SECOND),
	                       .tv_nsec = (long)(ns % NS_PER_SECOND)};
	atomic_fetch_add(&event->waiters, 1);
	if (atomic_load(&event->signalled) == 0)
		(void)sema_reltimedwait(&event->wake, &timeout);
	atomic_fetch_sub(&event->waiters, 1);
}

bool os_event_wait(struct os_event *event, uint32_t timeout_ms)
{
	uint64_t deadline = os_monotonic_ns() + timeout_ms * NS_PER_MS;
	for (;;) {
		if (atomic_exchange(&event->signalled, 0) != 0)
			return true;
		uint64_t now = os_monotonic_ns();
		if (now >= deadline)
			return false;
		sleep_while_unsignalled(event, deadline - now);
	}
}
