/*
 * text_details.c: see text_details.h. Called under the writer's record lock.
 *
 * These sections follow their table: some readers accept only traces before it.
 */
#include "hprof/text_details.h"

#include "hprof/text_kinds.h"
#include "hprof/text_parts.h"
#include "hprof/text_titles.h"

#include <inttypes.h>

const struct text_kind text_kind_sample_times = {
        TEXT_SAMPLE_TIMES,
        "      When the samples of the section CPU SAMPLES above were taken. A line has a\n"
        "      trace, and after it pairs bucket:samples. Buckets are intervals of elapsed\n"
        "      time, numbered from 0; bucket is the length of one, and start is when\n"
        "      bucket 0 began, in ms since 1970 (UTC). No trace is left out.\n"};

const struct text_kind text_kind_trace_costs = {
        TEXT_TRACE_COSTS,
        "      The exact times of the section above that has the title in the parentheses.\n"
        "      A line has a trace, its own time in ns, and its number of calls or waits. No\n"
        "      trace is left out.\n"};

/* The decimal digits of a number, the last one before end; returns where they begin. A section
 * can have a million pairs, for which printf() takes several times as long. */
static char *put_number(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return end;
}

static void add_pair(struct byte_buffer *out, const struct sample_time_row *row)
{
	char text[sizeof(" 18446744073709551615:18446744073709551615")];
	char *end = text + sizeof(text);
	char *start = put_number(end, row->count);

	*--start = ':';
	start = put_number(start, row->bucket);
	*--start = ' ';
	byte_buffer_add(out, start, (size_t)(end - start));
}

void text_sample_times(void *state, struct byte_buffer *out,
                       const struct sample_times_record *record)
{
	uint32_t serial = 0;

	(void)state;
	byte_buffer_add_text(out, TEXT_BEGIN(TEXT_SAMPLE_TIMES));
	byte_buffer_printf(out, " (bucket = %" PRIu64 " ms, start = %" PRId64 ") ",
	                   record->bucket_ms, record->start_wall_ms);
	text_add_local_time(out, record->wall_ms);
	for (size_t i = 0; i < record->row_count; i++) {
		const struct sample_time_row *row = &record->rows[i];
		if (row->trace->serial != serial) {
			serial = row->trace->serial;
			byte_buffer_printf(out, "\n%" PRIu32, serial);
		}
		add_pair(out, row);
	}
	byte_buffer_add_text(out, "\n" TEXT_END(TEXT_SAMPLE_TIMES) "\n");
}

void text_trace_costs(void *state, struct byte_buffer *out, const struct trace_costs_record *record)
{
	static const char *const titles[] = {
	        [COST_SECTION_CPU] = TEXT_CPU_TIME,
	        [COST_SECTION_OFF_CPU] = TEXT_OFF_CPU_TIME,
	        [COST_SECTION_MONITOR] = TEXT_MONITOR_TIME,
	};

	(void)state;
	byte_buffer_printf(out, TEXT_BEGIN(TEXT_TRACE_COSTS) " (%s, total = %" PRIu64 " ns) ",
	                   titles[record->section], record->total_ns);
	text_add_local_time(out, record->wall_ms);
	byte_buffer_add_u1(out, '\n');
	for (size_t i = 0; i < record->row_count; i++) {
		const struct trace_cost_row *row = &record->rows[i];
		byte_buffer_printf(out, "%" PRIu32 " %" PRIu64 " %" PRIu64 "\n", row->trace->serial,
		                   row->ns, row->count);
	}
	byte_buffer_add_text(out, TEXT_END(TEXT_TRACE_COSTS) "\n");
}
