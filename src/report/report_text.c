/*
 * report_text.c: reads a text profile for a report. The beginning of the first line identifies a
 * record; records that a report does not show are skipped.
 */
#include "hprof/text_titles.h"
#include "report/facts.h"
#include "report/text_reader.h"

#include <stdlib.h>
#include <string.h>

static bool read_note(struct text_reader *reader)
{
	if (!facts_add_note(reader->profile, reader->line, reader->length))
		return text_out_of_memory(reader);
	if (reader->held.count > 0)
		return text_hold_note(reader);
	return reader->visitor->note(reader->visitor, reader->line, reader->length);
}

static const struct {
	const char *beginning;
	bool (*read)(struct text_reader *reader);
	bool holds; /* sections that are held can still get their costs */
} records[] = {
        {TEXT_BEGIN(TEXT_TRACE_COSTS), text_read_costs, true},
        {TEXT_BEGIN(TEXT_TRACE_MICROSTATES_MS), text_read_trace_states, false},
        {"TRACE ", text_read_trace, true},
        {"THREAD START (", text_read_thread, true},
        {"NOTE: ", read_note, true},
        {TEXT_BEGIN(TEXT_CPU_SAMPLES), text_read_samples, false},
        {TEXT_BEGIN(TEXT_CPU_TIME_MS), text_read_times, true},
        {TEXT_BEGIN(TEXT_OFF_CPU_TIME_MS), text_read_off_cpu, true},
        {TEXT_BEGIN(TEXT_SITES), text_read_sites, false},
        {TEXT_BEGIN(TEXT_SAMPLE_TIMES), text_read_timeline, false},
        {TEXT_BEGIN(TEXT_MONITOR_TIME), text_read_monitors, true},
        {TEXT_BEGIN(TEXT_MONITOR_DUMP), text_read_monitor_dump, false},
        {TEXT_BEGIN(TEXT_THREAD_MICROSTATES_MS), text_read_microstates, false},
        {TEXT_BEGIN(TEXT_HEAP_DUMP), text_read_heap, false},
};

static bool read_record(struct text_reader *reader)
{
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		if (text_begins_with(reader, records[i].beginning))
			return (records[i].holds || text_release(reader)) &&
			       records[i].read(reader);
	}
	return true;
}

static bool read_profile(struct text_reader *reader)
{
	static const char first[] = "JAVA PROFILE 1.0";
	static const char mark[] = ", created ";
	bool begun = false;

	if (text_next_line(reader)) {
		const char *created = text_find(reader, mark);
		if (!text_begins_with(reader, first) || created == NULL)
			return text_refuse(reader, "not the first line of a profile");
		reader->profile->facts.created =
		        text_intern(reader, created + strlen(mark), reader->line + reader->length);
		if (reader->profile->facts.created == NULL)
			return false;
	}
	while (!begun && text_next_line(reader))
		begun = text_line_is(reader, "--------");
	if (!begun && reader->lines.error == 0)
		return text_refuse(reader, "the file ends before the first record");
	while (text_next_line(reader)) {
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
	good = text_release(&reader) && good;
	if (reader.lines.error != 0) {
		error->code = reader.lines.error;
		good = false;
	} else if (good && reader.is_cut) {
		good = text_refuse(&reader, "the file ends inside it");
	} else if (good && reader.lines.too_long) {
		good = text_refuse(&reader, "the next line is too long");
	}
	line_reader_close(&reader.lines);
	frame_cache_free(&reader.cache);
	free(reader.frames);
	return good;
}
