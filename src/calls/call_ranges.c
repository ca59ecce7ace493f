/*
 * call_ranges.c: see call_ranges.h.
 */
#include "calls/call_ranges.h"

#include "os/os.h"

#include <stdlib.h>
#include <utlist.h>

struct range {
	char *memory;
	bool is_taken;
	struct range *next;
};

struct call_ranges {
	struct os_mutex lock;
	size_t array_bytes;
	size_t bytes; /* of a range */
	struct range *all;
	uint32_t room; /* nodes */
};

/* Of each node in an array. */
enum { COUNT_BYTES = 8 };

struct call_ranges *call_ranges_create(uint32_t nodes_max)
{
	struct call_ranges *ranges = calloc(1, sizeof(*ranges));

	if (ranges == NULL)
		return NULL;
	if (os_mutex_init(&ranges->lock) != 0) {
		free(ranges);
		return NULL;
	}
	ranges->array_bytes = (size_t)nodes_max * COUNT_BYTES;
	ranges->bytes = CALL_HEAD_BYTES + CALL_ARRAYS * ranges->array_bytes;
	return ranges;
}

void call_ranges_destroy(struct call_ranges *ranges)
{
	struct range *range;
	struct range *next;

	if (ranges == NULL)
		return;
	LL_FOREACH_SAFE(ranges->all, range, next)
	{
		os_pages_free(range->memory, ranges->bytes);
		free(range);
	}
	os_mutex_destroy(&ranges->lock);
	free(ranges);
}

static char *array(const struct call_ranges *ranges, char *memory, int number)
{
	return memory + CALL_HEAD_BYTES + (size_t)number * ranges->array_bytes;
}

/* Memory for the nodes from that one on up to nodes. */
static bool add_room(const struct call_ranges *ranges, char *memory, uint32_t from, uint32_t nodes)
{
	for (int i = 0; i < CALL_ARRAYS && nodes > from; i++) {
		char *place = array(ranges, memory, i) + (size_t)from * COUNT_BYTES;
		if (!os_pages_commit(place, (size_t)(nodes - from) * COUNT_BYTES))
			return false;
	}
	return true;
}

/* Under the lock. */
static struct range *new_range(struct call_ranges *ranges)
{
	struct range *range = calloc(1, sizeof(*range));

	if (range == NULL)
		return NULL;
	range->memory = os_pages_reserve(ranges->bytes);
	if (range->memory == NULL || !os_pages_commit(range->memory, CALL_HEAD_BYTES) ||
	    !add_room(ranges, range->memory, 0, ranges->room)) {
		os_pages_free(range->memory, ranges->bytes);
		free(range);
		return NULL;
	}
	LL_PREPEND(ranges->all, range);
	return range;
}

void *call_ranges_take(struct call_ranges *ranges)
{
	struct range *range;

	os_mutex_lock(&ranges->lock);
	LL_SEARCH_SCALAR(ranges->all, range, is_taken, false);
	if (range == NULL)
		range = new_range(ranges);
	if (range != NULL)
		range->is_taken = true;
	os_mutex_unlock(&ranges->lock);
	return range == NULL ? NULL : range->memory;
}

/* Under the lock. */
static void discard(const struct call_ranges *ranges, char *memory)
{
	os_pages_discard(memory + CALL_PART_BYTES, CALL_HEAD_BYTES - CALL_PART_BYTES);
	for (int i = 0; i < CALL_ARRAYS && ranges->room > 0; i++)
		os_pages_discard(array(ranges, memory, i), (size_t)ranges->room * COUNT_BYTES);
}

void call_ranges_discard(struct call_ranges *ranges, void *range)
{
	os_mutex_lock(&ranges->lock);
	discard(ranges, range);
	os_mutex_unlock(&ranges->lock);
}

void call_ranges_give(struct call_ranges *ranges, void *range)
{
	struct range *given;

	os_mutex_lock(&ranges->lock);
	discard(ranges, range);
	LL_SEARCH_SCALAR(ranges->all, given, memory, (char *)range);
	given->is_taken = false;
	os_mutex_unlock(&ranges->lock);
}

bool call_ranges_make_room(struct call_ranges *ranges, uint32_t nodes)
{
	struct range *range;
	bool is_made = true;

	os_mutex_lock(&ranges->lock);
	LL_FOREACH(ranges->all, range)
	{
		is_made = is_made && add_room(ranges, range->memory, ranges->room, nodes);
	}
	if (is_made && nodes > ranges->room)
		ranges->room = nodes;
	os_mutex_unlock(&ranges->lock);
	return is_made;
}
