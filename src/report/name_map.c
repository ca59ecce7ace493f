/*
 * name_map.c: see name_map.h.
 */
#include "report/name_map.h"

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void name_map_free(struct name_map *map)
{
	free(map->names);
	*map = (struct name_map){.names = NULL};
}

const struct string *name_map_find(struct name_map *map, struct string_table *strings,
                                   const struct string *name)
{
	if (!array_cover(&map->names, &map->count, name->id, sizeof(*map->names)))
		return NULL;
	const struct string **known = &map->names[name->id];
	if (*known == NULL)
		*known = string_table_intern(strings, name->text, name->length);
	return *known;
}
