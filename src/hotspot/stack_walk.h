/*
 * stack_walk.h: a walk over the frames of the calling thread, in some tens of ns, to a
 * node that represents them. Stacks that lead to the same node have the same Java
 * frames, so the VM needs to be asked for them only once.
 *
 * For callbacks, in which the thread has a last Java frame that does not change.
 * Needs HotSpot's tables for debuggers and a CPU whose frames are known.
 */
#ifndef HPROF_HOTSPOT_STACK_WALK_H
#define HPROF_HOTSPOT_STACK_WALK_H

#include "hotspot/frame_layout.h"
#include "hotspot/memo_table.h"

struct stack_walker {
	struct memo_table *table;
	struct frame_layout layout;
	struct code_cache code;
	/* Counted from a thread's JNIEnv. */
	intptr_t anchor;
	intptr_t stack_base;
	/* Counted from an anchor. */
	uint64_t anchor_sp;
	uint64_t anchor_pc;
	uint64_t anchor_fp;
	uint64_t anchor_bytes;
	/* Of the frame where the VM called Java. */
	int32_t wrapper_slot;
	uint64_t wrapper_anchor;
	/* To check interpreted frames by. */
	uint64_t const_method;
	uint64_t const_method_bytes;
};

/* A walk. A command may change the depth of traces at any time: the caller reads it once,
 * at the beginning, and all that uses the walk takes the depth from here. */
struct stack_walk {
	uint32_t skip;          /* Java frames on top that are no part of the trace */
	uint32_t depth;         /* Java frames to go over, or a few more; those on top included */
	struct memo_node *root; /* where it began; NULL: it has not */
	/* Where it stopped. */
	struct memo_node *node; /* NULL: a frame that the walker doesn't know */
	bool interpreted;       /* the node's meaning ends with its classes' lives */
	bool ended;             /* at the bottom of the stack */
};

/* Finds what a walk needs; false if it is unavailable. Live phase. */
bool stack_walker_find(struct stack_walker *walker, jvmtiEnv *jvmti, JNIEnv *jni,
                       struct memo_table *table);

/* Walks from walk->root, at most walk->depth deep. On the thread of jni. */
void stack_walk(const struct stack_walker *walker, JNIEnv *jni, struct stack_walk *walk);

/* Whether frames, as reported by JVM TI, are those that the walk saw: as many, and at the
 * same bytecodes. walk->node is not NULL. */
bool stack_walk_agrees(const struct stack_walker *walker, const struct stack_walk *walk,
                       const jvmtiFrameInfo *frames, uint32_t count);

#endif
