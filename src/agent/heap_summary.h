/*
 * heap_summary.h: the answer to HEAP SUMMARY where allocations are not tracked.
 */
#ifndef HPROF_AGENT_HEAP_SUMMARY_H
#define HPROF_AGENT_HEAP_SUMMARY_H

#include "profile/profile.h"

/* Collects garbage, counts all objects and writes HEAP SUMMARY. Allocated bytes and objects are
 * unknown and written as 0. The program is stopped meanwhile. False when the VM refuses. On the
 * thread that carries out commands, without the dump lock; live phase. */
bool heap_summary_write(struct profile *profile);

#endif
