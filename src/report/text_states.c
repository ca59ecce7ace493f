/*
 * text_states.c: reads THREAD MICROSTATES and TRACE MICROSTATES of a text profile: their lines and
 * their numbers.
 */
#include "hprof/text_titles.h"
#include "report/text_reader.h"

#include "os/time_units.h"

#include <string.h>

/* ---- times ----------------------------------------------------------------------------- */

/* Takes "-", a number that is not known. */
static bool take_unknown(struct text_cursor *cursor)
{
	cursor_skip_blanks(cursor);
	if (cursor->at == cursor->end || *cursor->at != '-')
		return false;
	cursor->at++;
	return true;
}

/* "1234.567" milliseconds. */
static uint64_t take_us(struct text_cursor *cursor)
{
	enum { DECIMALS = 3 };

	if (take_unknown(cursor))
		return SECTION_NOT_KNOWN;
	uint64_t ms = cursor_number(cursor);
	cursor_text(cursor, ".");
	const char *decimals = cursor->at;
	if (!cursor_at_digit(cursor))
		cursor->bad = true;
	uint64_t us = cursor_number(cursor);
	if (cursor->bad || cursor->at - decimals != DECIMALS || ms > INT64_MAX / US_PER_MS) {
		cursor->bad = true;
		return 0;
	}
	return ms * US_PER_MS + us;
}

/* ---- THREAD MICROSTATES -------------------------------------------------------------- */

/* "thread life usr sys trp tfl dfl lck slp lat vcx icx name" */
static bool read_state_names(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);

	cursor_text(&cursor, "thread");
	cursor_skip_blanks(&cursor);
	cursor_text(&cursor, "life");
	for (;;) {
		cursor_skip_blanks(&cursor);
		const char *from = cursor.at;
		while (cursor.at < cursor.end && *cursor.at != ' ')
			cursor.at++;
		if (cursor.bad || cursor.at == from)
			return false;
		if (cursor.at - from == 3 && memcmp(from, "vcx", 3) == 0)
			return section->state_count > 0;
		if (section->state_count == SECTION_STATES_MAX)
			return false;
		const struct string *name = text_intern(reader, from, cursor.at);
		if (name == NULL)
			return false;
		section->state_names[section->state_count++] = name;
	}
}

static uint64_t take_count(struct text_cursor *cursor)
{
	return take_unknown(cursor) ? SECTION_NOT_KNOWN : cursor_number(cursor);
}

static bool read_thread_states(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);
	struct section_thread row = {.thread = cursor_serial(&cursor)};

	row.life_us = take_us(&cursor);
	for (size_t i = 0; i < section->state_count; i++)
		row.us[i] = take_us(&cursor);
	row.voluntary = take_count(&cursor);
	row.involuntary = take_count(&cursor);
	cursor_text(&cursor, " \"");
	if (cursor.bad || cursor.at == cursor.end || cursor.end[-1] != '"')
		return false;
	row.name = text_intern(reader, cursor.at, cursor.end - 1);
	struct section_thread *added = row.name == NULL ? NULL : section_add_thread(section);
	if (added == NULL)
		return text_out_of_memory(reader);
	*added = row;
	return true;
}

static bool read_microstates_line(struct text_reader *reader, struct report_section *section)
{
	const struct string *line =
	        text_intern(reader, reader->line, reader->line + reader->length);

	if (!text_add_line(reader, section, line, 0))
		return false;
	return section->row_count == 1 ? read_state_names(reader, section)
	                               : read_thread_states(reader, section);
}

bool text_read_microstates(struct text_reader *reader)
{
	return text_read_lines(reader, SECTION_MICROSTATES, TEXT_END(TEXT_THREAD_MICROSTATES_MS),
	                       read_microstates_line);
}

/* ---- TRACE MICROSTATES ---------------------------------------------------------------- */

static const char *const state_names[] = {"usr", "sys", "tfl", "dfl", "lck",
                                          "slp", "i/o", "lat", "stw"};
enum { STATES = sizeof(state_names) / sizeof(state_names[0]) };

/* "rank wall usr sys tfl dfl lck slp i/o lat stw calls|samples trace method" */
static bool read_trace_states(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);
	struct section_trace_states states = {.trace = 0};

	(void)cursor_number(&cursor);
	uint64_t wall_us = take_us(&cursor);
	for (size_t i = 0; i < STATES; i++)
		states.us[i] = take_us(&cursor);
	states.calls = cursor_number(&cursor);
	states.trace = cursor_serial(&cursor);
	cursor_text(&cursor, " ");
	if (cursor.bad || wall_us > UINT64_MAX / NS_PER_US)
		return false;
	const struct string *line =
	        text_intern_name(reader, reader->line, reader->line + reader->length);
	if (!text_add_line(reader, section, line, states.trace))
		return false;
	section->rows[section->row_count - 1].cost = wall_us * NS_PER_US;
	struct section_trace_states *added = section_add_trace_states(section);
	if (added == NULL)
		return text_out_of_memory(reader);
	*added = states;
	return true;
}

static bool name_states(struct text_reader *reader, struct report_section *section)
{
	for (size_t i = 0; i < STATES; i++) {
		const char *name = state_names[i];
		section->state_names[i] = text_intern(reader, name, name + strlen(name));
		if (section->state_names[i] == NULL)
			return false;
	}
	section->state_count = STATES;
	return true;
}

bool text_read_trace_states(struct text_reader *reader)
{
	struct report_section section;
	uint64_t total_ms = text_number_after(reader, "(total = ");
	bool ended = false;

	text_begin_section(reader, &section, SECTION_STATES);
	section.total = total_ms > UINT64_MAX / NS_PER_MS ? 0 : total_ms * NS_PER_MS;
	section.sampled = text_find(reader, ", sampled) ") != NULL;
	bool good = name_states(reader, &section) &&
	            text_read_rows(reader, &section, TEXT_END(TEXT_TRACE_MICROSTATES_MS),
	                           read_trace_states, &ended);
	return text_end_section(reader, &section, good, ended);
}
