/*
 * stackless.h: traces for CPU time with an unknown stack. Each has one frame, so that
 * readers that expect every row's trace to have frames count it like any other:
 * <no_stack>.REASON, where the reason is the method.
 */
#ifndef HPROF_VM_STACKLESS_H
#define HPROF_VM_STACKLESS_H

#include "profile/profile.h"

/* The class of these frames, as the output names it. */
#define STACKLESS_CLASS "<no_stack>"

/* The reason where no stack was asked for. */
#define STACKLESS_DEPTH_0 "depth is 0"

/* Zero it to begin with. Not locked: the owner's lock covers it. */
struct stackless {
	const struct class_record *class; /* the model's; NULL until the first trace */
};

/* The trace of a reason, in which blanks become underscores, and of a thread when its
 * serial is not 0. Written out when it is new. NULL without memory (reported). */
const struct trace *stackless_trace(struct stackless *stackless, struct profile *profile,
                                    const char *reason, uint32_t thread_serial);

#endif
