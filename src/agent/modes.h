/*
 * modes.h: the table of modes.
 */
#ifndef HPROF_AGENT_MODES_H
#define HPROF_AGENT_MODES_H

#include "profile/mode.h"

/* The modes that options can select, in the order of their sections in the output: one that
 * others use comes before them. Ends with NULL. */
extern const struct mode_ops *const mode_table[];

#endif
