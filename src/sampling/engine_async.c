/*
 * engine_async.c: engine A. Each Java thread has a timer on its own CPU clock; the
 * timer's signal handler runs on the thread and writes its stack into the thread's ring.
 * The agent thread drains the rings (poll) and resolves the methods soon, before their
 * classes can be unloaded.
 *
 * The weight of a sample is the CPU time since the previous sample, in intervals, so
 * late or merged timer expirations lose no time. Time that is due when a thread ends
 * has no stack.
 *
 * A thread that the system refuses a timer, or whose timer is lost, is sampled by its CPU clock
 * (clock_sampler.h): poll hands it over.
 *
 * With vthreads=y a sample counts for the virtual thread that is mounted (carrier.h).
 *
 * Locking: one lock covers the list of sources (thread starts and polls). The handler
 * takes no lock. poll frees a source after its thread has ended and its ring is empty.
 */
#include "sampling/engine.h"

#include "hotspot/async_walker.h"
#include "os/time_units.h"
#include "sampling/carrier.h"
#include "sampling/clock_sampler.h"
#include "sampling/virtual_callers.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"
#include "vm/jvm_version.h"
#include "vm/timer_watch.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
	SEEN_METHODS = 4096, /* a power of two */
	HANDLERS_WAIT_MS = 1000
};

struct async_engine {
	struct profile *profile;
	struct sample_sink *sink;
	struct async_walker walker;
	struct virtual_callers *callers; /* NULL without virtual threads */
	struct carriers carriers;
	uint64_t number; /* of the engines in this process, from 1 */
	uint64_t interval_ns;
	struct os_mutex lock;
	struct sample_source *sources;
	uint64_t source_count; /* ever created */
	struct timer_watch watch;
	struct clock_sampler *clock; /* samples threads without a timer */
	bool clock_started;
	_Atomic bool has_untimed; /* some threads have just got no timer */
	_Atomic bool stopped;
	_Atomic uint64_t walked_by_vm; /* weight of samples walked by the VM */
	/* Methods of recent samples, by hash; the latest one replaces another in its
	 * place. A method that is not among them wakes the agent thread, which resolves
	 * its names at once. */
	_Atomic(void *) seen[SEEN_METHODS];
};

/* A thread that is sampled. */
struct sample_source {
	struct async_engine *engine;
	struct sample_source *prev;
	struct sample_source *next;
	uint32_t thread_serial;
	uint64_t rest; /* weight due when the thread ended; set before ended, as is its time */
	uint64_t rest_ns;
	_Atomic bool ended;
	struct os_cpu_timer timer;
	struct sample_ring ring;
	_Atomic uint64_t dropped; /* weight dropped because the ring was full */
	struct carrier carrier;
	JNIEnv *jni;

	/* The thread as it is sampled without a timer; its object and the beginning of the count
	 * with a timer, too. */
	struct clocked_thread clocked;
	_Atomic bool has_begun; /* its count has; it has a timer, or was refused one */
	_Atomic bool by_clock;

	_Atomic uint64_t delivered; /* intervals counted so far; by the handler until by_clock */
};

/* The calling thread's source, and the number of its engine: an engine that has ended leaves
 * pointers to freed sources. */
static _Thread_local struct sample_source *own_source;
static _Thread_local uint64_t own_engine;

static _Atomic uint64_t engine_count; /* ever created */

/* ---- on the sampled thread, in the signal handler ---------------------- */

static uint32_t frames_of(const struct raw_sample *sample)
{
	return sample->frame_count > 0 ? (uint32_t)sample->frame_count : 0;
}

/* Marks the methods of a sample as seen; true when one of them was not. */
static bool mark_seen(struct async_engine *engine, const struct raw_sample *sample)
{
	bool is_new = false;

	for (int32_t i = 0; i < sample->frame_count; i++) {
		uintptr_t method = (uintptr_t)sample->frames[i].method;
		_Atomic(void *) *place = &engine->seen[(method >> 3) % SEEN_METHODS];
		if (atomic_load_explicit(place, memory_order_relaxed) == sample->frames[i].method)
			continue;
		atomic_store_explicit(place, sample->frames[i].method, memory_order_relaxed);
		is_new = true;
	}
	return is_new;
}

/* Whether the agent thread must drain the ring soon: to resolve new methods, to complete
 * the callers of a virtual thread before they change, or because the ring fills up. */
static bool is_urgent(struct sample_source *source, const struct raw_sample *sample)
{
	bool is_new = mark_seen(source->engine, sample);
	return is_new || sample_ring_is_half_full(&source->ring) ||
	       virtual_callers_find_gap(source->engine->callers, sample->frames,
	                                frames_of(sample)) > 0;
}

/* Whole intervals since the last sample. A timer can expire a little before the clock
 * reaches the end of an interval: up to a quarter early counts as reached. */
static uint64_t take_due(struct sample_source *source)
{
	uint64_t interval_ns = source->engine->interval_ns;
	uint64_t used_ns = os_self_cpu_ns() - source->clocked.origin_ns;
	uint64_t reached = (used_ns + interval_ns / 4) / interval_ns;
	uint64_t delivered = atomic_load_explicit(&source->delivered, memory_order_relaxed);

	if (reached <= delivered)
		return 0;
	atomic_store_explicit(&source->delivered, reached, memory_order_relaxed);
	return reached - delivered;
}

static void on_timer(void *user, void *context)
{
	struct sample_source *source = user;
	struct async_engine *engine = source->engine;
	if (atomic_load(&source->by_clock) ||
	    clock_sampler_is_own_work(engine->clock, &source->clocked))
		return;
	uint64_t weight = take_due(source);
	if (weight == 0)
		return;

	struct raw_sample *sample = sample_ring_reserve(&source->ring);
	if (sample == NULL) {
		atomic_fetch_add_explicit(&source->dropped, weight, memory_order_relaxed);
		os_event_signal(&engine->profile->wake);
		return;
	}
	uint32_t depth = atomic_load_explicit(&engine->sink->current_depth, memory_order_relaxed);
	bool by_vm;
	sample->frame_count = async_walker_walk(&engine->walker, source->jni, context,
	                                        sample->frames, depth, &by_vm);
	if (by_vm)
		atomic_fetch_add_explicit(&engine->walked_by_vm, weight, memory_order_relaxed);
	sample->weight = weight;
	sample->mounted =
	        mounted_serial_sample(&source->carrier.mounted, engine->profile->model.threads);
	sample->time_ns = engine_sample_time(engine->sink);
	bool urgent = is_urgent(source, sample);
	sample_ring_commit(&source->ring, sample);
	if (urgent)
		os_event_signal(&engine->profile->wake);
}

/* ---- threads ----------------------------------------------------------- */

static struct sample_source *source_new(struct async_engine *engine, JNIEnv *jni, jthread object,
                                        const struct java_thread *thread)
{
	struct sample_source *source = calloc(1, sizeof(*source));
	if (source == NULL)
		return NULL;
	if (!sample_ring_init(&source->ring, engine->sink->depth)) {
		free(source);
		return NULL;
	}
	source->engine = engine;
	source->jni = thread->jni;
	source->thread_serial = thread->serial;
	source->clocked.id = thread->id;
	source->clocked.serial = thread->serial;
	source->clocked.object = (*jni)->NewGlobalRef(jni, object);
	return source;
}

static void source_free(struct sample_source *source, JNIEnv *jni)
{
	if (source->clocked.object != NULL)
		(*jni)->DeleteGlobalRef(jni, source->clocked.object);
	sample_ring_destroy(&source->ring);
	carrier_free(&source->carrier);
	free(source);
}

static void set_own_source(const struct async_engine *engine, struct sample_source *source)
{
	own_source = source;
	own_engine = source == NULL ? 0 : engine->number;
}

/* The source of the calling thread, if virtual threads have samples of their own; or NULL. One that
 * another thread made is searched once. */
static struct sample_source *source_of_carrier(struct async_engine *engine, const JNIEnv *jni)
{
	struct sample_source *source;

	if (!engine->sink->virtual_threads)
		return NULL;
	if (own_engine == engine->number)
		return own_source;
	os_mutex_lock(&engine->lock);
	DL_FOREACH(engine->sources, source)
	{
		if (source->jni == jni && !atomic_load(&source->ended))
			break;
	}
	os_mutex_unlock(&engine->lock);
	set_own_source(engine, source);
	return source;
}

static uint64_t list_source(struct async_engine *engine, struct sample_source *source)
{
	os_mutex_lock(&engine->lock);
	DL_APPEND(engine->sources, source);
	uint64_t number = ++engine->source_count;
	os_mutex_unlock(&engine->lock);
	return number;
}

/* The next poll sees to the thread if it has no timer. */
static void check_timer(struct sample_source *source, int error)
{
	struct async_engine *engine = source->engine;

	atomic_store(&source->has_begun, true);
	if (error != 0)
		timer_watch_refused(&engine->watch, error);
	if (os_cpu_timer_runs(&source->timer))
		return;
	atomic_store(&engine->has_untimed, true);
	os_event_signal(&engine->profile->wake);
}

static void start_timer(struct sample_source *source, uint64_t number)
{
	struct async_engine *engine = source->engine;
	uint64_t phase_ns = engine_phase_ns(number, engine->interval_ns);

	source->clocked.origin_ns = os_self_cpu_ns() - phase_ns;
	int error = os_cpu_timer_start(&source->timer, engine->interval_ns - phase_ns,
	                               engine->interval_ns, source);
	/* Exclude the time that starting the timer took: it is the agent's. */
	source->clocked.origin_ns = os_self_cpu_ns() - phase_ns;
	check_timer(source, error);
}

static void engine_async_thread_start(void *argument, JNIEnv *jni, jthread object,
                                      struct java_thread *thread)
{
	struct async_engine *engine = argument;

	struct sample_source *source = source_new(engine, jni, object, thread);
	if (source == NULL) {
		profile_out_of_memory(engine->profile);
		return;
	}
	thread->sampling = source;
	set_own_source(engine, source);
	start_timer(source, list_source(engine, source));
}

/* Starts the timer of another thread, whose CPU clock is at cpu_ns and which may be sampled
 * before this returns. */
static void start_timer_on(struct sample_source *source, uint64_t cpu_ns, uint64_t number)
{
	struct async_engine *engine = source->engine;
	uint64_t phase_ns = engine_phase_ns(number, engine->interval_ns);

	source->clocked.origin_ns = cpu_ns - phase_ns;
	check_timer(source, os_cpu_timer_start_on(&source->timer, source->clocked.id,
	                                          engine->interval_ns - phase_ns,
	                                          engine->interval_ns, source));
}

static void engine_async_existing_thread(void *argument, JNIEnv *jni, jthread object,
                                         struct java_thread *thread)
{
	struct async_engine *engine = argument;

	/* Without such timers it is one of the VM's own first threads (see engine_async_create()),
	 * which use hardly any CPU time. */
	uint64_t cpu_ns;
	if (!os_cpu_timers_of_others() || os_thread_cpu_ns(thread->id, &cpu_ns) != 0)
		return;
	struct sample_source *source = source_new(engine, jni, object, thread);
	if (source == NULL) {
		profile_out_of_memory(engine->profile);
		return;
	}
	thread->sampling = source;
	bool looks = engine->carriers.virtual_thread_of != NULL;
	if (looks)
		atomic_store(&source->carrier.mounted.state, MOUNTED_UNKNOWN);
	uint64_t number = list_source(engine, source);
	if (looks)
		carrier_look(&engine->carriers, &source->carrier, jni, object);
	start_timer_on(source, cpu_ns, number);
}

/* Whole intervals that are due when the thread ends, since its timer was late or the
 * thread ended before the first expiration. */
static uint64_t due_at_end(struct sample_source *source, uint64_t cpu_ns)
{
	struct async_engine *engine = source->engine;

	(void)os_cpu_timer_stop(&source->timer);
	if (!clock_sampler_remove(engine->clock, &source->clocked))
		source->clocked.delivered = atomic_load(&source->delivered);
	/* The end of the profile may have found the thread without a timer. */
	if (atomic_load(&engine->stopped))
		return 0;
	return clock_sampler_due(engine->clock, &source->clocked, cpu_ns);
}

static void engine_async_thread_end(void *argument, JNIEnv *jni, struct java_thread *thread)
{
	struct sample_source *source = thread->sampling;
	(void)argument;
	(void)jni;

	if (source == NULL)
		return;
	thread->sampling = NULL;
	set_own_source(source->engine, NULL);
	source->rest = due_at_end(source, os_self_cpu_ns());
	source->rest_ns = engine_sample_time(source->engine->sink);
	atomic_store_explicit(&source->ended, true, memory_order_release);
}

/* ---- virtual threads, on their carrier --------------------------------- */

static void engine_async_virtual_mounted(void *argument, JNIEnv *jni, jthread object)
{
	struct async_engine *engine = argument;
	struct sample_source *source = source_of_carrier(engine, jni);
	(void)object;

	if (source != NULL)
		carrier_mounted(&engine->carriers, &source->carrier);
}

static void engine_async_virtual_unmounted(void *argument, JNIEnv *jni, jthread object)
{
	struct async_engine *engine = argument;
	struct sample_source *source = source_of_carrier(engine, jni);

	if (source != NULL)
		carrier_unmounted(&engine->carriers, &source->carrier, jni, object);
}

/* ---- the consumer ------------------------------------------------------ */

static enum stackless_reason reason_of(int32_t code)
{
	switch (code) {
	case ASYNC_NO_JAVA_FRAME:
		return STACKLESS_NO_JAVA_FRAME;
	case ASYNC_GC_ACTIVE:
		return STACKLESS_IN_GC;
	case ASYNC_THREAD_EXIT:
		return STACKLESS_EXITING;
	case ASYNC_FAULT:
		return STACKLESS_WALKER_FAULT;
	case ASYNC_TOO_LONG:
		return STACKLESS_TOO_LONG;
	default:
		return STACKLESS_NOT_WALKABLE;
	}
}

static void add_stack(struct sample_source *source, JNIEnv *jni, const struct raw_sample *sample,
                      const struct sample_origin *origin)
{
	struct async_engine *engine = source->engine;
	const struct raw_frame *frames = sample->frames;
	uint32_t count = frames_of(sample);
	uint32_t gap = virtual_callers_find_gap(engine->callers, frames, count);

	if (gap > 0 && source->clocked.object != NULL)
		frames = virtual_callers_complete(engine->callers, jni, source->clocked.object,
		                                  frames, gap, &count);
	engine->sink->add(engine->sink, jni, origin, frames, count);
}

/* Adds CPU time of the source's own thread. */
static void add_stackless(struct sample_source *source, enum stackless_reason reason,
                          uint64_t weight, uint64_t time_ns)
{
	struct sample_sink *sink = source->engine->sink;
	const struct sample_origin origin = {
	        .thread_serial = source->thread_serial, .weight = weight, .time_ns = time_ns};
	if (weight > 0)
		sink->add_stackless(sink, &origin, reason);
}

static void add(struct sample_source *source, JNIEnv *jni, const struct raw_sample *sample)
{
	struct async_engine *engine = source->engine;
	uint32_t mounted = carrier_resolve(&engine->carriers, &source->carrier, jni,
	                                   source->clocked.object, sample->mounted);
	const struct sample_origin origin = {.thread_serial =
	                                             mounted != 0 ? mounted : source->thread_serial,
	                                     .weight = sample->weight,
	                                     .time_ns = sample->time_ns};
	if (sample->frame_count > 0)
		add_stack(source, jni, sample, &origin);
	else
		engine->sink->add_stackless(engine->sink, &origin, reason_of(sample->frame_count));
}

static void drain(struct sample_source *source, JNIEnv *jni)
{
	const struct raw_sample *sample;
	struct carriers *carriers = &source->engine->carriers;
	struct carrier_mark mark = carrier_begin_drain(carriers, &source->carrier);

	virtual_callers_invalidate(source->engine->callers);
	while ((sample = sample_ring_peek(&source->ring)) != NULL) {
		add(source, jni, sample);
		sample_ring_pop(&source->ring, sample);
	}
	carrier_end_drain(carriers, &source->carrier, &mark);
	add_stackless(source, STACKLESS_RING_FULL, atomic_exchange(&source->dropped, 0),
	              engine_sample_time(source->engine->sink));
}

/* Has the thread sampled by its CPU clock, unless it has a timer. */
static void replace_timer(struct sample_source *source)
{
	if (!atomic_load(&source->has_begun) || atomic_load(&source->by_clock) ||
	    os_cpu_timer_runs(&source->timer))
		return;
	atomic_store(&source->by_clock, true);
	clock_sampler_add(source->engine->clock, &source->clocked, atomic_load(&source->delivered));
}

/* For the VM's stacks of virtual threads. Asked for only now, since it makes these slower. */
static void add_capability(struct async_engine *engine)
{
	jvmtiEnv *jvmti = engine->profile->jvmti;
	jvmtiCapabilities capabilities = {0};

	if (engine->callers == NULL)
		return;
	virtual_threads_add_capability(&capabilities);
	(void)(*jvmti)->AddCapabilities(jvmti, &capabilities);
}

static bool start_clock(struct async_engine *engine, JNIEnv *jni)
{
	add_capability(engine);
	return clock_sampler_start(engine->clock, jni);
}

/* Sees to threads that have no timer, up to `last` in the list. */
static void replace_timers(struct async_engine *engine, JNIEnv *jni, struct sample_source *first,
                           const struct sample_source *last)
{
	struct sample_source *source = first;

	while (source != NULL) {
		replace_timer(source);
		os_mutex_lock(&engine->lock);
		source = source == last ? NULL : source->next;
		os_mutex_unlock(&engine->lock);
	}
	if (!engine->clock_started)
		engine->clock_started = start_clock(engine, jni);
}

static void engine_async_poll(void *argument, JNIEnv *jni)
{
	struct async_engine *engine = argument;
	struct sample_source *source;
	struct sample_source *next;

	bool has_untimed = atomic_exchange(&engine->has_untimed, false);
	has_untimed |= timer_watch_poll(&engine->watch);
	/* Sources are appended by other threads but removed only here: the list does
	 * not change between its head and the last source seen under the lock. */
	os_mutex_lock(&engine->lock);
	struct sample_source *first = engine->sources;
	struct sample_source *last = first == NULL ? NULL : first->prev;
	os_mutex_unlock(&engine->lock);

	if (has_untimed && !atomic_load(&engine->stopped))
		replace_timers(engine, jni, first, last);
	for (source = first; source != NULL; source = next) {
		bool ended = atomic_load_explicit(&source->ended, memory_order_acquire);
		drain(source, jni);
		if (ended)
			add_stackless(source, STACKLESS_ENDED, source->rest, source->rest_ns);
		next = NULL;
		os_mutex_lock(&engine->lock);
		if (source != last)
			next = source->next;
		if (ended)
			DL_DELETE(engine->sources, source);
		os_mutex_unlock(&engine->lock);
		if (ended)
			source_free(source, jni);
	}
}

/* With verbose=y: how many stacks the VM walked. */
static void write_walker_note(struct async_engine *engine)
{
	char text[128];
	uint64_t by_vm = atomic_load_explicit(&engine->walked_by_vm, memory_order_relaxed);

	(void)snprintf(
	        text, sizeof(text),
	        "AsyncGetCallTrace walked the stacks of %llu samples so far, the agent all others",
	        (unsigned long long)by_vm);
	writer_note(engine->profile->writer, text);
}

static void write_lack_note(struct async_engine *engine, const char *reason)
{
	char text[160];

	(void)snprintf(text, sizeof(text),
	               "stacks are walked by AsyncGetCallTrace alone, which misses some: %s",
	               reason);
	writer_note(engine->profile->writer, text);
}

static void engine_async_write_notes(void *argument)
{
	struct async_engine *engine = argument;
	const char *lacks = async_walker_lacks(&engine->walker);

	timer_watch_write_notes(&engine->watch, engine->profile->writer);
	if (lacks != NULL)
		write_lack_note(engine, lacks);
	if (engine->profile->settings->verbose && async_walker_walks_first(&engine->walker))
		write_walker_note(engine);
}

/* ---- classes ----------------------------------------------------------- */

/* Whether the class may be unloaded while the program runs: it is hidden, or its loader
 * is not one of the JDK's. True in doubt. */
static bool can_unload(struct profile *profile, JNIEnv *jni, jclass class)
{
	jvmtiEnv *jvmti = profile->jvmti;
	char *signature = NULL;
	jobject loader = NULL;

	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
		return true;
	bool hidden = strchr(signature, '.') != NULL;
	profile_deallocate(profile, signature);
	if (hidden)
		return true;

	if ((*jvmti)->GetClassLoader(jvmti, class, &loader) != JVMTI_ERROR_NONE)
		return true;
	if (loader == NULL)
		return false;
	jclass loader_class = (*jni)->GetObjectClass(jni, loader);
	char *loader_signature = NULL;
	bool builtin = false;
	if ((*jvmti)->GetClassSignature(jvmti, loader_class, &loader_signature, NULL) ==
	    JVMTI_ERROR_NONE)
		builtin = strncmp(loader_signature, "Ljdk/internal/loader/ClassLoaders$", 34) == 0;
	profile_deallocate(profile, loader_signature);
	(*jni)->DeleteLocalRef(jni, loader_class);
	(*jni)->DeleteLocalRef(jni, loader);
	return !builtin;
}

/* The walker reports only methods whose jmethodIDs exist, and can't create them in a
 * signal handler: GetClassMethods creates those of the class. A class may be unloaded
 * while its samples are still in a ring, so methods of classes that can be unloaded are
 * resolved now, before they can be in a sample. */
static void engine_async_class_prepare(void *argument, JNIEnv *jni, jclass class)
{
	struct async_engine *engine = argument;
	struct profile *profile = engine->profile;
	jint count = 0;
	jmethodID *methods = NULL;

	async_walker_try_stack(&engine->walker, profile->jvmti, jni);
	jvmtiError error =
	        (*profile->jvmti)->GetClassMethods(profile->jvmti, class, &count, &methods);
	if (error == JVMTI_ERROR_OUT_OF_MEMORY)
		profile_out_of_memory(profile);
	if (error != JVMTI_ERROR_NONE)
		return;
	if (can_unload(profile, jni, class))
		frame_resolver_learn(profile->resolver, jni, methods, count);
	profile_deallocate(profile, methods);
}

static void engine_async_method_compiled(void *argument, const void *compile_info)
{
	struct async_engine *engine = argument;
	async_walker_try_code(&engine->walker, compile_info);
}

/* ---- life -------------------------------------------------------------- */

static bool init_locks(struct async_engine *engine, struct profile *profile,
                       const struct sample_sink *sink)
{
	if (os_mutex_init(&engine->lock) != 0)
		return false;
	if (carriers_init(&engine->carriers, profile, sink->virtual_threads))
		return true;
	os_mutex_destroy(&engine->lock);
	return false;
}

static struct async_engine *new_engine(struct profile *profile, struct sample_sink *sink)
{
	struct async_engine *engine = calloc(1, sizeof(*engine));
	if (engine == NULL)
		return NULL;
	bool virtual_threads = virtual_threads_find(profile->jvmti) != NULL;
	if (virtual_threads)
		engine->callers = virtual_callers_create(profile, sink->depth);
	engine->clock = clock_sampler_create(profile, sink);
	if (engine->clock == NULL || (virtual_threads && engine->callers == NULL) ||
	    !init_locks(engine, profile, sink)) {
		virtual_callers_destroy(engine->callers);
		if (engine->clock != NULL)
			clock_sampler_destroy(engine->clock);
		free(engine);
		return NULL;
	}
	engine->profile = profile;
	engine->sink = sink;
	engine->number = atomic_fetch_add(&engine_count, 1) + 1;
	engine->watch.instead = "an agent thread takes samples at safepoints instead";
	return engine;
}

static void engine_async_destroy(void *argument, JNIEnv *jni)
{
	struct async_engine *engine = argument;
	struct sample_source *source;
	struct sample_source *next;

	DL_FOREACH_SAFE(engine->sources, source, next)
	{
		source_free(source, jni);
	}
	clock_sampler_destroy(engine->clock);
	virtual_callers_destroy(engine->callers);
	carriers_destroy(&engine->carriers);
	os_mutex_destroy(&engine->lock);
	free(engine);
}

/* Whether the agent is attached to a running VM, whose threads need timers too. */
static bool is_live(struct profile *profile)
{
	jvmtiPhase phase = JVMTI_PHASE_ONLOAD;
	(void)(*profile->jvmti)->GetPhase(profile->jvmti, &phase);
	return phase == JVMTI_PHASE_LIVE;
}

static void *engine_async_create(struct profile *profile, struct sample_sink *sink,
                                 struct mode_needs *needs, const char **reason)
{
	struct async_walker walker = {0};
	if (!async_walker_find(&walker, profile->jvmti)) {
		*reason = "this JVM does not export " ASYNC_GET_CALL_TRACE;
		return NULL;
	}
	if (!os_cpu_timers_of_others() && is_live(profile)) {
		*reason = "this system has no CPU timers for existing threads";
		return NULL;
	}
	if (os_cpu_timers_install(OS_CPU_TIMER_ANY, on_timer) != 0) {
		*reason = "the system provides no timers on thread CPU clocks";
		return NULL;
	}
	struct async_engine *engine = new_engine(profile, sink);
	if (engine == NULL) {
		*reason = "out of memory";
		return NULL;
	}
	engine->walker = walker;
	engine->interval_ns = profile->settings->interval_ms * NS_PER_MS;

	/* Stacks can't be walked until the VM is live. */
	os_cpu_timers_pause();

	/* AsyncGetCallTrace does not work without ClassLoad events. With
	 * CompiledMethodLoad events the compilers record debug information for every
	 * instruction, not just for safepoints. */
	needs->class_load = true;
	needs->class_prepare = true;
	needs->compiled_method_load = true;
	needs->capabilities.can_generate_compiled_method_load_events = 1;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	if (sink->virtual_threads) {
		needs->virtual_mounts = true;
		virtual_threads_add_capability(&needs->capabilities);
	}
	return engine;
}

static const char *engine_async_describe(void *argument)
{
	const struct async_engine *engine = argument;
	return os_cpu_timers_name(engine->interval_ns);
}

static enum async_own_walk own_walk(const struct profile *profile)
{
	if (profile->settings->stacks == STACKS_VM)
		return ASYNC_WALKS_NOT;
	return jvm_version_is_tested(profile->jvmti) ? ASYNC_WALKS : ASYNC_WALKS_WHEN_TRIED;
}

static void engine_async_live(void *argument, JNIEnv *jni)
{
	struct async_engine *engine = argument;
	const struct profile *profile = engine->profile;

	async_walker_live(&engine->walker, profile->jvmti, jni, own_walk(profile));
	if (engine->callers != NULL)
		virtual_callers_live(engine->callers, jni);
	os_cpu_timers_resume();
}

static void engine_async_begin(void *argument)
{
	struct async_engine *engine = argument;
	struct sample_source *source;

	os_mutex_lock(&engine->lock);
	DL_SEARCH_SCALAR(engine->sources, source, clocked.id, os_self_thread());
	os_mutex_unlock(&engine->lock);
	clock_sampler_end_own_work(engine->clock, source == NULL ? NULL : &source->clocked);
}

static void engine_async_stop(void *argument)
{
	struct async_engine *engine = argument;

	(void)timer_watch_last_look(&engine->watch);
	atomic_store(&engine->stopped, true);
	clock_sampler_stop(engine->clock);
	(void)os_cpu_timers_end(HANDLERS_WAIT_MS);
}

const struct engine_ops engine_async = {
        .create = engine_async_create,
        .describe = engine_async_describe,
        .write_notes = engine_async_write_notes,
        .destroy = engine_async_destroy,
        .hooks = {.live = engine_async_live,
                  .begin = engine_async_begin,
                  .thread_start = engine_async_thread_start,
                  .thread_end = engine_async_thread_end,
                  .existing_thread = engine_async_existing_thread,
                  .virtual_mounted = engine_async_virtual_mounted,
                  .virtual_unmounted = engine_async_virtual_unmounted,
                  .class_prepare = engine_async_class_prepare,
                  .method_compiled = engine_async_method_compiled,
                  .poll = engine_async_poll,
                  .stop = engine_async_stop},
};
