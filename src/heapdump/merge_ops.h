/*
 * merge_ops.h: describes the merge of a heap dump into the output: its options, the
 * functions that it calls, and where it goes. Used by dump_merge and dump_index.
 */
#ifndef HPROF_HEAPDUMP_MERGE_OPS_H
#define HPROF_HEAPDUMP_MERGE_OPS_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_writer;

/* Ids of objects that are known by their addresses: this plus the address in units of 8
 * bytes. Below it are the ids of model/object_ids.h, and below those the strings'. */
#define HEAP_ADDRESS_ID_BASE UINT64_C(0x60000000)

/* A thread of the dump in the output. */
struct merge_thread {
	uint32_t serial;    /* 0: it has no record there */
	uint64_t object_id; /* 0: that of any object at its address */
};

/* What the merge asks its caller. Each function gets the context. */
struct merge_ops {
	/* The class of the output for that id of the dump; name is as the dump has it, in
	 * modified UTF-8 without a NUL. NULL without memory. */
	const struct class_record *(*class_of)(void *context, uint64_t id, const char *name,
	                                       size_t length);

	/* The thread whose object has that id and, as Thread.getId() returns, that number, 0
	 * when it is not known; its START THREAD has been written. Serial 0: none. */
	struct merge_thread (*thread_of)(void *context, uint64_t object_id, uint64_t tid);

	/* The serial of the trace that allocated the object. NULL: the file has traces of the
	 * output, those of its threads too. */
	uint32_t (*trace_of)(void *context, uint64_t object_id);

	/* Bytes that an instance of the class takes in the heap, and an array of that many
	 * elements of that type (enum hprof_type). NULL: sizes are not required. */
	uint64_t (*instance_size)(void *context, const struct class_record *class);
	uint64_t (*array_size)(void *context, uint8_t type, uint32_t length);

	/* Called every few MB: done of total objects are written, or, with a total of 0, done
	 * objects are found in the first reading. May be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
};

/* The merge of one dump. The caller keeps it until dump_merge_end(). */
struct dump_merge {
	const struct merge_ops *ops;
	void *context;
	struct model *model;
	struct record_writer *writer;
	bool addresses;     /* ids of objects are addresses, to be made ids */
	bool lines;         /* lineno=y */
	bool thread_traces; /* thread=y */
	int64_t wall_ms;    /* the moment of the dump */

	uint64_t object_count; /* set: instances and arrays that were written */
};

#endif
