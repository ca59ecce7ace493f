/*
 * engine_clock.c: engine B, for JVMs and systems that lack what engine A needs. An
 * agent thread wakes up once per interval, reads the CPU clock of each Java thread, and
 * requests from the VM the stacks of those that are running and have used an interval.
 * The VM stops a thread at a safepoint to walk its stack; because of this safepoint bias
 * engine A is preferred.
 *
 * Locking: one lock covers the list of threads (starts, ends and ticks). Samples are
 * passed to the sink under the profile's dump lock.
 */
#include "sampling/engine.h"

#include "sampling/runner.h"
#include "sampling/ticks.h"
#include "vm/agent_thread.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <utlist.h>

enum {
	BATCH = 64, /* threads sampled per pass over the list */

	/* A thread that has used an interval but is not running now (it sleeps, or
	 * was preempted, often at the end of a system call) shows a stack other than
	 * the one that used the time. It is not sampled until it runs, for at most
	 * this many ticks and this many intervals. */
	PATIENCE_TICKS = 20,
	PATIENCE_INTERVALS = 2
};

struct clocked_thread {
	struct clocked_thread *prev;
	struct clocked_thread *next;
	os_thread id;
	uint32_t serial;
	jobject object; /* global reference */
	uint64_t origin_ns;
	uint64_t delivered; /* intervals */
	unsigned waited_ticks;
};

struct clock_engine {
	struct profile *profile;
	struct sample_sink *sink;
	virtual_thread_of *virtual_thread_of; /* NULL without virtual threads */
	uint64_t interval_ns;
	struct os_mutex lock;
	struct clocked_thread *threads;
	uint64_t thread_count;   /* ever seen */
	uint64_t exiting_weight; /* due intervals of threads that have ended */
	/* Maximum number of frames in a stack, and buffers of that length. */
	jint depth;
	jvmtiFrameInfo *stack;
	struct raw_frame *frames;
	_Atomic bool stopped;
};

/* A thread to be sampled in this tick. */
struct due_thread {
	jthread object; /* local reference */
	uint32_t serial;
	uint64_t weight;
};

static uint64_t due_intervals(const struct clock_engine *engine,
                              const struct clocked_thread *thread, uint64_t cpu_ns)
{
	uint64_t reached = (cpu_ns - thread->origin_ns) / engine->interval_ns;
	return reached > thread->delivered ? reached - thread->delivered : 0;
}

/* ---- threads ----------------------------------------------------------- */

/* Adds a thread whose CPU clock is at cpu_ns. */
static void add_thread(struct clock_engine *engine, JNIEnv *jni, jthread object,
                       struct java_thread *thread, uint64_t cpu_ns)
{
	struct clocked_thread *clocked = calloc(1, sizeof(*clocked));
	if (clocked == NULL) {
		profile_out_of_memory(engine->profile);
		return;
	}
	clocked->id = thread->id;
	clocked->serial = thread->serial;
	clocked->object = (*jni)->NewGlobalRef(jni, object);
	thread->sampling = clocked;

	os_mutex_lock(&engine->lock);
	uint64_t phase_ns = engine_phase_ns(++engine->thread_count, engine->interval_ns);
	clocked->origin_ns = cpu_ns - phase_ns;
	DL_APPEND(engine->threads, clocked);
	os_mutex_unlock(&engine->lock);
}

static void thread_start(void *argument, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	add_thread(argument, jni, object, thread, os_self_cpu_ns());
}

static void existing_thread(void *argument, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	uint64_t cpu_ns;
	if (os_thread_cpu_ns(thread->id, &cpu_ns) == 0)
		add_thread(argument, jni, object, thread, cpu_ns);
}

static void thread_end(void *argument, JNIEnv *jni, struct java_thread *thread)
{
	struct clock_engine *engine = argument;
	struct clocked_thread *clocked = thread->sampling;

	if (clocked == NULL)
		return;
	thread->sampling = NULL;
	os_mutex_lock(&engine->lock);
	DL_DELETE(engine->threads, clocked);
	engine->exiting_weight += due_intervals(engine, clocked, os_self_cpu_ns());
	os_mutex_unlock(&engine->lock);
	if (clocked->object != NULL)
		(*jni)->DeleteGlobalRef(jni, clocked->object);
	free(clocked);
}

/* ---- ticks ------------------------------------------------------------- */

/* Whether to sample the thread now; *weight is the number of intervals that the sample
 * stands for. Under the lock. */
static bool is_due(struct clock_engine *engine, struct clocked_thread *thread, uint64_t *weight)
{
	uint64_t cpu_ns;

	if (thread->object == NULL || os_thread_cpu_ns(thread->id, &cpu_ns) != 0)
		return false;
	*weight = due_intervals(engine, thread, cpu_ns);
	if (*weight == 0)
		return false;
	if (*weight <= PATIENCE_INTERVALS && thread->waited_ticks < PATIENCE_TICKS &&
	    os_thread_running(thread->id) == OS_NO) {
		thread->waited_ticks++;
		return false;
	}
	thread->waited_ticks = 0;
	*weight = engine_share(*weight, PATIENCE_INTERVALS);
	return true;
}

/* Collects up to BATCH due threads, with local references, skipping the first *from
 * threads of the list. Sets *from to the number of threads examined, and returns the
 * number collected. */
static jint collect_due(struct clock_engine *engine, JNIEnv *jni, uint64_t *from,
                        struct due_thread *due)
{
	struct clocked_thread *thread;
	uint64_t place = 0;
	jint count = 0;

	os_mutex_lock(&engine->lock);
	DL_FOREACH(engine->threads, thread)
	{
		uint64_t weight;
		if (place++ < *from || !is_due(engine, thread, &weight))
			continue;
		thread->delivered += weight;
		due[count] = (struct due_thread){
		        .object = (*jni)->NewLocalRef(jni, thread->object),
		        .serial = thread->serial,
		        .weight = weight,
		};
		if (++count == BATCH)
			break;
	}
	*from = place;
	os_mutex_unlock(&engine->lock);
	return count;
}

static void add_stack(struct clock_engine *engine, JNIEnv *jni, const struct sample_origin *origin,
                      jint frame_count)
{
	if (frame_count <= 0) {
		engine->sink->add_stackless(engine->sink, origin, STACKLESS_NO_JAVA_FRAME);
		return;
	}
	for (jint i = 0; i < frame_count; i++) {
		engine->frames[i].method = engine->stack[i].method;
		engine->frames[i].bci = (int32_t)engine->stack[i].location;
	}
	engine->sink->add(engine->sink, jni, origin, engine->frames, (uint32_t)frame_count);
}

/* Resolves the methods before the dump lock is taken: their classes may be unloaded
 * while a dump holds it. */
static void resolve_methods(struct clock_engine *engine, JNIEnv *jni, jint frame_count)
{
	for (jint i = 0; i < frame_count; i++)
		frame_resolver_learn(engine->profile->resolver, jni, &engine->stack[i].method, 1);
}

/* Takes one thread's stack and passes it to the sink. GetThreadListStackTraces could take
 * many at once, but it stops all threads of the program by a VM operation: the VM thread
 * gets a CPU only when a thread of the program gives it up, so that samples would show
 * that thread in a system call too often. */
static void sample(struct clock_engine *engine, JNIEnv *jni, const struct due_thread *due)
{
	struct profile *profile = engine->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread runner = runner_of(profile, engine->virtual_thread_of, due->object);
	jvmtiError error = (*jvmti)->GetStackTrace(jvmti, runner, 0,
	                                           (jint)atomic_load(&engine->sink->current_depth),
	                                           engine->stack, &count);
	const struct sample_origin origin = {
	        .thread_serial = runner_serial(profile, jni, due->object, runner,
	                                       engine->sink->virtual_threads, due->serial),
	        .weight = due->weight,
	        .time_ns = engine_sample_time(engine->sink)};

	if (error == JVMTI_ERROR_NONE)
		resolve_methods(engine, jni, count);
	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile)) {
		if (error == JVMTI_ERROR_NONE)
			add_stack(engine, jni, &origin, count);
		else
			engine->sink->add_stackless(engine->sink, &origin, STACKLESS_NOT_WALKABLE);
	}
	os_mutex_unlock(&profile->dump_lock);
}

static void tick(struct clock_engine *engine, JNIEnv *jni)
{
	struct due_thread due[BATCH];
	uint64_t from = 0;
	jint count;

	do {
		if ((*jni)->PushLocalFrame(jni, 2 * BATCH) != JNI_OK)
			return;
		count = collect_due(engine, jni, &from, due);
		for (jint i = 0; i < count; i++)
			sample(engine, jni, &due[i]);
		(void)(*jni)->PopLocalFrame(jni, NULL);
	} while (count == BATCH);
}

static void JNICALL run(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct clock_engine *engine = argument;
	struct ticks ticks;
	(void)jvmti;

	ticks_start(&ticks, engine->interval_ns, &engine->stopped);
	while (ticks_wait(&ticks, 0))
		tick(engine, jni);
}

/* ---- life -------------------------------------------------------------- */

static void poll(void *argument, JNIEnv *jni)
{
	struct clock_engine *engine = argument;

	if (engine->sink->virtual_threads)
		java_threads_sweep(engine->profile->threads, jni);
	os_mutex_lock(&engine->lock);
	uint64_t exiting = engine->exiting_weight;
	engine->exiting_weight = 0;
	os_mutex_unlock(&engine->lock);
	const struct sample_origin origin = {.weight = exiting,
	                                     .time_ns = engine_sample_time(engine->sink)};
	if (exiting > 0)
		engine->sink->add_stackless(engine->sink, &origin, STACKLESS_EXITING);
}

static void destroy(void *argument, JNIEnv *jni)
{
	struct clock_engine *engine = argument;
	struct clocked_thread *thread;
	struct clocked_thread *next;

	DL_FOREACH_SAFE(engine->threads, thread, next)
	{
		if (thread->object != NULL)
			(*jni)->DeleteGlobalRef(jni, thread->object);
		free(thread);
	}
	os_mutex_destroy(&engine->lock);
	free(engine->stack);
	free(engine->frames);
	free(engine);
}

static void *create(struct profile *profile, struct sample_sink *sink, struct mode_needs *needs,
                    const char **reason)
{
	struct clock_engine *engine = calloc(1, sizeof(*engine));

	*reason = "out of memory";
	if (engine == NULL)
		return NULL;
	uint64_t cpu_ns;
	if (os_thread_cpu_ns(os_self_thread(), &cpu_ns) != 0) {
		*reason = "this system has no thread CPU clocks";
		free(engine);
		return NULL;
	}
	engine->depth = (jint)sink->depth;
	engine->stack = calloc((size_t)engine->depth, sizeof(*engine->stack));
	engine->frames = calloc((size_t)engine->depth, sizeof(*engine->frames));
	if (engine->stack == NULL || engine->frames == NULL || os_mutex_init(&engine->lock) != 0) {
		free(engine->stack);
		free(engine->frames);
		free(engine);
		return NULL;
	}
	engine->profile = profile;
	engine->sink = sink;
	engine->interval_ns = (uint64_t)profile->settings->interval_ms * 1000000;
	engine->virtual_thread_of = virtual_threads_find(profile->jvmti);
	if (engine->virtual_thread_of != NULL)
		virtual_threads_add_capability(&needs->capabilities);
	needs->virtual_thread_end = needs->virtual_thread_end || sink->virtual_threads;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	return engine;
}

static const char *describe(void *argument)
{
	(void)argument;
	return "reading every thread's CPU clock (stacks at safepoints)";
}

static void live(void *argument, JNIEnv *jni)
{
	struct clock_engine *engine = argument;
	(void)agent_thread_start(engine->profile, jni, "hprof sampler", run, engine);
}

static void stop(void *argument)
{
	struct clock_engine *engine = argument;
	atomic_store(&engine->stopped, true);
}

const struct engine_ops engine_clock = {
        .create = create,
        .describe = describe,
        .live = live,
        .thread_start = thread_start,
        .thread_end = thread_end,
        .existing_thread = existing_thread,
        .poll = poll,
        .stop = stop,
        .destroy = destroy,
};
