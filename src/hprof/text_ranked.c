/*
 * text_ranked.c: see text_ranked.h. Called under the writer's record lock.
 */
#include "hprof/text_ranked.h"

#include "hprof/text_kinds.h"
#include "hprof/text_parts.h"
#include "hprof/text_titles.h"
#include "os/time_units.h"

#include <inttypes.h>

const struct text_kind text_kind_cpu_samples = {
        TEXT_CPU_SAMPLES,
        "      Where the program used the CPU. Each sample stands for one interval of CPU\n"
        "      time of a thread, so a thread that waits gets no samples. A row has its\n"
        "      rank, the share of all samples in its trace (self), that share plus those of\n"
        "      the rows above (accum), the number of samples (count), the trace, and the\n"
        "      method of its innermost frame. Traces with a share below the option cutoff\n"
        "      have no row, but count in the total.\n"};

const struct text_kind text_kind_cpu_time = {
        TEXT_CPU_TIME_MS,
        "      Which calls used the CPU, by the CPU clock of each thread. A row has its\n"
        "      rank, the share of the CPU time that the calls with its trace used\n"
        "      themselves, without the calls they made (self), that share plus those of the\n"
        "      rows above (accum), the exact number of calls (count), the trace, and the\n"
        "      called method. total is in ms.\n"};

const struct text_kind text_kind_off_cpu_time = {
        TEXT_OFF_CPU_TIME_MS,
        "      The columns of CPU TIME, for the elapsed time in which calls did not use the\n"
        "      CPU: blocked, sleeping, or waiting for a CPU.\n"};

/* A row of a section: rank, shares of the total, count, trace and method. */
struct ranked_row {
	unsigned rank;
	uint64_t cost;
	uint64_t cost_so_far; /* of this row and those above it */
	uint64_t total;
	uint64_t count;
	const struct trace *trace;
};

static void add_ranked_row(struct byte_buffer *out, const struct ranked_row *row)
{
	byte_buffer_printf(out, "%4u", row->rank);
	text_add_percent(out, row->cost, row->total);
	text_add_percent(out, row->cost_so_far, row->total);
	byte_buffer_printf(out, " %7" PRIu64 " %" PRIu32 " ", row->count, row->trace->serial);
	text_add_innermost(out, row->trace);
	byte_buffer_add_u1(out, '\n');
}

void text_cpu_samples(void *state, struct byte_buffer *out, const struct cpu_samples_record *record)
{
	struct ranked_row ranked = {.total = record->total};

	(void)state;
	byte_buffer_printf(out, TEXT_BEGIN(TEXT_CPU_SAMPLES) " (total = %" PRIu64 ") ",
	                   record->total);
	text_add_local_time(out, record->wall_ms);
	byte_buffer_add_text(out, "\nrank   self  accum   count trace method\n");
	for (size_t i = 0; i < record->row_count; i++) {
		const struct cost_row *row = &record->rows[i];
		if (row->count == 0)
			continue;
		ranked.rank++;
		ranked.cost = row->count;
		ranked.cost_so_far += row->count;
		ranked.count = row->count;
		ranked.trace = row->trace;
		add_ranked_row(out, &ranked);
	}
	byte_buffer_add_text(out, TEXT_END(TEXT_CPU_SAMPLES) "\n");
}

void text_times(void *state, struct byte_buffer *out, const struct times_record *record)
{
	static const struct {
		const char *begin;
		const char *end;
	} lines[] = {
	        [TIME_SECTION_CPU] = {TEXT_BEGIN(TEXT_CPU_TIME_MS), TEXT_END(TEXT_CPU_TIME_MS)},
	        [TIME_SECTION_OFF_CPU] = {TEXT_BEGIN(TEXT_OFF_CPU_TIME_MS),
	                                  TEXT_END(TEXT_OFF_CPU_TIME_MS)},
	};
	struct ranked_row ranked = {.total = record->total_ns};

	(void)state;
	byte_buffer_printf(out, "%s (total = %" PRIu64 ") ", lines[record->section].begin,
	                   record->total_ns / NS_PER_MS);
	text_add_local_time(out, record->wall_ms);
	byte_buffer_add_text(out, "\nrank   self  accum   count trace method\n");
	for (size_t i = 0; i < record->row_count; i++) {
		const struct time_row *row = &record->rows[i];
		ranked.rank++;
		ranked.cost = row->self_ns;
		ranked.cost_so_far += row->self_ns;
		ranked.count = row->calls;
		ranked.trace = row->trace;
		add_ranked_row(out, &ranked);
	}
	byte_buffer_printf(out, "%s\n", lines[record->section].end);
}
