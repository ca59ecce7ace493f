/*
 * instrumented_methods.c: see instrumented_methods.h. The lock covers both hashes and the
 * list; a method does not change once it is in the model.
 *
 * Thousands of methods are instrumented before the program's main() runs, and few of them are ever
 * shown: a method gets into the model only when somebody asks for it.
 */
#include "calls/instrumented_methods.h"

#include "base/hash.h"
#include "base/pointer_list.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* Interned strings, so that their addresses are the key. */
struct method_key {
	const struct string *class_name; /* in source form, as in class_record */
	const struct string *name;
	const struct string *descriptor;
};

/* The name of a file. */
struct source_entry {
	struct source_entry *next;
	char name[];
};

struct class_entry {
	const struct class_record *class; /* NULL until it is in the model */
	struct source_entry *sources;     /* the newest first; nearly always one */
	bool hash_failed;
	UT_hash_handle hh;
	char name[]; /* internal */
};

struct method_entry {
	struct method method; /* set when it is in the model, */
	struct method_key key;
	bool is_in_model; /* and in the hash */
	bool hash_failed;
	UT_hash_handle hh;
	struct class_entry *class;
	const struct source_entry *source; /* NULL when unknown */
	call_method number;
	char names[]; /* name and descriptor, each with a terminating NUL */
};

struct instrumented_methods {
	struct os_mutex lock;
	struct model *model;
	struct method_entry *methods; /* those in the model, by key */
	size_t absent;                /* the number of those that are not */
	struct class_entry *classes;
	struct class_entry *latest; /* whose methods are being added; or NULL */
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

static void free_sources(struct class_entry *class)
{
	struct source_entry *source;
	struct source_entry *next;

	LL_FOREACH_SAFE(class->sources, source, next)
	free(source);
}

void instrumented_methods_destroy(struct instrumented_methods *methods)
{
	if (methods == NULL)
		return;
	for (struct class_entry *class = methods->classes; class != NULL; class = class->hh.next)
		free_sources(class);
	HASH_CLEAR(hh, methods->methods);
	for (size_t i = 0; i < methods->by_number.count; i++)
		free(methods->by_number.items[i]);
	HASH_FREE_ALL(methods->classes);
	pointer_list_free(&methods->by_number);
	os_mutex_destroy(&methods->lock);
	free(methods);
}

/* ---- adding: under the lock; NULL without memory ---------------------------- */

static struct class_entry *add_class(struct instrumented_methods *methods, const char *name,
                                     size_t length)
{
	struct class_entry *entry = calloc(1, sizeof(*entry) + length + 1);
	if (entry == NULL)
		return NULL;
	memcpy(entry->name, name, length);
	HASH_ADD(hh, methods->classes, name[0], length, entry);
	if (entry->hash_failed) {
		free(entry);
		return NULL;
	}
	return entry;
}

/* The entry of the class with that internal name, added if necessary. */
static struct class_entry *find_class(struct instrumented_methods *methods, const char *name)
{
	struct class_entry *entry = methods->latest;
	size_t length = strlen(name);

	if (entry != NULL && strcmp(entry->name, name) == 0)
		return entry;
	HASH_FIND(hh, methods->classes, name, length, entry);
	if (entry == NULL)
		entry = add_class(methods, name, length);
	methods->latest = entry;
	return entry;
}

/* A class that is loaded again may come from another file. */
static const struct source_entry *find_source(struct class_entry *class, const char *name)
{
	if (class->sources != NULL && strcmp(class->sources->name, name) == 0)
		return class->sources;
	size_t size = strlen(name) + 1;
	struct source_entry *source = malloc(sizeof(*source) + size);
	if (source == NULL)
		return NULL;
	memcpy(source->name, name, size);
	LL_PREPEND(class->sources, source);
	return source;
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

static struct method_entry *new_method(const char *name, const char *descriptor)
{
	size_t name_size = strlen(name) + 1;
	size_t descriptor_size = strlen(descriptor) + 1;
	struct method_entry *entry = calloc(1, sizeof(*entry) + name_size + descriptor_size);

	if (entry != NULL) {
		memcpy(entry->names, name, name_size);
		memcpy(entry->names + name_size, descriptor, descriptor_size);
	}
	return entry;
}

static struct method_entry *add_method(struct instrumented_methods *methods, const char *class_name,
                                       const char *source, const char *name, const char *descriptor,
                                       call_method number)
{
	struct class_entry *class = find_class(methods, class_name);
	if (class == NULL || !reserve(methods, number))
		return NULL;
	const struct source_entry *file = source == NULL ? NULL : find_source(class, source);
	if (source != NULL && file == NULL)
		return NULL;
	struct method_entry *entry = new_method(name, descriptor);
	if (entry == NULL)
		return NULL;
	entry->class = class;
	entry->source = file;
	entry->number = number;
	methods->by_number.items[number] = entry;
	methods->absent++;
	return entry;
}

static struct method_entry *entry_of(const struct instrumented_methods *methods, call_method number)
{
	return number < methods->by_number.count ? methods->by_number.items[number] : NULL;
}

bool instrumented_methods_intern(struct instrumented_methods *methods, const char *class_name,
                                 const char *source, const char *name, const char *descriptor,
                                 call_method *number)
{
	if (!method_numbers_intern(methods->numbers, class_name, name, descriptor, number))
		return false;
	os_mutex_lock(&methods->lock);
	struct method_entry *entry = entry_of(methods, *number);
	if (entry == NULL)
		entry = add_method(methods, class_name, source, name, descriptor, *number);
	os_mutex_unlock(&methods->lock);
	return entry != NULL;
}

/* ---- the model: under the lock; false without memory ------------------------ */

static bool put_class(struct instrumented_methods *methods, struct class_entry *entry)
{
	if (entry->class != NULL)
		return true;
	size_t size = strlen(entry->name) + sizeof("L;");
	char *signature = malloc(size);
	if (signature == NULL)
		return false;
	(void)snprintf(signature, size, "L%s;", entry->name);
	entry->class = class_table_add(methods->model->classes, signature);
	free(signature);
	return entry->class != NULL;
}

static bool intern_names(struct string_table *strings, struct method_entry *entry)
{
	const char *descriptor = entry->names + strlen(entry->names) + 1;

	entry->key.class_name = entry->class->class->name;
	entry->key.name = string_table_intern_jvm(strings, entry->names);
	entry->key.descriptor = string_table_intern_jvm(strings, descriptor);
	if (entry->source != NULL)
		entry->method.source = string_table_intern_jvm(strings, entry->source->name);
	return entry->key.name != NULL && entry->key.descriptor != NULL &&
	       (entry->source == NULL || entry->method.source != NULL);
}

static bool put_method(struct instrumented_methods *methods, struct method_entry *entry)
{
	if (entry->is_in_model)
		return true;
	if (!put_class(methods, entry->class) || !intern_names(methods->model->strings, entry))
		return false;
	entry->hash_failed = false;
	HASH_ADD(hh, methods->methods, key, sizeof(entry->key), entry);
	if (entry->hash_failed)
		return false;
	entry->method.vm_id = entry->number;
	entry->method.class = entry->class->class;
	entry->method.name = entry->key.name;
	entry->method.signature = entry->key.descriptor;
	entry->is_in_model = true;
	methods->absent--;
	return true;
}

static void put_all(struct instrumented_methods *methods)
{
	for (size_t i = 0; methods->absent > 0 && i < methods->by_number.count; i++) {
		struct method_entry *entry = methods->by_number.items[i];
		if (entry != NULL && !put_method(methods, entry))
			return;
	}
}

static struct method_entry *find(struct instrumented_methods *methods, const struct method_key *key)
{
	struct method_entry *entry;

	os_mutex_lock(&methods->lock);
	put_all(methods);
	HASH_FIND(hh, methods->methods, key, sizeof(*key), entry);
	os_mutex_unlock(&methods->lock);
	return entry;
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

bool instrumented_methods_has(struct instrumented_methods *methods, call_method number)
{
	os_mutex_lock(&methods->lock);
	bool has = entry_of(methods, number) != NULL;
	os_mutex_unlock(&methods->lock);
	return has;
}

const struct method *instrumented_methods_get(struct instrumented_methods *methods,
                                              call_method number)
{
	os_mutex_lock(&methods->lock);
	struct method_entry *entry = entry_of(methods, number);
	bool found = entry != NULL && put_method(methods, entry);
	os_mutex_unlock(&methods->lock);
	return found ? &entry->method : NULL;
}
