/*
 * interrupts.h: the end of what os_interrupts_catch() began. Private to the platform layer. For a
 * process with one thread.
 */
#ifndef HPROF_OS_INTERRUPTS_H
#define HPROF_OS_INTERRUPTS_H

#include <stdbool.h>

/* Whether requests to end are caught now. */
bool interrupts_are_caught(void);

/* Requests to end do again what they did before; one that was caught does so now. */
void interrupts_release(void);

#endif
