/*
 * report_profile.h: a profile as a report sees it, whichever format it was read from:
 * names that stay (stack traces, threads), and sections that pass by. One thread.
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
	const struct string *place;  /* "(Source.java:12)" or what is known instead */
};

struct report_trace {
	uint32_t thread; /* serial number; 0: of any */
	uint32_t depth;
	struct report_frame frames[]; /* the innermost first */
};

struct report_profile {
	struct string_table *strings;
	struct address_map traces;  /* by serial number, struct report_trace * */
	struct address_map threads; /* by serial number, const struct string *: their names */
};

/* False without memory; report_profile_free() is called all the same. */
bool report_profile_init(struct report_profile *profile);
void report_profile_free(struct report_profile *profile);

/* Keeps what the profile tells; a second trace or thread of one number counts. False without
 * memory. frames are copied. */
bool report_add_trace(struct report_profile *profile, uint32_t serial, uint32_t thread,
                      const struct report_frame *frames, uint32_t depth);
bool report_add_thread(struct report_profile *profile, uint32_t serial, const char *name,
                       size_t length);

/* NULL when there is none. */
const struct report_trace *report_find_trace(const struct report_profile *profile, uint32_t serial);
const struct string *report_find_thread(const struct report_profile *profile, uint32_t serial);

/* ---- sections -------------------------------------------------------------- */

enum section_kind {
	SECTION_SAMPLES,  /* cost: samples */
	SECTION_TIMES,    /* cost: microseconds, as far as the rounded share tells them */
	SECTION_OFF_CPU,  /* the same */
	SECTION_SITES,    /* cost: bytes by which the section is ordered */
	SECTION_MONITORS, /* cost: microseconds as of SECTION_TIMES */
	SECTION_HEAP,     /* objects by class; cost: bytes, no traces */
	SECTION_LINES     /* text: rows have a name, and perhaps a trace */
};

struct section_row {
	const struct string *name; /* of the method, class or monitor; or the line */
	uint32_t trace;            /* serial number, 0: none */
	uint32_t self;             /* shares in 1/10000 of the total: its own, */
	uint32_t accumulated;      /* and with the rows above it */
	uint64_t cost;
	uint64_t count; /* of samples, calls, waits or live objects */
	uint64_t live_bytes;
	uint64_t allocated_bytes;
	uint64_t allocated_objects;
};

enum { SECTION_TITLE_MAX = 256 };

struct report_section {
	enum section_kind kind;
	char title[SECTION_TITLE_MAX]; /* fit to be printed */
	struct section_row *rows;
	size_t row_count;
	size_t row_capacity;
};

/* An empty section; title is cut to size. */
void section_begin(struct report_section *section, enum section_kind kind, const char *title,
                   size_t title_length);
void section_free(struct report_section *section);

/* A new row of zeros; NULL without memory. */
struct section_row *section_add(struct report_section *section);

/* Sets the shares of all rows from their costs and a total that is no less than their sum. */
void section_set_shares(struct report_section *section, uint64_t total);

/* What is told of a profile as it is read. Functions return false when they fail, which ends
 * the reading. */
struct report_visitor {
	bool (*section)(struct report_visitor *visitor, const struct report_profile *profile,
	                const struct report_section *section);
	bool (*note)(struct report_visitor *visitor, const char *text, size_t length);
};

/* ---- reading --------------------------------------------------------------- */

struct byte_source;

/* Why the reading ended before the end of the file. */
struct report_error {
	int code;       /* a code of os.h or input.h; 0: the file breaks its format */
	char text[160]; /* where and how, when it does; empty when a visitor failed */
};

/* Read all of a text, or binary, profile from its beginning. False with the fault; what was
 * told until then is right. */
bool report_read_text(struct byte_source *source, struct report_profile *profile,
                      struct report_visitor *visitor, struct report_error *error);
bool report_read_binary(struct byte_source *source, struct report_profile *profile,
                        struct report_visitor *visitor, struct report_error *error);

/* ---- heap dumps ------------------------------------------------------------- */

/* Objects of a heap dump by their class. */
struct heap_histogram {
	struct address_map places; /* of a class name's id, in the section, from 1 */
	struct report_section section;
	uint64_t bytes;
};

void heap_histogram_begin(struct heap_histogram *histogram, const char *title, size_t title_length);
void heap_histogram_free(struct heap_histogram *histogram);
/* Counts an object. False without memory. */
bool heap_histogram_add(struct heap_histogram *histogram, const struct string *class_name,
                        uint64_t bytes);
/* The section, sorted by bytes; the histogram's own. */
const struct report_section *heap_histogram_section(struct heap_histogram *histogram);

/* The sum, or the largest number. */
static inline uint64_t report_sum(uint64_t one, uint64_t other)
{
	return one > UINT64_MAX - other ? UINT64_MAX : one + other;
}

#endif
