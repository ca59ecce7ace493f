/*
 * alloc_traces.h: the calling thread's trace, for each object that it
 * allocates. Walks its stack to a node (stack_walk.h) and stores the node's trace;
 * asks the VM for frames if the node is new or the walk fails.
 */
#ifndef HPROF_ALLOC_ALLOC_TRACES_H
#define HPROF_ALLOC_ALLOC_TRACES_H

#include "hotspot/stack_walk.h"
#include "profile/profile.h"

struct alloc_traces;

/* NULL without memory. */
struct alloc_traces *alloc_traces_create(struct profile *profile, struct memo_table *memo);
void alloc_traces_destroy(struct alloc_traces *traces);

/* Checks whether stacks can be walked. Live phase. */
void alloc_traces_live(struct alloc_traces *traces, JNIEnv *jni);

/* For messages: the source of traces. */
const char *alloc_traces_describe(const struct alloc_traces *traces);

/* Prepares the walk of one allocation. Its depth is read here once, since a peer may change
 * it; the functions below use this value. skip: the agent's own frames on top of the
 * trace, always the same number above the same code. Any thread. */
void alloc_traces_begin_walk(const struct alloc_traces *traces, uint32_t skip,
                             struct stack_walk *walk);

/* The walker, if walk->depth frames alone determine the trace; NULL if more does, or if
 * stacks come from the VM. Any thread. */
const struct stack_walker *alloc_traces_walker(const struct alloc_traces *traces,
                                               const struct stack_walk *walk);

/* Walks the stack; walk->node is NULL if that is not possible. In a callback on the thread
 * itself. */
void alloc_traces_walk(struct alloc_traces *traces, JNIEnv *jni, struct stack_walk *walk);

/* The trace of the walked stack, in that GC epoch; its record has been written. NULL without memory
 * (reported). */
const struct trace *alloc_traces_of_walk(struct alloc_traces *traces, JNIEnv *jni,
                                         struct stack_walk *walk, uint32_t epoch);

/* Asks the VM for the stack and fails the profile if it differs from the trace. For
 * tests (stacks=check). */
void alloc_traces_check(struct alloc_traces *traces, JNIEnv *jni, const struct stack_walk *walk,
                        const struct trace *trace);

/* Sets the depth of traces for walks from now on. Any thread. */
void alloc_traces_set_depth(struct alloc_traces *traces, uint32_t depth);

#endif
