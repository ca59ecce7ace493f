/*
 * own_stack.h: the stack of the calling thread, from JVM TI. No state and no lock. Any thread of
 * the program in the live phase, not a signal handler.
 */
#ifndef HPROF_VM_OWN_STACK_H
#define HPROF_VM_OWN_STACK_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* Frames for which no memory is allocated. */
enum { OWN_STACK_FEW = 64 };

struct own_stack {
	jvmtiFrameInfo few[OWN_STACK_FEW];
	jvmtiFrameInfo *frames; /* innermost first: few, or allocated */
	jint count;             /* of them; 0 also after an error of JVM TI */
};

/* Takes the depth innermost frames, or all that there are. False when out of memory; else
 * own_stack_free() must be called. */
bool own_stack_take(struct own_stack *stack, jvmtiEnv *jvmti, uint32_t depth);
void own_stack_free(struct own_stack *stack);

#endif
