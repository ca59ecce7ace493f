/*
 * difference_export.h: writes a part of a difference for other programs. One thread; no lock.
 */
#ifndef HPROF_GATE_DIFFERENCE_EXPORT_H
#define HPROF_GATE_DIFFERENCE_EXPORT_H

#include "console/output.h"
#include "gate/difference.h"

/* All return false when out of memory or the output failed. A part can be written once. */

/* Collapsed stacks with two numbers: the stack, old, new. */
bool difference_write_collapsed(struct difference_part *part, struct output *output);

/* A flame graph of the new values, SVG, coloured by what changed. */
bool difference_write_flame(struct difference_part *part, const struct difference_name *name,
                            struct output *output);

#endif
