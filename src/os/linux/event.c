/*
 * event.c: wakes a thread, from signal handlers too. A futex, because its
 * time-out runs on the monotonic clock (a semaphore's runs on the wall clock,
 * which may be set back an hour) and because a signal without a waiter
 * then costs no system call.
 */
#include "os.h"
#include "time_units.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int os_event_init(struct os_event *event)
{
	atomic_init(&event->signalled, 0);
	atomic_init(&event->waiters, 0);
	return 0;
}

void os_event_destroy(struct os_event *event)
{
	(void)event;
}

/* A waiter counts itself before it looks at signalled, and we do it the other
 * way round: one of both sees the other. */
void os_event_signal(struct os_event *event)
{
	atomic_store(&event->signalled, 1);
	if (atomic_load(&event->waiters) == 0)
		return;
	int saved = errno;
	(void)syscall(SYS_futex, &event->signalled, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = saved;
}

static void sleep_while_unsignalled(struct os_event *event, uint64_t ns)
{
	struct timespec timeout = {.tv_sec = (time_t)(ns / NS_PER_SECOND),
	                           .tv_nsec = (long)(ns % NS_PER_SECOND)};
	atomic_fetch_add(&event->waiters, 1);
	(void)syscall(SYS_futex, &event->signalled, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
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
