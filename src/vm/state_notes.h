/*
 * state_notes.h: the notes after a section TRACE MICROSTATES: states that are not known, and which
 * state their time is in.
 */
#ifndef HPROF_VM_STATE_NOTES_H
#define HPROF_VM_STATE_NOTES_H

#include "vm/vm_pauses.h"

/* queues is the number of threads whose waits for a CPU are known, queueless the number of those
 * that had no file descriptor for it. Any thread; takes the writer's lock. */
void state_notes_write(struct record_writer *writer, const struct vm_pauses *pauses,
                       uint32_t queues, uint32_t queueless);

#endif
