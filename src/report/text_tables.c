/*
 * text_tables.c: reads the sections of a text profile that are tables by trace: CPU SAMPLES,
 * CPU TIME, OFF-CPU TIME, MONITOR TIME and SITES.
 */
#include "hprof/text_titles.h"
#include "report/text_reader.h"

#include "os/time_units.h"

enum { SHARES = 10000 };

/* Takes the name, the rest of the line after one blank, and adds the row. */
static bool add_row(struct text_reader *reader, struct text_cursor *cursor,
                    struct report_section *section, const struct section_row *row)
{
	cursor_text(cursor, " ");
	if (cursor->bad)
		return false;
	const struct string *name = text_intern_name(reader, cursor->at, cursor->end);
	struct section_row *added = name == NULL ? NULL : section_add(section);
	if (added == NULL)
		return text_out_of_memory(reader);
	*added = *row;
	added->name = name;
	return true;
}

/* "   1  8.72%  8.72%      77 300005 java.lang.ClassLoader.defineClass2" */
static bool read_ranked_row(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);
	struct section_row row = {.name = NULL};

	(void)cursor_number(&cursor);
	row.self = cursor_share(&cursor);
	row.accumulated = cursor_share(&cursor);
	row.count = cursor_number(&cursor);
	row.trace = cursor_serial(&cursor);
	row.cost = row.count;
	return add_row(reader, &cursor, section, &row);
}

bool text_read_samples(struct text_reader *reader)
{
	struct report_section section;
	uint64_t total = text_number_after(reader, "(total = ");
	bool ended;

	text_begin_section(reader, &section, SECTION_SAMPLES);
	bool good = text_read_rows(reader, &section, TEXT_END(TEXT_CPU_SAMPLES), read_ranked_row,
	                           &ended);
	if (ended && !section_add_rest(&section, reader->profile->strings, total))
		good = text_out_of_memory(reader);
	return text_end_section(reader, &section, good, ended);
}

/* ---- times ------------------------------------------------------------------------ */

/* A share of the total, without overflow. */
static uint64_t part_of(uint64_t total, uint32_t share)
{
	return total / SHARES * share + total % SHARES * share / SHARES;
}

/* Computes costs from the accumulated shares, not from each row's own, so that rounding errors do
 * not add up: the costs of all rows are the last one's share. */
static void costs_of_shares(struct report_section *section, uint64_t total_ns)
{
	uint32_t before = 0;

	section->exact = false;
	for (size_t i = 0; i < section->row_count; i++) {
		struct section_row *row = &section->rows[i];
		uint32_t accumulated = row->accumulated < before ? before : row->accumulated;
		row->cost = part_of(total_ns, accumulated) - part_of(total_ns, before);
		before = accumulated;
	}
}

static bool read_timed(struct text_reader *reader, enum section_kind kind, const char *end)
{
	struct report_section section;
	uint64_t total_ms = text_number_after(reader, "(total = ");
	uint64_t total_ns = total_ms > UINT64_MAX / NS_PER_MS ? 0 : total_ms * NS_PER_MS;
	bool ended = false;

	text_begin_section(reader, &section, kind);
	bool good = text_find_held(reader, kind) == NULL || text_release(reader);
	good = good && text_read_rows(reader, &section, end, read_ranked_row, &ended);
	costs_of_shares(&section, total_ns);
	if (!good || !ended)
		return text_end_section(reader, &section, good, ended);
	section.total = total_ns;
	return text_hold_section(reader, &section);
}

bool text_read_times(struct text_reader *reader)
{
	return read_timed(reader, SECTION_TIMES, TEXT_END(TEXT_CPU_TIME_MS));
}

bool text_read_off_cpu(struct text_reader *reader)
{
	return read_timed(reader, SECTION_OFF_CPU, TEXT_END(TEXT_OFF_CPU_TIME_MS));
}

bool text_read_monitors(struct text_reader *reader)
{
	return read_timed(reader, SECTION_MONITORS, TEXT_END(TEXT_MONITOR_TIME));
}

/* ---- sites ------------------------------------------------------------------------- */

static bool read_site_row(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);
	struct section_row row = {.name = NULL};

	(void)cursor_number(&cursor);
	row.self = cursor_share(&cursor);
	row.accumulated = cursor_share(&cursor);
	row.live_bytes = cursor_number(&cursor);
	row.count = cursor_number(&cursor);
	row.allocated_bytes = cursor_number(&cursor);
	row.allocated_objects = cursor_number(&cursor);
	row.trace = cursor_serial(&cursor);
	row.cost = section->by_allocation ? row.allocated_bytes : row.live_bytes;
	return add_row(reader, &cursor, section, &row);
}

/* The text has no total. If the accumulated share of the last row is less than all, the rows are
 * that share of it. */
static bool add_rest_of_sites(struct text_reader *reader, struct report_section *section)
{
	uint64_t sum = 0;
	uint32_t listed =
	        section->row_count == 0 ? 0 : section->rows[section->row_count - 1].accumulated;

	for (size_t i = 0; i < section->row_count; i++)
		sum = report_sum(sum, section->rows[i].cost);
	double total = listed == 0 ? 0 : (double)sum / listed * SHARES;
	section->exact = listed == SHARES;
	return section_add_rest(section, reader->profile->strings,
	                        section->exact || total >= (double)INT64_MAX ? sum
	                                                                     : (uint64_t)total);
}

bool text_read_sites(struct text_reader *reader)
{
	struct report_section section;
	bool by_allocation = text_find(reader, "ordered by allocated") != NULL;
	bool ended;

	text_begin_section(reader, &section, SECTION_SITES);
	section.by_allocation = by_allocation;
	bool good = text_read_rows(reader, &section, TEXT_END(TEXT_SITES), read_site_row, &ended);
	if (ended && !add_rest_of_sites(reader, &section))
		good = text_out_of_memory(reader);
	return text_end_section(reader, &section, good, ended);
}
