/*
 * report_profile.h: a profile as reports use it, independent of the format that it was read
 * from: facts, stack traces and threads, which are kept, and sections, which are passed to a
 * visitor.
 * One thread; no lock.
 */
#ifndef HPROF_REPORT_REPORT_PROFILE_H
#define HPROF_REPORT_REPORT_PROFILE_H

#include "base/address_map.h"
#include "model/strings.h"
#include "report/report_trace.h"
#include "report/same_traces.h"
#include "report/section.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the file reports about the profile itself; complete when all of it has been read. Strings
 * are NULL, and numbers 0, if the file does not have them. */
struct report_facts {
	const struct string *program; /* main class or jar, and its arguments */
	const struct string *jvm;     /* version and name */
	const struct string *options; /* of the agent, as given */
	const struct string *created; /* local time: "Sat Nov 21 02:55:43 2026" */
	uint64_t duration_ns;
	uint32_t interval_ms; /* of CPU time, for each sample */
	uint32_t depth;       /* the limit of frames by options; 0: unknown, or no stacks */
	bool has_cut_stacks;  /* a trace has as many frames */
	uint64_t bytes;       /* of the file, unpacked, as far as it was read */
};

struct report_profile {
	struct string_table *strings;
	struct address_map traces;  /* by serial number, struct report_trace * */
	struct address_map threads; /* by serial number, const struct string *: their names */
	uint64_t trace_numbers;     /* given so far */
	struct address_map stable;  /* by id of a name in the file, const struct string * */
	struct same_traces same;    /* traces that only unstable names distinguish */
	struct report_facts facts;
};

/* False when out of memory; report_profile_free() must be called in either case. */
bool report_profile_init(struct report_profile *profile);
void report_profile_free(struct report_profile *profile);

/* The stable form of the name of a class or method (stable_name.h), which is of the profile's table
 * or is added to it: all names of them in a report come from here, whatever format the profile
 * has. NULL when out of memory. */
const struct string *report_stable_name(struct report_profile *profile, const struct string *name);
const struct string *report_intern_name(struct report_profile *profile, const char *name,
                                        size_t length);

/* Add a trace, whose frames are copied, or a thread, whose name is of the profile's table. A later
 * one with the same serial number replaces it. False when out of memory. */
bool report_add_trace(struct report_profile *profile, uint32_t serial, uint32_t thread,
                      const struct report_frame *frames, uint32_t depth);
bool report_add_thread(struct report_profile *profile, uint32_t serial, const struct string *name);

/* NULL if the profile has none with that serial number. */
const struct report_trace *report_find_trace(const struct report_profile *profile, uint32_t serial);
const struct string *report_find_thread(const struct report_profile *profile, uint32_t serial);

/* "<empty trace>", the name of a stack without frames; NULL when out of memory. */
const struct string *report_no_frames(const struct report_profile *profile);

/* The method of the innermost frame, or "<empty trace>"; NULL when out of memory. */
const struct string *report_innermost(const struct report_profile *profile, uint32_t serial);

/* Called while a profile is read. False ends the reading. */
struct report_visitor {
	bool (*section)(struct report_visitor *visitor, const struct report_profile *profile,
	                const struct report_section *section);
	bool (*note)(struct report_visitor *visitor, const char *text, size_t length);
};

/* The note of visitors that have no use for notes. */
bool report_ignore_note(struct report_visitor *visitor, const char *text, size_t length);

/* ---- reading --------------------------------------------------------------- */

struct byte_source;

/* Why reading ended before the end of the file. */
struct report_error {
	int code;       /* a code of os.h or input.h; 0: the file is malformed */
	char text[160]; /* where and how it is malformed; empty when a visitor failed */
	/* Where it is malformed in a way that did not keep anything from being read; or empty. */
	char warning[160];
};

/* Read a whole text or binary profile from its beginning. False with the error set; what the
 * visitor received before it is valid. */
bool report_read_text(struct byte_source *source, struct report_profile *profile,
                      struct report_visitor *visitor, struct report_error *error);
bool report_read_binary(struct byte_source *source, struct report_profile *profile,
                        struct report_visitor *visitor, struct report_error *error);

#endif
