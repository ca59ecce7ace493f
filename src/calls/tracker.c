/*
 * tracker.c: see tracker.h.
 */
#include "calls/tracker.h"

#include "calls/call_ranges.h"
#include "calls/thread_slots.h"
#include "java/boot_classes.h"
#include "os/time_units.h"
#include "vm/active_callbacks.h"
#include "vm/boot_class.h"
#include "vm/park_cause.h"
#include "vm/state_notes.h"
#include "vm/timer_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* The interval at which a thread's CPU timer charges its open call. */
#define CHARGE_INTERVAL_NS NS_PER_MS

enum { HANDLERS_WAIT_MS = 1000 };

struct tracker {
	struct profile *profile;
	struct call_graph *graph;
	struct instrumented_methods *methods;
	enum tracker_clock clock;
	tracked_thread_visit *collect;
	void *argument;
	struct os_mutex lock;
	struct tracked_thread *threads;
	/* The threads' CPU timers charge open calls; otherwise the charger does, as for threads
	 * that the system refuses a timer. */
	_Atomic bool timers;
	_Atomic bool has_untimed; /* some threads have no timer */
	bool has_charger;
	struct timer_watch watch;
	/* With both clocks. */
	struct vm_pauses pauses;
	_Atomic uint32_t queues;    /* threads whose waits for a CPU are known, */
	_Atomic uint32_t queueless; /* and those that have no descriptor for it */
	_Atomic bool stopped;
	uint64_t number; /* different for each tracker */
};

/* The slots, whose address Java code has for the life of the VM, and the tracker that native
 * methods use, NULL when there is none. Read within callbacks only (active_callbacks.h). */
static struct thread_slots *the_slots;
static _Atomic(struct tracker *) the_tracker;
static _Atomic uint64_t last_number;

/* The state for unknown threads (those of the agent), and when there is no tracker: what it counts
 * is not collected. */
static const volatile uint64_t unmarked_word;
static struct call_state *uncounted;

/* Found once, when the class is defined. */
static struct park_fields the_park_fields;

/* The calling thread's tracked_thread, and the number of its tracker. That of an earlier
 * tracker is kept, since Java code of the thread may use it until it calls native code
 * again. */
static _Thread_local struct tracked_thread *current;
static _Thread_local uint64_t current_number;

struct tracked_thread *tracker_current(const struct tracker *tracker)
{
	return current_number == tracker->number ? current : NULL;
}

static void free_thread(struct tracked_thread *thread)
{
	thread_breaks_end(&thread->breaks);
	call_state_free(thread->state);
	os_mutex_destroy(&thread->lock);
	free(thread);
}

/* Whether the time off the CPU is charged, too. */
static bool has_breaks(const struct tracker *tracker)
{
	return tracker->clock == TRACKER_BOTH_CLOCKS || tracker->clock == TRACKER_BREAKS;
}

/* Whether a timer or the charger charges CPU time. */
static bool is_sampled(const struct tracker *tracker)
{
	return tracker->clock == TRACKER_SAMPLED_CLOCK || tracker->clock == TRACKER_BREAKS;
}

enum tracker_clock tracker_clock(const struct tracker *tracker)
{
	return tracker->clock;
}

/* Frames that were entered in an earlier tracker's time have the address of that state. */
static void set_current(struct tracker *tracker, struct tracked_thread *thread)
{
	if (current != NULL) {
		thread->state = call_state_take_over(thread->state, current->state);
		current->state = NULL;
		free_thread(current);
	}
	current = thread;
	current_number = tracker->number;
}

/* ---- threads ----------------------------------------------------------- */

static void on_timer(void *user, void *context)
{
	struct tracked_thread *thread = user;
	(void)context;
	/* The next expiration charges it. */
	if (!atomic_load_explicit(&thread->changes_owner, memory_order_relaxed))
		call_state_charge_cpu(thread->state, os_self_cpu_ns());
}

/* Discards the thread's time up to now. */
static void forget_time(struct tracker *tracker, struct tracked_thread *thread)
{
	if (has_breaks(tracker)) {
		uint64_t wall_ns;
		uint64_t cpu_ns = os_cpu_clock_read(&thread->clock, &wall_ns);
		call_state_skip_both(thread->state, cpu_ns, wall_ns);
		thread_breaks_skip(&thread->breaks);
		memset(&thread->shown, 0, sizeof(thread->shown));
	} else {
		thread->state->charged_cpu_ns = os_self_cpu_ns();
	}
}

static void start_breaks(struct tracker *tracker, struct tracked_thread *thread)
{
	thread_breaks_start(&thread->breaks, &tracker->pauses);
	if (thread->breaks.has_queue)
		atomic_fetch_add(&tracker->queues, 1);
	else if (thread->breaks.queue_error != OS_UNSUPPORTED)
		atomic_fetch_add(&tracker->queueless, 1);
}

static void start_timer(struct tracker *tracker, struct tracked_thread *thread)
{
	int error =
	        os_cpu_timer_start(&thread->timer, CHARGE_INTERVAL_NS, CHARGE_INTERVAL_NS, thread);
	thread->has_timer = error == 0;
	if (error == 0)
		return;
	timer_watch_refused(&tracker->watch, error);
	atomic_store(&thread->is_timed, false);
	atomic_store(&tracker->has_untimed, true);
	os_event_signal(&tracker->profile->wake);
}

static void start_clocks(struct tracker *tracker, struct tracked_thread *thread)
{
	if (has_breaks(tracker)) {
		os_cpu_clock_start(&thread->clock, OS_CPU_CLOCK_ANY);
		thread->state->word = os_cpu_clock_mark(&thread->clock).word;
		start_breaks(tracker, thread);
	}
	forget_time(tracker, thread);
	if (is_sampled(tracker) && tracker->timers)
		start_timer(tracker, thread);
}

static struct tracked_thread *new_thread(struct tracker *tracker, uint32_t serial, os_thread id)
{
	struct tracked_thread *thread = calloc(1, sizeof(*thread));
	if (thread == NULL || os_mutex_init(&thread->lock) != 0) {
		free(thread);
		profile_out_of_memory(tracker->profile);
		return NULL;
	}
	thread->state = call_state_create(tracker->graph, has_breaks(tracker));
	if (thread->state == NULL) {
		os_mutex_destroy(&thread->lock);
		free(thread);
		profile_out_of_memory(tracker->profile);
		return NULL;
	}
	if (tracker->clock == TRACKER_BREAKS)
		call_state_charge_only_breaks(thread->state);
	/* Code instrumented by an earlier profile may read the clocks even if this
	 * profile's code does not. */
	thread->state->word = &unmarked_word;
	thread->self.serial = serial;
	thread->id = id;
	/* Until its timer is refused. */
	atomic_store(&thread->is_timed, true);
	return thread;
}

static void list(struct tracker *tracker, struct tracked_thread *thread)
{
	os_mutex_lock(&tracker->lock);
	DL_APPEND(tracker->threads, thread);
	os_mutex_unlock(&tracker->lock);
}

struct tracked_thread *tracker_thread_start(struct tracker *tracker, uint32_t serial)
{
	struct tracked_thread *thread = new_thread(tracker, serial, os_self_thread());
	if (thread == NULL)
		return NULL;
	set_current(tracker, thread);
	start_clocks(tracker, thread);
	list(tracker, thread);
	return thread;
}

/* ---- existing threads --------------------------------------------------- */

struct tracked_thread *tracker_add_existing_thread(struct tracker *tracker, uint32_t serial,
                                                   os_thread id, uint64_t vm_thread)
{
	uint64_t cpu_ns;
	if (os_thread_cpu_ns(id, &cpu_ns) != 0)
		return NULL;
	struct tracked_thread *thread = new_thread(tracker, serial, id);
	if (thread == NULL)
		return NULL;
	thread->existing_key = vm_thread;
	call_state_skip_both(thread->state, cpu_ns, os_monotonic_ns());
	list(tracker, thread);
	return thread;
}

/* Charges the CPU time of another thread: of an existing thread that has not called the
 * tracker yet, or where no thread charges its own time. Under the lock. */
static void charge_from_outside(struct tracker *tracker, struct tracked_thread *thread)
{
	uint64_t cpu_ns;
	if (tracker->clock != TRACKER_NO_CLOCK && os_thread_cpu_ns(thread->id, &cpu_ns) == 0 &&
	    cpu_ns > thread->state->charged_cpu_ns)
		call_state_charge_cpu(thread->state, cpu_ns);
}

/* An existing thread has no timer until it calls the tracker, and is charged when its costs are
 * collected. */
bool tracker_is_charged_outside(const struct tracker *tracker, const struct tracked_thread *thread)
{
	return is_sampled(tracker) && (!tracker->timers || !atomic_load(&thread->is_timed));
}

bool tracker_charger_is_due(struct tracker *tracker)
{
	bool is_due = is_sampled(tracker) && !tracker->has_charger &&
	              (!tracker->timers || atomic_load(&tracker->has_untimed));

	tracker->has_charger |= is_due;
	return is_due;
}

/* Makes the existing thread with that address the calling thread's tracked_thread. NULL if
 * there is none. */
static struct tracked_thread *claim_existing(struct tracker *tracker, uint64_t vm_thread)
{
	struct tracked_thread *thread;

	os_mutex_lock(&tracker->lock);
	DL_SEARCH_SCALAR(tracker->threads, thread, existing_key, vm_thread);
	if (thread != NULL) {
		charge_from_outside(tracker, thread);
		thread->existing_key = 0;
		set_current(tracker, thread);
		/* Under the lock: a dump that finds it claimed reads its clocks. */
		start_clocks(tracker, thread);
	}
	os_mutex_unlock(&tracker->lock);
	return thread;
}

/* ---- collecting costs -------------------------------------------------- */

static bool discard(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	(void)argument;
	(void)index;
	(void)costs;
	return true;
}

void tracker_discard_own(struct tracker *tracker)
{
	struct tracked_thread *thread = tracker_current(tracker);
	if (thread == NULL)
		return;
	os_mutex_lock(&tracker->lock);
	forget_time(tracker, thread);
	(void)call_state_collect(thread->state, discard, NULL);
	os_mutex_unlock(&tracker->lock);
}

/* Charges time by both clocks, on the thread itself, and marks it; lets Java code that reads them
 * charge time from then on, unless it has charged too much. */
static void charge_both(struct tracked_thread *thread)
{
	uint64_t wall_ns;
	uint64_t cpu_ns = os_cpu_clock_read(&thread->clock, &wall_ns);
	/* Without memory for it the time is charged later. */
	uint32_t node = call_state_charged_node(thread->state);
	(void)call_state_add_off_cpu(thread->state, node);
	struct break_charge charge = {.breaks = &thread->breaks, .node = node};
	bool is_exact = call_state_charge_both(thread->state, cpu_ns, wall_ns,
	                                       thread_breaks_explain, &charge);
	bool charges_in_java = is_exact && !thread->state->only_breaks;
	thread->state->until_ns = charges_in_java ? os_cpu_clock_mark(&thread->clock).until_ns : 0;
}

/* Before and after a wait: charges what has passed, and from now on the open call even if its
 * method does not read the clocks. NULL if there are no states. */
static struct tracked_thread *thread_at_wait(struct tracker *tracker)
{
	struct tracked_thread *thread = tracker_current(tracker);

	if (thread == NULL || !has_breaks(tracker))
		return NULL;
	charge_both(thread);
	call_state_charge_open(thread->state);
	return thread;
}

void tracker_announce_wait(struct tracker *tracker, enum wait_cause cause)
{
	struct tracked_thread *thread = thread_at_wait(tracker);

	if (thread != NULL)
		thread_breaks_announce(&thread->breaks, call_state_charged_node(thread->state),
		                       cause);
}

struct cost_owner *tracked_thread_owner(struct tracked_thread *thread)
{
	return thread->mounted.serial != 0 ? &thread->mounted : &thread->self;
}

/* No expiration of the calling thread's timer charges time until it is set to false. */
static void set_changes_owner(struct tracked_thread *thread, bool changes_owner)
{
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&thread->changes_owner, changes_owner, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

struct cost_owner tracker_switch(struct tracker *tracker, struct tracked_thread *thread,
                                 const struct cost_owner *owner, uint64_t open)
{
	struct cost_owner before = thread->mounted;
	bool changes_owner = before.serial != owner->serial;

	/* What is collected from outside belongs to one owner, with its open calls. */
	if (changes_owner)
		os_mutex_lock(&thread->lock);
	if (has_breaks(tracker))
		charge_both(thread);
	if (changes_owner) {
		set_changes_owner(thread, true);
		tracker->collect(tracker->argument, thread);
		before = thread->mounted;
		thread->mounted = *owner;
	}
	call_state_set_position(thread->state, open);
	if (changes_owner) {
		set_changes_owner(thread, false);
		os_mutex_unlock(&thread->lock);
	}
	return before;
}

enum wait_cause tracker_park_cause(const struct tracker *tracker, JNIEnv *jni)
{
	return park_cause_of_caller(&the_park_fields, tracker->profile->jvmti, jni);
}

void tracker_collection_started(struct tracker *tracker)
{
	vm_pauses_collection_started(&tracker->pauses);
}

void tracker_collection_finished(struct tracker *tracker)
{
	vm_pauses_collection_finished(&tracker->pauses);
}

bool tracker_uncharged(struct tracked_thread *thread, struct uncharged_time *time)
{
	uint64_t cpu_ns;
	return thread->existing_key == 0 && os_thread_cpu_ns(thread->id, &cpu_ns) == 0 &&
	       call_state_uncharged(thread->state, cpu_ns, os_monotonic_ns(), time);
}

static void charge_now(struct tracker *tracker, struct tracked_thread *thread)
{
	if (has_breaks(tracker))
		charge_both(thread);
	if (is_sampled(tracker))
		call_state_charge_cpu(thread->state, os_self_cpu_ns());
}

void tracker_thread_end(struct tracker *tracker, struct tracked_thread *thread)
{
	if (current != NULL && thread != current) {
		free_thread(current); /* an earlier tracker's */
		current = NULL;
	}
	if (thread == NULL)
		return;
	bool own = thread == current;
	if (own) {
		current = NULL;
		if (thread->has_timer)
			(void)os_cpu_timer_stop(&thread->timer);
		if (thread->vm_thread != 0)
			thread_slots_leave(the_slots, thread->vm_thread);
	}
	os_mutex_lock(&tracker->lock);
	if (thread->existing_key != 0)
		charge_from_outside(tracker, thread);
	DL_DELETE(tracker->threads, thread);
	if (own)
		charge_now(tracker, thread);
	thread->has_ended = true;
	tracker->collect(tracker->argument, thread);
	os_mutex_unlock(&tracker->lock);
	free_thread(thread);
}

void tracker_each_thread(struct tracker *tracker, tracked_thread_visit *visit, void *argument)
{
	struct tracked_thread *thread;

	os_mutex_lock(&tracker->lock);
	DL_FOREACH(tracker->threads, thread)
	{
		if (thread->existing_key != 0)
			charge_from_outside(tracker, thread);
		os_mutex_lock(&thread->lock);
		visit(argument, thread);
		os_mutex_unlock(&thread->lock);
	}
	os_mutex_unlock(&tracker->lock);
}

static void charge_rest(void *argument, struct tracked_thread *thread)
{
	if (tracker_is_charged_outside(argument, thread))
		charge_from_outside(argument, thread);
}

void tracker_charge_rest(struct tracker *tracker)
{
	if (is_sampled(tracker))
		tracker_each_thread(tracker, charge_rest, tracker);
}

void tracker_stop(struct tracker *tracker)
{
	atomic_store(&tracker->stopped, true);
	if (!tracker->timers)
		return;
	bool is_taken = timer_watch_last_look(&tracker->watch);
	(void)os_cpu_timers_end(HANDLERS_WAIT_MS);
	if (is_taken)
		tracker->timers = false;
}

bool tracker_is_stopped(struct tracker *tracker)
{
	return atomic_load(&tracker->stopped);
}

const char *tracker_clock_name(const struct tracker *tracker)
{
	return tracker->timers ? os_cpu_timers_name(CHARGE_INTERVAL_NS)
	                       : "reading every thread's CPU clock";
}

/* ---- the class --------------------------------------------------------- */

/* Whether a thread can read the CPU clocks of others. */
static bool can_read_threads(void)
{
	uint64_t cpu_ns;
	return os_thread_cpu_ns(os_self_thread(), &cpu_ns) == 0;
}

/* Chooses what charges CPU time. When nothing can, returns why; else NULL. */
static const char *find_clock(struct tracker *tracker)
{
	int engine = tracker->profile->settings->engine;

	if (tracker->clock == TRACKER_NO_CLOCK ||
	    (tracker->clock == TRACKER_BOTH_CLOCKS && !os_run_marks_work()))
		return NULL;
	tracker->timers =
	        engine != ENGINE_CLOCK && os_cpu_timers_install(OS_CPU_TIMER_ANY, on_timer) == 0;
	if (tracker->clock == TRACKER_BOTH_CLOCKS && tracker->timers)
		tracker->clock = TRACKER_BREAKS;
	if (tracker->clock != TRACKER_SAMPLED_CLOCK || tracker->timers)
		return NULL;
	if (engine == ENGINE_ASYNC)
		return "the system refuses the timers of engine=async; remove engine=";
	return can_read_threads() ? NULL : "this system has no thread CPU clocks; remove cpu=";
}

struct tracker *tracker_create(struct profile *profile, struct call_graph *graph,
                               struct instrumented_methods *methods, enum tracker_clock clock,
                               tracked_thread_visit *collect, void *argument, const char **reason)
{
	struct tracker *tracker = calloc(1, sizeof(*tracker));

	*reason = "out of memory";
	if (tracker == NULL)
		return NULL;
	if (the_slots == NULL)
		the_slots = thread_slots_create();
	if (uncounted == NULL)
		uncounted = call_ranges_take(call_graph_ranges(graph));
	if (the_slots == NULL || uncounted == NULL || os_mutex_init(&tracker->lock) != 0) {
		free(tracker);
		return NULL;
	}
	uncounted->word = &unmarked_word;
	tracker->profile = profile;
	tracker->graph = graph;
	tracker->methods = methods;
	tracker->clock = clock;
	tracker->collect = collect;
	tracker->argument = argument;
	tracker->watch.instead = "an agent thread charges CPU time instead, less precisely";
	tracker->number = atomic_fetch_add(&last_number, 1) + 1;
	*reason = find_clock(tracker);
	if (*reason != NULL) {
		os_mutex_destroy(&tracker->lock);
		free(tracker);
		return NULL;
	}
	atomic_store(&the_tracker, tracker);
	return tracker;
}

void tracker_detach(struct tracker *tracker)
{
	struct tracker *expected = tracker;
	(void)atomic_compare_exchange_strong(&the_tracker, &expected, NULL);
}

/* Its state is the thread's until that calls another tracker. */
static void discard_thread(struct tracked_thread *thread)
{
	call_state_discard(thread->state);
	thread_breaks_end(&thread->breaks);
}

void tracker_destroy(struct tracker *tracker)
{
	struct tracked_thread *thread;
	struct tracked_thread *next;

	tracker_detach(tracker);
	thread_slots_clear(the_slots, uncounted);
	DL_FOREACH_SAFE(tracker->threads, thread, next)
	{
		if (thread->existing_key != 0)
			free_thread(thread);
		else
			discard_thread(thread);
	}
	os_mutex_destroy(&tracker->lock);
	free(tracker);
}

/* The class as compiled calls Thread.currentCarrierThread, for the state is that of the carrier. In
 * a JVM without virtual threads this replaces the method's name in the constant pool by
 * currentThread. */
static bool patch_for_threads(const unsigned char *class, size_t *length, unsigned char *patched)
{
	static const char compiled[] = "currentCarrierThread";
	static const char thread_name[] = "currentThread";
	const size_t compiled_length = sizeof(compiled) - 1;
	const size_t thread_name_length = sizeof(thread_name) - 1;

	for (size_t i = 2; i + compiled_length <= *length; i++) {
		/* The length of a Utf8 constant precedes its bytes (JVMS 4.4.7). */
		if (class[i - 2] != 0 || class[i - 1] != compiled_length ||
		    memcmp(class + i, compiled, compiled_length) != 0)
			continue;
		memcpy(patched, class, i - 1);
		patched[i - 1] = (unsigned char)thread_name_length;
		memcpy(patched + i, thread_name, thread_name_length);
		memcpy(patched + i + thread_name_length, class + i + compiled_length,
		       *length - i - compiled_length);
		*length -= compiled_length - thread_name_length;
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

/* A handler that has found the timer still running has long ended: the watch waits between its
 * rounds. */
static void release_lost_timer(void *argument, struct tracked_thread *thread)
{
	struct tracker *tracker = argument;

	if (!thread->has_timer || os_cpu_timer_runs(&thread->timer))
		return;
	atomic_store(&thread->is_timed, false);
	atomic_store(&tracker->has_untimed, true);
}

void tracker_poll(struct tracker *tracker)
{
	vm_pauses_find(&tracker->pauses);
	if (!tracker->timers || !timer_watch_poll(&tracker->watch))
		return;
	if (tracker->watch.ended != NULL)
		tracker->timers = false;
	else
		tracker_each_thread(tracker, release_lost_timer, tracker);
}

void tracker_write_notes(struct tracker *tracker)
{
	timer_watch_write_notes(&tracker->watch, tracker->profile->writer);
}

void tracker_write_break_notes(const struct tracker *tracker)
{
	state_notes_write(tracker->profile->writer, &tracker->pauses, atomic_load(&tracker->queues),
	                  atomic_load(&tracker->queueless));
}

/* ---- native methods ---------------------------------------------------- */

/* Returns the tracker, or NULL when there is none. Call leave() when done with it. */
static struct tracker *enter(const JNIEnv *jni)
{
	active_callbacks_enter(jni);
	return atomic_load(&the_tracker);
}

static void leave(const JNIEnv *jni)
{
	active_callbacks_leave(jni);
}

static jlong JNICALL native_table(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)thread_slots_address(the_slots);
}

static jint JNICALL native_table_shift(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jint)thread_slots_shift(the_slots);
}

static jlong JNICALL native_table_end(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)thread_slots_end_address(the_slots);
}

/* The calling thread's state for this tracker: that of an existing thread is claimed, and
 * the thread entered into the slots. */
static struct call_state *find_state(struct tracker *tracker, uint64_t vm_thread)
{
	struct tracked_thread *thread = tracker_current(tracker);

	if (thread == NULL)
		thread = claim_existing(tracker, vm_thread);
	if (thread == NULL)
		return uncounted;
	if (thread->vm_thread == 0 && thread_slots_enter(the_slots, vm_thread, thread->state))
		thread->vm_thread = vm_thread;
	return thread->state;
}

static jlong JNICALL native_attach(JNIEnv *jni, jclass class, jlong vm_thread)
{
	struct tracker *tracker = enter(jni);
	struct call_state *state = uncounted;
	(void)class;

	if (tracker != NULL)
		state = find_state(tracker, (uint64_t)vm_thread);
	leave(jni);
	return (jlong)(intptr_t)state;
}

static jlong JNICALL native_lines(JNIEnv *jni, jclass class)
{
	struct tracker *tracker = enter(jni);
	const struct call_line *lines = tracker == NULL ? NULL : call_graph_lines(tracker->graph);
	(void)class;

	leave(jni);
	return (jlong)(intptr_t)lines;
}

static jlong JNICALL native_callees(JNIEnv *jni, jclass class)
{
	struct tracker *tracker = enter(jni);
	const _Atomic uint64_t *callees =
	        tracker == NULL ? NULL : call_graph_callees(tracker->graph);
	(void)class;

	leave(jni);
	return (jlong)(intptr_t)callees;
}

static uint32_t callee_of(struct tracker *tracker, uint32_t caller, call_method method)
{
	struct call_graph *graph = tracker->graph;
	const struct call_node *root = call_graph_root(graph);
	const struct call_node *node = call_graph_node(graph, caller);

	/* Calls of unknown threads add nothing to the graph. */
	if (tracker_current(tracker) == NULL || !instrumented_methods_has(tracker->methods, method))
		return root->index;
	/* A frame of an earlier profile may have restored a node of that. */
	node = call_graph_find_callee(graph, node != NULL ? node : root, method);
	if (call_graph_has_failed(graph))
		profile_fail(tracker->profile,
		             "no memory for more distinct traces; use a smaller depth=");
	return node->index;
}

static jlong JNICALL native_callee(JNIEnv *jni, jclass class, jlong caller, jint method)
{
	struct tracker *tracker = enter(jni);
	uint32_t index = 0;
	(void)class;

	if (tracker != NULL)
		index = callee_of(tracker, (uint32_t)caller, (call_method)method);
	leave(jni);
	return (jlong)index;
}

static jlong JNICALL native_mark(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return (jlong)os_run_mark_value();
}

static void JNICALL native_charge(JNIEnv *jni, jclass class)
{
	struct tracker *tracker = enter(jni);
	struct tracked_thread *thread = tracker == NULL ? NULL : tracker_current(tracker);
	(void)class;

	/* With msa=n, link() calls it once. */
	if (thread != NULL && has_breaks(tracker))
		charge_both(thread);
	leave(jni);
}

static void JNICALL native_waits(JNIEnv *jni, jclass class, jint cause)
{
	struct tracker *tracker = enter(jni);
	struct tracked_thread *thread = tracker == NULL ? NULL : thread_at_wait(tracker);
	(void)class;

	if (thread != NULL) {
		uint32_t node = call_state_charged_node(thread->state);
		if (cause == WAIT_PARK)
			cause = (jint)tracker_park_cause(tracker, jni);
		if (cause == WAIT_NONE)
			thread_breaks_returned(&thread->breaks, node);
		else
			thread_breaks_calls(&thread->breaks, node, (enum wait_cause)cause);
	}
	leave(jni);
}

/* ---- defining the class -------------------------------------------------- */

static jclass define_bytes(struct tracker *tracker, JNIEnv *jni, const unsigned char *bytes,
                           size_t length)
{
	const JNINativeMethod natives[] = {
	        boot_class_native("table", "()J", (void (*)(void))native_table),
	        boot_class_native("tableShift", "()I", (void (*)(void))native_table_shift),
	        boot_class_native("tableEnd", "()J", (void (*)(void))native_table_end),
	        boot_class_native("attach", "(J)J", (void (*)(void))native_attach),
	        boot_class_native("lines", "()J", (void (*)(void))native_lines),
	        boot_class_native("callees", "()J", (void (*)(void))native_callees),
	        boot_class_native("callee", "(JI)J", (void (*)(void))native_callee),
	        boot_class_native("mark", "()J", (void (*)(void))native_mark),
	        boot_class_native("charge", "()V", (void (*)(void))native_charge),
	        boot_class_native("waits", "(I)V", (void (*)(void))native_waits),
	};
	const struct boot_class class = {
	        .name = TRACKER_CLASS,
	        .bytes = bytes,
	        .length = length,
	        .natives = natives,
	        .native_count = (jint)(sizeof(natives) / sizeof(natives[0])),
	};
	return boot_class_define(tracker->profile, jni, &class);
}

static jclass find_or_define(struct tracker *tracker, JNIEnv *jni)
{
	size_t length = HprofTracker_length;
	unsigned char *patched = malloc(length);
	jclass class = NULL;

	if (patched == NULL)
		return NULL;
	if (!has_carriers(jni) && patch_for_threads(HprofTracker_bytes, &length, patched))
		class = define_bytes(tracker, jni, patched, length);
	else
		class = define_bytes(tracker, jni, HprofTracker_bytes, HprofTracker_length);
	free(patched);
	return class;
}

bool tracker_define_class(struct tracker *tracker, JNIEnv *jni)
{
	jmethodID link = NULL;

	if (has_breaks(tracker)) {
		vm_pauses_find_memory(&tracker->pauses, jni);
		if (the_park_fields.synchronizer == NULL)
			park_fields_find(&the_park_fields, jni);
	}
	jclass class = find_or_define(tracker, jni);

	if (class != NULL)
		link = (*jni)->GetStaticMethodID(jni, class, "link", "()V");
	if (link != NULL)
		(*jni)->CallStaticVoidMethod(jni, class, link);
	if (link != NULL && !(*jni)->ExceptionCheck(jni))
		return true;
	(*jni)->ExceptionClear(jni);
	profile_fail(tracker->profile, "the class %s can't be defined in this JVM", TRACKER_CLASS);
	return false;
}
