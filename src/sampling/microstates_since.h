/*
 * microstates_since.h: the microstates of a part of a system thread's life. Pure.
 */
#ifndef HPROF_SAMPLING_MICROSTATES_SINCE_H
#define HPROF_SAMPLING_MICROSTATES_SINCE_H

#include "os/os.h"

/* Takes from states, a later reading of the same system thread, what was there at begun. The known
 * states sum to life_ns again. CPU time is exact; a system that knows its split into usr and sys in
 * ticks alone can correct it, and then usr is no less than 0 and no more than all of it. */
void microstates_since(struct os_microstates *states, const struct os_microstates *begun);

#endif
