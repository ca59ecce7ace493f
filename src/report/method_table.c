/*
 * method_table.c: see method_table.h.
 */
#include "report/method_table.h"

#include "hprof/text_parts.h"
#include "os/time_units.h"
#include "report/cost_text.h"
#include "report/interval.h"
#include "report/shares.h"
#include "report/shown_name.h"

#include <inttypes.h>
#include <string.h>

/* Of a terminal with room for all columns and a name. */
enum { WIDE_COLUMNS = 110 };

#define NOT_EXACT "\xe2\x89\x88" /* almost equal to */

/* ---- facts -------------------------------------------------------------------------- */

static void add_fact(struct byte_buffer *out, const char *title, const struct string *fact)
{
	if (fact == NULL)
		return;
	byte_buffer_printf(out, "%-9s", title);
	text_add_name(out, fact);
	byte_buffer_add_u1(out, '\n');
}

void facts_write(const struct report_facts *facts, struct output *output)
{
	struct byte_buffer *out = &output->text;
	uint64_t ms = facts->duration_ns / NS_PER_MS;

	add_fact(out, "Program", facts->program);
	add_fact(out, "JVM", facts->jvm);
	add_fact(out, "Options", facts->options);
	add_fact(out, "Created", facts->created);
	if (ms > 0)
		byte_buffer_printf(out, "%-9s%" PRIu64 ".%03u s\n", "Duration", ms / MS_PER_SECOND,
		                   (unsigned)(ms % MS_PER_SECOND));
	if (facts->has_cut_stacks)
		byte_buffer_printf(out,
		                   "%-9sat most %" PRIu32 " frames; a higher depth= keeps more\n",
		                   "Stacks", facts->depth);
}

/* ---- the title ------------------------------------------------------------------------ */

static void add_part(struct byte_buffer *out, uint64_t part, uint64_t total, const char *what)
{
	if (part == 0)
		return;
	const uint32_t share = share_of(part, total);
	byte_buffer_printf(out, ", %" PRIu32 ".%02" PRIu32 "%% %s", share / 100, share % 100, what);
}

void method_costs_write_title(const struct method_costs *costs, const char *title,
                              uint32_t interval_ms, struct output *output)
{
	struct byte_buffer *out = &output->text;

	output_title(output, title);
	byte_buffer_printf(out, ": %s", costs->exact ? "" : NOT_EXACT " ");
	cost_add_text(out, costs->kind, costs->total, 0);
	byte_buffer_printf(out, " %s", cost_unit(costs->kind));
	if (costs->kind == SECTION_SAMPLES && interval_ms > 0)
		byte_buffer_printf(out, " of %" PRIu32 " ms CPU time", interval_ms);
	add_part(out, costs->stackless, costs->total, "without a stack");
	for (uint32_t i = 0; i < costs->count; i++) {
		if (costs->rows[i].is_rest)
			add_part(out, costs->rows[i].self, costs->total, costs->rows[i].name->text);
	}
	byte_buffer_add_u1(out, '\n');
}

/* ---- the table ------------------------------------------------------------------------ */

/* What is printed of each row. A narrow terminal has no room for costs that follow from others:
 * those of samples are their number by the interval, and totals have a share. */
struct columns {
	bool self_cost;
	bool total_cost;
};

static struct columns choose_columns(const struct method_costs *costs, uint32_t interval_ms,
                                     const struct output *output)
{
	const bool is_narrow = output->columns > 0 && output->columns < WIDE_COLUMNS;
	const bool are_samples = costs->kind == SECTION_SAMPLES;
	const bool has_costs = !are_samples || interval_ms > 0;

	return (struct columns){.self_cost = has_costs && !(is_narrow && are_samples),
	                        .total_cost = has_costs && !is_narrow};
}

static void add_cost_heading(struct byte_buffer *out, const struct method_costs *costs,
                             const char *which)
{
	const char *mark = costs->exact ? " " : NOT_EXACT;

	if (costs->kind == SECTION_SITES)
		byte_buffer_printf(out, "   %s%s bytes", mark, which);
	else
		byte_buffer_printf(out, "%*s%s%s ms", 10 - (int)strlen(which), "", mark, which);
}

static void add_heading(struct byte_buffer *out, const struct method_costs *costs,
                        const struct columns *columns)
{
	byte_buffer_add_text(out, " rank    self");
	if (costs->kind == SECTION_SAMPLES)
		byte_buffer_add_text(out, "    95% interval");
	byte_buffer_add_text(out, "   total");
	if (columns->self_cost)
		add_cost_heading(out, costs, "self");
	if (columns->total_cost)
		add_cost_heading(out, costs, "total");
	byte_buffer_printf(out, " %11s %s\n", method_costs_counted(costs),
	                   method_group_words[costs->group]);
}

static void add_interval(struct byte_buffer *out, uint64_t samples, uint64_t total)
{
	const struct interval share = interval_of_share(samples, total);
	/* In hundredths of a per cent, for a decimal point in every locale. */
	const unsigned low = (unsigned)(share.low * 10000 + 0.5);
	const unsigned high = (unsigned)(share.high * 10000 + 0.5);

	byte_buffer_printf(out, " %3u.%02u-%3u.%02u%%", low / 100, low % 100, high / 100,
	                   high % 100);
}

static void add_cost(struct byte_buffer *out, const struct method_costs *costs,
                     uint32_t interval_ms, uint64_t cost)
{
	byte_buffer_add_u1(out, ' ');
	if (costs->kind != SECTION_SAMPLES)
		cost_add_text(out, costs->kind, cost, costs->kind == SECTION_SITES ? 13 : 14);
	else
		byte_buffer_printf(out, "%14" PRIu64,
		                   cost > UINT64_MAX / interval_ms ? UINT64_MAX
		                                                   : cost * interval_ms);
}

static void add_row(struct output *output, const struct method_costs *costs, uint32_t place,
                    uint32_t interval_ms, const struct columns *columns)
{
	struct byte_buffer *out = &output->text;
	const struct method_cost *row = &costs->rows[place];

	if (row->is_rest)
		byte_buffer_add_text(out, "      ");
	else
		byte_buffer_printf(out, "%5" PRIu32 " ", place + 1);
	cost_add_own_share(output, share_of(row->self, costs->total));
	if (costs->kind == SECTION_SAMPLES)
		add_interval(out, row->self, costs->total);
	share_add_text(out, share_of(row->total, costs->total));
	if (columns->self_cost)
		add_cost(out, costs, interval_ms, row->self);
	if (columns->total_cost)
		add_cost(out, costs, interval_ms, row->total);
	if (row->is_rest && row->count == 0)
		byte_buffer_printf(out, " %11s ", "");
	else
		byte_buffer_printf(out, " %11" PRIu64 " ", row->count);
	if (row->thread != 0)
		byte_buffer_printf(out, "%" PRIu32 " ", row->thread);
	shown_name_add(output, row->name, 0);
	byte_buffer_add_u1(out, '\n');
}

bool method_costs_write(const struct method_costs *costs, uint32_t interval_ms, size_t rows_max,
                        struct output *output)
{
	struct byte_buffer *out = &output->text;
	uint32_t rows = costs->count;

	while (rows > 0 && costs->rows[rows - 1].is_rest)
		rows--;
	uint32_t shown = rows_max == 0 || rows < rows_max ? rows : (uint32_t)rows_max;
	const struct columns columns = choose_columns(costs, interval_ms, output);
	add_heading(out, costs, &columns);
	for (uint32_t i = 0; i < costs->count; i++) {
		if (i >= shown && i < rows)
			continue;
		add_row(output, costs, i, interval_ms, &columns);
		if (!output_continue(output))
			return false;
	}
	if (shown < rows)
		byte_buffer_printf(out, "... and %" PRIu32 " more; --top 0 shows all\n",
		                   rows - shown);
	return output_continue(output);
}
