/*
 * alloc_traces.c: see alloc_traces.h. On the threads of the program; no lock
 * but those of the tables, for stacks that are new.
 */
#include "alloc/alloc_traces.h"

#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"
#include "vm/java_threads.h"
#include "vm/own_stack.h"
#include "vm/stack_traces.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Frames of a trace for which no memory is allocated. */
	FEW_FRAMES = 64,
	/* One known trace in this many is checked against the VM again, once in an epoch. */
	CHECK_EVERY = 64,
	ROOT = 1
};

struct alloc_traces {
	struct profile *profile;
	struct memo_table *memo;
	_Atomic uint32_t depth;
	/* Whether stacks are walked; not any more once a walk has been wrong. */
	_Atomic bool walks;
	/* The root of the last walk; NULL with thread=y, when each thread has its own. */
	_Atomic(struct memo_node *) last_root;
	struct stack_walker walker;
};

struct alloc_traces *alloc_traces_create(struct profile *profile, struct memo_table *memo)
{
	struct alloc_traces *traces = calloc(1, sizeof(*traces));
	if (traces == NULL)
		return NULL;
	traces->profile = profile;
	traces->memo = memo;
	atomic_init(&traces->depth, profile->settings->depth);
	return traces;
}

void alloc_traces_destroy(struct alloc_traces *traces)
{
	free(traces);
}

void alloc_traces_live(struct alloc_traces *traces, JNIEnv *jni)
{
	const struct settings *settings = traces->profile->settings;
	bool can_walk =
	        settings->stacks != STACKS_VM && !filter_is_set(&settings->filter) &&
	        stack_walker_find(&traces->walker, traces->profile->jvmti, jni, traces->memo);
	atomic_store(&traces->walks, can_walk);
}

const char *alloc_traces_describe(const struct alloc_traces *traces)
{
	return atomic_load(&traces->walks) ? "stacks walked by the agent"
	                                   : "stacks from the VM, which takes longer";
}

void alloc_traces_set_depth(struct alloc_traces *traces, uint32_t depth)
{
	atomic_store(&traces->depth, depth);
}

/* ---- from the VM ------------------------------------------------------- */

/* The frames of the walk, and with a filter more. False without memory. */
static bool take_stack(const struct alloc_traces *traces, const struct stack_walk *walk,
                       struct own_stack *stack)
{
	const struct profile *profile = traces->profile;
	return own_stack_take(stack, profile->jvmti,
	                      trace_stack_depth(profile->settings, walk->depth));
}

static uint32_t current_serial(struct profile *profile, JNIEnv *jni)
{
	return profile->settings->thread ? java_threads_current_serial(profile->threads, jni) : 0;
}

/* Names the frames, those that the filter leaves on top. Returns how many. */
static uint32_t name_frames(struct alloc_traces *traces, JNIEnv *jni, const struct own_stack *stack,
                            const struct stack_walk *walk, const struct frame **frames)
{
	struct profile *profile = traces->profile;
	uint32_t depth = walk->depth - walk->skip;
	uint32_t count = 0;

	for (jint i = (jint)walk->skip; i < stack->count && count < depth; i++) {
		const struct frame *frame = frame_resolver_find(
		        profile->resolver, jni, stack->frames[i].method, stack->frames[i].location);
		if (frame == NULL)
			break;
		if (count > 0 || trace_may_start(profile->settings, frame))
			frames[count++] = frame;
	}
	return count;
}

static const struct trace *intern(struct alloc_traces *traces, JNIEnv *jni,
                                  const struct own_stack *stack, const struct stack_walk *walk)
{
	struct profile *profile = traces->profile;
	const struct frame *few[FEW_FRAMES];
	const struct frame **frames = few;

	if (walk->depth - walk->skip > FEW_FRAMES)
		frames = malloc((walk->depth - walk->skip) * sizeof(const struct frame *));
	if (frames == NULL)
		return NULL;
	uint32_t serial = current_serial(profile, jni);
	/* A thread that has not started yet has no traces of its own. */
	bool nobody = profile->settings->thread && serial == 0;
	uint32_t count = nobody ? 0 : name_frames(traces, jni, stack, walk, frames);
	const struct trace *trace = trace_publish(profile, frames, count, serial);
	if (frames != few)
		free(frames);
	return trace;
}

/* ---- walking ----------------------------------------------------------- */

/* The root node of walks for traces of one kind: of this depth, and of this thread if
 * traces are per thread. */
static struct memo_node *root_of(struct alloc_traces *traces, JNIEnv *jni, uint32_t depth)
{
	uintptr_t second = (uintptr_t)current_serial(traces->profile, jni) << 16 | depth;
	struct memo_node *node = atomic_load_explicit(&traces->last_root, memory_order_acquire);

	if (node != NULL && node->second == second)
		return node;
	node = memo_find(traces->memo, NULL, ROOT, second);
	if (node == NULL)
		node = memo_add(traces->memo, NULL, ROOT, second, NULL);
	if (!traces->profile->settings->thread)
		atomic_store_explicit(&traces->last_root, node, memory_order_release);
	return node;
}

void alloc_traces_begin_walk(const struct alloc_traces *traces, uint32_t skip,
                             struct stack_walk *walk)
{
	uint32_t depth = atomic_load_explicit(&traces->depth, memory_order_relaxed);
	*walk = (struct stack_walk){.skip = skip, .depth = depth + skip};
}

const struct stack_walker *alloc_traces_walker(const struct alloc_traces *traces,
                                               const struct stack_walk *walk)
{
	bool alone = atomic_load_explicit(&traces->walks, memory_order_relaxed) &&
	             !traces->profile->settings->thread && walk->depth > walk->skip;
	return alone ? &traces->walker : NULL;
}

void alloc_traces_walk(struct alloc_traces *traces, JNIEnv *jni, struct stack_walk *walk)
{
	walk->node = NULL;
	if (!atomic_load_explicit(&traces->walks, memory_order_relaxed))
		return;
	walk->root = root_of(traces, jni, walk->depth);
	if (walk->root != NULL)
		stack_walk(&traces->walker, jni, walk);
}

/* The VM lays out its frames in another way than we know: no more walks. */
static void distrust(struct alloc_traces *traces)
{
	if (atomic_exchange(&traces->walks, false))
		profile_note(traces->profile,
		             "heap: stacks come from the VM from now on (the agent's own walk was "
		             "wrong)");
}

/* Whether the walk's node may stand for the frames that the VM returned. */
static bool is_certain(struct alloc_traces *traces, const struct stack_walk *walk,
                       const struct own_stack *stack)
{
	if (walk->node == NULL || ((uint32_t)stack->count < walk->depth && !walk->ended))
		return false;
	if (stack_walk_agrees(&traces->walker, walk, stack->frames, (uint32_t)stack->count))
		return true;
	distrust(traces);
	return false;
}

/* Whether a trace that is known is to be asked for all the same, once in a while. */
static bool is_due(const struct stack_walk *walk, uint32_t epoch)
{
	enum { NODE_BITS = 6 };
	return ((uint32_t)((uintptr_t)walk->node >> NODE_BITS) ^ epoch >> 1) % CHECK_EVERY == 0;
}

const struct trace *alloc_traces_of_walk(struct alloc_traces *traces, JNIEnv *jni,
                                         struct stack_walk *walk, uint32_t epoch)
{
	const struct trace *known = NULL;
	const struct trace *trace = NULL;
	struct own_stack stack;

	if (walk->node != NULL)
		known = memo_value(walk->node, walk->interpreted ? epoch : 0);
	if (known != NULL && !is_due(walk, epoch))
		return known;
	if (take_stack(traces, walk, &stack)) {
		trace = intern(traces, jni, &stack, walk);
		if (trace != NULL && is_certain(traces, walk, &stack))
			memo_set_value(traces->memo, walk->node, epoch, trace);
		else
			walk->node = NULL;
		own_stack_free(&stack);
	}
	if (known != NULL && trace != NULL && known != trace)
		distrust(traces);
	if (trace == NULL)
		profile_out_of_memory(traces->profile);
	return trace;
}

void alloc_traces_check(struct alloc_traces *traces, JNIEnv *jni, const struct stack_walk *walk,
                        const struct trace *trace)
{
	struct own_stack stack;

	if (!take_stack(traces, walk, &stack))
		return;
	const struct trace *right = intern(traces, jni, &stack, walk);
	own_stack_free(&stack);
	if (right != NULL && right != trace)
		profile_fail(traces->profile, "a stack is taken for trace %u, but is %u",
		             trace->serial, right->serial);
}
