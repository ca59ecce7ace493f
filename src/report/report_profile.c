/*
 * report_profile.c: see report_profile.h.
 */
#include "report/report_profile.h"

#include "report/stable_name.h"

#include <stdlib.h>
#include <string.h>

bool report_profile_init(struct report_profile *profile)
{
	address_map_init(&profile->traces);
	address_map_init(&profile->threads);
	profile->trace_numbers = 0;
	address_map_init(&profile->stable);
	same_traces_init(&profile->same);
	profile->facts = (struct report_facts){.program = NULL};
	profile->strings = string_table_create();
	return profile->strings != NULL;
}

void report_profile_free(struct report_profile *profile)
{
	for (size_t i = 0; i < profile->traces.capacity; i++) {
		if (profile->traces.entries[i].key != 0)
			free((void *)(uintptr_t)profile->traces.entries[i].value);
	}
	address_map_free(&profile->traces);
	address_map_free(&profile->threads);
	address_map_free(&profile->stable);
	same_traces_free(&profile->same);
	if (profile->strings != NULL)
		string_table_destroy(profile->strings);
}

/* Keys of the maps must not be 0, but serial numbers in a file may be. */
static uint64_t key_of(uint32_t serial)
{
	return (uint64_t)serial + 1;
}

/* The stable form of a name; NULL when out of memory. */
static const struct string *make_stable(struct report_profile *profile, const struct string *name)
{
	if (!stable_name_may_differ(name->text, name->length))
		return name;
	char *stable = malloc(name->length);
	if (stable == NULL)
		return NULL;
	size_t kept = stable_name(name->text, name->length, stable);
	const struct string *result =
	        kept == name->length ? name : string_table_intern(profile->strings, stable, kept);
	free(stable);
	if (result == NULL || result == name || same_traces_note_name(&profile->same, result))
		return result;
	return NULL;
}

/* A file has many more lines than names, so each is looked at once. */
const struct string *report_stable_name(struct report_profile *profile, const struct string *name)
{
	const uint64_t *known = address_map_find(&profile->stable, name->id);
	if (known != NULL)
		return (const struct string *)(uintptr_t)*known;
	const struct string *result = make_stable(profile, name);
	return result != NULL && address_map_set(&profile->stable, name->id, (uintptr_t)result)
	               ? result
	               : NULL;
}

const struct string *report_intern_name(struct report_profile *profile, const char *name,
                                        size_t length)
{
	const struct string *raw = string_table_intern(profile->strings, name, length);
	return raw == NULL ? NULL : report_stable_name(profile, raw);
}

bool report_add_trace(struct report_profile *profile, uint32_t serial, uint32_t thread,
                      const struct report_frame *frames, uint32_t depth)
{
	struct report_trace *trace = malloc(sizeof(*trace) + depth * sizeof(*frames));
	const uint64_t *before = address_map_find(&profile->traces, key_of(serial));

	if (trace == NULL)
		return false;
	profile->facts.has_cut_stacks |= profile->facts.depth > 0 && depth >= profile->facts.depth;
	trace->number = ++profile->trace_numbers;
	trace->thread = thread;
	trace->depth = depth;
	if (depth > 0)
		memcpy(trace->frames, frames, depth * sizeof(*frames));
	if (before != NULL) {
		free((void *)(uintptr_t)*before);
		same_traces_stop(&profile->same);
	}
	if (!address_map_set(&profile->traces, key_of(serial), (uintptr_t)trace)) {
		free(trace);
		return false;
	}
	return same_traces_add(&profile->same, &profile->traces, serial, trace);
}

bool report_add_thread(struct report_profile *profile, uint32_t serial, const struct string *name)
{
	return address_map_set(&profile->threads, key_of(serial), (uintptr_t)name);
}

const struct report_trace *report_find_trace(const struct report_profile *profile, uint32_t serial)
{
	const uint64_t *found = address_map_find(&profile->traces, key_of(serial));
	return found == NULL ? NULL : (const struct report_trace *)(uintptr_t)*found;
}

const struct string *report_find_thread(const struct report_profile *profile, uint32_t serial)
{
	const uint64_t *found = address_map_find(&profile->threads, key_of(serial));
	return found == NULL ? NULL : (const struct string *)(uintptr_t)*found;
}

const struct string *report_no_frames(const struct report_profile *profile)
{
	static const char name[] = "<empty trace>";
	return string_table_intern(profile->strings, name, strlen(name));
}

const struct string *report_innermost(const struct report_profile *profile, uint32_t serial)
{
	const struct report_trace *trace = report_find_trace(profile, serial);
	return trace == NULL || trace->depth == 0 ? report_no_frames(profile)
	                                          : trace->frames[0].method;
}

bool report_ignore_note(struct report_visitor *visitor, const char *text, size_t length)
{
	(void)visitor;
	(void)text;
	(void)length;
	return true;
}
