/*
 * pointer_list.h: a growing list of pointers, for tables that find records by a dense id.
 * No lock of its own; the owner's lock guards it.
 */
#ifndef HPROF_BASE_POINTER_LIST_H
#define HPROF_BASE_POINTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct pointer_list {
	void **items;
	size_t count;
	size_t room;
};

/* Ensures room for one more item, so that the next append can't fail. False without
 * memory. */
bool pointer_list_reserve(struct pointer_list *list);

/* Appends item; pointer_list_reserve() must have been called before. */
void pointer_list_append(struct pointer_list *list, void *item);

/* Frees the list, not the items. */
void pointer_list_free(struct pointer_list *list);

#endif
