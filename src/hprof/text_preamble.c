/*
 * text_preamble.c: the explanation at the top of a text profile, one entry for each kind
 * of record. Called once by the text format.
 */
#include "hprof/text_preamble.h"

#include "hprof/text_kinds.h"

#include <stddef.h>

/* Every line is indented, since records begin at the margin, and no line contains the first or
 * last line of a section: some readers search the whole file for those. */
static const char introduction[] =
        "  This file is the profile of one run of a Java program, written by the hprof\n"
        "  agent. It is a sequence of records in the order of events; the kinds of records\n"
        "  are explained below. A section, which is a table of totals, starts and ends with\n"
        "  a line of its title followed by the word BEGIN or END. It covers the run up to\n"
        "  the time in its first line, and a file can contain several. If the JVM was\n"
        "  killed, the last section may be provisional.\n"
        "\n"
        "  Threads are numbered from 200001 in the order in which they started, traces from\n"
        "  300000. obj= is a hexadecimal number that identifies a Java object. A number has\n"
        "  the same meaning in the whole file and is never reused. Control characters in\n"
        "  names are written as \\u and four hexadecimal digits.\n"
        "\n";

static const struct text_kind thread_start = {
        "THREAD START",
        "      A thread started, or was already running when profiling started: its object,\n"
        "      its number, its name at that time and the name of its thread group. It is\n"
        "      there again, with the same numbers, if the thread has another name when\n"
        "      sections are written or when it ends.\n"};

static const struct text_kind thread_end = {"THREAD END",
                                            "      The thread with that number ended.\n"};

static const struct text_kind trace = {
        "TRACE number:",
        "      A stack trace that other records refer to. One frame per line, the innermost\n"
        "      first, at most as many as the option depth allows: the class and method, and\n"
        "      in parentheses the source file and line, or a note that they are not known.\n"
        "      (thread=) after the number means that the trace belongs to that thread only.\n"
        "      Trace 300000 has no frames: it stands for objects whose allocation stack is\n"
        "      not known. CPU time whose stack is not known is counted in traces with one\n"
        "      frame, of the class <no_stack>; the method of that frame is the reason.\n"};

static const struct text_kind note = {
        "NOTE: text", "      Information about the section above, or about the whole profile.\n"};

/* In the order of the preamble. */
static const struct text_kind *const kinds[] = {
        &thread_start,
        &thread_end,
        &trace,
        &text_kind_sites,
        &text_kind_cpu_samples,
        &text_kind_sample_times,
        &text_kind_cpu_time,
        &text_kind_call_pairs,
        &text_kind_off_cpu_time,
        &text_kind_trace_costs,
        &text_kind_microstates,
        &text_kind_trace_states,
        &text_kind_monitor_wait,
        &text_kind_monitor_waited,
        &text_kind_monitor_dump,
        &text_kind_monitor_time,
        &text_kind_heap_dump,
        &note,
};

void text_preamble_write(struct byte_buffer *out)
{
	byte_buffer_add_text(out, introduction);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		byte_buffer_printf(out, "    %s\n%s", kinds[i]->shape, kinds[i]->meaning);
	byte_buffer_add_text(out, "--------\n\n");
}
