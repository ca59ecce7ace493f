/*
 * same_traces.c: see same_traces.h. Only traces with a name that had something left out are
 * hashed: others are unique in the file already.
 */
#include "report/same_traces.h"

#include <string.h>

static uint64_t key_of(uint32_t serial)
{
	return (uint64_t)serial + 1;
}

void same_traces_init(struct same_traces *same)
{
	*same = (struct same_traces){.stopped = false};
	address_map_init(&same->names);
	address_map_init(&same->traces);
	address_map_init(&same->later);
}

void same_traces_free(struct same_traces *same)
{
	address_map_free(&same->names);
	address_map_free(&same->traces);
	address_map_free(&same->later);
}

bool same_traces_any_name(const struct same_traces *same)
{
	return same->names.count > 0;
}

bool same_traces_note_name(struct same_traces *same, const struct string *name)
{
	return address_map_set(&same->names, name->id, 1);
}

void same_traces_stop(struct same_traces *same)
{
	address_map_free(&same->traces);
	address_map_free(&same->later);
	same->stopped = true;
}

static bool has_noted_name(const struct same_traces *same, const struct report_trace *trace)
{
	for (uint32_t i = 0; same_traces_any_name(same) && i < trace->depth; i++) {
		if (address_map_find(&same->names, trace->frames[i].method->id) != NULL)
			return true;
	}
	return false;
}

/* Not 0. */
static uint64_t hash_of(const struct report_trace *trace)
{
	uint64_t hash = address_hash((uint64_t)trace->thread << 32 | trace->depth);
	for (uint32_t i = 0; i < trace->depth; i++) {
		const struct report_frame *frame = &trace->frames[i];
		hash = address_hash(hash ^ ((uint64_t)frame->method->id << 32 | frame->place->id));
	}
	return hash | 1;
}

static bool are_equal(const struct report_trace *one, const struct report_trace *other)
{
	return one->thread == other->thread && one->depth == other->depth &&
	       memcmp(one->frames, other->frames, one->depth * sizeof(one->frames[0])) == 0;
}

bool same_traces_add(struct same_traces *same, const struct address_map *traces, uint32_t serial,
                     const struct report_trace *trace)
{
	if (same->stopped || !has_noted_name(same, trace))
		return true;
	uint64_t hash = hash_of(trace);
	const uint64_t *found = address_map_find(&same->traces, hash);
	if (found == NULL)
		return address_map_set(&same->traces, hash, serial);
	const uint64_t *first = address_map_find(traces, key_of((uint32_t)*found));
	/* A trace whose hash another one has stays on its own. */
	return first == NULL || !are_equal((const struct report_trace *)(uintptr_t)*first, trace) ||
	       address_map_set(&same->later, key_of(serial), *found);
}

uint32_t same_traces_first(const struct same_traces *same, uint32_t serial)
{
	const uint64_t *first = address_map_find(&same->later, key_of(serial));
	return first == NULL ? serial : (uint32_t)*first;
}
