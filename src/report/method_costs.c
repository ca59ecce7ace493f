/*
 * method_costs.c: see method_costs.h.
 */
#include "report/method_costs.h"

#include "base/array.h"
#include "report/frame_names.h"
#include "report/row_top.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ROW = UINT32_MAX };

#define ROWS_MAX (UINT32_C(1) << 31)

const char *const method_group_words[METHOD_GROUPS] = {
        [BY_METHOD] = "method",   [BY_LINE] = "line",     [BY_CLASS] = "class",
        [BY_PACKAGE] = "package", [BY_THREAD] = "thread",
};

void method_costs_init(struct method_costs *costs, enum method_group group)
{
	*costs = (struct method_costs){.group = group, .exact = true};
	address_map_init(&costs->places);
	address_map_init(&costs->names);
	address_map_init(&costs->traces);
}

void method_costs_free(struct method_costs *costs)
{
	free(costs->rows);
	free(costs->last_stacks);
	address_map_free(&costs->places);
	address_map_free(&costs->names);
	address_map_free(&costs->traces);
	free(costs->trace_costs);
}

/* ---- rows ------------------------------------------------------------------------ */

/* Ensures room for one more in both arrays. */
static bool ensure_row(struct method_costs *costs)
{
	size_t rows = costs->capacity;

	return costs->count < ROWS_MAX &&
	       array_grow(&costs->rows, &rows, costs->count, sizeof(*costs->rows)) &&
	       array_grow(&costs->last_stacks, &costs->capacity, costs->count,
	                  sizeof(*costs->last_stacks));
}

/* The index of a new row; NO_ROW when out of memory. */
static uint32_t add_row(struct method_costs *costs, const struct string *name)
{
	if (name == NULL || !ensure_row(costs))
		return NO_ROW;
	costs->rows[costs->count] = (struct method_cost){.name = name};
	costs->last_stacks[costs->count] = 0;
	return costs->count++;
}

/* The row with that name, added if needed; NO_ROW when out of memory. */
static uint32_t row_of_name(struct method_costs *costs, const struct string *name)
{
	if (name == NULL)
		return NO_ROW;
	const uint64_t *known = address_map_find(&costs->names, name->id);
	if (known != NULL)
		return (uint32_t)*known - 1;
	uint32_t row = add_row(costs, name);
	if (row == NO_ROW || !address_map_set(&costs->names, name->id, (uint64_t)row + 1))
		return NO_ROW;
	return row;
}

static const struct string *group_name(const struct method_costs *costs,
                                       const struct report_profile *profile,
                                       const struct report_frame *frame)
{
	switch (costs->group) {
	case BY_LINE:
		return frame_line(profile, frame);
	case BY_CLASS:
		return frame_class(profile, frame->method);
	case BY_PACKAGE:
		return frame_package(profile, frame->method);
	default:
		return frame->method;
	}
}

/* The row of a frame; each distinct one is named once. */
static uint32_t row_of_frame(struct method_costs *costs, const struct report_profile *profile,
                             const struct report_frame *frame)
{
	uint64_t key = frame->method->id;
	if (costs->group == BY_LINE)
		key |= (uint64_t)frame->place->id << 32;
	const uint64_t *known = address_map_find(&costs->places, key);
	if (known != NULL)
		return (uint32_t)*known - 1;
	uint32_t row = row_of_name(costs, group_name(costs, profile, frame));
	if (row == NO_ROW || !address_map_set(&costs->places, key, (uint64_t)row + 1))
		return NO_ROW;
	return row;
}

static uint32_t row_of_thread(struct method_costs *costs, const struct report_profile *profile,
                              uint32_t thread)
{
	static const char none[] = "[thread not recorded]";
	uint64_t key = (uint64_t)thread + 1;
	const uint64_t *known = address_map_find(&costs->places, key);

	if (known != NULL)
		return (uint32_t)*known - 1;
	const struct string *name = thread == 0 ? NULL : report_find_thread(profile, thread);
	if (name == NULL)
		name = string_table_intern(profile->strings, none, strlen(none));
	uint32_t row = add_row(costs, name);
	if (row == NO_ROW || !address_map_set(&costs->places, key, (uint64_t)row + 1))
		return NO_ROW;
	costs->rows[row].thread = thread;
	return row;
}

/* ---- stacks ------------------------------------------------------------------------ */

static uint64_t count_of(const struct report_section *section, const struct section_row *row)
{
	return section->kind == SECTION_SITES && section->by_allocation ? row->allocated_objects
	                                                                : row->count;
}

static bool by_object(const struct method_costs *costs, enum section_kind kind)
{
	return costs->group == BY_CLASS && section_has_tops(kind);
}

/* The row that has the cost of the stack itself. */
static uint32_t row_of_self(struct method_costs *costs, const struct report_profile *profile,
                            const struct report_section *section, const struct section_row *row)
{
	const struct report_trace *trace = report_find_trace(profile, row->trace);

	if (row->is_rest)
		return row_of_name(costs, row->name);
	if (costs->group == BY_THREAD)
		return row_of_thread(costs, profile, trace == NULL ? 0 : trace->thread);
	if (by_object(costs, section->kind))
		return row_of_name(costs, report_row_top(profile, section->kind, row));
	if (trace == NULL || trace->depth == 0)
		return row_of_name(costs, report_innermost(profile, row->trace));
	return row_of_frame(costs, profile, &trace->frames[0]);
}

/* Adds to the cost of all rows of a trace. Many rows can have one trace: its frames are followed
 * once, at the end. False when out of memory. */
static bool add_trace_cost(struct method_costs *costs, const struct report_trace *trace,
                           uint64_t cost)
{
	const uint64_t *known = address_map_find(&costs->traces, trace->number);

	if (known != NULL) {
		struct trace_cost *before = &costs->trace_costs[*known];
		before->cost = report_sum(before->cost, cost);
		return true;
	}
	if (!array_grow(&costs->trace_costs, &costs->trace_capacity, costs->trace_count,
	                sizeof(*costs->trace_costs)) ||
	    !address_map_set(&costs->traces, trace->number, costs->trace_count))
		return false;
	costs->trace_costs[costs->trace_count++] = (struct trace_cost){trace, cost};
	return true;
}

static bool add_stack(struct method_costs *costs, const struct report_profile *profile,
                      const struct report_section *section, const struct section_row *row)
{
	const struct report_trace *trace =
	        row->is_rest ? NULL : report_find_trace(profile, row->trace);
	uint32_t self = row_of_self(costs, profile, section, row);

	if (self == NO_ROW)
		return false;
	struct method_cost *cost = &costs->rows[self];
	cost->self = report_sum(cost->self, row->cost);
	cost->count = report_sum(cost->count, count_of(section, row));
	cost->is_rest = cost->is_rest || row->is_rest;
	costs->total = report_sum(costs->total, row->cost);
	if (!row->is_rest && trace_is_stackless(profile, row->trace))
		costs->stackless = report_sum(costs->stackless, row->cost);
	if (trace != NULL && trace->depth > 0 && costs->group != BY_THREAD &&
	    !by_object(costs, section->kind))
		return add_trace_cost(costs, trace, row->cost);
	cost->total = report_sum(cost->total, row->cost);
	return true;
}

bool method_costs_add(struct method_costs *costs, const struct report_profile *profile,
                      const struct report_section *section)
{
	costs->kind = section->kind;
	costs->exact = costs->exact && section->exact;
	costs->sampled = costs->sampled || section->sampled;
	for (size_t i = 0; i < section->row_count; i++) {
		if (!add_stack(costs, profile, section, &section->rows[i]))
			return false;
	}
	return true;
}

/* ---- totals ------------------------------------------------------------------------ */

/* Adds the cost of a trace to the total of each row that its frames have, once. */
static bool add_totals(struct method_costs *costs, const struct report_profile *profile,
                       const struct trace_cost *of)
{
	costs->traces_counted++;
	for (uint32_t i = 0; i < of->trace->depth; i++) {
		uint32_t row = row_of_frame(costs, profile, &of->trace->frames[i]);
		if (row == NO_ROW)
			return false;
		if (costs->last_stacks[row] != costs->traces_counted)
			costs->rows[row].total = report_sum(costs->rows[row].total, of->cost);
		costs->last_stacks[row] = costs->traces_counted;
	}
	return true;
}

static int by_self(const void *one, const void *other)
{
	const struct method_cost *a = one;
	const struct method_cost *b = other;
	if (a->is_rest != b->is_rest)
		return a->is_rest ? 1 : -1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	int order = strcmp(a->name->text, b->name->text);
	return order != 0 ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

bool method_costs_finish(struct method_costs *costs, const struct report_profile *profile)
{
	for (size_t i = 0; i < costs->trace_count; i++) {
		if (!add_totals(costs, profile, &costs->trace_costs[i]))
			return false;
	}
	if (costs->count > 0)
		qsort(costs->rows, costs->count, sizeof(*costs->rows), by_self);
	return true;
}

const char *method_costs_counted(const struct method_costs *costs)
{
	switch (costs->kind) {
	case SECTION_SAMPLES:
		return "samples";
	case SECTION_SITES:
		return "objects";
	case SECTION_MONITORS:
		return "waits";
	default:
		return costs->sampled ? "samples" : "calls";
	}
}
