/*
 * site_table.h: allocation sites, each a trace and a class, with the amounts
 * allocated and collected there.
 */
#ifndef HPROF_ALLOC_SITE_TABLE_H
#define HPROF_ALLOC_SITE_TABLE_H

#include "alloc/birth_marks.h"
#include "hotspot/memo_table.h"
#include "model/classes.h"
#include "model/traces.h"

/* The threads that can have their own counts at the same time. */
enum { SITE_OWN_COPIES = 32 };

/* One object in the unit that objects are counted in: a sampled object stands for
 * a number of objects that need not be whole. */
#define SITE_OBJECT ((uint64_t)1 << 16)

struct site {
	uint32_t number; /* from 0 on, without gaps */
	const struct trace *trace;
	const struct class_record *class;
};

struct site_counts {
	uint64_t bytes;
	uint64_t objects; /* in SITE_OBJECTs */
};

/* What was allocated at a site, in one copy of its counts. */
struct site_counter {
	_Atomic uint64_t bytes;
	_Atomic uint64_t objects;
	struct birth_range births; /* of marks for these objects */
};

struct site_table;

/* NULL without memory. */
struct site_table *site_table_create(void);
void site_table_destroy(struct site_table *table);

/* The one site of that trace and class; NULL without memory. Any thread. */
const struct site *site_table_intern(struct site_table *table, const struct trace *trace,
                                     const struct class_record *class);

/* The number of sites. */
uint32_t site_table_count(struct site_table *table);

/* The site of that number, which must exist. */
const struct site *site_table_site(struct site_table *table, uint32_t number);

/* The key's copy of the counts: below SITE_OWN_COPIES, or SITE_OWN_COPIES for a key
 * without its own. A key identifies a thread, and is not 0. Any thread. */
size_t site_table_own_copy(struct site_table *table, uintptr_t key);

/* Releases the key's copy, with its counts, for another key: the thread ends.
 * On that thread. */
void site_table_release_copy(struct site_table *table, uintptr_t key);

/* The counter of that site in that copy, at a constant address; NULL without memory. */
struct site_counter *site_table_counter(struct site_table *table, size_t copy, uint32_t number);

/* Adds to the counter. Only on the thread that owns the copy. */
static inline void site_counter_add(struct site_counter *counter, const struct site_counts *counts)
{
	uint64_t bytes = atomic_load_explicit(&counter->bytes, memory_order_relaxed);
	uint64_t objects = atomic_load_explicit(&counter->objects, memory_order_relaxed);

	atomic_store_explicit(&counter->bytes, bytes + counts->bytes, memory_order_relaxed);
	atomic_store_explicit(&counter->objects, objects + counts->objects, memory_order_relaxed);
}

/* Adds to what was allocated at the site. Any thread, no lock except for new memory. Threads must
 * not use one key at the same time, nor 0. False without memory. */
bool site_table_add_allocated(struct site_table *table, uintptr_t key, uint32_t number,
                              const struct site_counts *counts);

/* What was allocated at the site so far. Any thread. */
struct site_counts site_table_allocated(struct site_table *table, uint32_t number);

/* Adds to what was collected of the site, and what that is so far. Under the profile's dump
 * lock. */
void site_table_add_collected(struct site_table *table, uint32_t number,
                              const struct site_counts *counts);
struct site_counts site_table_collected(const struct site_table *table, uint32_t number);

#endif
