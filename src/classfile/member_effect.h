/*
 * What instructions that use a field or call a method do to the operand stack, by
 * the descriptor in their constant. Used by the rewriter only; pure functions.
 */
#ifndef HPROF_CLASSFILE_MEMBER_EFFECT_H
#define HPROF_CLASSFILE_MEMBER_EFFECT_H

#include "classfile/constant_pool.h"

struct member_effect {
	uint32_t pops;    /* slots; the lowest is the object, if the instruction takes one */
	bool initializes; /* calls <init>: the object is initialised then */
	struct classfile_name pushed; /* descriptor of the value; V for none */
};

/*
 * Reads the effect of getstatic to invokedynamic, whose constant is at an index.
 * False if it does not fit the instruction.
 */
bool member_effect_read(const struct constant_pool *pool, uint8_t opcode, uint16_t index,
                        struct member_effect *effect);

#endif
