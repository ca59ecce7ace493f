/*
 * heap_summary.h: how much is on the heap, when nothing keeps count of it.
 */
#ifndef HPROF_AGENT_HEAP_SUMMARY_H
#define HPROF_AGENT_HEAP_SUMMARY_H

#include "profile/profile.h"

/* Has the garbage collected, walks over all objects and writes HEAP SUMMARY. What was
 * allocated is not known, and 0. The program stands still meanwhile. False when
 * the VM refuses. Live phase. */
bool heap_summary_write(struct profile *profile);

#endif
