/*
 * virtual_calls.c: see virtual_calls.h.
 */
#include "calls/virtual_calls.h"

#include "calls/parked_threads.h"
#include "vm/java_thread_records.h"
#include "vm/java_thread_serials.h"

#include <stdlib.h>
#include <string.h>

/* That class, and in later JDKs one in it, runs what a virtual thread runs. */
#define VIRTUAL_THREAD "java.lang.VirtualThread"

/* The most calls from the one that waits to the one that leaves the carrier. */
enum { CALLS_OF_A_WAIT = 16 };

struct virtual_calls {
	struct profile *profile;
	struct tracker *tracker;
	struct call_graph *graph;
	struct instrumented_methods *methods;
	struct costs_by_thread *costs; /* NULL without per-thread traces */
	struct parked_threads *parked;
};

struct virtual_calls *virtual_calls_create(struct profile *profile, struct tracker *tracker,
                                           struct call_graph *graph,
                                           struct instrumented_methods *methods,
                                           struct costs_by_thread *costs)
{
	struct virtual_calls *calls = calloc(1, sizeof(*calls));

	if (calls == NULL)
		return NULL;
	*calls = (struct virtual_calls){.profile = profile,
	                                .tracker = tracker,
	                                .graph = graph,
	                                .methods = methods,
	                                .costs = costs};
	calls->parked = parked_threads_create();
	if (calls->parked != NULL)
		return calls;
	free(calls);
	return NULL;
}

void virtual_calls_destroy(struct virtual_calls *calls)
{
	if (calls == NULL)
		return;
	parked_threads_destroy(calls->parked);
	free(calls);
}

/* ---- leaving a carrier ---------------------------------------------------- */

/* Whether the method of node outer is one of the open calls of node. */
static bool is_open_in(struct virtual_calls *calls, uint32_t outer, uint32_t node)
{
	const struct call_node *caller = call_graph_node(calls->graph, outer);
	const struct call_node *open = call_graph_node(calls->graph, node);

	if (caller == NULL || open == NULL)
		return false;
	for (uint32_t i = 0; i < open->depth && i < CALLS_OF_A_WAIT; i++) {
		if (open->methods[i] == caller->method)
			return true;
	}
	return false;
}

/* What the virtual thread waits for: a monitor, a lock that it parks for, or what a method has
 * announced that waits for all threads by parking this one. */
static enum wait_cause cause_of(struct virtual_calls *calls, JNIEnv *jni,
                                const struct tracked_thread *thread, uint32_t node)
{
	enum wait_cause cause = thread_breaks_cause(&thread->breaks, node);
	uint32_t caller;

	if (cause == WAIT_NONE)
		cause = tracker_park_cause(calls->tracker, jni);
	if (cause != WAIT_LOCK && thread_breaks_called(&thread->breaks, &caller) == WAIT_IO &&
	    is_open_in(calls, caller, node))
		cause = WAIT_IO;
	return cause;
}

/* 0 without per-thread traces. */
static uint32_t serial_of(struct virtual_calls *calls, JNIEnv *jni, jthread object)
{
	if (calls->costs == NULL)
		return 0;
	const struct java_thread *thread =
	        java_threads_find_or_add(calls->profile->threads, jni, object);
	return thread == NULL ? 0 : thread->serial;
}

static void virtual_calls_unmounted(void *argument, JNIEnv *jni, jthread object)
{
	struct virtual_calls *calls = argument;
	struct tracked_thread *thread = tracker_current(calls->tracker);
	uint64_t tid = java_threads_tid(calls->profile->threads, jni, object);
	struct parked_thread parked = {.tid = tid};

	if (thread == NULL || tid == 0)
		return;
	parked.node = call_state_open_node(thread->state);
	parked.open = call_state_open(parked.node, parked.node);
	if (thread->state->has_states)
		parked.cause = cause_of(calls, jni, thread, parked.node);
	/* What the carrier calls next is none of the virtual thread's calls. */
	uint32_t root = call_graph_root(calls->graph)->index;
	parked.owner = tracker_switch(calls->tracker, thread, &(struct cost_owner){0},
	                              call_state_open(root, root));
	/* One that was mounted before the profile began. */
	if (parked.owner.serial == 0)
		parked.owner.serial = serial_of(calls, jni, object);
	parked.since_ns = call_state_charged_ns(thread->state);
	parked.waits = thread_breaks_leave(&thread->breaks);
	if (!parked_threads_add(calls->parked, &parked))
		profile_out_of_memory(calls->profile);
}

static void virtual_calls_ended(void *argument, JNIEnv *jni, jthread object)
{
	struct virtual_calls *calls = argument;
	uint64_t tid = java_threads_tid(calls->profile->threads, jni, object);
	struct parked_thread parked;

	if (parked_threads_take(calls->parked, tid, &parked) && calls->costs != NULL &&
	    !costs_by_thread_end(calls->costs, &parked.owner))
		profile_out_of_memory(calls->profile);
}

/* ---- continuing on one ----------------------------------------------------- */

static bool is_of_virtual_thread(struct virtual_calls *calls, call_method number)
{
	const struct method *method = instrumented_methods_get(calls->methods, number);
	return method != NULL &&
	       strncmp(method->class->name->text, VIRTUAL_THREAD, strlen(VIRTUAL_THREAD)) == 0;
}

/* The node at which the calls of a virtual thread begin that starts in the open call: that call,
 * but without the carrier's. */
static uint32_t find_beginning(struct virtual_calls *calls, uint32_t open)
{
	const struct call_node *root = call_graph_root(calls->graph);
	const struct call_node *node = call_graph_node(calls->graph, open);

	if (node == NULL || node->depth == 0 || !is_of_virtual_thread(calls, node->method))
		return root->index;
	return call_graph_find_callee(calls->graph, root, node->method)->index;
}

static void begin(struct virtual_calls *calls, struct tracked_thread *thread, uint32_t serial)
{
	const struct cost_owner owner = {.serial = serial};
	uint32_t open = call_state_open_node(thread->state);

	/* Finding it takes the graph's lock; nearly all begin in the same call. */
	if (thread->begun_in != open || thread->beginning == 0) {
		thread->begun_in = open;
		thread->beginning = find_beginning(calls, open);
	}
	(void)tracker_switch(calls->tracker, thread, &owner,
	                     call_state_open(thread->beginning, thread->beginning));
}

static void proceed(struct virtual_calls *calls, struct tracked_thread *thread,
                    const struct parked_thread *parked)
{
	(void)tracker_switch(calls->tracker, thread, &parked->owner, parked->open);
	thread_breaks_resume(&thread->breaks, &parked->waits);
	uint64_t now_ns = call_state_charged_ns(thread->state);
	if (!thread->state->has_states || now_ns <= parked->since_ns)
		return;
	if (!call_state_add_off_cpu(thread->state, parked->node))
		profile_out_of_memory(calls->profile);
	else
		call_state_charge_wait(thread->state, parked->node, wait_cause_state(parked->cause),
		                       now_ns - parked->since_ns);
}

static void virtual_calls_mounted(void *argument, JNIEnv *jni, jthread object)
{
	struct virtual_calls *calls = argument;
	struct tracked_thread *thread = tracker_current(calls->tracker);
	uint64_t tid = java_threads_tid(calls->profile->threads, jni, object);
	struct parked_thread parked;

	if (thread == NULL || tid == 0)
		return;
	if (parked_threads_take(calls->parked, tid, &parked))
		proceed(calls, thread, &parked);
	else
		begin(calls, thread, serial_of(calls, jni, object));
}

/* ---- dumps ------------------------------------------------------------------ */

struct charging {
	void (*visit)(void *argument, const struct parked_time *time);
	void *argument;
	uint64_t now_ns;
};

static void charge(void *argument, struct parked_thread *parked)
{
	const struct charging *charging = argument;
	struct parked_time time = {
	        .node = parked->node, .owner = &parked->owner, .cause = parked->cause};

	if (charging->now_ns <= parked->since_ns)
		return;
	time.ns = charging->now_ns - parked->since_ns;
	parked->since_ns = charging->now_ns;
	charging->visit(charging->argument, &time);
}

void virtual_calls_charge_parked(struct virtual_calls *calls,
                                 void (*visit)(void *argument, const struct parked_time *time),
                                 void *argument)
{
	struct charging charging = {
	        .visit = visit, .argument = argument, .now_ns = os_monotonic_ns()};
	parked_threads_visit(calls->parked, charge, &charging);
}

const struct mode_ops virtual_calls_hooks = {
        .virtual_mounted = virtual_calls_mounted,
        .virtual_unmounted = virtual_calls_unmounted,
        .virtual_ended = virtual_calls_ended,
};
