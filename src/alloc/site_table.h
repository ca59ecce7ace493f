/*
 * site_table.h: allocation sites, each a trace and a class, and how much was
 * allocated and collected there.
 */
#ifndef HPROF_ALLOC_SITE_TABLE_H
#define HPROF_ALLOC_SITE_TABLE_H

#include "hotspot/memo_table.h"
#include "model/classes.h"
#include "model/traces.h"

/* So many threads have counts of their own, at the same time. */
enum { SITE_OWN_COPIES = 32 };

/* One object in the unit that objects are counted in: a sampled object stands for
 * more than one, and not for a whole number. */
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
};

struct site_table;

/* sites are kept in memo. NULL without memory. */
struct site_table *site_table_create(struct memo_table *memo);
void site_table_destroy(struct site_table *table);

/* The one site of that trace and class; NULL without memory. Any thread. */
const struct site *site_table_intern(struct site_table *table, const struct trace *trace,
                                     const struct class_record *class);

/* How many there are. */
uint32_t site_table_count(struct site_table *table);

/* The site of that number, which there is. */
const struct site *site_table_site(struct site_table *table, uint32_t number);

/* Which copy of the counts is the key's own: below SITE_OWN_COPIES, or that for a key
 * without one. A key is what a thread has for itself, and not 0. Any thread. */
size_t site_table_own_copy(struct site_table *table, uintptr_t key);

/* Leaves the key's copy, with what it has, to the next key that has none: the thread ends.
 * On that thread. */
void site_table_release_copy(struct site_table *table, uintptr_t key);

/* The counter of that site in that copy, which stays there; NULL without memory. */
struct site_counter *site_table_counter(struct site_table *table, size_t copy, uint32_t number);

/* Adds to the counter. Only the thread whose own copy it is. */
static inline void site_counter_add(struct site_counter *counter, const struct site_counts *counts)
{
	uint64_t bytes = atomic_load_explicit(&counter->bytes, memory_order_relaxed);
	uint64_t objects = atomic_load_explicit(&counter->objects, memory_order_relaxed);

	atomic_store_explicit(&counter->bytes, bytes + counts->bytes, memory_order_relaxed);
	atomic_store_explicit(&counter->objects, objects + counts->objects, memory_order_relaxed);
}

/* Adds to what was allocated at the site. Any thread, no lock but for new memory. No two
 * threads come with one key at the same time, nor any with 0. False without memory. */
bool site_table_add_allocated(struct site_table *table, uintptr_t key, uint32_t number,
                              const struct site_counts *counts);

/* What was allocated at the site so far. Any thread. */
struct site_counts site_table_allocated(struct site_table *table, uint32_t number);

/* Adds to what was collected of the site's, and tells it. Under the profile's dump
 * lock. */
void site_table_add_collected(struct site_table *table, uint32_t number,
                              const struct site_counts *counts);
struct site_counts site_table_collected(const struct site_table *table, uint32_t number);

#endif
