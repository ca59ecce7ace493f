/*
 * frames.c: the frame table. Its mutex guards the hash and the next id; a returned
 * frame never changes.
 */
#include "model/frames.h"

#include "base/hash.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

struct frame_key {
	const struct method *method;
	int64_t line; /* wide, so that the key has no padding */
};

struct frame_entry {
	struct frame frame;
	struct frame_key key;
	bool hash_failed;
	UT_hash_handle hh;
};

struct frame_table {
	struct os_mutex lock;
	struct frame_entry *entries;
	uint32_t last_id;
};

struct frame_table *frame_table_create(void)
{
	struct frame_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	return table;
}

void frame_table_destroy(struct frame_table *table)
{
	if (table == NULL)
		return;
	HASH_FREE_ALL(table->entries);
	os_mutex_destroy(&table->lock);
	free(table);
}

static struct frame_entry *add_locked(struct frame_table *table, const struct frame_key *key)
{
	struct frame_entry *entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return NULL;
	entry->key = *key;
	HASH_ADD(hh, table->entries, key, sizeof(entry->key), entry);
	if (entry->hash_failed) {
		free(entry);
		return NULL;
	}
	entry->frame.id = ++table->last_id;
	entry->frame.method = key->method;
	entry->frame.line = (int32_t)key->line;
	return entry;
}

const struct frame *frame_table_intern(struct frame_table *table, const struct method *method,
                                       int32_t line)
{
	struct frame_key key = {.method = method, .line = line};
	struct frame_entry *entry;

	os_mutex_lock(&table->lock);
	HASH_FIND(hh, table->entries, &key, sizeof(key), entry);
	if (entry == NULL)
		entry = add_locked(table, &key);
	os_mutex_unlock(&table->lock);
	return entry == NULL ? NULL : &entry->frame;
}
