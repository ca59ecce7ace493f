/*
 * section.c: see section.h.
 */
#include "report/section.h"

#include "base/array.h"
#include "base/printable.h"
#include "hprof/text_titles.h"
#include "os/time_units.h"
#include "report/shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void section_begin(struct report_section *section, enum section_kind kind, const char *title,
                   size_t title_length)
{
	*section = (struct report_section){.kind = kind, .exact = true};
	printable_text(title, title_length, section->title, sizeof(section->title));
}

void section_free(struct report_section *section)
{
	free(section->rows);
	free(section->times);
	free(section->threads);
	free(section->trace_states);
	*section = (struct report_section){.kind = section->kind};
}

void section_begin_copy(struct report_section *copy, const struct report_section *section)
{
	*copy = *section;
	copy->rows = NULL;
	copy->row_count = 0;
	copy->row_capacity = 0;
	copy->times = NULL;
	copy->time_count = 0;
	copy->time_capacity = 0;
	copy->threads = NULL;
	copy->thread_count = 0;
	copy->thread_capacity = 0;
	copy->trace_states = NULL;
	copy->trace_states_count = 0;
	copy->trace_states_capacity = 0;
}

/* NULL also when there is nothing to copy. */
static void *copy_of(const void *entries, size_t count, size_t entry_bytes)
{
	void *copy = count == 0 ? NULL : malloc(count * entry_bytes);
	if (copy != NULL)
		memcpy(copy, entries, count * entry_bytes);
	return copy;
}

bool section_copy(struct report_section *copy, const struct report_section *section)
{
	*copy = *section;
	copy->rows = copy_of(section->rows, section->row_count, sizeof(*section->rows));
	copy->times = copy_of(section->times, section->time_count, sizeof(*section->times));
	copy->threads = copy_of(section->threads, section->thread_count, sizeof(*section->threads));
	copy->row_capacity = section->row_count;
	copy->time_capacity = section->time_count;
	copy->thread_capacity = section->thread_count;
	copy->trace_states = copy_of(section->trace_states, section->trace_states_count,
	                             sizeof(*section->trace_states));
	copy->trace_states_capacity = section->trace_states_count;
	if ((copy->rows == NULL) == (section->row_count == 0) &&
	    (copy->times == NULL) == (section->time_count == 0) &&
	    (copy->threads == NULL) == (section->thread_count == 0) &&
	    (copy->trace_states == NULL) == (section->trace_states_count == 0))
		return true;
	section_free(copy);
	return false;
}

bool section_has_stacks(enum section_kind kind)
{
	return kind <= SECTION_STW;
}

bool section_is_state(enum section_kind kind)
{
	return kind >= SECTION_USR && kind <= SECTION_STW;
}

struct section_row *section_add(struct report_section *section)
{
	if (!array_grow(&section->rows, &section->row_capacity, section->row_count,
	                sizeof(*section->rows)))
		return NULL;
	struct section_row *added = &section->rows[section->row_count++];
	*added = (struct section_row){.name = NULL};
	return added;
}

struct section_time *section_add_time(struct report_section *section)
{
	if (!array_grow(&section->times, &section->time_capacity, section->time_count,
	                sizeof(*section->times)))
		return NULL;
	struct section_time *added = &section->times[section->time_count++];
	*added = (struct section_time){.trace = 0};
	return added;
}

struct section_thread *section_add_thread(struct report_section *section)
{
	if (!array_grow(&section->threads, &section->thread_capacity, section->thread_count,
	                sizeof(*section->threads)))
		return NULL;
	struct section_thread *added = &section->threads[section->thread_count++];
	*added = (struct section_thread){.thread = 0};
	return added;
}

struct section_trace_states *section_add_trace_states(struct report_section *section)
{
	if (!array_grow(&section->trace_states, &section->trace_states_capacity,
	                section->trace_states_count, sizeof(*section->trace_states)))
		return NULL;
	struct section_trace_states *added = &section->trace_states[section->trace_states_count++];
	*added = (struct section_trace_states){.trace = 0};
	return added;
}

static uint64_t state_ns(const struct section_trace_states *states, size_t state)
{
	uint64_t us = states->us[state];

	if (us == SECTION_NOT_KNOWN)
		return 0;
	return us > UINT64_MAX / NS_PER_US ? UINT64_MAX : us * NS_PER_US;
}

bool section_of_state(struct report_section *of, const struct report_section *section, size_t state)
{
	char title[SECTION_TITLE_MAX];
	int length = snprintf(title, sizeof(title), TEXT_TRACE_MICROSTATES ", %s",
	                      section->state_names[state]->text);

	section_begin(of, SECTION_OFF_CPU, title, (size_t)length);
	of->sampled = section->sampled;
	for (size_t i = 0; i < section->trace_states_count; i++) {
		const struct section_trace_states *states = &section->trace_states[i];
		uint64_t ns = state_ns(states, state);
		struct section_row *row = ns == 0 ? NULL : section_add(of);
		if (ns > 0 && row == NULL)
			return false;
		if (row == NULL)
			continue;
		row->trace = states->trace;
		row->cost = ns;
		row->count = states->calls;
		of->total = report_sum(of->total, ns);
	}
	return true;
}

void section_row_add(struct section_row *sum, const struct section_row *row)
{
	sum->cost = report_sum(sum->cost, row->cost);
	sum->count = report_sum(sum->count, row->count);
	sum->live_bytes = report_sum(sum->live_bytes, row->live_bytes);
	sum->allocated_bytes = report_sum(sum->allocated_bytes, row->allocated_bytes);
	sum->allocated_objects = report_sum(sum->allocated_objects, row->allocated_objects);
}

static int by_cost(const void *one, const void *other)
{
	const struct section_row *a = one;
	const struct section_row *b = other;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->trace > b->trace) - (a->trace < b->trace);
}

void section_sort(struct report_section *section)
{
	if (section->row_count > 0)
		qsort(section->rows, section->row_count, sizeof(*section->rows), by_cost);
}

bool section_add_rest_row(struct report_section *section, struct string_table *strings,
                          const char *name, uint64_t cost)
{
	const struct string *text = string_table_intern(strings, name, strlen(name));
	struct section_row *rest = text == NULL ? NULL : section_add(section);
	if (rest == NULL)
		return false;
	rest->name = text;
	rest->is_rest = true;
	rest->cost = cost;
	if (section->kind == SECTION_SAMPLES)
		rest->count = cost;
	if (section->kind == SECTION_SITES && section->by_allocation)
		rest->allocated_bytes = cost;
	else if (section->kind == SECTION_SITES)
		rest->live_bytes = cost;
	rest->self = share_of(cost, section->total);
	rest->accumulated = SHARE_WHOLE;
	return true;
}

bool section_add_rest(struct report_section *section, struct string_table *strings, uint64_t total)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < section->row_count; i++)
		sum = report_sum(sum, section->rows[i].cost);
	section->total = sum > total ? sum : total;
	return sum >= total ||
	       section_add_rest_row(section, strings, SECTION_REST_NAME, total - sum);
}

void section_set_shares(struct report_section *section, uint64_t total)
{
	uint64_t so_far = 0;
	for (size_t i = 0; i < section->row_count; i++) {
		struct section_row *row = &section->rows[i];
		so_far = report_sum(so_far, row->cost);
		row->self = share_of(row->cost, total);
		row->accumulated = share_of(so_far, total);
	}
}
