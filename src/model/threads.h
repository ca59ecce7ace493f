/*
 * threads.h: the Java threads of the run, with the fields of THREAD START.
 */
#ifndef HPROF_MODEL_THREADS_H
#define HPROF_MODEL_THREADS_H

#include "model/object_ids.h"
#include "model/strings.h"

#include <stdbool.h>
#include <stdint.h>

/* The first thread has this serial plus one; this serial is the unknown thread. */
#define THREAD_SERIAL_BASE 200000u

struct thread_record {
	uint32_t serial;
	uint64_t object_id;
	_Atomic(const struct string *) name; /* see thread_table_rename() */
	const struct string *group;          /* "" if it has none */
	const struct string *parent_group;   /* of the group; "" if it has none */
};

struct thread_table;

struct thread_table *thread_table_create(struct string_table *strings, struct object_ids *ids);
void thread_table_destroy(struct thread_table *table);

/* Allocates the next serial; the thread can be added later. Any thread, no lock. */
uint32_t thread_table_next_serial(struct thread_table *table);

/* Adds a thread with that serial. tid is its Thread.getId(), which determines its object id, or
 * 0 if it is not known. The names are modified UTF-8; NULL means "". The record stays valid
 * until thread_table_remove(). NULL without memory. Any thread; takes the table's lock. */
struct thread_record *thread_table_add(struct thread_table *table, uint32_t serial, uint64_t tid,
                                       const char *name, const char *group,
                                       const char *parent_group);

/* Gives a thread another name, modified UTF-8. False if it has that name already, or without
 * memory. Any thread; one at a time for each record. */
bool thread_table_rename(struct thread_table *table, struct thread_record *thread,
                         const char *name);

/* Removes and frees the record of a thread that has ended; its serial is not reused. Any
 * thread; takes the table's lock. */
void thread_table_remove(struct thread_table *table, struct thread_record *thread);

#endif
