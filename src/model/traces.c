/*
 * traces.c: the trace table. Its mutex guards the hash and the list by serial; a
 * returned trace never changes.
 */
#include "model/traces.h"

#include "base/hash.h"
#include "base/pointer_list.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

struct trace_entry {
	struct trace trace;
	bool hash_failed;
	UT_hash_handle hh;
	const struct frame *frames[];
};

struct trace_table {
	struct os_mutex lock;
	struct trace_entry *entries;
	struct pointer_list by_serial;
};

struct trace_table *trace_table_create(void)
{
	struct trace_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	bool created;
	if (trace_table_intern(table, NULL, 0, 0, &created) == NULL) {
		trace_table_destroy(table);
		return NULL;
	}
	return table;
}

void trace_table_destroy(struct trace_table *table)
{
	if (table == NULL)
		return;
	HASH_FREE_ALL(table->entries);
	pointer_list_free(&table->by_serial);
	os_mutex_destroy(&table->lock);
	free(table);
}

/* The hash of a trace's thread and frames. Frames are unique, so their addresses identify
 * them. */
static unsigned trace_hash(const struct frame *const *frames, uint32_t depth,
                           uint32_t thread_serial)
{
	unsigned hash = 0;
	if (depth > 0)
		hash = hash_bytes(frames, depth * sizeof(frames[0]));
	return hash ^ (thread_serial * 2654435761u);
}

static bool same_trace(const struct trace *trace, const struct frame *const *frames, uint32_t depth,
                       uint32_t thread_serial)
{
	return trace->depth == depth && trace->thread_serial == thread_serial &&
	       (depth == 0 || memcmp(trace->frames, frames, depth * sizeof(frames[0])) == 0);
}

static struct trace_entry *find_locked(struct trace_table *table, const struct frame *const *frames,
                                       uint32_t depth, uint32_t thread_serial, unsigned hash)
{
	struct trace_entry *entry = NULL;
	if (table->entries == NULL)
		return NULL;

	/* uthash can't compare keys that are arrays elsewhere in memory, so this searches the
	 * bucket itself. */
	unsigned bucket;
	HASH_TO_BKT(hash, table->entries->hh.tbl->num_buckets, bucket);
	struct UT_hash_handle *handle = table->entries->hh.tbl->buckets[bucket].hh_head;
	for (; handle != NULL; handle = handle->hh_next) {
		entry = ELMT_FROM_HH(table->entries->hh.tbl, handle);
		if (handle->hashv == hash &&
		    same_trace(&entry->trace, frames, depth, thread_serial))
			return entry;
	}
	return NULL;
}

static struct trace_entry *add_locked(struct trace_table *table, const struct frame *const *frames,
                                      uint32_t depth, uint32_t thread_serial, unsigned hash)
{
	if (!pointer_list_reserve(&table->by_serial))
		return NULL;
	size_t bytes = depth * sizeof(frames[0]);
	struct trace_entry *entry = calloc(1, sizeof(*entry) + bytes);
	if (entry == NULL)
		return NULL;
	if (depth > 0)
		memcpy(entry->frames, frames, bytes);
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, table->entries, entry->frames, (unsigned)bytes, hash,
	                            entry);
	if (entry->hash_failed) {
		free(entry);
		return NULL;
	}
	entry->trace = (struct trace){
	        .serial = TRACE_SERIAL_EMPTY + (uint32_t)table->by_serial.count,
	        .thread_serial = thread_serial,
	        .depth = depth,
	        .frames = entry->frames,
	};
	pointer_list_append(&table->by_serial, entry);
	return entry;
}

const struct trace *trace_table_intern(struct trace_table *table, const struct frame *const *frames,
                                       uint32_t depth, uint32_t thread_serial, bool *created)
{
	/* All threads share the empty trace. */
	if (depth == 0)
		thread_serial = 0;
	unsigned hash = trace_hash(frames, depth, thread_serial);

	os_mutex_lock(&table->lock);
	struct trace_entry *entry = find_locked(table, frames, depth, thread_serial, hash);
	*created = entry == NULL;
	if (entry == NULL)
		entry = add_locked(table, frames, depth, thread_serial, hash);
	os_mutex_unlock(&table->lock);
	return entry == NULL ? NULL : &entry->trace;
}

const struct trace *trace_table_find(struct trace_table *table, uint32_t serial)
{
	const struct trace *trace = NULL;

	os_mutex_lock(&table->lock);
	if (serial >= TRACE_SERIAL_EMPTY && serial - TRACE_SERIAL_EMPTY < table->by_serial.count) {
		struct trace_entry *entry = table->by_serial.items[serial - TRACE_SERIAL_EMPTY];
		trace = &entry->trace;
	}
	os_mutex_unlock(&table->lock);
	return trace;
}

uint32_t trace_table_count(struct trace_table *table)
{
	os_mutex_lock(&table->lock);
	uint32_t count = (uint32_t)table->by_serial.count;
	os_mutex_unlock(&table->lock);
	return count;
}
