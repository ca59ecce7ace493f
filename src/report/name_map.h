/*
 * name_map.h: names of one table of strings in another one, each looked up once: a profile can
 * repeat a long name for each of its frames. No lock.
 */
#ifndef HPROF_REPORT_NAME_MAP_H
#define HPROF_REPORT_NAME_MAP_H

#include "model/strings.h"

#include <stddef.h>

/* All zeros: empty. */
struct name_map {
	const struct string **names; /* by id in the first table */
	size_t count;
};

void name_map_free(struct name_map *map);

/* The name in the table strings, added to it if need be. All names of a map are of one table, and
 * so are all results. NULL when out of memory. */
const struct string *name_map_find(struct name_map *map, struct string_table *strings,
                                   const struct string *name);

#endif
