/*
 * active_callbacks.c: see active_callbacks.h.
 */
#include "vm/active_callbacks.h"

#include "base/address_map.h"
#include "os/os.h"
#include "os/time_units.h"

#include <stdatomic.h>

enum { GROUP_BITS = 8, GROUPS = 1 << GROUP_BITS, LINE_BYTES = 64 };

#define LOOK_NS (200 * NS_PER_US)

/* A cache line each, so that threads of different groups don't share
 * one. Global: a callback that begins does not know its profile yet. */
static struct {
	_Alignas(LINE_BYTES) _Atomic uint64_t inside;
} groups[GROUPS];

static _Atomic uint64_t *count_of(const void *key)
{
	enum { SHIFT = 64 - GROUP_BITS };
	return &groups[address_hash((uintptr_t)key) >> SHIFT].inside;
}

/* Waits so far. A callback reads it after it has been counted and before it reads anything of
 * the profile. Either the read comes first in the order of all such operations, and then the
 * waiting thread finds the count; or it sees the new number, and then also what the waiting
 * thread had made unreachable, even through reads of the VM that are not atomic. Without it a
 * CPU with weakly ordered memory may read the profile before others see the count
 * (tests/model/active_callbacks.pml). */
static _Atomic uint64_t waits;

void active_callbacks_enter(const void *key)
{
	atomic_fetch_add(count_of(key), 1);
	(void)atomic_load(&waits);
}

void active_callbacks_leave(const void *key)
{
	atomic_fetch_sub(count_of(key), 1);
}

/* A count that is 0 once shows that all callbacks of the group have returned since the call. */
bool active_callbacks_wait(uint32_t timeout_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	atomic_fetch_add(&waits, 1);
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
