/*
 * dump_index.h: everything in the file of a heap dump except its objects: strings, classes with
 * the layout of their instances, stack traces, threads. Built by the first reading of
 * dump_merge, used by the second. One thread at a time; no lock.
 */
#ifndef HPROF_HEAPDUMP_DUMP_INDEX_H
#define HPROF_HEAPDUMP_DUMP_INDEX_H

#include "base/address_map.h"
#include "base/byte_buffer.h"
#include "heapdump/merge_job.h"
#include "hprof/heap_reader.h"
#include "hprof/record_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run of fields: primitive values, then ids. */
struct field_run {
	uint32_t plain_bytes;
	uint32_t ids;
};

struct indexed_class {
	uint64_t id;
	uint64_t super_id;
	const struct class_record *record;
	uint32_t serial; /* in the file */
	bool dumped;     /* its CLASS DUMP has been read */
	uint16_t own_count;
	struct hprof_field *own; /* its own fields, without those of its superclasses */

	/* The layout of an instance, with the fields of superclasses; built for the first
	 * one. */
	bool laid_out;
	bool is_thread; /* java.lang.Thread or a subclass */
	uint32_t values_length;
	uint32_t id_count; /* number of ids among the values */
	uint32_t tid_at;   /* of a thread: offset of its number */
	size_t field_count;
	struct heap_field *fields;
	size_t run_count;
	struct field_run *runs;
	uint64_t instance_size; /* in the heap; 0 until the first instance */
};

struct cached_class {
	uint64_t id; /* 0: none */
	size_t index;
};

enum { CLASS_CACHE_BITS = 8 };

struct indexed_trace {
	uint32_t depth;
	size_t first; /* index of its first frame id */
};

struct indexed_thread {
	uint64_t object_id;
	uint32_t file_serial;
	uint32_t file_trace;
	struct merge_thread thread; /* of the output */
	const struct trace *trace;
};

/* Progress is reported each time that this much has been read. */
#define DUMP_INDEX_PROGRESS_BYTES (UINT64_C(4) << 20)

struct dump_index {
	struct dump_merge *merge;
	unsigned id_size; /* of the file */
	int error;        /* 0, HPROF_BROKEN or OS_NO_MEMORY */

	struct byte_buffer text;    /* of all strings, each after its length */
	struct address_map strings; /* id to offset in text */

	struct indexed_class *classes;
	size_t class_count;
	size_t class_capacity;
	struct address_map class_by_id; /* to index */
	struct address_map class_by_serial;
	/* A cache of classes with a layout, indexed by the upper bits of the hash. */
	struct cached_class class_cache[1 << CLASS_CACHE_BITS];
	uint64_t thread_class_id; /* of java.lang.Thread */

	struct hprof_frame *frames;
	size_t frame_count;
	size_t frame_capacity;
	struct address_map frame_by_id; /* to index */
	struct byte_buffer frame_ids;   /* u8 each, of all traces */
	struct address_map traces;      /* serial plus 1 to index in trace_list */
	struct indexed_trace *trace_list;
	size_t trace_count;
	size_t trace_capacity;

	struct indexed_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	struct address_map thread_by_serial; /* serial in the file plus 1 to index */
	struct address_map tids;             /* thread object to its number */

	/* Objects whose ids in the output do not follow from their addresses: id to output id,
	 * 0 for those that the dump omits; and a filter that excludes nearly all other ids. */
	struct address_map special;
	uint64_t *special_filter;

	/* The dumper of HotSpot has an array of its own, a root by a JNI global reference,
	 * whose elements are class objects of classes that are not loaded: the dump does not
	 * contain those. One bit for each object and class in the dump, by address; objects
	 * at a distance of a multiple of 4 GiB share a bit. An object without a bit is certainly
	 * not in the dump. NULL when ids are not addresses. */
	uint64_t *present;
	struct address_map globals; /* objects that are roots by JNI global references */

	uint64_t object_count;
	uint64_t object_bytes;     /* in the heap, if sizes are required */
	uint64_t unreported_bytes; /* read since the last progress report */
};

/* Initializes an empty index for the merge. False when out of memory; free it in either case. */
bool dump_index_init(struct dump_index *index, struct dump_merge *merge);
void dump_index_free(struct dump_index *index);

/* Reads a whole file. Errors are in the index and in the reader. */
void dump_index_read(struct dump_index *index, struct hprof_reader *reader,
                     struct hprof_sub_record *sub);

/* Completes the index when all files have been read. False with the error set. */
bool dump_index_finish(struct dump_index *index);

/* As dump_index_class(), for a class that is not in the cache. */
struct indexed_class *dump_index_find_class(struct dump_index *index, uint64_t id);

/* The class with that id and its layout, valid until the next class is read. NULL with the
 * error set when the file does not define it. */
static inline struct indexed_class *dump_index_class(struct dump_index *index, uint64_t id)
{
	const struct cached_class *cached =
	        &index->class_cache[address_hash(id) >> (64 - CLASS_CACHE_BITS)];
	if (cached->id == id && id != 0)
		return &index->classes[cached->index];
	return dump_index_find_class(index, id);
}

/* The string with that id, interned; "" when the file does not define it. NULL when out of
 * memory. */
const struct string *dump_index_string(struct dump_index *index, uint64_t id);

/* The thread with that serial in the file, or NULL. */
const struct indexed_thread *dump_index_thread(const struct dump_index *index, uint32_t serial);

/* Bits in the table of objects: 64 MiB. A dump touches one bit for each 8 bytes of objects. */
#define DUMP_INDEX_PRESENT_BITS ((uint64_t)1 << 29)

static inline uint64_t dump_index_bit(uint64_t id)
{
	return (id >> 3) & (DUMP_INDEX_PRESENT_BITS - 1);
}

/* False when nothing in the file has that id; true when an object may have it. */
static inline bool dump_index_may_have(const struct dump_index *index, uint64_t id)
{
	uint64_t bit = dump_index_bit(id);
	return index->present == NULL || (index->present[bit / 64] >> bit % 64 & 1) != 0;
}

/* Whether the dump contains the object or class of a root; for objects as
 * dump_index_may_have(). */
bool dump_index_has_root(const struct dump_index *index, uint64_t id);

/* Reports progress to the caller of the merge. */
void dump_index_report_progress(struct dump_index *index, uint64_t done, uint64_t total);

/* Adds bytes that have been read, and reports progress every DUMP_INDEX_PROGRESS_BYTES. */
static inline void dump_index_add_progress(struct dump_index *index, uint64_t bytes, uint64_t done,
                                           uint64_t total)
{
	index->unreported_bytes += bytes;
	if (index->unreported_bytes >= DUMP_INDEX_PROGRESS_BYTES)
		dump_index_report_progress(index, done, total);
}

/* The id in the output for an id in the file; 0 stays 0. */
static inline uint64_t dump_index_output_id(const struct dump_index *index, uint64_t id)
{
	if (id == 0)
		return id;
	uint64_t hash = address_hash(id) >> 48;
	if ((index->special_filter[hash / 64] >> hash % 64 & 1) != 0) {
		const uint64_t *special = address_map_find(&index->special, id);
		if (special != NULL)
			return *special;
	}
	return index->merge->addresses ? HEAP_ADDRESS_ID_BASE + (id >> 3) : id;
}

#endif
