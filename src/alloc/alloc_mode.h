/*
 * alloc_mode.h: the modes of heap=sites, and of allocation traces for heap=dump.
 */
#ifndef HPROF_ALLOC_ALLOC_MODE_H
#define HPROF_ALLOC_ALLOC_MODE_H

#include "profile/mode.h"

/* Tracks allocations and live objects; active before the modes that use it. */
extern const struct mode_ops alloc_mode;

/* Writes the sections of heap=sites. */
extern const struct mode_ops heap_sites_mode;

/* Answers the peer's commands about sites, and has no part in dumps. Started by such a command;
 * needs alloc_mode. */
extern const struct mode_ops heap_sites_answers_mode;

#endif
