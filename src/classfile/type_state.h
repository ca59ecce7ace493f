/*
 * Simulates instructions on the types of locals and stack, from one stack map
 * frame to the next. It is no verifier: it simulates code that a verifier would
 * accept, and gives up otherwise. Used by the rewriter only.
 */
#ifndef HPROF_CLASSFILE_TYPE_STATE_H
#define HPROF_CLASSFILE_TYPE_STATE_H

#include "classfile/verification_type.h"

/* One entry a slot; a long or double is followed by TYPE_SECOND_SLOT. */
struct type_state {
	const struct method_code *code;
	struct verification_type *locals;
	struct verification_type *stack;
	uint32_t max_locals;
	uint32_t max_stack;
	uint32_t depth;
	bool this_initialized; /* the last step called super() or this() */
};

/* Prepares a state over arrays of max_locals and max_stack entries. */
void type_state_init(struct type_state *state, const struct method_code *code,
                     struct verification_type *locals, struct verification_type *stack);

/* Copies a frame, which fits max_locals and max_stack. */
void type_state_load(struct type_state *state, const struct frame *frame);

/* Writes the state as a frame; its arrays have the room that the state's have. */
void type_state_store(const struct type_state *state, struct frame *frame);

/* Simulates one instruction. False if it does not fit the state. */
bool type_state_step(struct type_state *state, const struct instruction *instruction);

#endif
