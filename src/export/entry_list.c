/*
 * entry_list.c: see entry_list.h.
 */
#include "export/entry_list.h"

#include "base/array.h"

#include <string.h>

bool entry_list_add(struct entry_list *list, const void *entry, size_t bytes)
{
	if (!array_grow(&list->entries, &list->capacity, list->count, bytes))
		return false;
	memcpy((char *)list->entries + list->count * bytes, entry, bytes);
	list->count++;
	return true;
}
