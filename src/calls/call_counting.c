/*
 * call_counting.c: see call_counting.h.
 */
#include "calls/call_counting.h"

#include "calls/intrinsic_classes.h"
#include "os/time_units.h"
#include "vm/agent_thread.h"
#include "vm/java_threads.h"

#include <stdio.h>
#include <string.h>

/* One graph and one set of method numbers for the life of the VM, since Java code has the
 * address of the graph's callees and the numbers as constants. One call_counting at a time
 * uses them, from init to destroy. */
static struct call_graph *the_graph;
static struct method_numbers *the_numbers;

static struct call_graph *begin_graph(uint32_t depth)
{
	if (the_graph == NULL)
		return the_graph = call_graph_create(depth);
	if (call_graph_begin(the_graph, depth))
		return the_graph;
	call_graph_end(the_graph);
	return NULL;
}

static struct instrumented_methods *create_methods(struct model *model)
{
	if (the_numbers == NULL)
		the_numbers = method_numbers_create();
	return the_numbers == NULL ? NULL : instrumented_methods_create(model, the_numbers);
}

static void destroy(struct call_counting *counting)
{
	if (counting->graph != NULL)
		call_graph_end(counting->graph);
	instrumented_methods_destroy(counting->methods);
}

static enum call_probes probes_of(enum tracker_clock clock)
{
	if (clock == TRACKER_BREAKS)
		return PROBES_BREAKS;
	return clock == TRACKER_BOTH_CLOCKS ? PROBES_CLOCKS : PROBES_COUNT;
}

bool call_counting_init(struct call_counting *counting, struct profile *profile, uint32_t depth,
                        enum tracker_clock clock, tracked_thread_visit *collect, void *argument,
                        struct mode_needs *needs, const char **reason)
{
	*reason = "out of memory";
	memset(counting, 0, sizeof(*counting));
	counting->profile = profile;
	counting->graph = begin_graph(depth);
	counting->methods = create_methods(&profile->model);
	if (counting->graph != NULL && counting->methods != NULL)
		counting->tracker = tracker_create(profile, counting->graph, counting->methods,
		                                   clock, collect, argument, reason);
	if (counting->tracker == NULL) {
		destroy(counting);
		return false;
	}
	counting->charger.tracker = counting->tracker;
	counting->instrumenter.methods = counting->methods;
	counting->instrumenter.filter = &profile->settings->filter;
	counting->instrumenter.probes = probes_of(tracker_clock(counting->tracker));
	counting->instrumenter.rewriting.verbose = profile->settings->verbose;

	mode_needs_rewriting(needs);
	needs->capabilities.can_get_constant_pool = 1;
	return true;
}

/* False, with the error reported, on failure. */
static bool start_charger(struct call_counting *counting, JNIEnv *jni)
{
	return agent_thread_start(counting->profile, jni, "hprof clock", charger_run,
	                          &counting->charger);
}

static void call_counting_live(void *argument, JNIEnv *jni)
{
	struct call_counting *counting = argument;

	if (counting->instrumenter.probes == PROBES_CLOCKS)
		native_calls_add_loaded(&counting->instrumenter.natives, counting->profile, jni);
	intrinsic_classes_retransform(counting->profile, jni);
	if (!tracker_define_class(counting->tracker, jni))
		return;
	if (!tracker_charger_is_due(counting->tracker) || start_charger(counting, jni))
		atomic_store(&counting->tracking, true);
}

void call_counting_poll(struct call_counting *counting, JNIEnv *jni)
{
	tracker_poll(counting->tracker);
	if (tracker_charger_is_due(counting->tracker))
		(void)start_charger(counting, jni);
}

static void call_counting_begin(void *argument)
{
	struct call_counting *counting = argument;
	tracker_discard_own(counting->tracker);
}

static void call_counting_thread_start(void *argument, JNIEnv *jni, jthread object,
                                       struct java_thread *thread)
{
	struct call_counting *counting = argument;
	(void)jni;
	(void)object;
	thread->tracking = tracker_thread_start(counting->tracker, thread->serial);
}

static void call_counting_existing_thread(void *argument, JNIEnv *jni, jthread object,
                                          struct java_thread *thread)
{
	struct call_counting *counting = argument;
	(void)jni;
	(void)object;
	thread->tracking = tracker_add_existing_thread(counting->tracker, thread->serial,
	                                               thread->id, thread->vm_address);
}

static void call_counting_thread_end(void *argument, JNIEnv *jni, struct java_thread *thread)
{
	struct call_counting *counting = argument;
	(void)jni;
	tracker_thread_end(counting->tracker, thread->tracking);
}

static void call_counting_detach(void *argument, JNIEnv *jni)
{
	struct call_counting *counting = argument;
	(void)jni;
	atomic_store(&counting->tracking, false);
	tracker_detach(counting->tracker);
}

void call_counting_destroy(struct call_counting *counting)
{
	tracker_destroy(counting->tracker);
	intrinsics_clear(&counting->instrumenter.intrinsics);
	destroy(counting);
}

static bool call_counting_rewrite_class(void *argument, const uint8_t *bytes, size_t length,
                                        uint8_t **rewritten, size_t *rewritten_length)
{
	struct call_counting *counting = argument;

	if (atomic_load(&counting->tracking))
		return call_instrumenter_rewrite(&counting->instrumenter, bytes, length, rewritten,
		                                 rewritten_length);
	call_instrumenter_add_intrinsics(&counting->instrumenter, bytes, length);
	return false;
}

static void write_intrinsics_note(struct call_counting *counting)
{
	if (atomic_load(&counting->instrumenter.intrinsics.any))
		writer_note(counting->profile->writer,
		            "call counts of intrinsics (methods that compilers replace) are lower "
		            "bounds, and a missing row does not mean no calls: calls by "
		            "reflection, method handles, interfaces and supertypes, native code "
		            "and other intrinsics are not counted");
}

static void write_huge_note(struct call_counting *counting)
{
	uint32_t huge = atomic_load(&counting->instrumenter.rewriting.methods_grown_huge);
	char text[256];

	if (huge == 0)
		return;
	(void)snprintf(text, sizeof(text),
	               "%u instrumented methods may be too long for the VM to compile; leave "
	               "them out with exclude=",
	               huge);
	writer_note(counting->profile->writer, text);
}

static void write_reduced_note(struct call_counting *counting)
{
	uint32_t reduced = atomic_load(&counting->instrumenter.rewriting.methods_reduced);
	uint32_t without_waits = atomic_load(&counting->instrumenter.methods_without_waits);
	char text[256];

	if (reduced == 0)
		return;
	(void)snprintf(text, sizeof(text),
	               "%u methods are too long for all of the counting code: their own calls are "
	               "counted, calls of intrinsics in them are not",
	               reduced);
	writer_note(counting->profile->writer, text);
	if (without_waits == 0)
		return;
	(void)snprintf(text, sizeof(text), "the waits of %u of these methods count as sleep",
	               without_waits);
	writer_note(counting->profile->writer, text);
}

static void write_pace_note(struct call_counting *counting)
{
	double pace_ns = charger_pace_ns(&counting->charger);
	char text[256];

	if (pace_ns <= 0)
		return;
	(void)snprintf(
	        text, sizeof(text),
	        "the CPU clocks of threads were read every %.2f ms (root mean square around "
	        "a random moment), at most %.2f ms of CPU time apart: the CPU time between two "
	        "readings counts for the call that is open at the second",
	        pace_ns / (double)NS_PER_MS,
	        (double)charger_most_ns(&counting->charger) / (double)NS_PER_MS);
	writer_note(counting->profile->writer, text);
}

void call_counting_write_note(struct call_counting *counting)
{
	write_intrinsics_note(counting);
	class_rewriting_write_note(&counting->instrumenter.rewriting, counting->profile->writer,
	                           "their time is charged to their callers");
	write_reduced_note(counting);
	write_huge_note(counting);
	write_pace_note(counting);
}

const struct mode_ops call_counting_hooks = {
        .live = call_counting_live,
        .begin = call_counting_begin,
        .thread_start = call_counting_thread_start,
        .thread_end = call_counting_thread_end,
        .existing_thread = call_counting_existing_thread,
        .rewrite_class = call_counting_rewrite_class,
        .detach = call_counting_detach,
};
