/*
 * async_walker.h: stacks of Java threads from their signal handlers, by our own walk
 * and, where that gives up or is not known, by AsyncGetCallTrace.
 */
#ifndef HPROF_HOTSPOT_ASYNC_WALKER_H
#define HPROF_HOTSPOT_ASYNC_WALKER_H

#include "hotspot/async_call_trace.h"
#include "hotspot/frame_anchor.h"
#include "hotspot/walk_start.h"
#include "os/os.h"

#include <jvmti.h>

/* What is known of the VM; constant once it is live. */
struct async_walker {
	async_get_call_trace *function;
	struct frame_anchor anchor;
	struct os_code_range code; /* of Java methods; empty when not known */
	bool walks;                /* by starter, first */
	struct walk_starter starter;
};

/* Finds the walker of the VM. False when it exports none. Any phase. */
bool async_walker_find(struct async_walker *walker, jvmtiEnv *jvmti);

/* Finds what helps it; own_walk: also how to walk without it, which then comes first.
 * Live phase, before the first walk. */
void async_walker_live(struct async_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni, bool own_walk);

/* Writes the innermost frames, at most depth, of the calling thread, interrupted in
 * context (see os_cpu_timer_callback). Returns their number or, when there is no
 * stack, a code of async_call_trace.h. *by_vm: AsyncGetCallTrace gave the stack.
 * Signal-safe. */
int32_t async_walker_walk(const struct async_walker *walker, JNIEnv *jni, void *context,
                          struct raw_frame *frames, uint32_t depth, bool *by_vm);

#endif
