/*
 * stack_position.h: where a walk over the frames of the calling thread is, and how it
 * goes on. Reads the thread's own stack only, within its bounds.
 */
#ifndef HPROF_HOTSPOT_STACK_POSITION_H
#define HPROF_HOTSPOT_STACK_POSITION_H

#include "hotspot/any_memory.h"
#include "hotspot/stack_walk.h"

enum {
	STACK_WORD = sizeof(uintptr_t),
	/* An interpreted frame, in words from its frame pointer. */
	STACK_INTERPRETED_SENDER_SP = -1,
	STACK_INTERPRETED_METHOD = -3
};

struct stack_position {
	uintptr_t sp;
	uintptr_t pc;
	uintptr_t fp;
	uintptr_t base; /* where the stack begins; above all frames */
};

/* Goes to the frame that the anchor names; false when there is none. */
static inline bool stack_go_to_anchor(const struct stack_walker *walker, uintptr_t anchor,
                                      struct stack_position *at)
{
	uintptr_t sp = any_word_at(anchor + walker->anchor_sp);
	if (sp <= at->sp || sp >= at->base || sp % STACK_WORD != 0)
		return false;
	at->sp = sp;
	at->fp = any_word_at(anchor + walker->anchor_fp);
	at->pc = any_word_at(anchor + walker->anchor_pc);
	if (at->pc == 0)
		at->pc = any_word_at(sp - STACK_WORD) & walker->layout.address_bits;
	return true;
}

/* Goes to the last Java frame of the calling thread; jni is its JNIEnv. False if there
 * is none. */
static inline bool stack_begin(const struct stack_walker *walker, const JNIEnv *jni,
                               struct stack_position *at)
{
	at->base = any_word_at((uintptr_t)((intptr_t)jni + walker->stack_base));
	at->sp = (uintptr_t)at;
	return stack_go_to_anchor(walker, (uintptr_t)((intptr_t)jni + walker->anchor), at);
}

/* Leaves a frame of compiled code or a stub. */
static inline bool stack_leave(const struct stack_walker *walker, struct stack_position *at,
                               uint32_t frame_bytes)
{
	uintptr_t sender = at->sp + frame_bytes;
	if (sender <= at->sp || sender >= at->base)
		return false;
	at->sp = sender;
	at->pc = any_word_at(sender - STACK_WORD) & walker->layout.address_bits;
	at->fp = any_word_at(sender - 2 * (uintptr_t)STACK_WORD);
	return true;
}

static inline bool stack_has(const struct stack_position *at, uintptr_t address)
{
	return address > at->sp && address < at->base && address % STACK_WORD == 0;
}

static inline uintptr_t stack_frame_word(uintptr_t fp, int32_t slot)
{
	return any_word_at(fp + (uintptr_t)((intptr_t)slot * STACK_WORD));
}

static inline bool stack_is_interpreted(const struct stack_walker *walker,
                                        const struct stack_position *at)
{
	return at->pc >= walker->code.interpreter_begin && at->pc < walker->code.interpreter_end;
}

/* Leaves an interpreted frame and returns the addresses of the VM's method and bytecode in
 * it. They are valid as long as the class is loaded. */
static inline bool stack_leave_interpreted(const struct stack_walker *walker,
                                           struct stack_position *at, uintptr_t *method,
                                           uintptr_t *bytecode)
{
	uintptr_t fp = at->fp;
	if (!stack_has(at, fp))
		return false;
	*method = stack_frame_word(fp, STACK_INTERPRETED_METHOD);
	*bytecode = stack_frame_word(fp, walker->layout.bytecode_slot);
	uintptr_t sender = stack_frame_word(fp, STACK_INTERPRETED_SENDER_SP);
	if (sender <= fp && walker->layout.overlaps_caller)
		sender = fp + 2 * (uintptr_t)STACK_WORD;
	if (sender <= fp || sender >= at->base || sender % STACK_WORD != 0)
		return false;
	at->sp = sender;
	at->pc = stack_frame_word(fp, 1) & walker->layout.address_bits;
	at->fp = any_word_at(fp);
	return true;
}

/* Goes from a frame where the VM called Java to where Java called the VM; if nothing did,
 * the stack has ended. */
static inline bool stack_leave_entry(const struct stack_walker *walker, struct stack_position *at,
                                     bool *ended)
{
	if (!stack_has(at, at->fp))
		return false;
	uintptr_t wrapper = stack_frame_word(at->fp, walker->wrapper_slot);
	if (!stack_has(at, wrapper))
		return false;
	uintptr_t anchor = wrapper + walker->wrapper_anchor;
	if (anchor >= at->base || at->base - anchor <= walker->anchor_bytes)
		return false;
	*ended = any_word_at(anchor + walker->anchor_sp) == 0;
	return *ended || stack_go_to_anchor(walker, anchor, at);
}

#endif
