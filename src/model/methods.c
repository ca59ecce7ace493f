/*
 * methods.c: the method table. Its mutex guards the hashes; a returned method never
 * changes.
 */
#include "model/methods.h"

#include "base/hash.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

struct method_entry {
	struct method method;
	bool hash_failed;
	UT_hash_handle hh;
	struct line_entry lines[];
};

/* The key of a method without a VM id. */
struct method_names {
	const struct class_record *class;
	const struct string *name;
	const struct string *signature;
};

struct named_method {
	struct method_names names;
	struct method method;
	bool hash_failed;
	UT_hash_handle hh;
};

struct method_table {
	struct os_mutex lock;
	struct method_entry *entries;
	struct named_method *named;
};

struct method_table *method_table_create(void)
{
	struct method_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	return table;
}

void method_table_destroy(struct method_table *table)
{
	if (table == NULL)
		return;
	HASH_FREE_ALL(table->entries);
	HASH_FREE_ALL(table->named);
	os_mutex_destroy(&table->lock);
	free(table);
}

static struct method_entry *find_locked(struct method_table *table, uint64_t vm_id)
{
	struct method_entry *entry;
	HASH_FIND(hh, table->entries, &vm_id, sizeof(vm_id), entry);
	return entry;
}

const struct method *method_table_find(struct method_table *table, uint64_t vm_id)
{
	os_mutex_lock(&table->lock);
	struct method_entry *entry = find_locked(table, vm_id);
	os_mutex_unlock(&table->lock);
	return entry == NULL ? NULL : &entry->method;
}

static int by_start(const void *left, const void *right)
{
	uint32_t a = ((const struct line_entry *)left)->start;
	uint32_t b = ((const struct line_entry *)right)->start;
	return (a > b) - (a < b);
}

static struct method_entry *entry_new(const struct method *method)
{
	size_t count = method->line_count;
	if (count > (SIZE_MAX - sizeof(struct method_entry)) / sizeof(struct line_entry))
		return NULL;
	struct method_entry *entry = calloc(1, sizeof(*entry) + count * sizeof(entry->lines[0]));
	if (entry == NULL)
		return NULL;
	entry->method = *method;
	if (count > 0) {
		memcpy(entry->lines, method->lines, count * sizeof(entry->lines[0]));
		qsort(entry->lines, count, sizeof(entry->lines[0]), by_start);
	}
	entry->method.lines = entry->lines;
	return entry;
}

static struct method_entry *add_locked(struct method_table *table, const struct method *method)
{
	struct method_entry *entry = entry_new(method);
	if (entry == NULL)
		return NULL;
	HASH_ADD(hh, table->entries, method.vm_id, sizeof(entry->method.vm_id), entry);
	if (entry->hash_failed) {
		free(entry);
		return NULL;
	}
	return entry;
}

const struct method *method_table_add(struct method_table *table, const struct method *method)
{
	os_mutex_lock(&table->lock);
	struct method_entry *entry = find_locked(table, method->vm_id);
	if (entry == NULL)
		entry = add_locked(table, method);
	os_mutex_unlock(&table->lock);
	return entry == NULL ? NULL : &entry->method;
}

static struct named_method *add_named_locked(struct method_table *table,
                                             const struct method_names *names,
                                             const struct method *method)
{
	struct named_method *added = calloc(1, sizeof(*added));
	if (added == NULL)
		return NULL;
	added->names = *names;
	added->method = *method;
	HASH_ADD(hh, table->named, names, sizeof(added->names), added);
	if (added->hash_failed) {
		free(added);
		return NULL;
	}
	return added;
}

const struct method *method_table_intern_named(struct method_table *table,
                                               const struct method *method)
{
	struct method_names names = {method->class, method->name, method->signature};
	struct named_method *found;

	os_mutex_lock(&table->lock);
	HASH_FIND(hh, table->named, &names, sizeof(names), found);
	if (found == NULL)
		found = add_named_locked(table, &names, method);
	os_mutex_unlock(&table->lock);
	return found == NULL ? NULL : &found->method;
}

int32_t method_line(const struct method *method, int64_t bci)
{
	if (method->native)
		return LINE_NATIVE;
	if (method->line_count == 0)
		return LINE_NONE;
	if (bci < 0 || (uint64_t)bci < method->lines[0].start)
		return LINE_UNKNOWN;

	/* The last entry that starts at or before bci. */
	size_t low = 0;
	size_t high = method->line_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (method->lines[middle].start <= (uint64_t)bci)
			low = middle;
		else
			high = middle;
	}
	return method->lines[low].line;
}
