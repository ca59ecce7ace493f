/*
 * value_sizes.c: see value_sizes.h.
 */
#include "check/value_sizes.h"

#include "base/array.h"

#include <stdlib.h>

/* A chain of more than SUPERS_MAX superclasses is a cycle. */
enum { SUPERS_MAX = 4096 };

void value_sizes_init(struct value_sizes *layouts)
{
	*layouts = (struct value_sizes){.layouts = NULL};
	address_map_init(&layouts->places);
}

void value_sizes_free(struct value_sizes *layouts)
{
	address_map_free(&layouts->places);
	free(layouts->layouts);
}

static struct value_size *find(const struct value_sizes *layouts, uint64_t class_id)
{
	const uint64_t *place = address_map_find(&layouts->places, class_id);
	return place == NULL ? NULL : &layouts->layouts[*place];
}

static struct value_size *add(struct value_sizes *layouts, uint64_t class_id)
{
	if (!array_grow(&layouts->layouts, &layouts->capacity, layouts->count,
	                sizeof(*layouts->layouts)) ||
	    !address_map_set(&layouts->places, class_id, layouts->count))
		return NULL;
	return &layouts->layouts[layouts->count++];
}

bool value_sizes_set(struct value_sizes *layouts, uint64_t class_id, uint64_t super_id,
                     uint64_t own_bytes)
{
	if (class_id == 0)
		return true; /* nothing refers to it */
	struct value_size *layout = find(layouts, class_id);
	if (layout == NULL)
		layout = add(layouts, class_id);
	if (layout == NULL)
		return false;
	layouts->dumps++;
	*layout = (struct value_size){.super_id = super_id, .own = own_bytes};
	return true;
}

bool value_sizes_find(struct value_sizes *layouts, uint64_t class_id, uint64_t *bytes)
{
	struct value_size *first = find(layouts, class_id);
	const struct value_size *layout = first;

	*bytes = 0;
	if (first != NULL && first->failed_at == layouts->dumps)
		return false;
	for (int i = 0; layout != NULL && i < SUPERS_MAX; i++) {
		if (layout->all_known) {
			*bytes += layout->all;
			break;
		}
		*bytes += layout->own;
		if (layout->super_id == 0)
			break;
		layout = find(layouts, layout->super_id);
		if (i + 1 == SUPERS_MAX)
			layout = NULL;
	}
	if (layout == NULL) {
		if (first != NULL)
			first->failed_at = layouts->dumps;
		return false;
	}
	first->all = *bytes;
	first->all_known = true;
	return true;
}
