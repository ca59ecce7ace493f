/*
 * instrumented_methods.c: see instrumented_methods.h. The lock covers both hashes and the
 * list; a method does not change after it is added.
 */
#include "calls/instrumented_methods.h"

#include "base/hash.h"
#include "base/pointer_list.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Interned strings, so that their addresses are the key. */
struct method_key {
	const struct string *class_name; /* in source form, as in class_record */
	const struct string *name;
	const struct string *descriptor;
};

struct method_entry {
	struct method method;
	struct method_key key;
	bool hash_failed;
	UT_hash_handle hh;
};

struct class_entry {
	const struct string *name;
	const struct class_record *class;
	bool hash_failed;
	UT_hash_handle hh;
};

struct instrumented_methods {
	struct os_mutex lock;
	struct model *model;
	struct method_entry *methods;
	struct class_entry *classes;
	struct method_numbers *numbers;
	struct pointer_list by_number; /* of struct method_entry; NULL if not of this profile */
};

struct instrumented_methods *instrumented_methods_create(struct model *model,
                                                         struct method_numbers *numbers)
{
	struct instrumented_methods *methods = calloc(1, sizeof(*methods));
	if (methods == NULL)
		return NULL;
	if (os_mutex_init(&methods->lock) != 0) {
		free(methods);
		return NULL;
	}
	methods->model = model;
	methods->numbers = numbers;
	return methods;
}

void instrumented_methods_destroy(struct instrumented_methods *methods)
{
	if (methods == NULL)
		return;
	HASH_FREE_ALL(methods->methods);
	HASH_FREE_ALL(methods->classes);
	pointer_list_free(&methods->by_number);
	os_mutex_destroy(&methods->lock);
	free(methods);
}

/* The record of the class with that name and signature, added if necessary. NULL without
 * memory. Under the lock. */
static const struct class_record *find_class(struct instrumented_methods *methods,
                                             const struct string *name, const char *signature)
{
	struct class_entry *entry;
	HASH_FIND_PTR(methods->classes, &name, entry);
	if (entry != NULL)
		return entry->class;

	const struct class_record *class = class_table_add(methods->model->classes, signature);
	entry = calloc(1, sizeof(*entry));
	if (class == NULL || entry == NULL) {
		free(entry);
		return NULL;
	}
	entry->name = name;
	entry->class = class;
	HASH_ADD_PTR(methods->classes, name, entry);
	if (entry->hash_failed)
		free(entry);
	return class;
}

/* Extends the list to that number. False without memory. */
static bool reserve(struct instrumented_methods *methods, call_method number)
{
	struct pointer_list *list = &methods->by_number;

	while (list->count <= number) {
		if (!pointer_list_reserve(list))
			return false;
		pointer_list_append(list, NULL);
	}
	return true;
}

static struct method_entry *add_method(struct instrumented_methods *methods,
                                       const struct method_key *key, const char *signature,
                                       const struct string *source, call_method number)
{
	const struct class_record *class = find_class(methods, key->class_name, signature);
	if (class == NULL || !reserve(methods, number))
		return NULL;
	struct method_entry *entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return NULL;
	entry->key = *key;
	entry->method = (struct method){
	        .vm_id = number,
	        .class = class,
	        .name = key->name,
	        .signature = key->descriptor,
	        .source = source,
	};
	HASH_ADD(hh, methods->methods, key, sizeof(entry->key), entry);
	if (entry->hash_failed) {
		free(entry);
		return NULL;
	}
	methods->by_number.items[number] = entry;
	return entry;
}

static struct method_entry *find(struct instrumented_methods *methods, const struct method_key *key)
{
	struct method_entry *entry;

	os_mutex_lock(&methods->lock);
	HASH_FIND(hh, methods->methods, key, sizeof(*key), entry);
	os_mutex_unlock(&methods->lock);
	return entry;
}

static struct method_entry *find_or_add(struct instrumented_methods *methods,
                                        const struct method_key *key, const char *signature,
                                        const struct string *source, call_method number)
{
	struct method_entry *entry;

	os_mutex_lock(&methods->lock);
	HASH_FIND(hh, methods->methods, key, sizeof(*key), entry);
	if (entry == NULL)
		entry = add_method(methods, key, signature, source, number);
	os_mutex_unlock(&methods->lock);
	return entry;
}

static bool intern_key(struct string_table *strings, const char *signature, const char *name,
                       const char *descriptor, struct method_key *key)
{
	key->class_name = class_name_intern(strings, signature);
	key->name = string_table_intern_jvm(strings, name);
	key->descriptor = string_table_intern_jvm(strings, descriptor);
	return key->class_name != NULL && key->name != NULL && key->descriptor != NULL;
}

bool instrumented_methods_intern(struct instrumented_methods *methods, const char *class_name,
                                 const char *source, const char *name, const char *descriptor,
                                 call_method *number)
{
	struct string_table *strings = methods->model->strings;
	struct method_entry *entry = NULL;
	struct method_key key;
	size_t size = strlen(class_name) + sizeof("L;");
	char *signature = malloc(size);

	if (signature != NULL) {
		(void)snprintf(signature, size, "L%s;", class_name);
		if (intern_key(strings, signature, name, descriptor, &key) &&
		    method_numbers_intern(methods->numbers, class_name, name, descriptor, number))
			entry = find_or_add(
			        methods, &key, signature,
			        source == NULL ? NULL : string_table_intern_jvm(strings, source),
			        *number);
	}
	free(signature);
	if (entry == NULL)
		return false;
	*number = (call_method)entry->method.vm_id;
	return true;
}

bool instrumented_methods_find(struct instrumented_methods *methods, const struct method *method,
                               call_method *number)
{
	struct method_key key = {
	        .class_name = method->class->name,
	        .name = method->name,
	        .descriptor = method->signature,
	};
	struct method_entry *entry = find(methods, &key);

	if (entry == NULL)
		return false;
	*number = (call_method)entry->method.vm_id;
	return true;
}

const struct method *instrumented_methods_get(struct instrumented_methods *methods,
                                              call_method number)
{
	const struct method *method = NULL;

	os_mutex_lock(&methods->lock);
	if (number < methods->by_number.count && methods->by_number.items[number] != NULL) {
		const struct method_entry *entry = methods->by_number.items[number];
		method = &entry->method;
	}
	os_mutex_unlock(&methods->lock);
	return method;
}
