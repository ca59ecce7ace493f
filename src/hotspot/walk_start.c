/*
 * walk_start.c: see walk_start.h. Used only on CPUs whose code is known (machine_code.h). A thread
 * that is in the VM, or in native code, has left a note of its last Java frame (its anchor). One
 * that is interrupted in Java code has its registers (walk_registers.h).
 */
#include "hotspot/walk_start.h"

#include "hotspot/walk_registers.h"

static bool try_anchor(struct walk_search *search, JNIEnv *jni)
{
	const struct stack_walker *stack = &search->starter->walker.stack;
	struct stack_position at = {
	        .sp = search->registers.stack_pointer - STACK_WORD,
	        .base = search->base,
	};
	uintptr_t anchor = (uintptr_t)((intptr_t)jni + stack->anchor);

	/* Without a noted address the call pushed it, if it has happened. */
	if (any_word_at(anchor + stack->anchor_pc) == 0)
		at.sp = search->registers.stack_pointer;
	return stack_go_to_anchor(stack, anchor, &at) &&
	       walk_search_try(search, at.pc, at.sp, at.fp, JAVA_WALK_IN_VM);
}

struct search_call {
	struct walk_search *search;
	JNIEnv *jni;
	bool no_java;
};

static void search_stack(void *argument)
{
	struct search_call *call = argument;
	struct walk_search *search = call->search;
	const struct walk_starter *starter = search->starter;
	intptr_t jni = (intptr_t)call->jni;

	int32_t state = *(const volatile int32_t *)(jni + starter->thread_state);
	search->base = any_word_at((uintptr_t)(jni + starter->walker.stack.stack_base));
	uintptr_t anchor = (uintptr_t)(jni + starter->walker.stack.anchor);
	bool noted = any_word_at(anchor + starter->walker.stack.anchor_sp) != 0;
	if (noted && try_anchor(search, call->jni))
		return;
	if (state == starter->state_in_java || state == starter->state_in_java_trans)
		walk_registers_search(search);
	else
		call->no_java = !noted;
}

int32_t walk_start(const struct walk_starter *starter, JNIEnv *jni, const void *context,
                   struct raw_frame *frames, uint32_t depth)
{
	struct walk_search search = {
	        .starter = starter,
	        .walk = {.walker = &starter->walker,
	                 .frames = frames,
	                 .depth = depth,
	                 .steps = java_walk_steps(depth)},
	        .follow_steps = WALK_FOLLOWED_STEPS,
	};
	struct search_call call = {.search = &search, .jni = jni};

	if (!os_context_registers(context, &search.registers))
		return WALK_UNKNOWN;
	bool survived = os_call_guarded(search_stack, &call);
	if (survived && call.no_java)
		return 0;
	if (survived && search.found)
		return (int32_t)search.walk.count;
	return search.walk.steps == 0 ? WALK_TOO_LONG : WALK_UNKNOWN;
}
