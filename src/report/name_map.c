/*
 * name_map.c: see name_map.h.
 */
#include "report/name_map.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void name_map_free(struct name_map *map)
{
	free(map->names);
	*map = (struct name_map){.names = NULL};
}

/* Makes room for an id that has none. */
static bool grow(struct name_map *map, uint32_t id)
{
	size_t count = (size_t)id * 2 + 1;
	const struct string **larger = realloc(map->names, count * sizeof(*larger));

	if (larger == NULL)
		return false;
	memset(larger + map->count, 0, (count - map->count) * sizeof(*larger));
	map->names = larger;
	map->count = count;
	return true;
}

const struct string *name_map_find(struct name_map *map, struct string_table *strings,
                                   const struct string *name)
{
	if (name->id >= map->count && !grow(map, name->id))
		return NULL;
	const struct string **known = &map->names[name->id];
	if (*known == NULL)
		*known = string_table_intern(strings, name->text, name->length);
	return *known;
}
