/*
 * pointer_list.c: see pointer_list.h.
 */
#include "base/pointer_list.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

bool pointer_list_reserve(struct pointer_list *list)
{
	if (list->count < list->room)
		return true;

	size_t room = list->room == 0 ? FIRST_ROOM : list->room * 2;
	if (room > SIZE_MAX / sizeof(*list->items))
		return false;

	void **items = realloc(list->items, room * sizeof(*items));
	if (items == NULL)
		return false;
	list->items = items;
	list->room = room;
	return true;
}

void pointer_list_append(struct pointer_list *list, void *item)
{
	list->items[list->count++] = item;
}

void pointer_list_free(struct pointer_list *list)
{
	free(list->items);
	list->items = NULL;
	list->count = 0;
	list->room = 0;
}
