/*
 * report_text.c: reads a text profile for a report. The beginning of the first line identifies a
 * record; records that a report does not show are skipped. Nothing in the file is trusted.
 */
#include "command/line_reader.h"
#include "command/report_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY_FRAMES = 16, US_PER_MS = 1000, SHARES = 10000 };

struct text_reader {
	struct line_reader lines;
	struct report_profile *profile;
	struct report_visitor *visitor;
	struct report_error *error;
	const char *line; /* the current line of the record */
	size_t length;
	bool has_line;               /* next_line() returns the current line again */
	struct report_frame *frames; /* scratch */
	size_t frame_capacity;
};

/* ---- errors ---------------------------------------------------------------- */

/* Both return false, for callers that return it. */
static bool refuse(struct text_reader *reader, const char *what)
{
	(void)snprintf(reader->error->text, sizeof(reader->error->text), "line %" PRIu64 ": %s",
	               reader->lines.number, what);
	return false;
}

static bool out_of_memory(struct text_reader *reader)
{
	reader->error->code = OS_NO_MEMORY;
	return false;
}

/* ---- parts of a line --------------------------------------------------------- */

struct cursor {
	const char *at;
	const char *end;
	bool bad; /* an expected part was missing */
};

static struct cursor cursor_of(const struct text_reader *reader)
{
	return (struct cursor){.at = reader->line, .end = reader->line + reader->length};
}

static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at == ' ')
		cursor->at++;
}

static bool is_digit(const struct cursor *cursor)
{
	return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

/* A number, after any blanks. */
static uint64_t take_number(struct cursor *cursor)
{
	uint64_t number = 0;

	skip_blanks(cursor);
	if (!is_digit(cursor))
		cursor->bad = true;
	for (; is_digit(cursor); cursor->at++) {
		unsigned digit = (unsigned)(*cursor->at - '0');
		if (number > (UINT64_MAX - digit) / 10)
			cursor->bad = true;
		else
			number = number * 10 + digit;
	}
	return number;
}

static uint32_t take_serial(struct cursor *cursor)
{
	uint64_t number = take_number(cursor);
	if (number > UINT32_MAX)
		cursor->bad = true;
	return (uint32_t)number;
}

static void take_text(struct cursor *cursor, const char *text)
{
	size_t length = strlen(text);
	if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, text, length) != 0) {
		cursor->bad = true;
		return;
	}
	cursor->at += length;
}

/* "12.34%" in hundredths. */
static uint32_t take_share(struct cursor *cursor)
{
	uint64_t whole = take_number(cursor);
	take_text(cursor, ".");
	const char *decimals = cursor->at;
	uint64_t part = take_number(cursor);
	if (cursor->at - decimals != 2 || whole > 100)
		cursor->bad = true;
	take_text(cursor, "%");
	return cursor->bad ? 0 : (uint32_t)(whole * 100 + part);
}

/* The last occurrence of text in the line at or after from; NULL if none. */
static const char *find_last(const struct text_reader *reader, const char *from, const char *text)
{
	size_t length = strlen(text);
	const char *at = reader->line + reader->length;

	while (at - from >= (ptrdiff_t)length) {
		if (memcmp(at - length, text, length) == 0)
			return at - length;
		at--;
	}
	return NULL;
}

/* The first occurrence in the line; NULL if none. */
static const char *find(const struct text_reader *reader, const char *text)
{
	size_t length = strlen(text);
	const char *end = reader->line + reader->length;

	for (const char *at = reader->line; end - at >= (ptrdiff_t)length; at++) {
		if (memcmp(at, text, length) == 0)
			return at;
	}
	return NULL;
}

static bool begins_with(const struct text_reader *reader, const char *text)
{
	size_t length = strlen(text);
	return reader->length >= length && memcmp(reader->line, text, length) == 0;
}

static bool line_is(const struct text_reader *reader, const char *text)
{
	return reader->length == strlen(text) && begins_with(reader, text);
}

/* ---- lines ------------------------------------------------------------------- */

/* The next line, if there is one. */
static bool next_line(struct text_reader *reader)
{
	if (reader->has_line) {
		reader->has_line = false;
		return true;
	}
	return line_reader_next(&reader->lines, &reader->line, &reader->length);
}

/* Makes next_line() return the current line again. */
static void put_back(struct text_reader *reader)
{
	reader->has_line = true;
}

static bool ends_early(struct text_reader *reader)
{
	if (reader->lines.error != 0 || reader->lines.too_long)
		return false; /* reported at the end */
	return refuse(reader, "the file ends inside a section");
}

static const struct string *intern(struct text_reader *reader, const char *from, const char *to)
{
	const struct string *string =
	        string_table_intern(reader->profile->strings, from, (size_t)(to - from));
	if (string == NULL)
		(void)out_of_memory(reader);
	return string;
}

/* ---- threads and traces ------------------------------------------------------- */

static bool read_thread(struct text_reader *reader)
{
	static const char name_mark[] = ", name=\"";
	const char *id = find(reader, "id = ");
	const char *name = find(reader, name_mark);
	const char *end = name == NULL ? NULL : find_last(reader, name, "\", group=\"");

	if (id == NULL || name == NULL || end == NULL || id > name)
		return refuse(reader, "malformed THREAD START");
	struct cursor cursor = {.at = id + strlen("id = "), .end = name};
	uint32_t serial = take_serial(&cursor);
	name += strlen(name_mark);
	if (cursor.bad || end < name)
		return refuse(reader, "malformed THREAD START");
	if (!report_add_thread(reader->profile, serial, name, (size_t)(end - name)))
		return out_of_memory(reader);
	return true;
}

static bool add_frame(struct text_reader *reader, size_t depth)
{
	const char *from = reader->line + 1;
	const char *end = reader->line + reader->length;
	const char *place = find_last(reader, from, "(");

	if (depth == reader->frame_capacity) {
		size_t capacity = depth == 0 ? EMPTY_FRAMES : depth * 2;
		struct report_frame *larger = realloc(reader->frames, capacity * sizeof(*larger));
		if (larger == NULL)
			return out_of_memory(reader);
		reader->frames = larger;
		reader->frame_capacity = capacity;
	}
	if (place == NULL)
		place = end;
	struct report_frame *frame = &reader->frames[depth];
	frame->method = intern(reader, from, place);
	frame->place = intern(reader, place, end);
	return frame->method != NULL && frame->place != NULL;
}

/* The frames are the lines that begin with a tab. */
static bool read_trace(struct text_reader *reader)
{
	struct cursor cursor = cursor_of(reader);
	uint32_t thread = 0;
	size_t depth = 0;

	take_text(&cursor, "TRACE ");
	uint32_t serial = take_serial(&cursor);
	take_text(&cursor, ":");
	if (cursor.at < cursor.end) {
		take_text(&cursor, " (thread=");
		thread = take_serial(&cursor);
		take_text(&cursor, ")");
	}
	if (cursor.bad || cursor.at != cursor.end)
		return refuse(reader, "malformed TRACE");

	while (next_line(reader)) {
		if (!begins_with(reader, "\t")) {
			put_back(reader);
			break;
		}
		if (line_is(reader, "\t<empty>"))
			continue;
		if (depth == UINT32_MAX || !add_frame(reader, depth))
			return depth == UINT32_MAX ? refuse(reader, "too many frames") : false;
		depth++;
	}
	if (!report_add_trace(reader->profile, serial, thread, reader->frames, (uint32_t)depth))
		return out_of_memory(reader);
	return true;
}

/* ---- sections ------------------------------------------------------------------ */

/* A title without the word BEGIN, "CPU SAMPLES (total = 883) Sat ...". */
static void begin(struct text_reader *reader, struct report_section *section,
                  enum section_kind kind)
{
	static const char mark[] = " BEGIN";
	char title[SECTION_TITLE_MAX];
	const char *word = find(reader, mark);
	size_t before = word == NULL ? reader->length : (size_t)(word - reader->line);
	size_t skip = word == NULL ? 0 : strlen(mark);
	size_t used = 0;

	for (size_t i = 0; i < reader->length && used < sizeof(title); i++) {
		if (i < before || i >= before + skip)
			title[used++] = reader->line[i];
	}
	section_begin(section, kind, title, used);
}

static bool is_heading(const struct text_reader *reader)
{
	struct cursor cursor = cursor_of(reader);
	skip_blanks(&cursor);
	return !is_digit(&cursor);
}

/* The name: the rest of the line, after one blank. */
static bool take_name(struct text_reader *reader, struct cursor *cursor, struct section_row *row)
{
	take_text(cursor, " ");
	if (cursor->bad)
		return false;
	row->name = intern(reader, cursor->at, cursor->end);
	return row->name != NULL;
}

/* "   1  8.72%  8.72%      77 300005 java.lang.ClassLoader.defineClass2" */
static bool read_ranked_row(struct text_reader *reader, struct section_row *row)
{
	struct cursor cursor = cursor_of(reader);

	(void)take_number(&cursor);
	row->self = take_share(&cursor);
	row->accumulated = take_share(&cursor);
	row->count = take_number(&cursor);
	row->trace = take_serial(&cursor);
	row->cost = row->count;
	return take_name(reader, &cursor, row);
}

static bool read_site_row(struct text_reader *reader, struct section_row *row)
{
	struct cursor cursor = cursor_of(reader);

	(void)take_number(&cursor);
	row->self = take_share(&cursor);
	row->accumulated = take_share(&cursor);
	row->live_bytes = take_number(&cursor);
	row->count = take_number(&cursor);
	row->allocated_bytes = take_number(&cursor);
	row->allocated_objects = take_number(&cursor);
	row->trace = take_serial(&cursor);
	return take_name(reader, &cursor, row);
}

/* Reads the rows up to the line end, and passes the section to the visitor, even if it is
 * incomplete. */
static bool read_rows(struct text_reader *reader, struct report_section *section, const char *end,
                      bool (*read_row)(struct text_reader *, struct section_row *))
{
	bool heading = true;
	bool good = true;
	bool ended = false;

	while (good && !ended && next_line(reader)) {
		ended = line_is(reader, end);
		heading = heading && is_heading(reader);
		if (ended || heading)
			continue;
		struct section_row *row = section_add(section);
		good = row != NULL ? read_row(reader, row) : out_of_memory(reader);
		if (!good) {
			section->row_count -= row != NULL;
			if (reader->error->code == 0)
				(void)refuse(reader, "malformed row");
		}
	}
	bool visited = reader->visitor->section(reader->visitor, reader->profile, section);
	if (good && !ended)
		return ends_early(reader);
	return good && visited;
}

static bool read_samples(struct text_reader *reader)
{
	struct report_section section;
	begin(reader, &section, SECTION_SAMPLES);
	bool good = read_rows(reader, &section, "CPU SAMPLES END", read_ranked_row);
	section_free(&section);
	return good;
}

/* The total in the title, in milliseconds; 0 if there is none. */
static uint64_t total_of(const struct text_reader *reader)
{
	const char *mark = "(total = ";
	const char *at = find(reader, mark);
	struct cursor cursor = {.at = at, .end = reader->line + reader->length};

	if (at == NULL)
		return 0;
	take_text(&cursor, mark);
	uint64_t total = take_number(&cursor);
	return cursor.bad || total > UINT64_MAX / SHARES / US_PER_MS ? 0 : total;
}

/* The file has times as shares of the total; this visitor converts them to microseconds. */
struct timed_visitor {
	struct report_visitor base;
	struct report_visitor *outer;
	uint64_t total_ms;
};

static bool visit_timed(struct report_visitor *visitor, const struct report_profile *profile,
                        const struct report_section *section)
{
	struct timed_visitor *timed = (struct timed_visitor *)visitor;
	for (size_t i = 0; i < section->row_count; i++)
		section->rows[i].cost =
		        timed->total_ms * US_PER_MS * section->rows[i].self / SHARES;
	return timed->outer->section(timed->outer, profile, section);
}

static bool read_timed(struct text_reader *reader, enum section_kind kind, const char *end)
{
	struct timed_visitor timed = {.base.section = visit_timed,
	                              .outer = reader->visitor,
	                              .total_ms = total_of(reader)};
	struct report_section section;

	begin(reader, &section, kind);
	reader->visitor = &timed.base;
	bool good = read_rows(reader, &section, end, read_ranked_row);
	reader->visitor = timed.outer;
	section_free(&section);
	return good;
}

static bool read_times(struct text_reader *reader)
{
	return read_timed(reader, SECTION_TIMES, "CPU TIME (ms) END");
}

static bool read_off_cpu(struct text_reader *reader)
{
	return read_timed(reader, SECTION_OFF_CPU, "OFF-CPU TIME (ms) END");
}

static bool read_monitors(struct text_reader *reader)
{
	return read_timed(reader, SECTION_MONITORS, "MONITOR TIME END");
}

static bool read_allocated_row(struct text_reader *reader, struct section_row *row)
{
	bool good = read_site_row(reader, row);
	row->cost = row->allocated_bytes;
	return good;
}

static bool read_live_row(struct text_reader *reader, struct section_row *row)
{
	bool good = read_site_row(reader, row);
	row->cost = row->live_bytes;
	return good;
}

static bool read_sites(struct text_reader *reader)
{
	struct report_section section;
	bool allocated = find(reader, "ordered by allocated") != NULL;

	begin(reader, &section, SECTION_SITES);
	bool good = read_rows(reader, &section, "SITES END",
	                      allocated ? read_allocated_row : read_live_row);
	section_free(&section);
	return good;
}

/* ---- sections that are shown as they are ---------------------------------------- */

static bool read_line_row(struct text_reader *reader, struct section_row *row)
{
	static const char mark[] = ", trace ";
	const char *trace = begins_with(reader, "    THREAD ") ? find(reader, mark) : NULL;

	if (trace != NULL) {
		struct cursor cursor = {.at = trace + strlen(mark),
		                        .end = reader->line + reader->length};
		row->trace = take_serial(&cursor);
		if (cursor.bad)
			return false;
	}
	row->name = intern(reader, reader->line, reader->line + reader->length);
	return row->name != NULL;
}

static bool read_lines(struct text_reader *reader, const char *end)
{
	struct report_section section;
	bool good = true;
	bool ended = false;

	begin(reader, &section, SECTION_LINES);
	while (good && !ended && next_line(reader)) {
		ended = line_is(reader, end);
		if (ended)
			continue;
		struct section_row *row = section_add(&section);
		good = row != NULL ? read_line_row(reader, row) : out_of_memory(reader);
		if (!good) {
			section.row_count -= row != NULL;
			if (reader->error->code == 0)
				(void)refuse(reader, "malformed line");
		}
	}
	bool visited = reader->visitor->section(reader->visitor, reader->profile, &section);
	section_free(&section);
	if (good && !ended)
		return ends_early(reader);
	return good && visited;
}

static bool read_microstates(struct text_reader *reader)
{
	return read_lines(reader, "THREAD MICROSTATES (ms) END");
}

static bool read_monitor_dump(struct text_reader *reader)
{
	return read_lines(reader, "MONITOR DUMP END");
}

/* ---- heap dumps ------------------------------------------------------------------ */

/* "OBJ 5000065b (sz=368, trace=300000, class=java.lang.Thread@50000096)" and
 * "ARR 500001e7 (sz=16, trace=300022, nelems=0, elem type=byte[])" */
static bool count_object(struct text_reader *reader, struct heap_histogram *histogram,
                         const char *class_mark)
{
	static const char size_mark[] = "(sz=";
	const char *size = find(reader, size_mark);
	const char *name = find(reader, class_mark);
	const char *line_end = reader->line + reader->length;

	if (size == NULL || name == NULL || line_end[-1] != ')')
		return refuse(reader, "malformed object");
	struct cursor cursor = {.at = size + strlen(size_mark), .end = line_end};
	uint64_t bytes = take_number(&cursor);
	name += strlen(class_mark);
	const char *end = find_last(reader, name, "@");
	if (end == NULL)
		end = line_end - 1;
	if (cursor.bad || end < name)
		return refuse(reader, "malformed object");
	const struct string *class_name = intern(reader, name, end);
	if (class_name == NULL)
		return false;
	return heap_histogram_add(histogram, class_name, bytes) || out_of_memory(reader);
}

static bool read_heap_line(struct text_reader *reader, struct heap_histogram *histogram)
{
	if (begins_with(reader, "OBJ "))
		return count_object(reader, histogram, ", class=");
	if (begins_with(reader, "ARR "))
		return count_object(reader, histogram, ", elem type=");
	return true;
}

static bool read_heap(struct text_reader *reader)
{
	struct heap_histogram histogram;
	struct report_section title;
	bool good = true;
	bool ended = false;

	begin(reader, &title, SECTION_HEAP);
	heap_histogram_begin(&histogram, title.title, strlen(title.title));
	while (good && !ended && next_line(reader)) {
		ended = line_is(reader, "HEAP DUMP END");
		good = ended || read_heap_line(reader, &histogram);
	}
	bool visited = reader->visitor->section(reader->visitor, reader->profile,
	                                        heap_histogram_section(&histogram));
	heap_histogram_free(&histogram);
	if (good && !ended)
		return ends_early(reader);
	return good && visited;
}

/* ---- the file --------------------------------------------------------------------- */

static bool read_note(struct text_reader *reader)
{
	return reader->visitor->note(reader->visitor, reader->line, reader->length);
}

static const struct {
	const char *beginning;
	bool (*read)(struct text_reader *reader);
} records[] = {
        {"TRACE ", read_trace},
        {"THREAD START (", read_thread},
        {"NOTE: ", read_note},
        {"CPU SAMPLES BEGIN", read_samples},
        {"CPU TIME (ms) BEGIN", read_times},
        {"OFF-CPU TIME (ms) BEGIN", read_off_cpu},
        {"SITES BEGIN", read_sites},
        {"MONITOR TIME BEGIN", read_monitors},
        {"MONITOR DUMP BEGIN", read_monitor_dump},
        {"THREAD MICROSTATES (ms) BEGIN", read_microstates},
        {"HEAP DUMP BEGIN", read_heap},
};

static bool read_record(struct text_reader *reader)
{
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		if (begins_with(reader, records[i].beginning))
			return records[i].read(reader);
	}
	return true;
}

static bool read_profile(struct text_reader *reader)
{
	bool begun = false;

	if (next_line(reader) && !begins_with(reader, "JAVA PROFILE 1.0.1, created "))
		return refuse(reader, "not the first line of a profile");
	while (!begun && next_line(reader))
		begun = line_is(reader, "--------");
	if (!begun && reader->lines.error == 0)
		return refuse(reader, "the file ends before the first record");
	while (next_line(reader)) {
		if (!read_record(reader))
			return false;
	}
	return true;
}

bool report_read_text(struct byte_source *source, struct report_profile *profile,
                      struct report_visitor *visitor, struct report_error *error)
{
	struct text_reader reader = {.profile = profile, .visitor = visitor, .error = error};

	*error = (struct report_error){.code = 0};
	line_reader_open(&reader.lines, source);
	bool good = read_profile(&reader);
	if (reader.lines.error != 0) {
		error->code = reader.lines.error;
		good = false;
	} else if (good && reader.lines.too_long) {
		good = refuse(&reader, "the next line is too long");
	}
	line_reader_close(&reader.lines);
	free(reader.frames);
	return good;
}
