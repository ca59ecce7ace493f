/*
 * text_states.c: see text_states.h. Called under the writer's record lock.
 */
#include "hprof/text_states.h"

#include "hprof/text_kinds.h"
#include "hprof/text_parts.h"
#include "hprof/text_titles.h"
#include "os/time_units.h"

#include <inttypes.h>

const struct text_kind text_kind_microstates = {
        TEXT_THREAD_MICROSTATES_MS,
        "      How threads spent their time: live threads, and threads that ended since the\n"
        "      last such section. A row has the thread, the elapsed time since the\n"
        "      operating system created it (life), and how much of that it spent running in\n"
        "      user mode (usr), in the system (sys), in other traps (trp), waiting for code\n"
        "      pages (tfl), for data pages (dfl), for monitors (lck), sleeping or blocked\n"
        "      otherwise (slp), and waiting for a CPU (lat), all in ms; then the numbers of\n"
        "      its voluntary (vcx) and involuntary (icx) context switches, and its name.\n"
        "      \"-\" means that the operating system does not report the state; its time is\n"
        "      then part of another state. The states add up to life.\n"};

const struct text_kind text_kind_trace_states = {
        TEXT_TRACE_MICROSTATES_MS,
        "      The same for calls: the elapsed time that the calls with a trace took\n"
        "      themselves, without the calls they made (wall), and its states. i/o is time\n"
        "      in reads and writes, stw time in which the JVM had stopped the program, to\n"
        "      collect garbage, for example. Then the exact number of calls, the trace, and\n"
        "      the called method. total is in ms. The states add up to wall, and the rows,\n"
        "      with time outside of counted methods, to the lives of the threads since the\n"
        "      profile began. If the first line says sampled, the times are estimates, and\n"
        "      rows have the number of samples in place of calls.\n"};

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
