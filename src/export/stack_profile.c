/*
 * stack_profile.c: see stack_profile.h. Rows refer to traces by serial number, since a hostile file
 * can define a trace again.
 */
#include "export/stack_profile.h"

#include "export/numbering.h"
#include "report/row_top.h"
#include "report/section_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---------------------------------------------------------------------- */

static struct stack_series *find_series(struct stack_profile *stacks, enum section_kind kind)
{
	for (size_t i = 0; i < stacks->series_count; i++) {
		if (stacks->series[i].section.kind == kind)
			return &stacks->series[i];
	}
	return NULL;
}

static void clear_series(struct stack_series *series)
{
	series->section.row_count = 0;
	series->section_count = 0;
	series->times.count = 0;
}

static void forget_rows(struct stack_series *series)
{
	address_map_free(&series->rows);
	series->has_rows = false;
}

static bool add_row(const struct report_profile *profile, struct stack_series *series,
                    const struct section_row *row)
{
	struct section_row *added = section_add(&series->section);
	if (added == NULL)
		return false;
	*added = *row;
	if (section_has_tops(series->section.kind) && !row->is_rest)
		added->name = report_row_top(profile, series->section.kind, row);
	return added->name != NULL;
}

static bool add_section(struct stack_profile *stacks, const struct report_profile *profile,
                        const struct report_section *section)
{
	struct stack_series *series = find_series(stacks, section->kind);

	if (series == NULL) {
		series = &stacks->series[stacks->series_count++];
		*series = (struct stack_series){.section = {.kind = section->kind}};
	}
	if (section_replaces(section->kind, stacks->last))
		clear_series(series);
	series->section_count++;
	series->first_row = series->section.row_count;
	forget_rows(series);
	series->section.by_allocation = section->by_allocation;
	memcpy(series->section.title, section->title, sizeof(section->title));
	for (size_t i = 0; i < section->row_count; i++) {
		if (!add_row(profile, series, &section->rows[i]))
			return false;
	}
	return true;
}

/* The rows of the last section by trace. Traces without a row are part of the rest, if there is
 * one. */
static bool map_rows(struct stack_series *series)
{
	if (series->has_rows)
		return true;
	series->has_rows = true;
	series->rest = SIZE_MAX;
	for (size_t i = series->first_row; i < series->section.row_count; i++) {
		const struct section_row *row = &series->section.rows[i];
		if (row->is_rest)
			series->rest = i;
		else if (!address_map_set(&series->rows, (uint64_t)row->trace + 1, i))
			return false;
	}
	return true;
}

/* They are those of the section of samples before them. */
static bool add_times(struct stack_profile *stacks, const struct report_section *section)
{
	struct stack_series *series = find_series(stacks, SECTION_SAMPLES);

	if (series == NULL)
		return true;
	bool good = map_rows(series);
	for (size_t i = 0; i < section->time_count && good; i++) {
		const struct section_time *from = &section->times[i];
		const uint64_t *row = address_map_find(&series->rows, (uint64_t)from->trace + 1);
		const struct stack_time time = {
		        .row = row == NULL ? series->rest : (size_t)*row,
		        .width_ms = section->bucket_ms,
		        .at_ms = report_sum(section->start_ms,
		                            (uint64_t)from->bucket * section->bucket_ms),
		        .samples = from->samples};
		if (time.row != SIZE_MAX)
			good = entry_list_add(&series->times, &time, sizeof(time));
	}
	return good;
}

static bool visit_section(struct report_visitor *base, const struct report_profile *profile,
                          const struct report_section *section)
{
	struct stack_profile *stacks = (struct stack_profile *)base;
	bool good = true;

	if (section->kind == SECTION_TIMELINE)
		good = add_times(stacks, section);
	else if (section_has_stacks(section->kind) &&
	         (!stacks->kind_given || stacks->kind == section->kind))
		good = add_section(stacks, profile, section);
	stacks->out_of_memory = !good;
	return good;
}

bool stack_profile_init(struct stack_profile *stacks, const struct report_profile *profile)
{
	static const char empty[] = "<empty trace>";

	*stacks = (struct stack_profile){
	        .base = {.section = visit_section, .note = report_ignore_note}, .profile = profile};
	stacks->empty = string_table_intern(profile->strings, empty, strlen(empty));
	return stacks->empty != NULL;
}

void stack_profile_free(struct stack_profile *stacks)
{
	for (size_t i = 0; i < stacks->series_count; i++) {
		section_free(&stacks->series[i].section);
		forget_rows(&stacks->series[i]);
		free(stacks->series[i].times.entries);
	}
	stacks->series_count = 0;
}

const char *stack_series_title(const struct stack_series *series)
{
	return series->section_count == 1 ? series->section.title
	                                  : section_name_of_kind(series->section.kind)->title;
}

void stack_series_add_name(const struct stack_profile *stacks, const struct stack_series *series,
                           uint32_t thread, struct byte_buffer *out)
{
	const struct string *name = report_find_thread(stacks->profile, thread);

	if (stacks->threads && name != NULL)
		byte_buffer_add(out, name->text, name->length);
	else if (stacks->threads && thread != 0)
		byte_buffer_printf(out, "thread %" PRIu32, thread);
	else if (stacks->threads)
		byte_buffer_add_text(out, "[no thread]");
	if (stacks->threads && stacks->series_count > 1)
		byte_buffer_add_text(out, ", ");
	if (!stacks->threads || stacks->series_count > 1)
		byte_buffer_add_text(out, stack_series_title(series));
}

uint64_t stack_series_total(const struct stack_series *series)
{
	uint64_t total = 0;
	for (size_t i = 0; i < series->section.row_count; i++)
		total = report_sum(total, series->section.rows[i].cost);
	return total;
}

/* ---- stacks ----------------------------------------------------------------------- */

struct stack_frames stack_frames_of(const struct stack_profile *stacks,
                                    const struct stack_series *series, size_t row)
{
	const struct section_row *from = &series->section.rows[row];
	struct stack_frames frames = {.top = NULL};

	if (from->is_rest) {
		frames.bottom = from->name;
		frames.depth = 1;
		return frames;
	}
	frames.trace = report_find_trace(stacks->profile, from->trace);
	if (frames.trace != NULL)
		frames.thread = frames.trace->thread;
	if (frames.trace != NULL && frames.trace->depth == 0)
		frames.trace = NULL;
	if (frames.trace == NULL)
		frames.bottom = stacks->empty;
	if (section_has_tops(series->section.kind))
		frames.top = from->name;
	frames.depth = (frames.trace == NULL ? 1 : frames.trace->depth) + (frames.top != NULL);
	return frames;
}

struct stack_frame stack_frame_at(const struct stack_frames *frames, uint32_t i)
{
	if (frames->top != NULL) {
		if (i == 0)
			return (struct stack_frame){.name = frames->top};
		i--;
	}
	if (frames->trace == NULL)
		return (struct stack_frame){.name = frames->bottom};
	return (struct stack_frame){.name = frames->trace->frames[i].method,
	                            .place = frames->trace->frames[i].place};
}

/* ---- merging ---------------------------------------------------------------------- */

struct merging {
	struct numbering traces; /* by number of a trace */
	struct numbering stacks; /* by number of the trace, and top: the index of the row */
	size_t *places;          /* by row: its index after merging */
};

/* A number of the row's trace, which rows of no trace and of the rest have too. */
static uint64_t trace_key(const struct stack_profile *stacks, const struct section_row *row)
{
	enum { REST = 1, NO_TRACE = 2 };
	const struct report_trace *trace = report_find_trace(stacks->profile, row->trace);

	if (row->is_rest)
		return REST;
	return trace == NULL ? NO_TRACE : trace->number + NO_TRACE;
}

/* False when out of memory. */
static bool merge_rows(const struct stack_profile *stacks, struct stack_series *series,
                       struct merging *merging)
{
	struct report_section *section = &series->section;
	bool tops = section_has_tops(section->kind);
	size_t kept = 0;

	for (size_t i = 0; i < section->row_count; i++) {
		const struct section_row row = section->rows[i];
		uint32_t trace;
		uint32_t place;
		bool is_new;
		if (!numbering_find(&merging->traces, trace_key(stacks, &row), &trace, &is_new))
			return false;
		uint64_t top = tops || row.is_rest ? (uint64_t)row.name->id + 1 : 0;
		if (!numbering_find(&merging->stacks, (uint64_t)trace << 32 | top, &place, &is_new))
			return false;
		merging->places[i] = place;
		if (is_new)
			section->rows[kept++] = row;
		else
			section_row_add(&section->rows[place], &row);
	}
	section->row_count = kept;
	return true;
}

static bool merge_series(const struct stack_profile *stacks, struct stack_series *series)
{
	struct merging merging = {
	        .places = calloc(series->section.row_count + 1, sizeof(*merging.places))};
	struct stack_time *times = series->times.entries;

	numbering_init(&merging.traces, 1);
	numbering_init(&merging.stacks, 0);
	bool good = merging.places != NULL && merge_rows(stacks, series, &merging);
	for (size_t i = 0; i < series->times.count && good; i++)
		times[i].row = merging.places[times[i].row];
	numbering_free(&merging.traces);
	numbering_free(&merging.stacks);
	free(merging.places);
	return good;
}

bool stack_profile_merge(struct stack_profile *stacks)
{
	bool good = true;

	for (size_t i = 0; i < stacks->series_count && good; i++)
		good = merge_series(stacks, &stacks->series[i]);
	return good;
}

/* ---- samples ---------------------------------------------------------------------- */

struct sample_list {
	struct stack_sample *samples; /* room for one for each row and each time */
	size_t count;
	uint64_t *left; /* by row: the cost that has no time yet */
};

static uint32_t thread_of(const struct stack_profile *stacks, const struct stack_series *series,
                          size_t row)
{
	return stacks->threads ? stack_frames_of(stacks, series, row).thread : 0;
}

/* A hostile file may have more times than samples. */
static void add_timed(const struct stack_profile *stacks, const struct stack_series *series,
                      struct sample_list *list)
{
	const struct stack_time *times = series->times.entries;

	for (size_t i = 0; i < series->times.count; i++) {
		const struct stack_time *time = &times[i];
		uint64_t *left = &list->left[time->row];
		uint64_t cost = time->samples < *left ? time->samples : *left;
		if (cost == 0)
			continue;
		*left -= cost;
		list->samples[list->count++] =
		        (struct stack_sample){.thread = thread_of(stacks, series, time->row),
		                              .width_ms = time->width_ms,
		                              .at_ms = time->at_ms,
		                              .cost = cost,
		                              .row = time->row};
	}
}

static void add_untimed(const struct stack_profile *stacks, const struct stack_series *series,
                        struct sample_list *list)
{
	for (size_t i = 0; i < series->section.row_count; i++) {
		if (list->left[i] > 0)
			list->samples[list->count++] =
			        (struct stack_sample){.thread = thread_of(stacks, series, i),
			                              .cost = list->left[i],
			                              .row = i};
	}
}

static int by_thread_and_time(const void *one, const void *other)
{
	const struct stack_sample *a = one;
	const struct stack_sample *b = other;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->at_ms != b->at_ms)
		return a->at_ms < b->at_ms ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

bool stack_series_samples(const struct stack_profile *stacks, const struct stack_series *series,
                          struct stack_sample **samples, size_t *count)
{
	size_t rows = series->section.row_count;
	struct sample_list list = {
	        .samples = calloc(rows + series->times.count + 1, sizeof(*list.samples)),
	        .left = calloc(rows + 1, sizeof(*list.left))};
	bool good = list.samples != NULL && list.left != NULL;

	if (good) {
		for (size_t i = 0; i < rows; i++)
			list.left[i] = series->section.rows[i].cost;
		add_timed(stacks, series, &list);
		add_untimed(stacks, series, &list);
		qsort(list.samples, list.count, sizeof(*list.samples), by_thread_and_time);
	} else {
		free(list.samples);
		list.samples = NULL;
	}
	free(list.left);
	*samples = list.samples;
	*count = list.count;
	return good;
}
