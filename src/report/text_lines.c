/*
 * text_lines.c: reads the sections of a text profile that are shown line by line.
 */
#include "hprof/text_titles.h"
#include "report/text_reader.h"

#include <string.h>

bool text_add_line(struct text_reader *reader, struct report_section *section,
                   const struct string *line, uint32_t trace)
{
	struct section_row *row = line == NULL ? NULL : section_add(section);
	if (row == NULL)
		return text_out_of_memory(reader);
	row->name = line;
	row->trace = trace;
	return true;
}

bool text_read_lines(struct text_reader *reader, enum section_kind kind, const char *end,
                     text_read_row *read_line)
{
	struct report_section section;
	bool good = true;
	bool ended = false;

	text_begin_section(reader, &section, kind);
	while (good && !ended && text_next_line(reader)) {
		ended = text_line_is(reader, end);
		good = ended || read_line(reader, &section);
		if (!good && reader->error->code == 0)
			(void)text_refuse(reader, "malformed line");
	}
	return text_end_section(reader, &section, good, ended);
}

/* ---- MONITOR DUMP ------------------------------------------------------------------ */

static bool read_monitor_line(struct text_reader *reader, struct report_section *section)
{
	static const char mark[] = ", trace ";
	const char *trace =
	        text_begins_with(reader, "    THREAD ") ? text_find(reader, mark) : NULL;
	uint32_t serial = 0;

	if (trace != NULL) {
		struct text_cursor cursor = {.at = trace + strlen(mark),
		                             .end = reader->line + reader->length};
		serial = cursor_serial(&cursor);
		if (cursor.bad)
			return false;
	}
	return text_add_line(reader, section,
	                     text_intern_name(reader, reader->line, reader->line + reader->length),
	                     serial);
}

bool text_read_monitor_dump(struct text_reader *reader)
{
	return text_read_lines(reader, SECTION_LINES, TEXT_END(TEXT_MONITOR_DUMP),
	                       read_monitor_line);
}
