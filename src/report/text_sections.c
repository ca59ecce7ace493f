/*
 * text_sections.c: what the sections of a text profile have in common.
 */
#include "hprof/text_titles.h"
#include "report/same_rows.h"
#include "report/text_reader.h"

#include <string.h>

void text_begin_section(const struct text_reader *reader, struct report_section *section,
                        enum section_kind kind)
{
	static const char mark[] = TEXT_BEGIN_MARK;
	char title[SECTION_TITLE_MAX];
	const char *word = text_find(reader, mark);
	size_t before = word == NULL ? reader->length : (size_t)(word - reader->line);
	size_t skip = word == NULL ? 0 : strlen(mark);
	size_t used = 0;

	for (size_t i = 0; i < reader->length && used < sizeof(title); i++) {
		if (i < before || i >= before + skip)
			title[used++] = reader->line[i];
	}
	section_begin(section, kind, title, used);
}

uint64_t text_number_after(const struct text_reader *reader, const char *mark)
{
	const char *at = text_find(reader, mark);
	if (at == NULL)
		return 0;
	struct text_cursor cursor = {.at = at + strlen(mark), .end = reader->line + reader->length};
	uint64_t number = cursor_number(&cursor);
	return cursor.bad ? 0 : number;
}

static bool is_heading(const struct text_reader *reader)
{
	struct text_cursor cursor = text_cursor(reader);
	cursor_skip_blanks(&cursor);
	return !cursor_at_digit(&cursor);
}

bool text_read_rows(struct text_reader *reader, struct report_section *section, const char *end,
                    text_read_row *read_row, bool *ended)
{
	bool heading = true;
	bool good = true;

	*ended = false;
	while (good && !*ended && text_next_line(reader)) {
		*ended = text_line_is(reader, end);
		heading = heading && is_heading(reader);
		if (*ended || heading)
			continue;
		good = read_row(reader, section);
		if (!good && reader->error->code == 0)
			(void)text_refuse(reader, "malformed row");
	}
	return good;
}

bool text_end_section(struct text_reader *reader, struct report_section *section, bool read,
                      bool ended)
{
	bool added_up = same_rows_add_up(reader->profile, section) || text_out_of_memory(reader);
	bool visited =
	        added_up && reader->visitor->section(reader->visitor, reader->profile, section);
	section_free(section);
	if (read && !ended)
		return text_ends_early(reader);
	return read && visited;
}
