/*
 * frame_cache.c: see frame_cache.h. Each line has one place, which the last line with that place
 * takes.
 */
#include "report/frame_cache.h"

#include <stdlib.h>
#include <string.h>

/* A power of 2. */
#define ENTRIES ((size_t)1 << 16)

enum { LINE_MAX_CACHED = 108 };

/* The line is in the entry: with two adjacent cache lines, most of the time is saved that reading
 * the strings would take. */
struct frame_cache_entry {
	struct report_frame frame;
	uint32_t length; /* of the line; 0: the entry is free */
	char line[LINE_MAX_CACHED];
};

/* Equal hashes cost time only. */
static uint64_t hash_of(const char *line, size_t length)
{
	uint64_t hash = length;
	uint64_t word = 0;

	for (; length >= sizeof(word); line += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, line, sizeof(word));
		hash = address_hash(hash ^ word);
	}
	word = 0;
	memcpy(&word, line, length);
	return address_hash(hash ^ word);
}

static struct frame_cache_entry *entry_of(const struct frame_cache *cache, const char *line,
                                          size_t length)
{
	return &cache->entries[(hash_of(line, length) >> 32) & (ENTRIES - 1)];
}

bool frame_cache_get(const struct frame_cache *cache, const char *line, size_t length,
                     struct report_frame *frame)
{
	if (cache->entries == NULL || length == 0 || length > LINE_MAX_CACHED)
		return false;
	const struct frame_cache_entry *entry = entry_of(cache, line, length);
	if (entry->length != length || memcmp(entry->line, line, length) != 0)
		return false;
	*frame = entry->frame;
	return true;
}

bool frame_cache_put(struct frame_cache *cache, const char *line, size_t length,
                     const struct report_frame *frame)
{
	if (length == 0 || length > LINE_MAX_CACHED)
		return true;
	if (cache->entries == NULL)
		cache->entries = calloc(ENTRIES, sizeof(*cache->entries));
	if (cache->entries == NULL)
		return false;
	struct frame_cache_entry *entry = entry_of(cache, line, length);
	entry->frame = *frame;
	entry->length = (uint32_t)length;
	memcpy(entry->line, line, length);
	return true;
}

void frame_cache_free(struct frame_cache *cache)
{
	free(cache->entries);
	cache->entries = NULL;
}
