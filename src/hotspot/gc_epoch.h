/*
 * gc_epoch.h: a number that changes when a garbage collection begins or ends. While it
 * is unchanged, no object moves and no class is unloaded.
 *
 * The VM sends events for collections (GarbageCollectionStart, GarbageCollectionFinish),
 * but with some collectors not for those of a heap histogram or dump. HotSpot also counts
 * collections, in memory that can be read. No lock.
 */
#ifndef HPROF_HOTSPOT_GC_EPOCH_H
#define HPROF_HOTSPOT_GC_EPOCH_H

#include "hotspot/vm_structs.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gc_epoch {
	_Atomic uint32_t events; /* GarbageCollectionStart and Finish events, from 2 on */
	/* Of the VM; NULL where that is not known. */
	const volatile uint32_t *collections;
	const volatile uint8_t *active;
};

void gc_epoch_init(struct gc_epoch *epoch);

/* Finds the VM's own count; false where it is not known. Live phase. */
bool gc_epoch_find(struct gc_epoch *epoch, const struct vm_structs *structs);

/* The VM's own count; 0 where it is not known. */
static inline uint32_t gc_epoch_collections(const struct gc_epoch *epoch)
{
	return epoch->collections == NULL ? 0 : *epoch->collections;
}

/* A collection begins or ends. In the event's callback, on the thread that collects or
 * that starts those that do. The fence keeps what the collection writes after the new number, which
 * the addition alone does not. */
static inline void gc_epoch_event(struct gc_epoch *epoch)
{
	atomic_fetch_add(&epoch->events, 1);
	atomic_thread_fence(memory_order_release);
}

/* The number, never 0. Any thread. */
static inline uint32_t gc_epoch_now(const struct gc_epoch *epoch)
{
	uint32_t now = atomic_load_explicit(&epoch->events, memory_order_acquire);
	now += gc_epoch_collections(epoch) * 2;
	atomic_thread_fence(memory_order_acquire);
	return now;
}

/* Whether no collection is under way and the current number is still that one: what was
 * read of the heap since is then valid. */
static inline bool gc_epoch_holds(const struct gc_epoch *epoch, uint32_t number)
{
	atomic_thread_fence(memory_order_acquire);
	return number % 2 == 0 && (epoch->active == NULL || *epoch->active == 0) &&
	       gc_epoch_now(epoch) == number;
}

/* Whether there may have been a collection since the last call with this seen, the number
 * at that call, which is updated; 0 before the first call. The VM counts a collection when
 * it begins and may send no event at its end, so a call during a collection does not count
 * as having seen it. One thread at a time for each seen. */
static inline bool gc_epoch_is_new(const struct gc_epoch *epoch, uint32_t *seen)
{
	uint32_t now = gc_epoch_now(epoch);
	if (now == *seen)
		return false;
	*seen = gc_epoch_holds(epoch, now) ? now : 0;
	return true;
}

#endif
