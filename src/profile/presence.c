/*
 * presence.c: see presence.h.
 */
#include "profile/presence.h"

#include "os/os.h"

#include <stdatomic.h>

enum { GROUPS = 64, LINE_BYTES = 64 };

#define LOOK_NS 200000u
#define NS_PER_MS 1000000u

/* A cache line each, so that threads of different groups don't get in each other's
 * way. Global: a thread that comes in knows no profile yet. */
static struct {
	_Alignas(LINE_BYTES) _Atomic uint64_t inside;
} groups[GROUPS];

static _Atomic unsigned next_group;

/* The calling thread's group, plus 1. */
static _Thread_local unsigned own_group;

static _Atomic uint64_t *own_count(void)
{
	if (own_group == 0)
		own_group = atomic_fetch_add(&next_group, 1) % GROUPS + 1;
	return &groups[own_group - 1].inside;
}

void presence_enter(void)
{
	atomic_fetch_add(own_count(), 1);
}

void presence_leave(void)
{
	atomic_fetch_sub(own_count(), 1);
}

/* A count that is 0 once shows that all of the group have left since the call. */
bool presence_wait(uint32_t timeout_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	for (int i = 0; i < GROUPS; i++) {
		while (atomic_load(&groups[i].inside) != 0) {
			uint64_t now_ns = os_monotonic_ns();
			if (now_ns >= deadline_ns)
				return false;
			os_sleep_until(now_ns + LOOK_NS);
		}
	}
	return true;
}
