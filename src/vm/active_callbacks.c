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

/* The threads of a group share a count, except one, the owner, which has its own: it adds to it
 * by a load and a store, which cost less than an atomic addition. A thread that has an
 * earlier one's key is the owner in its place, since one key is never used by two threads at a
 * time. A thread may become the owner between the beginning of a callback and its end, which are in
 * different counts then: only their sum, modulo 2^64, says how many callbacks are in flight.
 *
 * A cache line each, so that threads of different groups don't share one. Global: a callback
 * that begins does not know its profile yet. */
static struct group {
	_Alignas(LINE_BYTES) _Atomic uint64_t shared;
	_Atomic uint64_t own;
	_Atomic(const void *) owner; /* its key, NULL for none yet; does not change then */
} groups[GROUPS];

static struct group *group_of(const void *key)
{
	enum { SHIFT = 64 - GROUP_BITS };
	return &groups[address_hash((uintptr_t)key) >> SHIFT];
}

/* Waits so far. A callback reads it after it has been counted and before it reads anything of
 * the profile. Either the read comes first in the order of all such operations, and then the
 * waiting thread finds the count; or it sees the new number, and then also what the waiting
 * thread had made unreachable, even through reads of the VM that are not atomic. Without it a
 * CPU with weakly ordered memory may read the profile before others see the count
 * (tests/model/active_callbacks.pml).
 *
 * The owner of a group does not read it. Its count may be seen late, too, but not later than
 * os_fence_threads(), by which the waiting thread has each thread make its stores visible:
 * a callback that was not counted by then begins after it, and finds no profile. */
static _Atomic uint64_t waits;

static bool is_owner(const struct group *group, const void *key)
{
	return key != NULL && atomic_load_explicit(&group->owner, memory_order_relaxed) == key;
}

static void add_own(struct group *group, uint64_t change)
{
	uint64_t own = atomic_load_explicit(&group->own, memory_order_relaxed);
	atomic_store_explicit(&group->own, own + change, memory_order_release);
}

/* If a wait has found that threads can't be fenced yet, the owner's next callbacks find no profile:
 * that waits were counted before, and are read here after threads could be fenced. */
static void become_owner(struct group *group, const void *key)
{
	const void *none = NULL;
	if (key == NULL || atomic_load_explicit(&group->owner, memory_order_relaxed) != NULL ||
	    !os_can_fence_threads())
		return;
	(void)atomic_load(&waits);
	(void)atomic_compare_exchange_strong(&group->owner, &none, key);
}

void active_callbacks_enter(const void *key)
{
	struct group *group = group_of(key);

	if (is_owner(group, key)) {
		add_own(group, 1);
		/* For the compiler only; for the CPU there is os_fence_threads(). */
		atomic_signal_fence(memory_order_seq_cst);
		return;
	}
	atomic_fetch_add(&group->shared, 1);
	(void)atomic_load(&waits);
	become_owner(group, key);
}

void active_callbacks_leave(const void *key)
{
	struct group *group = group_of(key);

	if (is_owner(group, key))
		add_own(group, (uint64_t)-1);
	else
		atomic_fetch_sub(&group->shared, 1);
}

/* The owner's count first: a callback that began in the shared one and ended in the other is
 * then never found ended without having begun. */
static bool is_empty(const struct group *group)
{
	uint64_t own = atomic_load(&group->own);
	return own + atomic_load(&group->shared) == 0;
}

/* A group that is empty once shows that all its callbacks have returned since the call. */
bool active_callbacks_wait(uint32_t timeout_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	atomic_fetch_add(&waits, 1);
	if (os_can_fence_threads() && !os_fence_threads())
		return false;
	for (int i = 0; i < GROUPS; i++) {
		while (!is_empty(&groups[i])) {
			uint64_t now_ns = os_monotonic_ns();
			if (now_ns >= deadline_ns)
				return false;
			os_sleep_until(now_ns + LOOK_NS);
		}
	}
	return true;
}
