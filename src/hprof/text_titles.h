/*
 * text_titles.h: the titles of the sections of a text profile, for all writers and readers. The
 * first line of a section begins with TEXT_BEGIN() of its title, and its last line is TEXT_END().
 */
#ifndef HPROF_HPROF_TEXT_TITLES_H
#define HPROF_HPROF_TEXT_TITLES_H

#define TEXT_CPU_SAMPLES "CPU SAMPLES"
#define TEXT_SAMPLE_TIMES "SAMPLE TIMES"
#define TEXT_CPU_TIME "CPU TIME"
#define TEXT_OFF_CPU_TIME "OFF-CPU TIME"
#define TEXT_TRACE_COSTS "TRACE COSTS"
#define TEXT_THREAD_MICROSTATES "THREAD MICROSTATES"
#define TEXT_TRACE_MICROSTATES "TRACE MICROSTATES"
#define TEXT_SITES "SITES"
#define TEXT_MONITOR_TIME "MONITOR TIME"
#define TEXT_MONITOR_DUMP "MONITOR DUMP"
#define TEXT_HEAP_DUMP "HEAP DUMP"

/* The titles of some have their unit in the first and the last line. */
#define TEXT_CPU_TIME_MS TEXT_CPU_TIME " (ms)"
#define TEXT_OFF_CPU_TIME_MS TEXT_OFF_CPU_TIME " (ms)"
#define TEXT_THREAD_MICROSTATES_MS TEXT_THREAD_MICROSTATES " (ms)"
#define TEXT_TRACE_MICROSTATES_MS TEXT_TRACE_MICROSTATES " (ms)"

#define TEXT_BEGIN_MARK " BEGIN"
#define TEXT_END_MARK " END"
#define TEXT_BEGIN(title) title TEXT_BEGIN_MARK
#define TEXT_END(title) title TEXT_END_MARK

#endif
