/*
 * cpu_old.c: cpu=old, the table of the older format: for each pair of method and caller,
 * the exact number of calls, counted as by cpu=times, and the CPU time of these calls
 * including all that they called. The time is sampled: each sample of a whole stack, taken
 * as by cpu=samples, counts for every pair in it, once even in a recursion.
 *
 * Locking: samples and dumps are processed under the profile's dump lock. A thread that
 * ends hands over its counts itself, so the costs have their own lock. Order: dump lock,
 * tracker's lock, this lock.
 */
#include "base/array.h"
#include "calls/call_costs.h"
#include "calls/call_counting.h"
#include "calls/calls_mode.h"
#include "os/time_units.h"
#include "sampling/engine_choice.h"
#include "vm/frame_resolver.h"

#include <stdlib.h>

/* A pair is a node of a call graph of depth 2. */
enum { PAIR_DEPTH = 2, STACK_DEPTH = 1024 };

struct cpu_old {
	struct profile *profile;
	struct call_counting counting;
	struct sample_sink sink;
	const struct engine_ops *engine_ops;
	void *engine;
	call_method stack[STACK_DEPTH]; /* of the current sample */
	uint64_t sample_number;
	uint64_t *last_sample; /* by node: the last sample that counted for it */
	size_t last_sample_capacity;

	struct os_mutex lock; /* for costs */
	struct call_costs *costs;
};

static bool cpu_old_is_selected(const struct settings *settings)
{
	return settings->cpu == CPU_OLD;
}

/* ---- counts ------------------------------------------------------------ */

static bool collect_cost(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	struct cpu_old *old = argument;
	/* A frame of an earlier profile may have restored a node of that. */
	return call_graph_node(old->counting.graph, index) == NULL ||
	       call_costs_add(old->costs, index, 0, costs);
}

static void collect_thread(void *argument, struct tracked_thread *thread)
{
	struct cpu_old *old = argument;

	os_mutex_lock(&old->lock);
	bool collected = call_state_collect(thread->state, collect_cost, old);
	os_mutex_unlock(&old->lock);
	if (!collected)
		profile_out_of_memory(old->profile);
}

/* ---- times ------------------------------------------------------------- */

/* Sets old->stack to the instrumented methods of a stack, innermost first; returns their
 * number. */
static uint32_t find_methods(struct cpu_old *old, JNIEnv *jni, const struct raw_frame *frames,
                             uint32_t frame_count)
{
	struct profile *profile = old->profile;
	uint32_t count = 0;

	for (uint32_t i = 0; i < frame_count && count < STACK_DEPTH; i++) {
		const struct frame *frame = frame_resolver_find(
		        profile->resolver, jni, (jmethodID)frames[i].method, frames[i].bci);
		if (frame != NULL && instrumented_methods_find(old->counting.methods, frame->method,
		                                               &old->stack[count]))
			count++;
	}
	return count;
}

/* Whether the current sample has not yet counted for the node, and marks it. */
static bool is_first_time(struct cpu_old *old, uint32_t node)
{
	if (!array_cover(&old->last_sample, &old->last_sample_capacity, node,
	                 sizeof(*old->last_sample))) {
		profile_out_of_memory(old->profile);
		return false;
	}
	if (old->last_sample[node] == old->sample_number)
		return false;
	old->last_sample[node] = old->sample_number;
	return true;
}

/* The node for the call of the method at that place of the stack. */
static const struct call_node *pair_at(struct cpu_old *old, uint32_t place, uint32_t count)
{
	struct call_graph *graph = old->counting.graph;
	const struct call_node *caller = call_graph_root(graph);

	if (place + 1 < count)
		caller = call_graph_find_callee(graph, caller, old->stack[place + 1]);
	return call_graph_find_callee(graph, caller, old->stack[place]);
}

static void cpu_old_add(struct sample_sink *sink, JNIEnv *jni, const struct sample_origin *origin,
                        const struct raw_frame *frames, uint32_t frame_count)
{
	struct cpu_old *old = sink->owner;
	uint64_t costs[COST_KINDS] = {0};
	uint32_t count = find_methods(old, jni, frames, frame_count);

	costs[COST_CPU_NS] = origin->weight * old->profile->settings->interval_ms * NS_PER_MS;
	old->sample_number++;
	os_mutex_lock(&old->lock);
	for (uint32_t place = 0; place < count; place++) {
		const struct call_node *node = pair_at(old, place, count);
		if (is_first_time(old, node->index - call_graph_root(old->counting.graph)->index) &&
		    !call_costs_add(old->costs, node->index, 0, costs))
			profile_out_of_memory(old->profile);
	}
	os_mutex_unlock(&old->lock);
}

/* CPU time without a stack is not attributed. */
static void cpu_old_add_stackless(struct sample_sink *sink, const struct sample_origin *origin,
                                  enum stackless_reason reason)
{
	(void)sink;
	(void)origin;
	(void)reason;
}

/* ---- writing ----------------------------------------------------------- */

/* False without memory. */
static bool fill_row(struct cpu_old *old, const struct call_cost *cost, struct call_pair_row *row)
{
	const struct call_node *node = call_graph_node(old->counting.graph, cost->node);
	bool has_caller = node->depth >= PAIR_DEPTH;

	row->callee = instrumented_methods_get(old->counting.methods, node->methods[0]);
	row->caller = has_caller ? instrumented_methods_get(old->counting.methods, node->methods[1])
	                         : NULL;
	row->calls = cost->costs[COST_CALLS];
	row->total_ns = cost->costs[COST_CPU_NS];
	return row->callee != NULL && (row->caller != NULL || !has_caller);
}

static void cpu_old_write(void *mode)
{
	struct cpu_old *old = mode;
	size_t count = 0;

	tracker_charge_rest(old->counting.tracker);
	tracker_each_thread(old->counting.tracker, collect_thread, old);
	os_mutex_lock(&old->lock);
	const struct call_cost *ranked = call_costs_rank(old->costs, COST_CALLS, 0, &count);
	struct call_pair_row *rows = ranked == NULL ? NULL : calloc(count + 1, sizeof(*rows));
	bool is_complete = rows != NULL;
	size_t filled = 0;
	for (size_t i = 0; i < count && is_complete; i++) {
		if (ranked[i].costs[COST_CALLS] > 0)
			is_complete = fill_row(old, &ranked[i], &rows[filled++]);
	}
	os_mutex_unlock(&old->lock);
	if (is_complete) {
		writer_call_pairs(old->profile->writer, rows, filled);
		call_counting_write_note(&old->counting);
	} else {
		profile_out_of_memory(old->profile);
	}
	free(rows);
}

static void cpu_old_reset(void *mode)
{
	struct cpu_old *old = mode;

	os_mutex_lock(&old->lock);
	call_costs_clear(old->costs);
	os_mutex_unlock(&old->lock);
}

/* ---- life -------------------------------------------------------------- */

static void free_mode(struct cpu_old *old)
{
	call_costs_destroy(old->costs);
	free(old->last_sample);
	os_mutex_destroy(&old->lock);
	free(old);
}

/* NULL without memory. */
static struct cpu_old *new_mode(struct profile *profile)
{
	struct cpu_old *old = calloc(1, sizeof(*old));

	if (old == NULL || os_mutex_init(&old->lock) != 0) {
		free(old);
		return NULL;
	}
	old->profile = profile;
	old->costs = call_costs_create();
	if (old->costs != NULL)
		return old;
	free_mode(old);
	return NULL;
}

static void *cpu_old_create(struct profile *profile, struct mode_needs *needs)
{
	struct cpu_old *old = new_mode(profile);
	const char *reason;

	if (old == NULL) {
		message_print("out of memory");
		return NULL;
	}
	old->sink = (struct sample_sink){
	        .owner = old,
	        .depth = STACK_DEPTH,
	        .current_depth = STACK_DEPTH,
	        .add = cpu_old_add,
	        .add_stackless = cpu_old_add_stackless,
	};
	if (!call_counting_init(&old->counting, profile, PAIR_DEPTH, TRACKER_NO_CLOCK,
	                        collect_thread, old, needs, &reason)) {
		message_print("cpu=old is unavailable: %s", reason);
		free_mode(old);
		return NULL;
	}
	if (!engine_choice_create(profile, &old->sink, needs, &old->engine_ops, &old->engine)) {
		call_counting_destroy(&old->counting);
		free_mode(old);
		return NULL;
	}
	mode_needs_part(needs, &call_counting_hooks, &old->counting);
	mode_needs_part(needs, &old->engine_ops->hooks, old->engine);
	return old;
}

static void cpu_old_live(void *mode, JNIEnv *jni)
{
	struct cpu_old *old = mode;
	struct profile *profile = old->profile;
	(void)jni;

	profile_note(profile, "cpu=old: calls counted (time by %s; clocks: %s)",
	             old->engine_ops->describe(old->engine), os_clock_names());
}

static void cpu_old_destroy(void *mode, JNIEnv *jni)
{
	struct cpu_old *old = mode;
	old->engine_ops->destroy(old->engine, jni);
	call_counting_destroy(&old->counting);
	free_mode(old);
}

const struct mode_ops cpu_old_mode = {
        .title = "CPU usage in old prof format",
        .is_selected = cpu_old_is_selected,
        .create = cpu_old_create,
        .live = cpu_old_live,
        .write = cpu_old_write,
        .reset = cpu_old_reset,
        .destroy = cpu_old_destroy,
};
