/*
 * address_map.h: a growing hash table from numbers, such as addresses, to numbers. Keys must
 * not be 0. No lock; a map belongs to one thread at a time.
 */
#ifndef HPROF_BASE_ADDRESS_MAP_H
#define HPROF_BASE_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_entry {
	uint64_t key; /* 0: the entry is free */
	uint64_t value;
};

struct address_map {
	struct address_entry *entries;
	size_t capacity; /* 0 or a power of 2 */
	size_t count;
};

/* Initializes an empty map; allocates nothing. */
void address_map_init(struct address_map *map);
void address_map_free(struct address_map *map);

/* Sets the value of key, which is not 0. False without memory. */
bool address_map_set(struct address_map *map, uint64_t key, uint64_t value);

/* The hash of a key: each bit of the upper half depends on all bits of the key. */
static inline uint64_t address_hash(uint64_t key)
{
	return (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* A pointer to the value of key, valid until the next set, or NULL. */
static inline const uint64_t *address_map_find(const struct address_map *map, uint64_t key)
{
	if (map->capacity == 0 || key == 0)
		return NULL;
	size_t at = (size_t)(address_hash(key) >> 32) & (map->capacity - 1);
	while (map->entries[at].key != key) {
		if (map->entries[at].key == 0)
			return NULL;
		at = (at + 1) & (map->capacity - 1);
	}
	return &map->entries[at].value;
}

#endif
