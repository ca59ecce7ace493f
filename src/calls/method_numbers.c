/*
 * method_numbers.c: see method_numbers.h.
 */
#include "calls/method_numbers.h"

#include "base/hash.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

struct number_entry {
	call_method number;
	bool hash_failed;
	UT_hash_handle hh;
	char names[]; /* class, name, descriptor, each with a terminating NUL */
};

struct method_numbers {
	struct os_mutex lock;
	struct number_entry *entries;
	call_method next;
};

struct method_numbers *method_numbers_create(void)
{
	struct method_numbers *numbers = calloc(1, sizeof(*numbers));
	if (numbers != NULL && os_mutex_init(&numbers->lock) != 0) {
		free(numbers);
		return NULL;
	}
	return numbers;
}

void method_numbers_destroy(struct method_numbers *numbers)
{
	if (numbers == NULL)
		return;
	HASH_FREE_ALL(numbers->entries);
	os_mutex_destroy(&numbers->lock);
	free(numbers);
}

static char *append(char *at, const char *name)
{
	size_t size = strlen(name) + 1;
	memcpy(at, name, size);
	return at + size;
}

/* A new entry, not yet in the table. NULL without memory. */
static struct number_entry *new_entry(const char *class_name, const char *name,
                                      const char *descriptor, size_t length)
{
	struct number_entry *entry = calloc(1, sizeof(*entry) + length);
	if (entry != NULL)
		(void)append(append(append(entry->names, class_name), name), descriptor);
	return entry;
}

/* Adds the new entry, or frees it and returns the existing entry with the same names. NULL
 * without memory. Under the lock. */
static struct number_entry *find_or_add(struct method_numbers *numbers, struct number_entry *new,
                                        size_t length)
{
	struct number_entry *entry;
	HASH_FIND(hh, numbers->entries, new->names, length, entry);
	if (entry != NULL) {
		free(new);
		return entry;
	}
	new->number = numbers->next;
	HASH_ADD(hh, numbers->entries, names[0], length, new);
	if (new->hash_failed) {
		free(new);
		return NULL;
	}
	numbers->next++;
	return new;
}

bool method_numbers_intern(struct method_numbers *numbers, const char *class_name, const char *name,
                           const char *descriptor, call_method *number)
{
	size_t length = strlen(class_name) + strlen(name) + strlen(descriptor) + 3;
	struct number_entry *entry = new_entry(class_name, name, descriptor, length);

	if (entry == NULL)
		return false;
	os_mutex_lock(&numbers->lock);
	entry = find_or_add(numbers, entry, length);
	if (entry != NULL)
		*number = entry->number;
	os_mutex_unlock(&numbers->lock);
	return entry != NULL;
}
