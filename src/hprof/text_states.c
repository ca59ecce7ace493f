/*
 * text_states.c: see text_states.h. Called under the writer's record lock.
 */
#include "hprof/text_states.h"

#include "hprof/text_parts.h"
#include "hprof/text_titles.h"
#include "os/time_units.h"

#include <inttypes.h>

/* Appends ns as ms with three decimals, or "-" if not known. */
static void add_ms(struct byte_buffer *out, bool known, uint64_t ns)
{
	if (known)
		byte_buffer_printf(out, " %7" PRIu64 ".%03u", ns / NS_PER_MS,
		                   (unsigned)(ns / NS_PER_US % US_PER_MS));
	else
		byte_buffer_add_text(out, "           -");
}

static void add_count(struct byte_buffer *out, bool known, uint64_t count)
{
	if (known)
		byte_buffer_printf(out, " %8" PRIu64, count);
	else
		byte_buffer_add_text(out, "        -");
}

static void add_microstates(struct byte_buffer *out, const struct microstates_row *row)
{
	const struct os_microstates *states = &row->states;

	byte_buffer_printf(out, "%6" PRIu32, row->thread_serial);
	add_ms(out, states->known != 0, states->life_ns);
	for (int i = 0; i < OS_MICROSTATES; i++)
		add_ms(out, (states->known & 1u << i) != 0, states->ns[i]);
	add_count(out, states->switches_known, states->voluntary_switches);
	add_count(out, states->switches_known, states->involuntary_switches);
	byte_buffer_add_text(out, " \"");
	text_add_name(out, row->name);
	byte_buffer_add_text(out, "\"\n");
}

void text_microstates(void *state, struct byte_buffer *out, const struct microstates_record *record)
{
	(void)state;
	byte_buffer_printf(out, TEXT_BEGIN(TEXT_THREAD_MICROSTATES_MS) " (threads = %zu) ",
	                   record->row_count);
	text_add_local_time(out, record->wall_ms);
	byte_buffer_add_text(out,
	                     "\nthread        life         usr         sys         trp         tfl"
	                     "         dfl         lck         slp         lat      vcx      icx"
	                     " name\n");
	for (size_t i = 0; i < record->row_count; i++)
		add_microstates(out, &record->rows[i]);
	byte_buffer_add_text(out, TEXT_END(TEXT_THREAD_MICROSTATES_MS) "\n");
}

static void add_trace_states(struct byte_buffer *out, size_t rank,
                             const struct trace_states_row *row)
{
	byte_buffer_printf(out, "%4zu", rank);
	add_ms(out, true, row->wall_ns);
	for (int i = 0; i < TRACE_STATES; i++)
		add_ms(out, (row->known & 1u << i) != 0, row->ns[i]);
	byte_buffer_printf(out, " %8" PRIu64 " %" PRIu32 " ", row->calls, row->trace->serial);
	text_add_innermost(out, row->trace);
	byte_buffer_add_u1(out, '\n');
}

void text_trace_states(void *state, struct byte_buffer *out,
                       const struct trace_states_record *record)
{
	(void)state;
	byte_buffer_printf(out, TEXT_BEGIN(TEXT_TRACE_MICROSTATES_MS) " (total = %" PRIu64 ", %s) ",
	                   record->total_ns / NS_PER_MS, record->sampled ? "sampled" : "exact");
	text_add_local_time(out, record->wall_ms);
	byte_buffer_printf(out,
	                   "\nrank        wall         usr         sys         tfl         dfl"
	                   "         lck         slp         i/o         lat         stw"
	                   " %8s trace method\n",
	                   record->sampled ? "samples" : "calls");
	for (size_t i = 0; i < record->row_count; i++)
		add_trace_states(out, i + 1, &record->rows[i]);
	byte_buffer_add_text(out, TEXT_END(TEXT_TRACE_MICROSTATES_MS) "\n");
}
