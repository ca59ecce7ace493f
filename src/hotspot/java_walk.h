/*
 * java_walk.h: the Java frames of the calling thread from a place on its stack, as
 * method ids and bytecode indexes, by our own walk of HotSpot's frames. For samples
 * that AsyncGetCallTrace gives no stack for; any thread, in its signal handler.
 *
 * A walk is right or fails: each return address has to be one that its method
 * describes, each interpreted frame to have a method and a bytecode of it, each
 * compiled frame to end in the method that was compiled, each method to have an id
 * that leads back to it, all up to the bottom of the stack or some frames beyond those
 * that are asked for. So a place that is only guessed may be tried.
 */
#ifndef HPROF_HOTSPOT_JAVA_WALK_H
#define HPROF_HOTSPOT_JAVA_WALK_H

#include "hotspot/async_call_trace.h"
#include "hotspot/code_methods.h"
#include "hotspot/stack_position.h"
#include "hotspot/vm_methods.h"

/* Constant after the start. */
struct java_walker {
	struct stack_walker stack;
	struct code_methods code;
	struct vm_methods methods;
};

/* A walk to be tried, once or more. Each frame that is passed is a step; when none is left, the
 * walk fails: what it reads is not what it was made for, and would take too long. */
struct java_walk {
	const struct java_walker *walker;
	struct raw_frame *frames; /* out, depth long */
	uint32_t depth;
	uint32_t count; /* out */
	uint32_t steps; /* left for all tries together */
};

/* Enough steps for a walk to that depth and what is tried before it is found. */
uint32_t java_walk_steps(uint32_t depth);

/* What the code of the first frame is about to do. */
enum java_walk_frame {
	JAVA_WALK_CALLING,    /* a call is under way that its method describes */
	JAVA_WALK_IN_VM,      /* a call is under way, of the VM, perhaps not described */
	JAVA_WALK_INTERRUPTED /* any instruction */
};

/* Where a walk begins. */
struct java_walk_start {
	struct stack_position at;
	enum java_walk_frame frame;
	/* A method that has no frame yet or any more, with its bytecode index; or 0. */
	uintptr_t method;
	int32_t bci;
};

/* Finds what a walk needs; false if it is unavailable, as on CPUs whose code is not
 * known (machine_code.h). Live phase. */
bool java_walker_find(struct java_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni);

/* Walks from start; false when it does not lead to the bottom of a stack or beyond
 * depth. Signal-safe for any content of start, even invalid. */
bool java_walk_try(struct java_walk *walk, const struct java_walk_start *start);

#endif
