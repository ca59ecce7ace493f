/*
 * heap_splice.h: puts a heap dump that is a file of its own, in the HPROF binary format,
 * into the output: its strings, classes, threads, traces and ids become those of the
 * output. The file is read twice: once for what it consists of, once for its objects.
 * One thread, under the profile's dump lock.
 */
#ifndef HPROF_OUTPUT_HEAP_SPLICE_H
#define HPROF_OUTPUT_HEAP_SPLICE_H

#include "model/model.h"
#include "os/os.h"
#include "output/hprof_reader.h"
#include "output/record_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ids of objects that are known by their addresses: this plus the address in units of 8
 * bytes. Below it are the ids of model/object_ids.h, and below those the strings'. */
#define HEAP_ADDRESS_ID_BASE UINT64_C(0x60000000)

/* A thread of the dump as the output knows it. */
struct heap_splice_thread {
	uint32_t serial;    /* 0: the output does not */
	uint64_t object_id; /* 0: that of any object at its address */
};

/* What the splice has to ask. Each function is given the context. */
struct heap_splice_ops {
	/* The class of the output for that id of the dump; name is as the dump has it, in
	 * modified UTF-8 without a NUL. NULL without memory. */
	const struct class_record *(*class_of)(void *context, uint64_t id, const char *name,
	                                       size_t length);

	/* The thread whose object has that id and, as Thread.getId() returns, that number, 0
	 * when it is not known; its START THREAD has been written. Serial 0: none. */
	struct heap_splice_thread (*thread_of)(void *context, uint64_t object_id, uint64_t tid);

	/* The serial of the trace that allocated the object. NULL: the file has traces of the
	 * output, those of its threads too. */
	uint32_t (*trace_of)(void *context, uint64_t object_id);

	/* Bytes that an instance of the class takes in the heap, and an array of that many
	 * elements of that type (enum heap_type). NULL: sizes are not wanted. */
	uint64_t (*instance_size)(void *context, const struct class_record *class);
	uint64_t (*array_size)(void *context, uint8_t type, uint32_t length);

	/* Called every few MB: so many of so many objects are written, or, with a total of 0,
	 * have been found in the first reading. May be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
};

struct heap_splice {
	const struct heap_splice_ops *ops;
	void *context;
	struct model *model;
	struct record_writer *writer;
	bool addresses;     /* ids of objects are addresses, to be made ids */
	bool lines;         /* lineno=y */
	bool thread_traces; /* thread=y */
	int64_t wall_ms;    /* the moment of the dump */

	uint64_t object_count; /* set: how many instances and arrays were written */
};

struct heap_splicing;

/* Begins a splice, which stays the caller's; its functions and its ops may be others until
 * the next of these calls. NULL without memory. */
struct heap_splicing *heap_splice_begin(struct heap_splice *splice);

/* The first reading of one of the files that the dump consists of, from its beginning; ids
 * are of the same size in all of them. With more, the file is one that is still being
 * written, by appending alone. Any thread, one at a time, before heap_splice_write(). 0,
 * HPROF_BROKEN (see hprof_reader.h), OS_NO_MEMORY, or a code of os.h for a file that can't
 * be read. */
int heap_splice_read(struct heap_splicing *splicing, struct os_file *file, hprof_more *more,
                     void *more_context);

/* The second reading of all files, and what was read into the output. As above; failures of
 * the output are the writer's. */
int heap_splice_write(struct heap_splicing *splicing, struct os_file *files, size_t file_count);

/* Frees it; NULL is fine. */
void heap_splice_end(struct heap_splicing *splicing);

#endif
