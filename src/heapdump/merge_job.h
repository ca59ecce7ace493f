/*
 * merge_job.h: what dump_merge is to do: a merge of a heap dump into the output, with its options,
 * the functions that it calls, and where it goes.
 */
#ifndef HPROF_HEAPDUMP_MERGE_JOB_H
#define HPROF_HEAPDUMP_MERGE_JOB_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_writer;

/* Ids of objects that are identified by address: this plus the address in units of 8 bytes.
 * Lower ids are those of model/object_ids.h, and below those are the ids of strings. */
#define HEAP_ADDRESS_ID_BASE UINT64_C(0x60000000)

/* A thread of the dump, as the output has it. */
struct merge_thread {
	uint32_t serial;    /* 0: the output has no record of it */
	uint64_t object_id; /* 0: the id that follows from its address */
};

/* Functions of the caller. Each gets the context. */
struct merge_ops {
	/* The class in the output for an id of the dump. name is in modified UTF-8, without a
	 * NUL, as the dump has it. NULL when out of memory. */
	const struct class_record *(*class_of)(void *context, uint64_t id, const char *name,
	                                       size_t length);

	/* The thread whose object has that id and whose Thread.getId() is tid, 0 when unknown.
	 * Its START THREAD has been written. Serial 0: none. */
	struct merge_thread (*thread_of)(void *context, uint64_t object_id, uint64_t tid);

	/* The serial of the trace that allocated the object. NULL: the file already has traces
	 * of the output, also for its threads. */
	uint32_t (*trace_of)(void *context, uint64_t object_id);

	/* Bytes that an instance of the class, or an array of length elements of that type
	 * (enum hprof_type), occupies in the heap. NULL: sizes are not required. */
	uint64_t (*instance_size)(void *context, const struct class_record *class);
	uint64_t (*array_size)(void *context, uint8_t type, uint32_t length);

	/* Called every few MB: done of total objects have been written; or, if total is 0, done
	 * objects have been found in the first reading. May be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
};

/* The merge of one dump. Must stay valid until dump_merge_end(). */
struct dump_merge {
	const struct merge_ops *ops;
	void *context;
	struct model *model;
	struct record_writer *writer;
	bool addresses;     /* ids of objects are addresses, to be translated */
	bool lines;         /* lineno=y */
	bool thread_traces; /* thread=y */
	int64_t wall_ms;    /* time of the dump */

	uint64_t object_count; /* output: instances and arrays written */
};

#endif
