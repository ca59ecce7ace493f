/*
 * heap_dump_mode.h: the modes of heap=dump.
 */
#ifndef HPROF_HEAPDUMP_HEAP_DUMP_MODE_H
#define HPROF_HEAPDUMP_HEAP_DUMP_MODE_H

#include "profile/mode.h"

/* Dumps the heap at each dump. */
extern const struct mode_ops heap_dump_mode;

/* Dumps the heap for the peer's command alone, and has no part in other dumps. Started by such
 * a command. */
extern const struct mode_ops heap_dump_answers_mode;

#endif
