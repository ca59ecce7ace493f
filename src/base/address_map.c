/*
 * address_map.c: open addressing with linear probing, at most half full.
 */
#include "base/address_map.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

void address_map_init(struct address_map *map)
{
	*map = (struct address_map){0};
}

void address_map_free(struct address_map *map)
{
	free(map->entries);
	address_map_init(map);
}

/* The entry of key, or the free entry where it would be inserted. */
static struct address_entry *place(const struct address_map *map, uint64_t key)
{
	size_t at = (size_t)(address_hash(key) >> 32) & (map->capacity - 1);
	while (map->entries[at].key != 0 && map->entries[at].key != key)
		at = (at + 1) & (map->capacity - 1);
	return &map->entries[at];
}

static bool grow(struct address_map *map)
{
	struct address_map larger = {.capacity = map->capacity == 0 ? FIRST_CAPACITY
	                                                            : map->capacity * 2};

	/* Only 32 bits of the hash are used. */
	if (larger.capacity > UINT32_MAX / 2)
		return false;
	larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
	if (larger.entries == NULL)
		return false;
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->entries[i].key != 0)
			*place(&larger, map->entries[i].key) = map->entries[i];
	}
	larger.count = map->count;
	free(map->entries);
	*map = larger;
	return true;
}

bool address_map_set(struct address_map *map, uint64_t key, uint64_t value)
{
	if (map->count >= map->capacity / 2 && !grow(map))
		return false;
	struct address_entry *entry = place(map, key);
	map->count += entry->key == 0;
	entry->key = key;
	entry->value = value;
	return true;
}
