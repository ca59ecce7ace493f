/*
 * heap_histogram.c: see heap_histogram.h.
 */
#include "report/heap_histogram.h"

#include <stdlib.h>
#include <string.h>

void heap_histogram_begin(struct heap_histogram *histogram, const char *title, size_t title_length)
{
	address_map_init(&histogram->places);
	section_begin(&histogram->section, SECTION_HEAP, title, title_length);
}

void heap_histogram_free(struct heap_histogram *histogram)
{
	address_map_free(&histogram->places);
	section_free(&histogram->section);
}

bool heap_histogram_add(struct heap_histogram *histogram, const struct string *class_name,
                        uint64_t count, uint64_t bytes)
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
	row->count = report_sum(row->count, count);
	row->cost = report_sum(row->cost, bytes);
	histogram->section.total = report_sum(histogram->section.total, bytes);
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
	section_set_shares(section, section->total);
	return section;
}
