/*
 * threads.h: the Java threads of the run, as THREAD START shows them.
 */
#ifndef HPROF_MODEL_THREADS_H
#define HPROF_MODEL_THREADS_H

#include "model/object_ids.h"
#include "model/strings.h"

#include <stdint.h>

/* The first thread has this serial plus one; this one is "unknown thread". */
#define THREAD_SERIAL_BASE 200000u

struct thread_record {
	uint32_t serial;
	uint64_t object_id;
	const struct string *name;
	const struct string *group;        /* "" when it has none */
	const struct string *parent_group; /* of the group; "" when it has none */
};

struct thread_table;

struct thread_table *thread_table_create(struct string_table *strings, struct object_ids *ids);
void thread_table_destroy(struct thread_table *table);

/* The next serial, for a thread whose names may come later. Any thread, no lock. */
uint32_t thread_table_next_serial(struct thread_table *table);

/* Adds the thread with that serial and that Thread.getId(), of which its object id is
 * made, 0 when it is not known; the names are modified UTF-8, NULL counts as "". The record is the
 * caller's until thread_table_remove(). NULL without memory. Any thread; takes the table's lock. */
struct thread_record *thread_table_add(struct thread_table *table, uint32_t serial, uint64_t tid,
                                       const char *name, const char *group,
                                       const char *parent_group);

/* Forgets a thread that has ended; serials are not used again. */
void thread_table_remove(struct thread_table *table, struct thread_record *thread);

#endif
