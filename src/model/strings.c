/*
 * strings.c: the string table. Its mutex guards the hash and the next id; a
 * returned string never changes.
 */
#include "model/strings.h"

#include "base/hash.h"
#include "base/modified_utf8.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

struct string_entry {
	struct string string;
	bool hash_failed;
	UT_hash_handle hh;
	char bytes[];
};

struct string_table {
	struct os_mutex lock;
	struct string_entry *entries;
	uint32_t last_id;
};

struct string_table *string_table_create(void)
{
	struct string_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	return table;
}

void string_table_destroy(struct string_table *table)
{
	if (table == NULL)
		return;
	HASH_FREE_ALL(table->entries);
	os_mutex_destroy(&table->lock);
	free(table);
}

static struct string_entry *entry_new(const char *bytes, size_t length)
{
	struct string_entry *entry = calloc(1, sizeof(*entry) + length + 1);
	if (entry == NULL)
		return NULL;
	memcpy(entry->bytes, bytes, length);
	entry->string.length = (uint32_t)length;
	entry->string.text = entry->bytes;
	return entry;
}

static struct string_entry *add_locked(struct string_table *table, const char *bytes, size_t length)
{
	struct string_entry *entry = entry_new(bytes, length);
	if (entry == NULL)
		return NULL;
	HASH_ADD_KEYPTR(hh, table->entries, entry->bytes, length, entry);
	if (entry->hash_failed) {
		free(entry);
		return NULL;
	}
	entry->string.id = ++table->last_id;
	return entry;
}

const struct string *string_table_intern(struct string_table *table, const char *bytes,
                                         size_t length)
{
	struct string_entry *entry;

	/* Lengths and the hash's keys have 32 bits. */
	if (length > UINT32_MAX - sizeof(struct string_entry) - 1)
		return NULL;
	os_mutex_lock(&table->lock);
	HASH_FIND(hh, table->entries, bytes, length, entry);
	if (entry == NULL)
		entry = add_locked(table, bytes, length);
	os_mutex_unlock(&table->lock);

	return entry == NULL ? NULL : &entry->string;
}

const struct string *string_table_intern_jvm(struct string_table *table, const char *modified_utf8)
{
	size_t length = strlen(modified_utf8);
	if (modified_utf8_is_ascii(modified_utf8, length))
		return string_table_intern(table, modified_utf8, length);

	if (length > SIZE_MAX / 3)
		return NULL;
	char *utf8 = malloc(UTF8_FROM_MODIFIED_MAX(length));
	if (utf8 == NULL)
		return NULL;
	size_t utf8_length = utf8_from_modified(modified_utf8, length, utf8);
	const struct string *string = string_table_intern(table, utf8, utf8_length);
	free(utf8);
	return string;
}
