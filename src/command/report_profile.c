/*
 * report_profile.c: see report_profile.h.
 */
#include "command/report_profile.h"

#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 64, WHOLE_SHARE = 10000 };

/* ---- names ------------------------------------------------------------------ */

bool report_profile_init(struct report_profile *profile)
{
	address_map_init(&profile->traces);
	address_map_init(&profile->threads);
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
	if (profile->strings != NULL)
		string_table_destroy(profile->strings);
}

/* Keys of the maps must not be 0, but serial numbers in a file may be. */
static uint64_t key_of(uint32_t serial)
{
	return (uint64_t)serial + 1;
}

bool report_add_trace(struct report_profile *profile, uint32_t serial, uint32_t thread,
                      const struct report_frame *frames, uint32_t depth)
{
	struct report_trace *trace = malloc(sizeof(*trace) + depth * sizeof(*frames));
	const uint64_t *before = address_map_find(&profile->traces, key_of(serial));

	if (trace == NULL)
		return false;
	trace->thread = thread;
	trace->depth = depth;
	if (depth > 0)
		memcpy(trace->frames, frames, depth * sizeof(*frames));
	if (before != NULL)
		free((void *)(uintptr_t)*before);
	if (address_map_set(&profile->traces, key_of(serial), (uintptr_t)trace))
		return true;
	free(trace);
	return false;
}

bool report_add_thread(struct report_profile *profile, uint32_t serial, const char *name,
                       size_t length)
{
	const struct string *kept = string_table_intern(profile->strings, name, length);
	return kept != NULL && address_map_set(&profile->threads, key_of(serial), (uintptr_t)kept);
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

/* ---- sections -------------------------------------------------------------- */

void section_begin(struct report_section *section, enum section_kind kind, const char *title,
                   size_t title_length)
{
	*section = (struct report_section){.kind = kind};
	printable_text(title, title_length, section->title, sizeof(section->title));
}

void section_free(struct report_section *section)
{
	free(section->rows);
	section->rows = NULL;
	section->row_count = 0;
	section->row_capacity = 0;
}

struct section_row *section_add(struct report_section *section)
{
	if (section->row_count == section->row_capacity) {
		size_t capacity =
		        section->row_capacity == 0 ? FIRST_ROWS : section->row_capacity * 2;
		struct section_row *larger = realloc(section->rows, capacity * sizeof(*larger));
		if (larger == NULL)
			return NULL;
		section->rows = larger;
		section->row_capacity = capacity;
	}
	struct section_row *row = &section->rows[section->row_count++];
	*row = (struct section_row){.name = NULL};
	return row;
}

static uint32_t share(uint64_t part, uint64_t total)
{
	if (total == 0 || part >= total)
		return part == 0 ? 0 : WHOLE_SHARE;
	return (uint32_t)((double)part / (double)total * WHOLE_SHARE + 0.5);
}

void section_set_shares(struct report_section *section, uint64_t total)
{
	uint64_t so_far = 0;
	for (size_t i = 0; i < section->row_count; i++) {
		struct section_row *row = &section->rows[i];
		so_far = report_sum(so_far, row->cost);
		row->self = share(row->cost, total);
		row->accumulated = share(so_far, total);
	}
}

/* ---- heap dumps ------------------------------------------------------------- */

void heap_histogram_begin(struct heap_histogram *histogram, const char *title, size_t title_length)
{
	address_map_init(&histogram->places);
	section_begin(&histogram->section, SECTION_HEAP, title, title_length);
	histogram->bytes = 0;
}

void heap_histogram_free(struct heap_histogram *histogram)
{
	address_map_free(&histogram->places);
	section_free(&histogram->section);
}

bool heap_histogram_add(struct heap_histogram *histogram, const struct string *class_name,
                        uint64_t bytes)
{
	const uint64_t *place = address_map_find(&histogram->places, class_name->id);
	struct section_row *row;

	if (place != NULL) {
		row = &histogram->section.rows[*place - 1];
	} else {
		row = section_add(&histogram->section);
		if (row == NULL)
			return false;
		row->name = class_name;
		if (!address_map_set(&histogram->places, class_name->id,
		                     histogram->section.row_count)) {
			histogram->section.row_count--;
			return false;
		}
	}
	row->count++;
	row->cost = report_sum(row->cost, bytes);
	histogram->bytes = report_sum(histogram->bytes, bytes);
	return true;
}

static int by_cost(const void *one, const void *other)
{
	const struct section_row *a = one;
	const struct section_row *b = other;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return strcmp(a->name->text, b->name->text);
}

const struct report_section *heap_histogram_section(struct heap_histogram *histogram)
{
	struct report_section *section = &histogram->section;
	if (section->row_count > 0)
		qsort(section->rows, section->row_count, sizeof(*section->rows), by_cost);
	section_set_shares(section, histogram->bytes);
	return section;
}
