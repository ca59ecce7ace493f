/*
 * stack_profile.h: the stacks of a profile with their costs, for formats that keep each stack
 * with its lines. One thread; no lock.
 */
#ifndef HPROF_EXPORT_STACK_PROFILE_H
#define HPROF_EXPORT_STACK_PROFILE_H

#include "base/address_map.h"
#include "base/byte_buffer.h"
#include "export/entry_list.h"
#include "report/report_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STACK_SERIES_MAX = SECTION_STW + 1 };

/* When some of the samples of a row were taken. */
struct stack_time {
	size_t row;
	uint32_t width_ms; /* of the time that at_ms begins */
	uint64_t at_ms;    /* since 1970 */
	uint64_t samples;
};

/* The rows of all sections of one kind. The name of a row is what is on top of its stack, if its
 * kind has that; of the rest, the only frame. */
struct stack_series {
	struct report_section section; /* the title is that of the last section */
	size_t section_count;
	size_t first_row;        /* of the last section */
	struct address_map rows; /* of the last section, by trace; when has_rows is set */
	bool has_rows;
	size_t rest;             /* its row of the rest; SIZE_MAX: none */
	struct entry_list times; /* struct stack_time */
};

struct stack_profile {
	struct report_visitor base; /* pass it to a reader of report_profile.h */
	const struct report_profile *profile;
	bool kind_given; /* false: all kinds with stacks */
	enum section_kind kind;
	bool last;                                    /* each section replaces those before it */
	bool threads;                                 /* stacks are separate by thread */
	struct stack_series series[STACK_SERIES_MAX]; /* in the order of the file */
	size_t series_count;
	const struct string *empty; /* the frame of stacks without frames */
	bool out_of_memory;         /* why reading ended */
};

/* All kinds, all sections. False when out of memory; stack_profile_free() must be called in
 * either case. The profile must outlive it. */
bool stack_profile_init(struct stack_profile *stacks, const struct report_profile *profile);
void stack_profile_free(struct stack_profile *stacks);

/* Makes one row of those with the same stack, with the sum of their numbers: a format that writes
 * each stack out has it once. To be called after the last section. False when out of memory. */
bool stack_profile_merge(struct stack_profile *stacks);

/* What a series is called: the title of its section, or the kind's if it has several. */
const char *stack_series_title(const struct stack_series *series);

/* Appends a name for the stacks of a thread, or of all, in a series: the thread's if stacks are
 * separate by thread, and the title unless it is the only series. */
void stack_series_add_name(const struct stack_profile *stacks, const struct stack_series *series,
                           uint32_t thread, struct byte_buffer *out);

/* The sum of all costs; the largest number if that overflows. */
uint64_t stack_series_total(const struct stack_series *series);

/* ---- stacks ---------------------------------------------------------------------- */

struct stack_frame {
	const struct string *name;
	const struct string *place; /* NULL: none */
};

/* The frames of a row. */
struct stack_frames {
	const struct string *top;         /* NULL: none */
	const struct report_trace *trace; /* NULL: none, or one without frames */
	const struct string *bottom;      /* in place of the trace; NULL: none */
	uint32_t thread;                  /* serial number, 0: none */
	uint32_t depth;
};

struct stack_frames stack_frames_of(const struct stack_profile *stacks,
                                    const struct stack_series *series, size_t row);

/* Frame number i, from 0 for the innermost to depth - 1. */
struct stack_frame stack_frame_at(const struct stack_frames *frames, uint32_t i);

/* ---- samples --------------------------------------------------------------------- */

/* The cost of a row, or part of it if the profile has the times of its samples. */
struct stack_sample {
	uint32_t thread; /* 0 unless stacks are separate by thread */
	uint32_t width_ms;
	uint64_t at_ms; /* 0: not known */
	uint64_t cost;  /* not 0 */
	size_t row;
};

/* The samples of a series by thread, time and row; their costs add up to those of the rows. The
 * caller frees *samples. False when out of memory. */
bool stack_series_samples(const struct stack_profile *stacks, const struct stack_series *series,
                          struct stack_sample **samples, size_t *count);

#endif
