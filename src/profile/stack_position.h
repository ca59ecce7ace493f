/*
 * stack_position.h: where a walk over the frames of the calling thread is, and how it
 * goes on. Reads the thread's own stack only, within its bounds.
 */
#ifndef HPROF_PROFILE_STACK_POSITION_H
#define HPROF_PROFILE_STACK_POSITION_H

#include "profile/stack_walk.h"

#include <string.h>

enum { STACK_WORD = sizeof(uintptr_t) };

struct stack_position {
	uintptr_t sp;
	uintptr_t pc;
	uintptr_t fp;
	uintptr_t base; /* where the stack begins; above all frames */
};

static inline uintptr_t stack_word(uintptr_t address)
{
	uintptr_t word;
	memcpy(&word, (const void *)address, sizeof(word));
	return word;
}

/* Goes to the frame that the anchor names; false when there is none. */
static inline bool stack_go_to_anchor(const struct stack_walker *walker, uintptr_t anchor,
                                      struct stack_position *at)
{
	uintptr_t sp = stack_word(anchor + walker->anchor_sp);
	if (sp <= at->sp || sp >= at->base || sp % STACK_WORD != 0)
		return false;
	at->sp = sp;
	at->fp = stack_word(anchor + walker->anchor_fp);
	at->pc = stack_word(anchor + walker->anchor_pc);
	if (at->pc == 0)
		at->pc = stack_word(sp - STACK_WORD);
	return true;
}

/* Goes to the last Java frame of the calling thread, whose JNIEnv it is; false when there
 * is none. */
static inline bool stack_begin(const struct stack_walker *walker, const JNIEnv *jni,
                               struct stack_position *at)
{
	at->base = stack_word((uintptr_t)((intptr_t)jni + walker->stack_base));
	at->sp = (uintptr_t)at;
	return stack_go_to_anchor(walker, (uintptr_t)((intptr_t)jni + walker->anchor), at);
}

/* Leaves a frame of compiled code or a stub. */
static inline bool stack_leave(struct stack_position *at, uint32_t frame_bytes)
{
	uintptr_t sender = at->sp + frame_bytes;
	if (sender <= at->sp || sender >= at->base)
		return false;
	at->sp = sender;
	at->pc = stack_word(sender - STACK_WORD);
	at->fp = stack_word(sender - 2 * (uintptr_t)STACK_WORD);
	return true;
}

#endif
