/*
 * text_costs.c: reads TRACE COSTS sections of a text profile. They have the exact costs of all
 * traces of a section above, which itself has rounded shares, and no rows below the cutoff.
 */
#include "base/address_map.h"
#include "hprof/text_titles.h"
#include "report/text_reader.h"

#include <stdlib.h>
#include <string.h>

/* "300005 1234567 42". Traces that cost nothing and were not called have no row. */
static bool read_cost_row(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);
	struct section_row row = {.name = NULL};

	row.trace = cursor_serial(&cursor);
	row.cost = cursor_number(&cursor);
	row.count = cursor_number(&cursor);
	if (cursor.bad || cursor.at != cursor.end)
		return false;
	if (row.cost == 0 && row.count == 0)
		return true;
	struct section_row *added = section_add(section);
	if (added == NULL)
		return text_out_of_memory(reader);
	*added = row;
	return true;
}

static bool kind_of(const struct text_reader *reader, enum section_kind *kind)
{
	static const struct {
		const char *mark;
		enum section_kind kind;
	} kinds[] = {
	        {"(" TEXT_CPU_TIME ", ", SECTION_TIMES},
	        {"(" TEXT_OFF_CPU_TIME ", ", SECTION_OFF_CPU},
	        {"(" TEXT_MONITOR_TIME ", ", SECTION_MONITORS},
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (text_find(reader, kinds[i].mark) != NULL) {
			*kind = kinds[i].kind;
			return true;
		}
	}
	return false;
}

/* ---- use --------------------------------------------------------------------------- */

/* What is left to give to the rows of shares with the trace of a row of costs. */
struct trace_part {
	uint64_t cost;
	uint64_t shares; /* of the rows left, in 1/10000 */
	uint32_t rows;   /* left */
	bool is_used;
};

struct parts {
	struct address_map places; /* trace to index in items, plus 1 */
	struct trace_part *items;  /* one for each row of costs */
};

static struct trace_part *part_of(const struct parts *parts, uint32_t trace)
{
	const uint64_t *place = address_map_find(&parts->places, (uint64_t)trace + 1);
	return place == NULL ? NULL : &parts->items[*place - 1];
}

static bool find_parts(struct parts *parts, const struct report_section *shares,
                       const struct report_section *costs)
{
	address_map_init(&parts->places);
	parts->items = calloc(costs->row_count + 1, sizeof(*parts->items));
	if (parts->items == NULL)
		return false;
	for (size_t i = 0; i < costs->row_count; i++) {
		parts->items[i].cost = costs->rows[i].cost;
		if (!address_map_set(&parts->places, (uint64_t)costs->rows[i].trace + 1, i + 1))
			return false;
	}
	for (size_t i = 0; i < shares->row_count; i++) {
		struct trace_part *part = part_of(parts, shares->rows[i].trace);
		if (part == NULL)
			continue;
		part->shares += shares->rows[i].self;
		part->rows++;
		part->is_used = true;
	}
	return true;
}

/* Gives the rows of shares their exact costs. Monitors of several classes can have rows with one
 * trace: they get its cost in proportion to their shares. */
static void share_out(const struct parts *parts, struct report_section *shares)
{
	for (size_t i = 0; i < shares->row_count; i++) {
		struct section_row *row = &shares->rows[i];
		struct trace_part *part = part_of(parts, row->trace);
		uint64_t share = row->self;
		row->cost = 0;
		if (part == NULL)
			continue;
		if (part->rows == 1 || part->shares == 0)
			row->cost = part->cost / part->rows;
		else
			row->cost = (uint64_t)((double)part->cost *
			                       ((double)share / (double)part->shares));
		part->rows--;
		part->cost -= row->cost < part->cost ? row->cost : part->cost;
		part->shares -= share;
	}
}

/* Adds the traces that had no row: those below the cutoff. */
static bool add_others(const struct report_profile *profile, const struct parts *parts,
                       struct report_section *shares, const struct report_section *costs)
{
	static const char unknown[] = "<unknown>";

	for (size_t i = 0; i < costs->row_count; i++) {
		if (parts->items[i].is_used)
			continue;
		const struct string *name =
		        shares->kind == SECTION_MONITORS
		                ? string_table_intern(profile->strings, unknown, strlen(unknown))
		                : report_innermost(profile, costs->rows[i].trace);
		struct section_row *row = name == NULL ? NULL : section_add(shares);
		if (row == NULL)
			return false;
		*row = costs->rows[i];
		row->name = name;
	}
	return true;
}

static bool use(const struct report_profile *profile, struct report_section *shares,
                const struct report_section *costs)
{
	struct parts parts;
	bool good = find_parts(&parts, shares, costs);

	if (good) {
		share_out(&parts, shares);
		good = add_others(profile, &parts, shares, costs);
	}
	address_map_free(&parts.places);
	free(parts.items);
	if (!good)
		return false;
	section_sort(shares);
	shares->exact = true;
	if (!section_add_rest(shares, profile->strings, costs->total))
		return false;
	section_set_shares(shares, shares->total);
	return true;
}

bool text_read_costs(struct text_reader *reader)
{
	struct report_section costs;
	enum section_kind kind = SECTION_TIMES;
	bool ended;

	if (!kind_of(reader, &kind))
		return text_refuse(reader, TEXT_TRACE_COSTS " of an unknown section");
	uint64_t total = text_number_after(reader, "total = ");
	text_begin_section(reader, &costs, kind);
	costs.total = total;
	bool good =
	        text_read_rows(reader, &costs, TEXT_END(TEXT_TRACE_COSTS), read_cost_row, &ended);
	struct report_section *shares = text_find_held(reader, kind);
	if (good && ended && shares != NULL && !shares->exact)
		good = use(reader->profile, shares, &costs) || text_out_of_memory(reader);
	section_free(&costs);
	return good && !ended ? text_ends_early(reader) : good;
}
