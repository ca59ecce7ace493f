/*
 * gc_epoch.h: a number that stays as long as no garbage collection has begun or
 * ended: as long, no object moves and no class is unloaded.
 *
 * The VM tells of collections (GarbageCollectionStart, GarbageCollectionFinish), but
 * not of all: not of those that a heap histogram or dump makes with some collectors.
 * HotSpot also counts them, in memory that can be read.
 */
#ifndef HPROF_HOTSPOT_GC_EPOCH_H
#define HPROF_HOTSPOT_GC_EPOCH_H

#include "hotspot/vm_structs.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gc_epoch {
	_Atomic uint32_t events; /* told beginnings and ends, from 2 on */
	/* Of the VM; NULL where that is not known. */
	const volatile uint32_t *collections;
	const volatile uint8_t *active;
};

void gc_epoch_init(struct gc_epoch *epoch);

/* Finds the VM's own count; false where it is not known. Live phase. */
bool gc_epoch_find(struct gc_epoch *epoch, const struct vm_structs *structs);

/* A collection begins or ends. In the event's callback. */
static inline void gc_epoch_event(struct gc_epoch *epoch)
{
	atomic_fetch_add(&epoch->events, 1);
}

/* The number, never 0. Any thread. */
static inline uint32_t gc_epoch_now(const struct gc_epoch *epoch)
{
	uint32_t now = atomic_load_explicit(&epoch->events, memory_order_acquire);
	if (epoch->collections != NULL)
		now += *epoch->collections * 2;
	atomic_thread_fence(memory_order_acquire);
	return now;
}

/* Whether no collection is under way, and the number is still that: what was read of
 * the heap since is then right. */
static inline bool gc_epoch_holds(const struct gc_epoch *epoch, uint32_t number)
{
	atomic_thread_fence(memory_order_acquire);
	return number % 2 == 0 && (epoch->active == NULL || *epoch->active == 0) &&
	       gc_epoch_now(epoch) == number;
}

/* Whether what collections have done is to be looked at, since seen, the number of the
 * last look, which becomes that of this one; 0 before the first. The VM counts a
 * collection when it begins and may have no event at its end: a look while one is under
 * way is not the last. One thread at a time for each seen. */
static inline bool gc_epoch_is_new(const struct gc_epoch *epoch, uint32_t *seen)
{
	uint32_t now = gc_epoch_now(epoch);
	if (now == *seen)
		return false;
	*seen = gc_epoch_holds(epoch, now) ? now : 0;
	return true;
}

#endif
