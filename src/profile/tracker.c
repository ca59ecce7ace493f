/*
 * tracker.c: see tracker.h.
 */
#include "profile/tracker.h"

#include "java/tracker_class.h"
#include "profile/charger.h"
#include "profile/thread_slots.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* How often a thread's CPU timer charges its open call. */
#define CHARGE_INTERVAL_NS 1000000u

enum { QUIESCE_MS = 1000 };

/* The chunks and the word of a state that counts nothing. */
static struct cost_chunks no_chunks;
static const volatile uint64_t no_word;

struct tracker {
	struct profile *profile;
	struct call_graph *graph;
	struct thread_slots *slots;
	enum tracker_clock clock;
	tracked_thread_visit *ended;
	void *argument;
	struct os_mutex lock;
	struct tracked_thread *threads;
	bool timers; /* each thread's CPU timer charges its open call; else the charger */
	_Atomic bool stopped;
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

/* The thread's time up to now is charged to nothing. */
static void forget_time(struct tracker *tracker, struct tracked_thread *thread)
{
	if (tracker->clock == TRACKER_BOTH_CLOCKS) {
		uint64_t wall_ns;
		uint64_t cpu_ns = os_cpu_clock_read(&thread->clock, &wall_ns);
		call_state_forget_both(&thread->state, cpu_ns, wall_ns);
	} else {
		thread->state.cpu_ns = os_self_cpu_ns();
	}
}

static void start_clocks(struct tracker *tracker, struct tracked_thread *thread)
{
	if (tracker->clock == TRACKER_BOTH_CLOCKS) {
		os_cpu_clock_start(&thread->clock, OS_CPU_CLOCK_ANY);
		thread->state.word = os_cpu_clock_mark(&thread->clock).word;
		forget_time(tracker, thread);
		return;
	}
	forget_time(tracker, thread);
	if (tracker->clock == TRACKER_NO_CLOCK || !tracker->timers)
		return;
	int error =
	        os_cpu_timer_start(&thread->timer, CHARGE_INTERVAL_NS, CHARGE_INTERVAL_NS, thread);
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
	start_clocks(tracker, thread);
	os_mutex_lock(&tracker->lock);
	DL_APPEND(tracker->threads, thread);
	os_mutex_unlock(&tracker->lock);
	current = thread;
}

static bool discard(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	(void)argument;
	(void)index;
	(void)costs;
	return true;
}

void tracker_forget(void)
{
	if (current == NULL)
		return;
	os_mutex_lock(&the_tracker->lock);
	forget_time(the_tracker, current);
	(void)call_state_take(&current->state, discard, NULL);
	os_mutex_unlock(&the_tracker->lock);
}

/* Reads both clocks; on the thread itself. Java code may charge time from then on,
 * unless it has charged too much. */
static void charge_both(struct tracked_thread *thread)
{
	uint64_t wall_ns;
	uint64_t cpu_ns = os_cpu_clock_read(&thread->clock, &wall_ns);
	bool right = call_state_charge_both(&thread->state, cpu_ns, wall_ns);
	thread->state.until_ns = right ? os_cpu_clock_mark(&thread->clock).until_ns : 0;
}

static void charge_now(struct tracker *tracker, struct tracked_thread *thread)
{
	if (tracker->clock == TRACKER_BOTH_CLOCKS)
		charge_both(thread);
	else if (tracker->clock == TRACKER_SAMPLED_CLOCK)
		call_state_charge_cpu(&thread->state, os_self_cpu_ns());
}

void tracker_thread_end(struct tracker *tracker)
{
	struct tracked_thread *thread = current;
	if (thread == NULL)
		return;
	current = NULL;
	if (thread->timed)
		os_cpu_timer_stop(&thread->timer);
	if (thread->vm_thread != 0)
		thread_slots_leave(tracker->slots, thread->vm_thread);

	os_mutex_lock(&tracker->lock);
	DL_DELETE(tracker->threads, thread);
	charge_now(tracker, thread);
	tracker->ended(tracker->argument, thread);
	os_mutex_unlock(&tracker->lock);
	call_state_free(&thread->state);
	free(thread);
}

void tracker_visit(struct tracker *tracker, tracked_thread_visit *visit, void *argument)
{
	struct tracked_thread *thread;

	os_mutex_lock(&tracker->lock);
	DL_FOREACH(tracker->threads, thread)
	visit(argument, thread);
	os_mutex_unlock(&tracker->lock);
}

void tracker_stop(struct tracker *tracker)
{
	atomic_store(&tracker->stopped, true);
	if (!tracker->timers)
		return;
	os_cpu_timers_pause();
	(void)os_cpu_timers_quiesce(QUIESCE_MS);
}

bool tracker_stopped(struct tracker *tracker)
{
	return atomic_load(&tracker->stopped);
}

const char *tracker_clock_name(const struct tracker *tracker)
{
	return tracker->timers ? os_cpu_timers_name() : "reading every thread's CPU clock";
}

/* ---- the class --------------------------------------------------------- */

/* Chooses what charges CPU time. False when there is no way to. */
static bool find_clock(struct tracker *tracker)
{
	int engine = tracker->profile->settings->engine;

	if (tracker->clock != TRACKER_SAMPLED_CLOCK)
		return true;
	tracker->timers =
	        engine != ENGINE_CLOCK && os_cpu_timers_install(OS_CPU_TIMER_ANY, on_timer) == 0;
	return tracker->timers || (engine != ENGINE_ASYNC && charger_works());
}

struct tracker *tracker_create(struct profile *profile, struct call_graph *graph,
                               enum tracker_clock clock, tracked_thread_visit *ended,
                               void *argument)
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
	tracker->clock = clock;
	tracker->ended = ended;
	tracker->argument = argument;
	atomic_init(&tracker->nowhere.node, call_graph_root(graph)->index);
	tracker->nowhere.chunks = &no_chunks;
	tracker->nowhere.word = &no_word;
	if (!find_clock(tracker)) {
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
			class = (*jni)->DefineClass(jni, TRACKER_CLASS, NULL,
			                            (const jbyte *)patched, (jsize)(length + 7));
		else
			class = (*jni)->DefineClass(jni, TRACKER_CLASS, NULL, (const jbyte *)bytes,
			                            (jsize)length);
	}
	free(bytes);
	free(patched);
	return class;
}

/* Where timers do not charge. False with the reason reported. */
static bool start_charger(struct tracker *tracker, JNIEnv *jni)
{
	bool needed = tracker->clock == TRACKER_SAMPLED_CLOCK && !tracker->timers;
	return !needed ||
	       profile_run_thread(tracker->profile, jni, "hprof clock", charger_run, tracker);
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
		return start_charger(tracker, jni);
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
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_callees(JNIEnv *jni, jclass class);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_callee(JNIEnv *jni, jclass class, jlong caller,
                                                           jint method);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_chunk(JNIEnv *jni, jclass class, jlong state,
                                                          jint index);
JNIEXPORT jlong JNICALL Java_java_lang_HprofTracker_mark(JNIEnv *jni, jclass class);
JNIEXPORT void JNICALL Java_java_lang_HprofTracker_charge(JNIEnv *jni, jclass class);

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

jlong Java_java_lang_HprofTracker_callees(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)(intptr_t)call_graph_callees(the_tracker->graph);
}

static const struct call_node *callee_of(jlong caller, jint method)
{
	struct call_graph *graph = the_tracker->graph;
	const struct call_node *node = call_graph_node(graph, (uint32_t)caller);

	if ((call_method)method == CALL_METHOD_NONE || node == NULL)
		return call_graph_root(graph);
	node = call_graph_callee(graph, node, (call_method)method);
	if (call_graph_failed(graph))
		profile_fault(the_tracker->profile,
		              "no memory for more different traces; a smaller depth makes fewer");
	return node;
}

jlong Java_java_lang_HprofTracker_callee(JNIEnv *jni, jclass class, jlong caller, jint method)
{
	(void)jni;
	(void)class;
	return callee_of(caller, method)->index;
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
	return atomic_load_explicit(&state->chunks->at[index / COST_CHUNK_NODES],
	                            memory_order_relaxed);
}

jlong Java_java_lang_HprofTracker_chunk(JNIEnv *jni, jclass class, jlong state, jint index)
{
	(void)jni;
	(void)class;
	return (jlong)(intptr_t)chunk_for((struct call_state *)(intptr_t)state, (uint32_t)index);
}

jlong Java_java_lang_HprofTracker_mark(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)os_run_mark_value();
}

void Java_java_lang_HprofTracker_charge(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	/* With msa=n it is called once, to be linked. */
	if (current != NULL && the_tracker->clock == TRACKER_BOTH_CLOCKS)
		charge_both(current);
}
