/*
 * text_preamble.c: the explanation at the top of a text profile, one entry for
 * each record kind. Called once by the text format.
 */
#include "hprof/text_preamble.h"

#include <stddef.h>

/* Text is set in from the margin, where records begin, and has no first or last line of a
 * section in it: there are readers that search the whole file for those. */
static const char introduction[] =
        "  This file is the profile of one run of a Java program, written by hprof as a\n"
        "  sequence of records. It can hold records of the kinds explained below. Records\n"
        "  appear as things happen. A section with totals has a first and a last line, which add\n"
        "  BEGIN and END to its title below. It covers the run up to the moment in its first\n"
        "  line, and a file may hold several. When the JVM is killed, the last section may be a\n"
        "  provisional one.\n"
        "\n"
        "  Things are referred to by number: threads from 200001 on, in the order of their start,\n"
        "  traces from 300000 on. obj= is a number in hexadecimal that stands for a Java object.\n"
        "  A number keeps its meaning to the end of the file, and none is used twice. Control\n"
        "  characters in names are written as \\u and four hexadecimal digits.\n"
        "\n";

static const struct {
	const char *shape;
	const char *meaning;
} record_kinds[] = {
        {"THREAD START",
         "      A thread has started, or was running when profiling started: its object, its\n"
         "      number, its name at that time and the name of its thread group.\n"},
        {"THREAD END", "      The thread of that number has ended.\n"},
        {"TRACE number:",
         "      A stack trace, which other records refer to. One frame a line, the innermost\n"
         "      first, as far as the option depth goes: the class and method, and in parentheses\n"
         "      the source file and the line, or what is known instead of them. (thread=) behind\n"
         "      the number says that the trace is of that thread alone. Trace 300000 has no\n"
         "      frames: it stands for objects whose stack is not known. CPU time whose stack is\n"
         "      not known is at traces with one frame, of the class <no_stack>, whose method is\n"
         "      the reason.\n"},
        {"SITES",
         "      Where the objects come from. A row has its rank, the share of all bytes that are\n"
         "      live that belongs to its site (self), that share with those of the rows above it\n"
         "      (accum), the bytes and the number of its objects that are live, the same of all\n"
         "      that were allocated since the start of the JVM (alloc'ed), the trace that they\n"
         "      were allocated at, and their class. An object counts as live until a garbage\n"
         "      collection has found that it is not. Those that were there before profiling\n"
         "      started have trace 300000. When the section is ordered by allocated bytes, the\n"
         "      shares are of those. Sites whose share is below the option cutoff have no row.\n"},
        {"CPU SAMPLES",
         "      Where the program used the processor. Each sample stands for one interval of CPU\n"
         "      time of a thread. A row has its rank, the share of all samples that belongs to\n"
         "      its trace (self), that share with those of the rows above it (accum), the\n"
         "      number of samples (count), the trace, and the method of the innermost frame.\n"
         "      Traces whose share is below the option cutoff have no row, but do count in the\n"
         "      total.\n"},
        {"CPU TIME (ms)",
         "      Which calls used the processor. A row has its rank, the share of the CPU time "
         "that\n"
         "      the calls of its trace used themselves, without those they called (self), that\n"
         "      share with those of the rows above it (accum), the exact number of calls (count),\n"
         "      the trace, and the method that was called. total is in ms.\n"},
        {"A table headed count, callee, caller, time",
         "      How often a method called another, and the CPU time in ms of these calls with all\n"
         "      that they called. The table ends where its lines do.\n"},
        {"OFF-CPU TIME (ms)",
         "      The same of the time that went by in calls without using the processor: blocked,\n"
         "      asleep, or waiting for a processor.\n"},
        {"THREAD MICROSTATES (ms)",
         "      How the threads spent their lives: those alive, and those that have ended since\n"
         "      the last such section. A row has the thread, the time since the system made it\n"
         "      (life), and how much of that it was running in user mode (usr) and in the system\n"
         "      (sys), in other traps (trp), waiting for pages of code (tfl) and of data (dfl), "
         "for\n"
         "      monitors (lck), asleep or blocked otherwise (slp), and waiting for a processor\n"
         "      (lat), all in ms; then how often it gave its processor up (vcx) and lost it "
         "(icx),\n"
         "      and its name. \"-\" stands for what the system does not tell, which is then a "
         "part\n"
         "      of another state. The states add up to the life.\n"},
        {"WAIT: MONITOR class, timeout=, thread",
         "      The thread has called Object.wait() on an object of the class: for that many ms "
         "at\n"
         "      the most, or 0 for as long as it takes.\n"},
        {"WAITED: MONITOR class, time_waited=, thread",
         "      It has been notified or interrupted, or the time is over, after that many ms.\n"},
        {"MONITOR DUMP",
         "      What the threads did at one moment, and the monitors that were owned or waited\n"
         "      for. A THREAD has its trace and its status: R runs or could, MW waits to enter a\n"
         "      monitor, CW waits for anything else, ZO has ended; S| before that is suspended,\n"
         "      I| interrupted. A MONITOR has the class of its object, the thread that owns it\n"
         "      with how often it has entered (- when that is not known) or \"unowned\", and the\n"
         "      threads that wait.\n"},
        {"MONITOR TIME",
         "      How long threads waited to enter monitors that others owned. A row has its rank,\n"
         "      the share of the time that belongs to its trace and monitor (self), that share\n"
         "      with those of the rows above it (accum), how often a thread has waited (count),\n"
         "      the trace that entered, and the class of the monitor's object. total is in ms.\n"},
        {"HEAP DUMP (number of objects, bytes of them)",
         "      All objects that were alive at that moment. ROOT is what keeps objects alive: an\n"
         "      object and, in kind=, why: a variable of a frame (Java stack, with the thread and\n"
         "      the frame's place in that thread's trace, the innermost being 0), a reference of\n"
         "      native code (JNI global ref, JNI local ref), a class of the system, a thread with\n"
         "      its trace, and so on. CLS is a class, with its super class, loader, signers and\n"
         "      protection domain, its static fields and the entries of its constant pool, as far\n"
         "      as they refer to an object. OBJ is an object: sz= is what it takes in the heap,\n"
         "      in bytes, trace= where it was allocated, class= its class and that one's object.\n"
         "      Its lines are the fields that refer to an object. ARR is an array of nelems=\n"
         "      elements; those that refer to an object follow, with their index. Values of\n"
         "      primitive types are in binary dumps alone.\n"},
        {"NOTE: text", "      Something to know about the section above, or of the profile.\n"},
};

void text_preamble_write(struct byte_buffer *out)
{
	byte_buffer_add_text(out, introduction);
	for (size_t i = 0; i < sizeof(record_kinds) / sizeof(record_kinds[0]); i++)
		byte_buffer_printf(out, "    %s\n%s", record_kinds[i].shape,
		                   record_kinds[i].meaning);
	byte_buffer_add_text(out, "--------\n\n");
}
