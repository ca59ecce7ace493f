/*
 * tracker.c: see tracker.h.
 */
#include "profile/tracker.h"

#include "java/tracker_class.h"
#include "profile/thread_slots.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#define TRACKER_CLASS "java/lang/HprofTracker"

/* How often a thread's CPU timer charges its open call. */
#define CHARGE_INTERVAL_NS 1000000u

enum { QUIESCE_MS = 1000 };

/* The chunks of a state that counts nothing. */
static struct cost_chunks no_chunks;

struct tracker {
	struct profile *profile;
	struct call_graph *graph;
	struct thread_slots *slots;
	bool clocked;
	tracked_thread_visit *ended;
	void *argument;
	struct os_mutex lock;
	struct tracked_thread *threads;
	/* The state of threads that are not known (the agent's own): always at the
	 * root, nothing is counted in it. */
	struct call_state nowhere;
};

/* For native methods, which have no argument of ours. Set once, before the class
 * that has them is defined. */
static struct tracker *the_tracker;

/* The calling thread's own; NULL for threads that are not known. */
static _Thread_local struct tracked_thread *current;

/* ---- threads ----------------------------------------------------------- */

static void on_timer(void *user, void *context)
{
	struct tracked_thread *thread = user;
	(void)context;
	call_state_charge_cpu(&thread->state, os_self_cpu_ns());
}

static void start_clocks(struct tracker *tracker, struct tracked_thread *thread)
{
	thread->state.cpu_ns = os_self_cpu_ns();
	thread->state.wall_ns = os_monotonic_ns();
	if (tracker->clocked)
		return;
	int error = os_cpu_timer_start(&thread->timer, CHARGE_INTERVAL_NS, CHARGE_INTERVAL_NS,
	                               thread);
	thread->timed = error == 0;
	if (error != 0) {
		char text[OS_ERROR_TEXT_MAX];
		os_error_text(error, text, sizeof(text));
		profile_fault(tracker->profile, "can't start a thread's CPU timer: %s", text);
	}
}

void tracker_thread_start(struct tracker *tracker, uint32_t serial)
{
	struct tracked_thread *thread = calloc(1, sizeof(*thread));
	if (thread == NULL || !call_state_init(&thread->state, tracker->graph)) {
		free(thread);
		profile_out_of_memory(tracker->profile);
		return;
	}
	thread->serial = serial;
	thread->id = os_self_thread();
	os_mutex_lock(&tracker->lock);
	DL_APPEND(tracker->threads, thread);
	os_mutex_unlock(&tracker->lock);
	current = thread;
	start_clocks(tracker, thread);
}

void tracker_forget_time(void)
{
	if (current != NULL) {
		current->state.cpu_ns = os_self_cpu_ns();
		current->state.wall_ns = os_monotonic_ns();
	}
}

static void charge_now(struct tracker *tracker, struct call_state *state)
{
	if (tracker->clocked)
		call_state_charge_both(state, os_self_cpu_ns(), os_monotonic_ns());
	else
		call_state_charge_cpu(state, os_self_cpu_ns());
}

void tracker_thread_end(struct tracker *tracker)
{
	struct tracked_thread *thread = current;
	if (thread == NULL)
		return;
	current = NULL;
	if (thread->timed)
		os_cpu_timer_stop(&thread->timer);
	charge_now(tracker, &thread->state);
	if (thread->vm_thread != 0)
		thread_slots_leave(tracker->slots, thread->vm_thread);

	os_mutex_lock(&tracker->lock);
	DL_DELETE(tracker->threads, thread);
	tracker->ended(tracker->argument, thread);
	os_mutex_unlock(&tracker->lock);
	call_state_free(&thread->state);
	free(thread);
}

void tracker_visit(struct tracker *tracker, tracked_thread_visit *visit, void *argument)
{
	struct tracked_thread *thread;

	os_mutex_lock(&tracker->lock);
	DL_FOREACH (tracker->threads, thread)
		visit(argument, thread);
	os_mutex_unlock(&tracker->lock);
}

void tracker_stop(struct tracker *tracker)
{
	if (tracker->clocked)
		return;
	os_cpu_timers_pause();
	(void)os_cpu_timers_quiesce(QUIESCE_MS);
}

/* ---- the class --------------------------------------------------------- */

struct tracker *tracker_create(struct profile *profile, struct call_graph *graph, bool clocked,
                               tracked_thread_visit *ended, void *argument)
{
	struct tracker *tracker = calloc(1, sizeof(*tracker));
	if (tracker == NULL)
		return NULL;
	tracker->slots = thread_slots_create();
	if (tracker->slots == NULL || os_mutex_init(&tracker->lock) != 0) {
		thread_slots_destroy(tracker->slots);
		free(tracker);
		return NULL;
	}
	tracker->profile = profile;
	tracker->graph = graph;
	tracker->clocked = clocked;
	tracker->ended = ended;
	tracker->argument = argument;
	atomic_init(&tracker->nowhere.node, call_graph_root(graph));
	tracker->nowhere.chunks = &no_chunks;
	if (!clocked && os_cpu_timers_install(OS_CPU_TIMER_ANY, on_timer) != 0) {
		thread_slots_destroy(tracker->slots);
		os_mutex_destroy(&tracker->lock);
		free(tracker);
		return NULL;
	}
	the_tracker = tracker;
	return tracker;
}

/* A JVM with virtual threads runs them on carriers; the tracker's state is the
 * carrier's. The class as compiled asks for the current thread, which is the same
 * in JVMs without: its one constant with that name is replaced. */
static bool ask_for_carriers(unsigned char *class, size_t length, unsigned char *patched)
{
	static const char compiled[] = "currentThread";
	static const char wanted[] = "currentCarrierThread";
	const size_t compiled_length = sizeof(compiled) - 1;
	const size_t wanted_length = sizeof(wanted) - 1;

	for (size_t i = 2; i + compiled_length <= length; i++) {
		/* A Utf8 constant's length stands before its bytes (JVMS 4.4.7). */
		if (class[i - 2] != 0 || class[i - 1] != compiled_length ||
		    memcmp(class + i, compiled, compiled_length) != 0)
			continue;
		memcpy(patched, class, i - 1);
		patched[i - 1] = (unsigned char)wanted_length;
		memcpy(patched + i, wanted, wanted_length);
		memcpy(patched + i + wanted_length, class + i + compiled_length,
		       length - i - compiled_length);
		return true;
	}
	return false;
}

static bool has_carriers(JNIEnv *jni)
{
	jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
	jmethodID method = NULL;
	if (thread != NULL)
		method = (*jni)->GetStaticMethodID(jni, thread, "currentCarrierThread",
		                                   "()Ljava/lang/Thread;");
	(*jni)->ExceptionClear(jni);
	return method != NULL;
}

static jclass define_class(JNIEnv *jni)
{
	enum { GROWTH = 16 };
	size_t length = tracker_class_length;
	unsigned char *bytes = malloc(length);
	unsigned char *patched = malloc(length + GROWTH);
	jclass class = NULL;

	if (bytes != NULL && patched != NULL) {
		memcpy(bytes, tracker_class_bytes, length);
		if (has_carriers(jni) && ask_for_carriers(bytes, length, patched))
			class = (*jni)->DefineClass(jni, TRACKER_CLASS, NULL, (const jbyte *)patched,
			                            (jsize)(length + 7));
		else
			class = (*jni)->DefineClass(jni, TRACKER_CLASS, NULL, (const jbyte *)bytes,
			                            (jsize)length);
	}
	free(bytes);
	free(patched);
	return class;
}

bool tracker_define(struct tracker *tracker, JNIEnv *jni)
{
	jclass class = define_class(jni);
	jmethodID link = NULL;

	if (class != NULL)
		link = (*jni)->GetStaticMethodID(jni, class, "link", "()V");
	if (link != NULL)
		(*jni)->CallStaticVoidMethod(jni, class, link);
	if (link != NULL && !(*jni)->ExceptionCheck(jni))
		return true;
	(*jni)->ExceptionClear(jni);
	profile_fault(tracker->profile, "the class %s can't be defined in this JVM", TRACKER_CLASS);
	return false;
}

/* ---- native methods ---------------------------------------------------- */

/* The names that JNI gives them (JNI specification, Resolving Native Method
 * Names); no header declares them. */
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_table(JNIEnv *jni, jclass class);
JNIEXPORT jint JNICALL Java_java_lang_HprofTracker_tableShift(JNIEnv *jni, jclass class);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_tableEnd(JNIEnv *jni, jclass class);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_attach(JNIEnv *jni, jclass class,
                                                           jlong vm_thread);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_callee(JNIEnv *jni, jclass class, jlong caller,
                                                           jint method);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_chunk(JNIEnv *jni, jclass class, jlong state,
                                                          jint index);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_enterClocked(JNIEnv *jni, jclass class,
                                                                 jint method);
JNIEXPORT void JNICALL Java_java_lang_HprofTracker_exitClocked(JNIEnv *jni, jclass class,
                                                               jlong caller);
JNIEXPORT void JNICALL Java_java_lang_HprofTracker_resumeClocked(JNIEnv *jni, jclass class,
                                                                 jlong caller, jint method);

jlong Java_java_lang_HprofTracker_table(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)thread_slots_start(the_tracker->slots);
}

jint Java_java_lang_HprofTracker_tableShift(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jint)thread_slots_shift(the_tracker->slots);
}

jlong Java_java_lang_HprofTracker_tableEnd(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)thread_slots_end(the_tracker->slots);
}

static struct call_state *current_state(void)
{
	return current != NULL ? &current->state : &the_tracker->nowhere;
}

jlong Java_java_lang_HprofTracker_attach(JNIEnv *jni, jclass class, jlong vm_thread)
{
	struct tracked_thread *thread = current;
	(void)jni;
	(void)class;

	if (thread != NULL && thread->vm_thread == 0 &&
	    thread_slots_enter(the_tracker->slots, (uint64_t)vm_thread, thread))
		thread->vm_thread = (uint64_t)vm_thread;
	return (jlong)(intptr_t)current_state();
}

static struct call_node *callee_of(struct call_node *caller, jint method)
{
	if ((call_method)method == CALL_METHOD_NONE)
		return call_graph_root(the_tracker->graph);
	struct call_node *node = call_graph_callee(the_tracker->graph, caller, (call_method)method);
	if (call_graph_failed(the_tracker->graph))
		profile_fault(the_tracker->profile,
		              "no memory for more different traces; a smaller depth makes fewer");
	return node;
}

jlong Java_java_lang_HprofTracker_callee(JNIEnv *jni, jclass class, jlong caller, jint method)
{
	(void)jni;
	(void)class;
	return (jlong)(intptr_t)callee_of((struct call_node *)(intptr_t)caller, method);
}

/* The chunk that counts calls of the node with that index. NULL, and nothing is
 * counted, for a thread that is not known and without memory. */
static struct cost_chunk *chunk_for(struct call_state *state, uint32_t index)
{
	if (state == &the_tracker->nowhere)
		return NULL;
	if (!call_state_make_chunk(state, index)) {
		profile_out_of_memory(the_tracker->profile);
		return NULL;
	}
	return atomic_load_explicit(&state->chunks->at[index / COST_CHUNK_NODES], memory_order_relaxed);
}

jlong Java_java_lang_HprofTracker_chunk(JNIEnv *jni, jclass class, jlong state, jint index)
{
	(void)jni;
	(void)class;
	return (jlong)(intptr_t)chunk_for((struct call_state *)(intptr_t)state, (uint32_t)index);
}

/* The callee's node, as HprofTracker.node finds it. */
static struct call_node *find_callee(struct call_node *caller, jint method)
{
	struct call_table *callees = atomic_load_explicit(&caller->callees, memory_order_acquire);
	struct call_node *node = atomic_load_explicit(
		&callees->places[(call_method)method & callees->mask], memory_order_acquire);
	return node->method == (call_method)method ? node : callee_of(caller, method);
}

static void charge_both(struct call_state *state)
{
	call_state_charge_both(state, os_self_cpu_ns(), os_monotonic_ns());
}

jlong Java_java_lang_HprofTracker_enterClocked(JNIEnv *jni, jclass class, jint method)
{
	struct call_state *state = current_state();
	struct call_node *caller = atomic_load_explicit(&state->node, memory_order_relaxed);
	(void)jni;
	(void)class;

	charge_both(state);
	struct call_node *node = find_callee(caller, method);
	if (chunk_for(state, node->index) != NULL) {
		if (node->method != CALL_METHOD_NONE)
			call_state_count(state, node->index);
		atomic_store_explicit(&state->node, node, memory_order_relaxed);
	}
	return (jlong)(intptr_t)caller;
}

void Java_java_lang_HprofTracker_exitClocked(JNIEnv *jni, jclass class, jlong caller)
{
	struct call_state *state = current_state();
	(void)jni;
	(void)class;

	charge_both(state);
	atomic_store_explicit(&state->node, (struct call_node *)(intptr_t)caller,
	                      memory_order_relaxed);
}

void Java_java_lang_HprofTracker_resumeClocked(JNIEnv *jni, jclass class, jlong caller, jint method)
{
	struct call_state *state = current_state();
	(void)jni;
	(void)class;

	charge_both(state);
	atomic_store_explicit(&state->node,
	                      find_callee((struct call_node *)(intptr_t)caller, method),
	                      memory_order_relaxed);
}
