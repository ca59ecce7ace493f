/*
 * pointer_list.c: see pointer_list.h.
 */
#include "base/pointer_list.h"

#include "base/array.h"

#include <stdlib.h>

bool pointer_list_reserve(struct pointer_list *list)
{
	return array_grow(&list->items, &list->room, list->count, sizeof(*list->items));
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
