/*
 * report_profile.h: a profile as reports use it, independent of the format that it was read
 * from: stack traces and threads, which are kept, and sections, which are passed to a visitor.
 * One thread; no lock.
 */
#ifndef HPROF_COMMAND_REPORT_PROFILE_H
#define HPROF_COMMAND_REPORT_PROFILE_H

#include "base/address_map.h"
#include "model/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report_frame {
	const struct string *method; /* Class.method */
	const struct string *place;  /* "(Source.java:12)", or less if less is known */
};

struct report_trace {
	uint32_t thread; /* serial number; 0: of no particular thread */
	uint32_t depth;
	struct report_frame frames[]; /* innermost first */
};

struct report_profile {
	struct string_table *strings;
	struct address_map traces;  /* by serial number, struct report_trace * */
	struct address_map threads; /* by serial number, const struct string *: their names */
};

/* False when out of memory; report_profile_free() must be called in either case. */
bool report_profile_init(struct report_profile *profile);
void report_profile_free(struct report_profile *profile);

/* Add a trace, whose frames are copied, or a thread. A later one with the same serial number
 * replaces it. False when out of memory. */
bool report_add_trace(struct report_profile *profile, uint32_t serial, uint32_t thread,
                      const struct report_frame *frames, uint32_t depth);
bool report_add_thread(struct report_profile *profile, uint32_t serial, const char *name,
                       size_t length);

/* NULL if the profile has none with that serial number. */
const struct report_trace *report_find_trace(const struct report_profile *profile, uint32_t serial);
const struct string *report_find_thread(const struct report_profile *profile, uint32_t serial);

/* ---- sections -------------------------------------------------------------- */

enum section_kind {
	SECTION_SAMPLES,  /* cost: samples */
	SECTION_TIMES,    /* cost: microseconds, computed from the rounded share */
	SECTION_OFF_CPU,  /* cost: microseconds, likewise */
	SECTION_SITES,    /* cost: the bytes by which the section is ordered */
	SECTION_MONITORS, /* cost: microseconds, likewise */
	SECTION_HEAP,     /* objects by class; cost: bytes, no traces */
	SECTION_LINES     /* lines of text: rows have a name and may have a trace */
};

struct section_row {
	const struct string *name; /* of the method, class or monitor; or the line itself */
	uint32_t trace;            /* serial number, 0: none */
	uint32_t self;             /* shares of the total in 1/10000: its own, */
	uint32_t accumulated;      /* and including the rows above it */
	uint64_t cost;
	uint64_t count; /* of samples, calls, waits or live objects */
	uint64_t live_bytes;
	uint64_t allocated_bytes;
	uint64_t allocated_objects;
};

enum { SECTION_TITLE_MAX = 256 };

struct report_section {
	enum section_kind kind;
	char title[SECTION_TITLE_MAX]; /* escaped for printing */
	struct section_row *rows;
	size_t row_count;
	size_t row_capacity;
};

/* Initializes an empty section; title is cut to size. */
void section_begin(struct report_section *section, enum section_kind kind, const char *title,
                   size_t title_length);
void section_free(struct report_section *section);

/* Adds a row of zeros. NULL when out of memory. */
struct section_row *section_add(struct report_section *section);

/* Computes the shares of all rows from their costs and total, which must not be less than their
 * sum. */
void section_set_shares(struct report_section *section, uint64_t total);

/* Called while a profile is read. False ends the reading. */
struct report_visitor {
	bool (*section)(struct report_visitor *visitor, const struct report_profile *profile,
	                const struct report_section *section);
	bool (*note)(struct report_visitor *visitor, const char *text, size_t length);
};

/* ---- reading --------------------------------------------------------------- */

struct byte_source;

/* Why reading ended before the end of the file. */
struct report_error {
	int code;       /* a code of os.h or input.h; 0: the file is malformed */
	char text[160]; /* where and how it is malformed; empty when a visitor failed */
};

/* Read a whole text or binary profile from its beginning. False with the error set; what the
 * visitor received before it is valid. */
bool report_read_text(struct byte_source *source, struct report_profile *profile,
                      struct report_visitor *visitor, struct report_error *error);
bool report_read_binary(struct byte_source *source, struct report_profile *profile,
                        struct report_visitor *visitor, struct report_error *error);

/* ---- heap dumps ------------------------------------------------------------- */

/* Counts the objects of a heap dump by class. */
struct heap_histogram {
	struct address_map places; /* id of the class name to index in the section, plus 1 */
	struct report_section section;
	uint64_t bytes;
};

void heap_histogram_begin(struct heap_histogram *histogram, const char *title, size_t title_length);
void heap_histogram_free(struct heap_histogram *histogram);
/* Counts an object. False when out of memory. */
bool heap_histogram_add(struct heap_histogram *histogram, const struct string *class_name,
                        uint64_t bytes);
/* The section, sorted by bytes; owned by the histogram. */
const struct report_section *heap_histogram_section(struct heap_histogram *histogram);

/* The sum; the largest number if that overflows. */
static inline uint64_t report_sum(uint64_t one, uint64_t other)
{
	return one > UINT64_MAX - other ? UINT64_MAX : one + other;
}

#endif
