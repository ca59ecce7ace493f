/*
 * section.h: a section of a profile as reports use it: a table of costs by trace, the times of
 * samples, the states of threads, or lines of text. One thread; no lock.
 */
#ifndef HPROF_REPORT_SECTION_H
#define HPROF_REPORT_SECTION_H

#include "model/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum section_kind {
	SECTION_SAMPLES,  /* cost: samples */
	SECTION_TIMES,    /* cost: nanoseconds */
	SECTION_OFF_CPU,  /* cost: nanoseconds */
	SECTION_SITES,    /* cost: the bytes by which the section is ordered */
	SECTION_MONITORS, /* cost: nanoseconds */
	SECTION_USR,      /* the time in one state of a SECTION_STATES; cost: nanoseconds */
	SECTION_SYS,
	SECTION_TFL,
	SECTION_DFL,
	SECTION_LCK,
	SECTION_SLP,
	SECTION_IO,
	SECTION_LAT,
	SECTION_STW,
	SECTION_HEAP,        /* objects by class; cost: bytes, no traces */
	SECTION_LINES,       /* lines of text: rows have a name and may have a trace */
	SECTION_MICROSTATES, /* threads; rows have the lines as SECTION_LINES has them */
	SECTION_STATES,      /* states by trace; cost: nanoseconds; rows have the lines, too */
	SECTION_TIMELINE     /* times; no rows */
};

enum { SECTION_KINDS = SECTION_TIMELINE + 1 };

/* Name of the row for what the cutoff of the profile left out. */
#define SECTION_REST_NAME "[below the cutoff]"

struct section_row {
	const struct string *name; /* of the method, class or monitor; or the line itself */
	uint32_t trace;            /* serial number, 0: none */
	uint32_t self;             /* shares of the total in 1/10000: its own, */
	uint32_t accumulated;      /* and including the rows above it */
	bool is_rest;              /* of no trace: such rows come last */
	uint64_t cost;
	uint64_t count; /* of samples, calls, waits or live objects; of the rest, 0 if not known */
	uint64_t live_bytes;
	uint64_t allocated_bytes;
	uint64_t allocated_objects;
};

/* Samples of a trace in one bucket of a SECTION_TIMELINE. */
struct section_time {
	uint32_t trace;
	uint32_t bucket;
	uint64_t samples;
};

enum { SECTION_TITLE_MAX = 256, SECTION_STATES_MAX = 16 };

/* A number of a thread that is not known. */
#define SECTION_NOT_KNOWN UINT64_MAX

/* A row of a SECTION_MICROSTATES. */
struct section_thread {
	uint32_t thread; /* serial number */
	const struct string *name;
	uint64_t life_us;
	uint64_t us[SECTION_STATES_MAX]; /* by state; those known add up to life */
	uint64_t voluntary;              /* context switches */
	uint64_t involuntary;
};

/* A row of a SECTION_STATES. */
struct section_trace_states {
	uint32_t trace;                  /* serial number */
	uint64_t calls;                  /* or samples */
	uint64_t us[SECTION_STATES_MAX]; /* by state, or SECTION_NOT_KNOWN */
};

struct report_section {
	enum section_kind kind;
	char title[SECTION_TITLE_MAX]; /* escaped for printing */
	uint64_t total;                /* the sum of all costs, 0: none or not known */
	bool exact;                    /* false: costs were computed from rounded shares */
	bool sampled;                  /* of states: not exact, counts are samples */
	bool by_allocation;            /* SECTION_SITES: cost is allocated bytes, not live ones */
	struct section_row *rows;
	size_t row_count;
	size_t row_capacity;
	/* Of a SECTION_TIMELINE, in the order of the file: */
	struct section_time *times;
	size_t time_count;
	size_t time_capacity;
	uint32_t bucket_ms;
	uint64_t start_ms; /* of bucket 0, since 1970 */
	/* Of a SECTION_MICROSTATES: */
	struct section_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	const struct string *state_names[SECTION_STATES_MAX];
	size_t state_count;
	/* Of a SECTION_STATES, as the rows: */
	struct section_trace_states *trace_states;
	size_t trace_states_count;
	size_t trace_states_capacity;
};

/* Initializes an empty section with exact costs; title is cut to size. */
void section_begin(struct report_section *section, enum section_kind kind, const char *title,
                   size_t title_length);
void section_free(struct report_section *section);

/* Initializes a section like another one, without its rows, times, threads and states. */
void section_begin_copy(struct report_section *copy, const struct report_section *section);

/* Initializes a copy. False when out of memory; nothing need be freed then. */
bool section_copy(struct report_section *copy, const struct report_section *section);

/* Whether sections of that kind have costs by trace. */
bool section_has_stacks(enum section_kind kind);

/* Whether sections of that kind have the time in one state. */
bool section_is_state(enum section_kind kind);

/* Whether a section of that kind replaces those before it: each SITES section has all counts since
 * the start; with last, so has each of the others. */
static inline bool section_replaces(enum section_kind kind, bool last)
{
	return last || kind == SECTION_SITES;
}

/* Add an entry of zeros. NULL when out of memory. */
struct section_row *section_add(struct report_section *section);
struct section_time *section_add_time(struct report_section *section);
struct section_thread *section_add_thread(struct report_section *section);
struct section_trace_states *section_add_trace_states(struct report_section *section);

/* Initializes a section of the times that a SECTION_STATES has in one state: its rows are those
 * with such a time, its total is their sum. A time that is not known counts as none. False when out
 * of memory; section_free() must be called in either case. */
bool section_of_state(struct report_section *of, const struct report_section *section,
                      size_t state);

/* Adds the cost, count, bytes and objects of a row to those of sum. */
void section_row_add(struct section_row *sum, const struct section_row *row);

/* Sorts the rows by cost, descending; equal ones by trace. */
void section_sort(struct report_section *section);

/* Adds a row of the rest with that name and cost. False when out of memory. */
bool section_add_rest_row(struct report_section *section, struct string_table *strings,
                          const char *name, uint64_t cost);

/* Sets the total, or to the sum of costs if that is more, and adds the row of the rest if the sum
 * is less. Computes no shares of other rows. False when out of memory. */
bool section_add_rest(struct report_section *section, struct string_table *strings, uint64_t total);

/* Computes the shares of all rows from their costs and total, which must not be less than their
 * sum. */
void section_set_shares(struct report_section *section, uint64_t total);

/* The sum; the largest number if that overflows. */
static inline uint64_t report_sum(uint64_t one, uint64_t other)
{
	return one > UINT64_MAX - other ? UINT64_MAX : one + other;
}

#endif
