/*
 * text_reader.h: the reader of a text profile, shared by the files that each read one kind of
 * record: lines, and the parts of a line. Nothing in the file is trusted. One thread; no lock.
 */
#ifndef HPROF_REPORT_TEXT_READER_H
#define HPROF_REPORT_TEXT_READER_H

#include "report/frame_cache.h"
#include "report/line_reader.h"
#include "report/report_profile.h"

/* Sections of times, and notes after them, which wait for TRACE COSTS. */
struct text_held_item {
	const struct string *note; /* NULL: it is a section */
	struct report_section section;
};

struct text_held {
	struct text_held_item *items;
	size_t count;
	size_t capacity;
	size_t last[SECTION_KINDS]; /* index of the last section by kind, plus 1 */
};

struct text_reader {
	struct line_reader lines;
	struct report_profile *profile;
	struct report_visitor *visitor;
	struct report_error *error;
	const char *line; /* the current line of the record */
	size_t length;
	bool is_cut;                 /* the file ends inside a line */
	bool has_line;               /* text_next_line() returns the current line again */
	struct report_frame *frames; /* scratch */
	size_t frame_capacity;
	struct frame_cache cache;
	struct text_held held;
};

/* ---- errors: both return false, for callers that return it -------------------- */

bool text_refuse(struct text_reader *reader, const char *what);
bool text_out_of_memory(struct text_reader *reader);

/* ---- lines -------------------------------------------------------------------- */

/* The next line, if there is one. */
bool text_next_line(struct text_reader *reader);

/* Makes text_next_line() return the current line again. */
void text_put_back(struct text_reader *reader);

/* The file has ended inside a section. Returns false. */
bool text_ends_early(struct text_reader *reader);

bool text_begins_with(const struct text_reader *reader, const char *text);
bool text_line_is(const struct text_reader *reader, const char *text);

/* The first occurrence in the line; NULL if none. */
const char *text_find(const struct text_reader *reader, const char *text);

/* The last occurrence in the line at or after from; NULL if none. */
const char *text_find_last(const struct text_reader *reader, const char *from, const char *text);

/* A string of the profile; NULL after setting the error. */
const struct string *text_intern(struct text_reader *reader, const char *from, const char *to);

/* A name of a class or method, or a line with one, in its stable form; NULL after setting the
 * error. */
const struct string *text_intern_name(struct text_reader *reader, const char *from, const char *to);

/* ---- parts of a line ----------------------------------------------------------- */

struct text_cursor {
	const char *at;
	const char *end;
	bool bad; /* an expected part was missing */
};

/* At the beginning of the line. */
struct text_cursor text_cursor(const struct text_reader *reader);

void cursor_skip_blanks(struct text_cursor *cursor);
bool cursor_at_digit(const struct text_cursor *cursor);

/* A number, after any blanks; one of 32 bits. */
uint64_t cursor_number(struct text_cursor *cursor);
uint32_t cursor_serial(struct text_cursor *cursor);

void cursor_text(struct text_cursor *cursor, const char *text);

/* "12.34%" in hundredths. */
uint32_t cursor_share(struct text_cursor *cursor);

/* ---- sections -------------------------------------------------------------------- */

/* Begins a section with the title of the line without the word BEGIN, "CPU SAMPLES (total = 883)
 * Sat ...". */
void text_begin_section(const struct text_reader *reader, struct report_section *section,
                        enum section_kind kind);

/* The number after mark in the line; 0 if there is none. */
uint64_t text_number_after(const struct text_reader *reader, const char *mark);

/* Reads a row of a section from the current line. False if it is malformed, or when out of
 * memory. */
typedef bool text_read_row(struct text_reader *reader, struct report_section *section);

/* Reads rows up to the line end, past the lines before the first row, which begin with no number.
 * *ended: that line was found, or an error was reported. */
bool text_read_rows(struct text_reader *reader, struct report_section *section, const char *end,
                    text_read_row *read_row, bool *ended);

/* Passes a section, complete unless read is false, to the visitor and frees it. Returns whether
 * reading goes on. */
bool text_end_section(struct text_reader *reader, struct report_section *section, bool read,
                      bool ended);

/* Adds a line, NULL when out of memory, as a row of that trace, 0 for none. False when out of
 * memory. */
bool text_add_line(struct text_reader *reader, struct report_section *section,
                   const struct string *line, uint32_t trace);

/* Reads a section whose rows are all lines up to end. */
bool text_read_lines(struct text_reader *reader, enum section_kind kind, const char *end,
                     text_read_row *read_line);

/* ---- records: each reads one that begins with the current line ---------------------- */

bool text_read_thread(struct text_reader *reader);
bool text_read_trace(struct text_reader *reader);
bool text_read_samples(struct text_reader *reader);
bool text_read_times(struct text_reader *reader);
bool text_read_off_cpu(struct text_reader *reader);
bool text_read_monitors(struct text_reader *reader);
bool text_read_sites(struct text_reader *reader);
bool text_read_timeline(struct text_reader *reader);
bool text_read_microstates(struct text_reader *reader);
bool text_read_trace_states(struct text_reader *reader);
bool text_read_monitor_dump(struct text_reader *reader);
bool text_read_heap(struct text_reader *reader);

/* TRACE COSTS: gives the last section of its kind that is held exact costs. */
bool text_read_costs(struct text_reader *reader);

/* ---- sections that wait for TRACE COSTS --------------------------------------------- */

/* Hold a section, which is taken over, or the note of the current line. False when out of
 * memory. */
bool text_hold_section(struct text_reader *reader, struct report_section *section);
bool text_hold_note(struct text_reader *reader);

/* The last section of that kind which is held; NULL if there is none. */
struct report_section *text_find_held(struct text_reader *reader, enum section_kind kind);

/* Passes all that is held to the visitor. Returns whether reading goes on. */
bool text_release(struct text_reader *reader);

#endif
