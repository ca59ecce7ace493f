/*
 * event.c: wakes a thread. The system's event object is called only when a thread
 * waits. Any thread; no lock.
 */
#include "system.h"

#include "os.h"
#include "time_units.h"

int os_event_init(struct os_event *event)
{
	atomic_init(&event->signalled, 0);
	atomic_init(&event->waiters, 0);
	event->object = CreateEventW(NULL, FALSE, FALSE, NULL);
	return event->object != NULL ? 0 : system_error();
}

void os_event_destroy(struct os_event *event)
{
	(void)CloseHandle(event->object);
}

/* A waiter counts itself before it looks at signalled, and we set signalled before we
 * look at the count: at least one sees the other. The object may stay set without
 * a waiter; the next one then wakes once for nothing. */
void os_event_signal(struct os_event *event)
{
	atomic_store(&event->signalled, 1);
	if (atomic_load(&event->waiters) != 0)
		(void)SetEvent(event->object);
}

static DWORD left_ms(uint64_t deadline_ns, uint64_t now_ns)
{
	uint64_t ms = (deadline_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS;
	return ms < INFINITE ? (DWORD)ms : INFINITE - 1;
}

bool os_event_wait(struct os_event *event, uint32_t timeout_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + timeout_ms * NS_PER_MS;
	for (;;) {
		if (atomic_exchange(&event->signalled, 0) != 0)
			return true;
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= deadline_ns)
			return false;
		atomic_fetch_add(&event->waiters, 1);
		if (atomic_load(&event->signalled) == 0)
			(void)WaitForSingleObject(event->object, left_ms(deadline_ns, now_ns));
		atomic_fetch_sub(&event->waiters, 1);
	}
}
