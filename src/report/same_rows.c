/*
 * same_rows.c: see same_rows.h.
 */
#include "report/same_rows.h"

/* The rows before that of the rest. */
static size_t rows_of_traces(const struct report_section *section)
{
	size_t count = section->row_count;
	while (count > 0 && section->rows[count - 1].is_rest)
		count--;
	return count;
}

/* The same for rows that are added up; not 0, since an id is not. */
static uint64_t key_of(const struct report_profile *profile, const struct section_row *row)
{
	return (uint64_t)row->name->id << 32 | same_traces_first(&profile->same, row->trace);
}

/* Sets the place of each key among the rows that stay. False when out of memory. */
static bool find_places(const struct report_profile *profile, const struct report_section *section,
                        size_t rows, struct address_map *places)
{
	for (size_t i = 0; i < rows; i++) {
		uint64_t key = key_of(profile, &section->rows[i]);
		if (address_map_find(places, key) == NULL &&
		    !address_map_set(places, key, places->count))
			return false;
	}
	return true;
}

/* Moves each row to its place, or adds it to the one that is there. */
static void add_up(const struct report_profile *profile, struct report_section *section,
                   size_t rows, const struct address_map *places)
{
	size_t used = 0;

	for (size_t i = 0; i < rows; i++) {
		struct section_row row = section->rows[i];
		size_t place = (size_t)*address_map_find(places, key_of(profile, &row));
		if (place < used) {
			section_row_add(&section->rows[place], &row);
			continue;
		}
		row.trace = same_traces_first(&profile->same, row.trace);
		section->rows[used++] = row;
	}
	section->row_count = used;
}

static uint64_t sum_of_costs(const struct report_section *section)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < section->row_count; i++)
		sum = report_sum(sum, section->rows[i].cost);
	return sum;
}

/* Sorts the rows, which come before those of the rest, and computes their shares. */
static void put_in_order(struct report_section *section, const struct section_row *rest,
                         size_t rest_count)
{
	section_sort(section);
	for (size_t i = 0; i < rest_count; i++)
		section->rows[section->row_count++] = rest[i];
	uint64_t sum = sum_of_costs(section);
	section_set_shares(section, sum > section->total ? sum : section->total);
}

bool same_rows_add_up(const struct report_profile *profile, struct report_section *section)
{
	struct address_map places;
	size_t rows = rows_of_traces(section);
	size_t rest_count = section->row_count - rows;

	for (size_t i = 0; i < section->time_count; i++)
		section->times[i].trace =
		        same_traces_first(&profile->same, section->times[i].trace);
	if (!section_has_stacks(section->kind) || !same_traces_any_name(&profile->same))
		return true;
	address_map_init(&places);
	bool good = find_places(profile, section, rows, &places);
	if (good && places.count < rows) {
		const struct section_row *rest = &section->rows[rows];
		add_up(profile, section, rows, &places);
		put_in_order(section, rest, rest_count);
	}
	address_map_free(&places);
	return good;
}
