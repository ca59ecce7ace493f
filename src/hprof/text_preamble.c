/*
 * text_preamble.c: the explanation at the top of a text profile, one entry for each kind
 * of record. Called once by the text format.
 */
#include "hprof/text_preamble.h"

#include "hprof/text_titles.h"

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

static const struct {
	const char *shape;
	const char *meaning;
} record_kinds[] = {
        {"THREAD START",
         "      A thread started, or was already running when profiling started: its object,\n"
         "      its number, its name at that time and the name of its thread group. It is\n"
         "      there again, with the same numbers, if the thread has another name when\n"
         "      sections are written or when it ends.\n"},
        {"THREAD END", "      The thread with that number ended.\n"},
        {"TRACE number:",
         "      A stack trace that other records refer to. One frame per line, the innermost\n"
         "      first, at most as many as the option depth allows: the class and method, and\n"
         "      in parentheses the source file and line, or a note that they are not known.\n"
         "      (thread=) after the number means that the trace belongs to that thread only.\n"
         "      Trace 300000 has no frames: it stands for objects whose allocation stack is\n"
         "      not known. CPU time whose stack is not known is counted in traces with one\n"
         "      frame, of the class <no_stack>; the method of that frame is the reason.\n"},
        {TEXT_SITES,
         "      Where objects were allocated. A site is a trace and a class. A row has its\n"
         "      rank, the site's share of all live bytes (self), that share plus those of\n"
         "      the rows above (accum), the live bytes and the number of live objects, the\n"
         "      bytes and the number of objects allocated since the JVM started (alloc'ed),\n"
         "      the trace that allocated them, and their class. An object counts as live\n"
         "      until a garbage collection has reclaimed it. Objects that existed before\n"
         "      profiling started have trace 300000. If the section is ordered by allocated\n"
         "      bytes, the shares are of allocated bytes. Sites with a share below the\n"
         "      option cutoff have no row.\n"},
        {TEXT_CPU_SAMPLES,
         "      Where the program used the CPU. Each sample stands for one interval of CPU\n"
         "      time of a thread, so a thread that waits gets no samples. A row has its\n"
         "      rank, the share of all samples in its trace (self), that share plus those of\n"
         "      the rows above (accum), the number of samples (count), the trace, and the\n"
         "      method of its innermost frame. Traces with a share below the option cutoff\n"
         "      have no row, but count in the total.\n"},
        {TEXT_SAMPLE_TIMES,
         "      When the samples of the section CPU SAMPLES above were taken. A line has a\n"
         "      trace, and after it pairs bucket:samples. Buckets are intervals of elapsed\n"
         "      time, numbered from 0; bucket is the length of one, and start is when\n"
         "      bucket 0 began, in ms since 1970 (UTC). No trace is left out.\n"},
        {TEXT_CPU_TIME_MS,
         "      Which calls used the CPU, by the CPU clock of each thread. A row has its\n"
         "      rank, the share of the CPU time that the calls with its trace used\n"
         "      themselves, without the calls they made (self), that share plus those of the\n"
         "      rows above (accum), the exact number of calls (count), the trace, and the\n"
         "      called method. total is in ms.\n"},
        {"A table with the header count, callee, caller, time",
         "      How often one method called another, and the CPU time in ms of these calls,\n"
         "      including the calls they made. The table ends with its last row.\n"},
        {TEXT_OFF_CPU_TIME_MS,
         "      The columns of CPU TIME, for the elapsed time in which calls did not use the\n"
         "      CPU: blocked, sleeping, or waiting for a CPU.\n"},
        {TEXT_TRACE_COSTS,
         "      The exact times of the section above that has the title in the parentheses.\n"
         "      A line has a trace, its own time in ns, and its number of calls or waits. No\n"
         "      trace is left out.\n"},
        {TEXT_THREAD_MICROSTATES_MS,
         "      How threads spent their time: live threads, and threads that ended since the\n"
         "      last such section. A row has the thread, the elapsed time since the\n"
         "      operating system created it (life), and how much of that it spent running in\n"
         "      user mode (usr), in the system (sys), in other traps (trp), waiting for code\n"
         "      pages (tfl), for data pages (dfl), for monitors (lck), sleeping or blocked\n"
         "      otherwise (slp), and waiting for a CPU (lat), all in ms; then the numbers of\n"
         "      its voluntary (vcx) and involuntary (icx) context switches, and its name.\n"
         "      \"-\" means that the operating system does not report the state; its time is\n"
         "      then part of another state. The states add up to life.\n"},
        {TEXT_TRACE_MICROSTATES_MS,
         "      The same for calls: the elapsed time that the calls with a trace took\n"
         "      themselves, without the calls they made (wall), and its states. i/o is time\n"
         "      in reads and writes, stw time in which the JVM had stopped the program, to\n"
         "      collect garbage, for example. Then the exact number of calls, the trace, and\n"
         "      the called method. total is in ms. The states add up to wall, and the rows,\n"
         "      with time outside of counted methods, to the lives of the threads since the\n"
         "      profile began. If the first line says sampled, the times are estimates, and\n"
         "      rows have the number of samples in place of calls.\n"},
        {"WAIT: MONITOR class, timeout=, thread",
         "      The thread called Object.wait() on an object of the class, with this timeout\n"
         "      in ms; 0 means no timeout.\n"},
        {"WAITED: MONITOR class, time_waited=, thread",
         "      That wait ended, by a notification, an interrupt or the timeout, after this\n"
         "      elapsed time in ms.\n"},
        {TEXT_MONITOR_DUMP,
         "      The state of the threads at one time, and the monitors that were owned or\n"
         "      waited for. A THREAD has its trace and its status: R is runnable, MW waits\n"
         "      to enter a monitor, CW waits for anything else, ZO has ended; the prefix S|\n"
         "      means suspended, I| interrupted. A MONITOR has the class of its object, the\n"
         "      owner thread with the number of times it has entered the monitor (- if not\n"
         "      known) or \"unowned\", and the threads that wait for it.\n"},
        {TEXT_MONITOR_TIME,
         "      How long threads waited to enter monitors that other threads owned, in\n"
         "      elapsed time. A row has its rank, the share of that time at its trace and\n"
         "      monitor class (self), that share plus those of the rows above (accum), the\n"
         "      number of waits (count), the trace that entered the monitor, and the class\n"
         "      of the monitor's object. total is in ms.\n"},
        {TEXT_HEAP_DUMP " (number of objects, bytes of them)",
         "      All objects that were live at that time. ROOT is a reference that keeps an\n"
         "      object alive, with its kind in kind=: a variable of a frame (Java stack,\n"
         "      with the thread and the index of the frame in that thread's trace, 0 being\n"
         "      the innermost), a reference held by native code (JNI global ref, JNI local\n"
         "      ref), a system class, a thread with its trace, and so on. CLS is a class\n"
         "      with its super class, loader, signers and protection domain, and those of\n"
         "      its static fields and constant pool entries that refer to an object. OBJ is\n"
         "      an object: sz= is its size in the heap in bytes, trace= the trace that\n"
         "      allocated it, class= its class and the object of that class. Its lines are\n"
         "      the fields that refer to an object. ARR is an array with nelems= elements;\n"
         "      its lines are the elements that refer to an object, with their index. Values\n"
         "      of primitive types are in binary dumps only.\n"},
        {"NOTE: text", "      Information about the section above, or about the whole profile.\n"},
};

void text_preamble_write(struct byte_buffer *out)
{
	byte_buffer_add_text(out, introduction);
	for (size_t i = 0; i < sizeof(record_kinds) / sizeof(record_kinds[0]); i++)
		byte_buffer_printf(out, "    %s\n%s", record_kinds[i].shape,
		                   record_kinds[i].meaning);
	byte_buffer_add_text(out, "--------\n\n");
}
