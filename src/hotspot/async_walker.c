/*
 * async_walker.c: see async_walker.h. Runs in the handler of the timer's signal, on the thread that
 * is walked; no lock, no memory but the stack's. Our own walk comes first (walk_start.h): it gives
 * up where a frame is not certain, and on CPUs whose code is not known (machine_code.h). The VM's
 * walker, asked then, knows more kinds of frames, but takes a wrong frame for the caller at times,
 * and ends there or leaves out frames. Where it finds no stack it is asked again:
 * - in Java code: it wants the interrupted method to have its frame. In the first and last
 *   instructions of a method, and in the small stubs that compiled code calls, there is none, and
 *   the caller stands for it.
 * - in the VM: with the thread's note of its last Java frame mended (frame_anchor.h).
 * What trials show to be wrong is not used: the VM's walker is then asked alone.
 */
#include "hotspot/async_walker.h"

#include "hotspot/machine_code.h"

#include <string.h>

struct walk {
	const struct async_walker *walker;
	struct async_call_trace trace;
	jint depth;
	void *context;
	struct frame_anchor_note noted;
};

static bool walk_from(struct walk *walk, void *context)
{
	walk->walker->function(&walk->trace, walk->depth, context);
	return walk->trace.frame_count > 0;
}

static void walk_from_caller(struct walk *walk)
{
	struct os_context returned;
	unsigned place = 0;

	while (os_context_return(walk->context, &walk->walker->code, &place, &returned))
		if (walk_from(walk, &returned.machine))
			return;
}

/* Whether what a trial is of may be used. */
static bool is_trusted(const struct async_walker *walker, const _Atomic int *result)
{
	int known = atomic_load_explicit(result, memory_order_relaxed);
	return known == WALK_RIGHT ||
	       (known == WALK_UNTRIED && walker->own != ASYNC_WALKS_WHEN_TRIED);
}

bool async_walker_walks_first(const struct async_walker *walker)
{
	return walker->has_starter && is_trusted(walker, &walker->trial.stacks) &&
	       is_trusted(walker, &walker->trial.code);
}

static void walk_from_note(struct walk *walk)
{
	const struct frame_anchor *anchor = &walk->walker->anchor;

	if (!is_trusted(walk->walker, &walk->walker->trial.stacks))
		return;
	if (frame_anchor_complete(anchor, walk->trace.jni, &walk->noted) &&
	    walk_from(walk, walk->context))
		return;
	if (frame_anchor_leave_frame(anchor, walk->trace.jni, &walk->noted))
		(void)walk_from(walk, walk->context);
}

static void walk_stack(void *argument)
{
	struct walk *walk = argument;

	if (walk_from(walk, walk->context))
		return;
	int32_t code = walk->trace.frame_count;
	if (code == ASYNC_UNKNOWN_JAVA || code == ASYNC_NOT_WALKABLE_JAVA)
		walk_from_caller(walk);
	else if (code == ASYNC_UNKNOWN_NOT_JAVA || code == ASYNC_NOT_WALKABLE_NOT_JAVA)
		walk_from_note(walk);
	if (walk->trace.frame_count <= 0)
		walk->trace.frame_count = code;
}

static int32_t walk_by_vm(const struct async_walker *walker, JNIEnv *jni, void *context,
                          struct raw_frame *frames, uint32_t depth)
{
	struct walk walk = {
	        .walker = walker,
	        .trace = {.jni = jni, .frames = frames},
	        .depth = (jint)depth,
	        .context = context,
	};
	if (!os_call_guarded(walk_stack, &walk))
		walk.trace.frame_count = ASYNC_FAULT;
	frame_anchor_restore(&walker->anchor, jni, &walk.noted);
	return walk.trace.frame_count;
}

int32_t async_walker_walk(const struct async_walker *walker, JNIEnv *jni, void *context,
                          struct raw_frame *frames, uint32_t depth, bool *by_vm)
{
	int32_t own = WALK_UNKNOWN;

	*by_vm = false;
	if (async_walker_walks_first(walker))
		own = walk_start(&walker->starter, jni, context, frames, depth);
	if (own > 0)
		return own;
	int32_t count = walk_by_vm(walker, jni, context, frames, depth);
	*by_vm = count > 0;
	bool reason_known = count == ASYNC_GC_ACTIVE || count == ASYNC_THREAD_EXIT;
	if (own == WALK_TOO_LONG && count <= 0 && !reason_known)
		return ASYNC_TOO_LONG;
	return own == 0 && count < 0 && !reason_known ? ASYNC_NO_JAVA_FRAME : count;
}

bool async_walker_find(struct async_walker *walker, jvmtiEnv *jvmti)
{
	const void *in_vm = (const void *)(*jvmti)->GetEnvironmentLocalStorage;
	void *function = os_symbol_beside(in_vm, ASYNC_GET_CALL_TRACE);

	if (function == NULL)
		return false;
	memcpy(&walker->function, &function, sizeof(walker->function));

	/* It probes memory and relies on the VM to survive that. */
	(void)os_guard_ask_vm(in_vm);
	return true;
}

void async_walker_live(struct async_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni,
                       enum async_own_walk own)
{
	struct vm_structs structs;

	walker->own = own;
	if (!vm_structs_find(&structs, jvmti))
		return;
	frame_anchor_find(&walker->anchor, &structs, jvmti, jni);
	if (!code_cache_range(&walker->code, &structs))
		walker->code = (struct os_code_range){0};
	atomic_store(&walker->has_starter,
	             own != ASYNC_WALKS_NOT && walk_starter_find(&walker->starter, jvmti, jni));
}

void async_walker_try_stack(struct async_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni)
{
	if (walker->has_starter)
		walk_trial_stack(&walker->trial, &walker->starter, jvmti, jni);
}

void async_walker_try_code(struct async_walker *walker, const void *compile_info)
{
	if (walker->has_starter)
		walk_trial_code(&walker->trial, &walker->starter, compile_info);
}

const char *async_walker_lacks(const struct async_walker *walker)
{
	if (walker->own == ASYNC_WALKS_NOT || !machine_code_is_known() ||
	    async_walker_walks_first(walker))
		return NULL;
	if (!walker->has_starter)
		return "this JVM lacks, or has moved, what the agent's own walk reads";
	if (atomic_load(&walker->trial.stacks) == WALK_WRONG ||
	    atomic_load(&walker->trial.code) == WALK_WRONG)
		return "in this JVM the agent's own walk was wrong when it was tried";
	return "the agent's own walk has not been tried yet in this JVM";
}
