/*
 * own_stack.c: see own_stack.h.
 */
#include "vm/own_stack.h"

#include <stdlib.h>

bool own_stack_take(struct own_stack *stack, jvmtiEnv *jvmti, uint32_t depth)
{
	stack->count = 0;
	stack->frames = stack->few;
	if (depth == 0)
		return true;
	if (depth > OWN_STACK_FEW) {
		stack->frames = malloc(depth * sizeof(*stack->frames));
		if (stack->frames == NULL)
			return false;
	}
	if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, (jint)depth, stack->frames, &stack->count) !=
	    JVMTI_ERROR_NONE)
		stack->count = 0;
	return true;
}

void own_stack_free(struct own_stack *stack)
{
	if (stack->frames != stack->few)
		free(stack->frames);
}
