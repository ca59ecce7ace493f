/*
 * entry_list.c: see entry_list.h.
 */
#include "export/entry_list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ENTRIES = 64 };

bool entry_list_add(struct entry_list *list, const void *entry, size_t bytes)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity == 0 ? FIRST_ENTRIES : list->capacity * 2;
		void *larger = capacity > SIZE_MAX / bytes
		                       ? NULL
		                       : realloc(list->entries, capacity * bytes);
		if (larger == NULL)
			return false;
		list->entries = larger;
		list->capacity = capacity;
	}
	memcpy((char *)list->entries + list->count * bytes, entry, bytes);
	list->count++;
	return true;
}
