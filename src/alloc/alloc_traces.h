/*
 * alloc_traces.h: at which trace the calling thread is, for each object that it
 * allocates. Walks its stack to a node (stack_walk.h) and remembers the node's trace;
 * the VM is asked for frames when the node is new, or not known to the walker.
 */
#ifndef HPROF_ALLOC_ALLOC_TRACES_H
#define HPROF_ALLOC_ALLOC_TRACES_H

#include "hotspot/stack_walk.h"
#include "profile/profile.h"

struct alloc_traces;

/* NULL without memory. */
struct alloc_traces *alloc_traces_create(struct profile *profile, struct memo_table *memo);
void alloc_traces_destroy(struct alloc_traces *traces);

/* Finds out whether stacks can be walked. Live phase. */
void alloc_traces_live(struct alloc_traces *traces, JNIEnv *jni);

/* For messages: how traces are had. */
const char *alloc_traces_describe(const struct alloc_traces *traces);

/* The walk of one allocation, not begun: its depth is the one reading of how many frames
 * traces have, by which everything below goes. skip is how many frames are the agent's own,
 * on top of those of the trace: always as many above the same code. Any thread. */
struct stack_walk alloc_traces_begin_walk(const struct alloc_traces *traces, uint32_t skip);

/* How stacks are walked when nothing but their frames, walk->depth of them, makes the trace;
 * NULL when more does, or stacks come from the VM. Any thread. */
const struct stack_walker *alloc_traces_walker(const struct alloc_traces *traces,
                                               const struct stack_walk *walk);

/* Walks; walk->node is NULL where that is not possible. In a callback on the thread
 * itself. */
void alloc_traces_walk(struct alloc_traces *traces, JNIEnv *jni, struct stack_walk *walk);

/* The trace of what was walked, in that epoch of the heap (see alloc.h); it
 * has been written. NULL without memory (reported). */
const struct trace *alloc_traces_of_walk(struct alloc_traces *traces, JNIEnv *jni,
                                         struct stack_walk *walk, uint32_t epoch);

/* Asks the VM for the stack and reports it as a fault when it is not that trace's. For
 * tests. */
void alloc_traces_check(struct alloc_traces *traces, JNIEnv *jni, const struct stack_walk *walk,
                        const struct trace *trace);

/* Changes how many frames the traces of walks have that begin from now on. Any thread. */
void alloc_traces_set_depth(struct alloc_traces *traces, uint32_t depth);

#endif
