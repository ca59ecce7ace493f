/*
 * text_traces.c: reads THREAD START and TRACE records of a text profile.
 */
#include "report/text_reader.h"

#include "base/array.h"

#include <string.h>

bool text_read_thread(struct text_reader *reader)
{
	static const char name_mark[] = ", name=\"";
	const char *id = text_find(reader, "id = ");
	const char *name = text_find(reader, name_mark);
	const char *end = name == NULL ? NULL : text_find_last(reader, name, "\", group=\"");

	if (id == NULL || name == NULL || end == NULL || id > name)
		return text_refuse(reader, "malformed THREAD START");
	struct text_cursor cursor = {.at = id + strlen("id = "), .end = name};
	uint32_t serial = cursor_serial(&cursor);
	name += strlen(name_mark);
	if (cursor.bad || end < name)
		return text_refuse(reader, "malformed THREAD START");
	const struct string *kept = text_intern(reader, name, end);
	return kept != NULL &&
	       (report_add_thread(reader->profile, serial, kept) || text_out_of_memory(reader));
}

/* The frame of the current line. False after setting the error. */
static bool read_frame(struct text_reader *reader, struct report_frame *frame)
{
	const char *from = reader->line + 1;
	const char *end = reader->line + reader->length;

	if (frame_cache_get(&reader->cache, from, (size_t)(end - from), frame))
		return true;
	const char *place = text_find_last(reader, from, "(");
	if (place == NULL)
		place = end;
	frame->method = text_intern_name(reader, from, place);
	frame->place = text_intern(reader, place, end);
	if (frame->method == NULL || frame->place == NULL)
		return false;
	if (!frame_cache_put(&reader->cache, from, (size_t)(end - from), frame))
		return text_out_of_memory(reader);
	return true;
}

static bool add_frame(struct text_reader *reader, size_t depth)
{
	if (!array_grow(&reader->frames, &reader->frame_capacity, depth, sizeof(*reader->frames)))
		return text_out_of_memory(reader);
	return read_frame(reader, &reader->frames[depth]);
}

/* The frames are the lines that begin with a tab. */
bool text_read_trace(struct text_reader *reader)
{
	struct text_cursor cursor = text_cursor(reader);
	uint32_t thread = 0;
	size_t depth = 0;

	cursor_text(&cursor, "TRACE ");
	uint32_t serial = cursor_serial(&cursor);
	cursor_text(&cursor, ":");
	if (cursor.at < cursor.end) {
		cursor_text(&cursor, " (thread=");
		thread = cursor_serial(&cursor);
		cursor_text(&cursor, ")");
	}
	if (cursor.bad || cursor.at != cursor.end)
		return text_refuse(reader, "malformed TRACE");

	while (text_next_line(reader)) {
		if (!text_begins_with(reader, "\t")) {
			text_put_back(reader);
			break;
		}
		if (text_line_is(reader, "\t<empty>"))
			continue;
		if (depth == UINT32_MAX || !add_frame(reader, depth))
			return depth == UINT32_MAX ? text_refuse(reader, "too many frames") : false;
		depth++;
	}
	if (!report_add_trace(reader->profile, serial, thread, reader->frames, (uint32_t)depth))
		return text_out_of_memory(reader);
	return true;
}
