/*
 * text_timeline.c: reads the SAMPLE TIMES section of a text profile.
 */
#include "hprof/text_titles.h"
#include "report/text_reader.h"

/* "300005 0:1 3:2 17:1": a trace and its samples by bucket. */
static bool read_times(struct text_reader *reader, struct report_section *section)
{
	struct text_cursor cursor = text_cursor(reader);
	uint32_t trace = cursor_serial(&cursor);

	while (!cursor.bad && cursor.at < cursor.end) {
		struct section_time time = {.trace = trace, .bucket = cursor_serial(&cursor)};
		cursor_text(&cursor, ":");
		if (!cursor_at_digit(&cursor))
			cursor.bad = true;
		time.samples = cursor.bad ? 0 : cursor_number(&cursor);
		struct section_time *added = cursor.bad ? NULL : section_add_time(section);
		if (added == NULL)
			return cursor.bad ? false : text_out_of_memory(reader);
		*added = time;
		section->total = report_sum(section->total, time.samples);
	}
	return !cursor.bad;
}

bool text_read_timeline(struct text_reader *reader)
{
	struct report_section section;
	uint64_t bucket_ms = text_number_after(reader, "bucket = ");
	bool ended;

	if (bucket_ms == 0 || bucket_ms > UINT32_MAX)
		return text_refuse(reader, "malformed " TEXT_SAMPLE_TIMES);
	text_begin_section(reader, &section, SECTION_TIMELINE);
	section.bucket_ms = (uint32_t)bucket_ms;
	section.start_ms = text_number_after(reader, "start = ");
	bool good =
	        text_read_rows(reader, &section, TEXT_END(TEXT_SAMPLE_TIMES), read_times, &ended);
	return text_end_section(reader, &section, good, ended);
}
