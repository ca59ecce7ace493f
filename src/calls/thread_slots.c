/*
 * thread_slots.c: see thread_slots.h. A slot that a thread has left becomes vacant rather
 * than free, so that probing continues past it.
 */
#include "calls/thread_slots.h"

#include "os/os.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum {
	SLOTS_LOG2 = 14,
	SLOTS = 1 << SLOTS_LOG2,
	PROBES_MAX = 512,
	FREE = 0,
	VACANT = 1 /* not a thread's address */
};

/* As in HprofTracker.java. */
#define HASH_FACTOR 0x9E3779B97F4A7C15u

struct slot {
	_Atomic uint64_t key;
	_Atomic uint64_t state;
};

struct thread_slots {
	struct slot *slots;
};

_Static_assert(sizeof(struct slot) == 16 && offsetof(struct slot, state) == 8,
               "HprofTracker.java depends on these offsets");

struct thread_slots *thread_slots_create(void)
{
	struct thread_slots *slots = calloc(1, sizeof(*slots));
	if (slots == NULL)
		return NULL;
	slots->slots = os_pages_alloc(SLOTS * sizeof(struct slot));
	if (slots->slots == NULL) {
		free(slots);
		return NULL;
	}
	return slots;
}

void thread_slots_destroy(struct thread_slots *slots)
{
	if (slots == NULL)
		return;
	os_pages_free(slots->slots, SLOTS * sizeof(struct slot));
	free(slots);
}

uint64_t thread_slots_address(const struct thread_slots *slots)
{
	return (uint64_t)(uintptr_t)slots->slots;
}

uint32_t thread_slots_shift(const struct thread_slots *slots)
{
	(void)slots;
	return 64 - SLOTS_LOG2;
}

uint64_t thread_slots_end_address(const struct thread_slots *slots)
{
	return (uint64_t)(uintptr_t)(slots->slots + SLOTS);
}

static uint32_t first_slot(uint64_t key)
{
	return (uint32_t)((key * HASH_FACTOR) >> (64 - SLOTS_LOG2));
}

bool thread_slots_enter(struct thread_slots *slots, uint64_t key, void *state)
{
	uint32_t first = first_slot(key);

	for (uint32_t i = first; i < SLOTS && i - first < PROBES_MAX; i++) {
		struct slot *slot = &slots->slots[i];
		uint64_t found = atomic_load_explicit(&slot->key, memory_order_relaxed);
		if (found != FREE && found != VACANT)
			continue;
		/* Only the thread with that key reads the state. */
		if (atomic_compare_exchange_strong(&slot->key, &found, key)) {
			atomic_store_explicit(&slot->state, (uint64_t)(uintptr_t)state,
			                      memory_order_relaxed);
			return true;
		}
	}
	return false;
}

void thread_slots_leave(struct thread_slots *slots, uint64_t key)
{
	uint32_t first = first_slot(key);

	for (uint32_t i = first; i < SLOTS && i - first < PROBES_MAX; i++) {
		struct slot *slot = &slots->slots[i];
		if (atomic_load_explicit(&slot->key, memory_order_relaxed) == key) {
			atomic_store_explicit(&slot->key, VACANT, memory_order_relaxed);
			return;
		}
	}
}

void thread_slots_clear(struct thread_slots *slots, void *state)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		struct slot *slot = &slots->slots[i];
		if (atomic_load_explicit(&slot->key, memory_order_relaxed) <= VACANT)
			continue;
		atomic_store_explicit(&slot->state, (uint64_t)(uintptr_t)state,
		                      memory_order_relaxed);
		atomic_store_explicit(&slot->key, VACANT, memory_order_release);
	}
}
