/*
 * threads.c: serials and records of threads. The mutex guards the list of live records,
 * by which destroying the table frees the records of threads that have not ended.
 */
#include "model/threads.h"

#include "os/os.h"

#include <stdlib.h>
#include <utlist.h>

struct thread_entry {
	struct thread_record record;
	struct thread_entry *prev;
	struct thread_entry *next;
};

struct thread_table {
	struct os_mutex lock;
	struct string_table *strings;
	struct object_ids *ids;
	struct thread_entry *entries;
	_Atomic uint32_t last_serial;
};

struct thread_table *thread_table_create(struct string_table *strings, struct object_ids *ids)
{
	struct thread_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	table->strings = strings;
	table->ids = ids;
	atomic_init(&table->last_serial, THREAD_SERIAL_BASE);
	return table;
}

void thread_table_destroy(struct thread_table *table)
{
	if (table == NULL)
		return;
	struct thread_entry *entry;
	struct thread_entry *next;
	DL_FOREACH_SAFE(table->entries, entry, next)
	free(entry);
	os_mutex_destroy(&table->lock);
	free(table);
}

static const struct string *name_or_empty(struct thread_table *table, const char *name)
{
	return string_table_intern_jvm(table->strings, name == NULL ? "" : name);
}

uint32_t thread_table_next_serial(struct thread_table *table)
{
	return atomic_fetch_add_explicit(&table->last_serial, 1, memory_order_relaxed) + 1;
}

struct thread_record *thread_table_add(struct thread_table *table, uint32_t serial, uint64_t tid,
                                       const char *name, const char *group,
                                       const char *parent_group)
{
	struct thread_entry *entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return NULL;
	struct thread_record *record = &entry->record;
	record->name = name_or_empty(table, name);
	record->group = name_or_empty(table, group);
	record->parent_group = name_or_empty(table, parent_group);
	if (record->name == NULL || record->group == NULL || record->parent_group == NULL) {
		free(entry);
		return NULL;
	}
	record->serial = serial;
	record->object_id = object_id_of_thread(tid);
	if (record->object_id == 0)
		record->object_id = object_id_next(table->ids);

	os_mutex_lock(&table->lock);
	DL_APPEND(table->entries, entry);
	os_mutex_unlock(&table->lock);
	return record;
}

bool thread_table_rename(struct thread_table *table, struct thread_record *thread, const char *name)
{
	const struct string *now = name_or_empty(table, name);
	return now != NULL && atomic_exchange(&thread->name, now) != now;
}

void thread_table_remove(struct thread_table *table, struct thread_record *thread)
{
	/* The record is the entry's first member. */
	struct thread_entry *entry = (struct thread_entry *)thread;

	os_mutex_lock(&table->lock);
	DL_DELETE(table->entries, entry);
	os_mutex_unlock(&table->lock);
	free(entry);
}
