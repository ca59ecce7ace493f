/*
 * object_ids.h: object ids, one series for all Java objects in the output (classes,
 * threads, objects of a dump).
 */
#ifndef HPROF_MODEL_OBJECT_IDS_H
#define HPROF_MODEL_OBJECT_IDS_H

#include <stdatomic.h>
#include <stdint.h>

/* The first id is this plus one; text files have ids such as 500001c3. */
#define OBJECT_ID_BASE 0x50000000u

/* Ids of thread objects: this plus the value of Thread.getId(), so that a thread has the same
 * id in all dumps, even after its end, without a table. */
#define THREAD_ID_BASE 0x40000000u

struct object_ids {
	_Atomic uint64_t last;
};

static inline void object_ids_init(struct object_ids *ids)
{
	atomic_init(&ids->last, OBJECT_ID_BASE);
}

/* The next id. Any thread, no lock. */
static inline uint64_t object_id_next(struct object_ids *ids)
{
	return atomic_fetch_add_explicit(&ids->last, 1, memory_order_relaxed) + 1;
}

/* The id of the thread object with that Thread.getId(); 0 if tid is out of range. */
static inline uint64_t object_id_of_thread(uint64_t tid)
{
	return tid > 0 && tid < OBJECT_ID_BASE - THREAD_ID_BASE ? THREAD_ID_BASE + tid : 0;
}

#endif
