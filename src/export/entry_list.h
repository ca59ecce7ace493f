/*
 * entry_list.h: a growing array of entries of one size. One thread; no lock.
 */
#ifndef HPROF_EXPORT_ENTRY_LIST_H
#define HPROF_EXPORT_ENTRY_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros: empty. The owner frees entries. */
struct entry_list {
	void *entries;
	size_t count;
	size_t capacity;
};

/* Copies an entry of that many bytes to the end. False when out of memory. */
bool entry_list_add(struct entry_list *list, const void *entry, size_t bytes);

#endif
