/*
 * async_walker.h: stacks of Java threads from their signal handlers, by our own walk
 * and, where that gives up or is not known, by AsyncGetCallTrace.
 */
#ifndef HPROF_HOTSPOT_ASYNC_WALKER_H
#define HPROF_HOTSPOT_ASYNC_WALKER_H

#include "hotspot/async_call_trace.h"
#include "hotspot/frame_anchor.h"
#include "hotspot/walk_start.h"
#include "hotspot/walk_trial.h"
#include "os/os_machine.h"

#include <jvmti.h>

enum async_own_walk {
	ASYNC_WALKS_NOT, /* not asked for */
	ASYNC_WALKS,     /* comes first */
	/* Comes first once trials have shown that it is right: in a version of the VM that is not
	 * known to be. */
	ASYNC_WALKS_WHEN_TRIED
};

/* What is known of the VM; constant once it is live, except for trial. has_starter is set last:
 * trials may be called before. */
struct async_walker {
	async_get_call_trace *function;
	struct frame_anchor anchor;
	struct os_code_range code; /* of Java methods; empty when not known */
	enum async_own_walk own;
	_Atomic bool has_starter;
	struct walk_starter starter;
	struct walk_trial trial;
};

/* Finds the walker of the VM. False when it exports none. Any phase. */
bool async_walker_find(struct async_walker *walker, jvmtiEnv *jvmti);

/* Finds what helps it, and how to walk without it if own is not ASYNC_WALKS_NOT.
 * Live phase, before the first walk. */
void async_walker_live(struct async_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni,
                       enum async_own_walk own);

/* Try our own walk where the VM says what is right: see walk_trial.h. After async_walker_live(). */
void async_walker_try_stack(struct async_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni);
void async_walker_try_code(struct async_walker *walker, const void *compile_info);

/* Whether our own walk comes first, as far as trials have shown. Signal-safe. */
bool async_walker_walks_first(const struct async_walker *walker);

/* Why our own walk, which was asked for and exists for this CPU, is not used; completes "stacks are
 * walked by AsyncGetCallTrace alone, which misses some: ". NULL if it is used. Any thread. */
const char *async_walker_lacks(const struct async_walker *walker);

/* Writes the innermost frames, at most depth, of the calling thread, interrupted in
 * context (see os_cpu_timer_callback). Returns their number or, when there is no
 * stack, a code of async_call_trace.h. *by_vm: AsyncGetCallTrace gave the stack.
 * Signal-safe. */
int32_t async_walker_walk(const struct async_walker *walker, JNIEnv *jni, void *context,
                          struct raw_frame *frames, uint32_t depth, bool *by_vm);

#endif
