/*
 * numbering.h: dense numbers for things that are known by a key, in the order in which they are
 * first seen. One thread; no lock.
 */
#ifndef HPROF_EXPORT_NUMBERING_H
#define HPROF_EXPORT_NUMBERING_H

#include "base/address_map.h"
#include "model/strings.h"

struct numbering {
	struct address_map numbers; /* by key */
	uint32_t next;              /* the number of the next new key */
};

void numbering_init(struct numbering *numbering, uint32_t first);
void numbering_free(struct numbering *numbering);

/* The number of a key, which is not 0. *is_new: it has just been given. False when out of memory
 * or numbers. */
bool numbering_find(struct numbering *numbering, uint64_t key, uint32_t *number, bool *is_new);

/* The key of two strings; the other may be NULL. */
static inline uint64_t numbering_key(const struct string *one, const struct string *other)
{
	return (uint64_t)one->id << 32 | (other == NULL ? 0 : other->id);
}

#endif
