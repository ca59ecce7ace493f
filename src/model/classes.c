/*
 * classes.c: the class table, a list by serial. Its mutex guards the list; a
 * returned record never changes.
 */
#include "model/classes.h"

#include "base/pointer_list.h"
#include "os/os.h"

#include <stdlib.h>

struct class_table {
	struct os_mutex lock;
	struct string_table *strings;
	struct object_ids *ids;
	struct pointer_list classes;
};

struct class_table *class_table_create(struct string_table *strings, struct object_ids *ids)
{
	struct class_table *table = calloc(1, sizeof(*table));
	if (table == NULL)
		return NULL;
	if (os_mutex_init(&table->lock) != 0) {
		free(table);
		return NULL;
	}
	table->strings = strings;
	table->ids = ids;
	return table;
}

void class_table_destroy(struct class_table *table)
{
	if (table == NULL)
		return;
	for (size_t i = 0; i < table->classes.count; i++)
		free(table->classes.items[i]);
	pointer_list_free(&table->classes);
	os_mutex_destroy(&table->lock);
	free(table);
}

const struct string *class_name_intern(struct string_table *strings, const char *signature)
{
	char small[256];
	size_t length = class_name_from_signature(signature, small, sizeof(small));
	if (length < sizeof(small))
		return string_table_intern_jvm(strings, small);

	char *large = malloc(length + 1);
	if (large == NULL)
		return NULL;
	(void)class_name_from_signature(signature, large, length + 1);
	const struct string *name = string_table_intern_jvm(strings, large);
	free(large);
	return name;
}

const struct class_record *class_table_add(struct class_table *table, const char *signature)
{
	return class_table_add_at_trace(table, signature, 0);
}

const struct class_record *class_table_add_at_trace(struct class_table *table,
                                                    const char *signature, uint32_t trace_serial)
{
	const struct string *name = class_name_intern(table->strings, signature);
	const struct string *own_signature = string_table_intern_jvm(table->strings, signature);
	struct class_record *class = malloc(sizeof(*class));
	if (name == NULL || own_signature == NULL || class == NULL) {
		free(class);
		return NULL;
	}
	class->name = name;
	class->signature = own_signature;
	class->trace_serial = trace_serial;
	class->object_id = object_id_next(table->ids);

	os_mutex_lock(&table->lock);
	bool has_room = pointer_list_reserve(&table->classes);
	if (has_room) {
		pointer_list_append(&table->classes, class);
		class->serial = CLASS_SERIAL_BASE + (uint32_t)table->classes.count;
	}
	os_mutex_unlock(&table->lock);

	if (!has_room) {
		free(class);
		return NULL;
	}
	return class;
}

const struct class_record *class_table_find(struct class_table *table, uint32_t serial)
{
	const struct class_record *class = NULL;

	os_mutex_lock(&table->lock);
	if (serial > CLASS_SERIAL_BASE && serial - CLASS_SERIAL_BASE <= table->classes.count)
		class = table->classes.items[serial - CLASS_SERIAL_BASE - 1];
	os_mutex_unlock(&table->lock);
	return class;
}

uint32_t class_table_count(struct class_table *table)
{
	os_mutex_lock(&table->lock);
	uint32_t count = (uint32_t)table->classes.count;
	os_mutex_unlock(&table->lock);
	return count;
}
