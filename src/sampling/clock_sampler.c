/*
 * clock_sampler.c: see clock_sampler.h. The VM stops a thread at a safepoint to walk its stack.
 */
#include "sampling/clock_sampler.h"

#include "os/time_units.h"
#include "profile/jni_frame.h"
#include "sampling/runner.h"
#include "sampling/ticks.h"
#include "vm/agent_thread.h"
#include "vm/frame_resolver.h"
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

struct clock_sampler {
	struct profile *profile;
	struct sample_sink *sink;
	virtual_thread_of *virtual_thread_of; /* NULL without virtual threads */
	uint64_t interval_ns;
	struct os_mutex lock;
	struct clocked_thread *threads;
	/* Maximum number of frames in a stack, and buffers of that length. */
	jint depth;
	jvmtiFrameInfo *stack;
	struct raw_frame *frames;
	_Atomic bool stopped;
	_Atomic os_thread worker; /* the thread that does the agent's work, or NO_WORKER */
	uint64_t work_begin_ns;   /* its CPU clock then */
};

/* The system's name of no thread. */
enum { NO_WORKER = 0 };

/* A thread to be sampled in this tick. */
struct due_thread {
	jthread object; /* local reference */
	uint32_t serial;
	uint64_t weight;
};

/* ---- threads ----------------------------------------------------------- */

uint64_t clock_sampler_due(const struct clock_sampler *sampler, const struct clocked_thread *thread,
                           uint64_t cpu_ns)
{
	uint64_t reached = (cpu_ns - thread->origin_ns) / sampler->interval_ns;
	return reached > thread->delivered ? reached - thread->delivered : 0;
}

void clock_sampler_add(struct clock_sampler *sampler, struct clocked_thread *thread,
                       uint64_t delivered)
{
	os_mutex_lock(&sampler->lock);
	if (!thread->has_left && !thread->is_listed) {
		DL_APPEND(sampler->threads, thread);
		thread->delivered = delivered;
		thread->is_listed = true;
	}
	os_mutex_unlock(&sampler->lock);
}

/* Under the lock. */
static void take_out(struct clock_sampler *sampler, struct clocked_thread *thread)
{
	DL_DELETE(sampler->threads, thread);
	thread->is_listed = false;
}

bool clock_sampler_remove(struct clock_sampler *sampler, struct clocked_thread *thread)
{
	os_mutex_lock(&sampler->lock);
	bool was_listed = thread->is_listed;
	if (was_listed)
		take_out(sampler, thread);
	thread->has_left = true;
	os_mutex_unlock(&sampler->lock);
	return was_listed;
}

struct clocked_thread *clock_sampler_remove_any(struct clock_sampler *sampler)
{
	os_mutex_lock(&sampler->lock);
	struct clocked_thread *thread = sampler->threads;
	if (thread != NULL)
		take_out(sampler, thread);
	os_mutex_unlock(&sampler->lock);
	return thread;
}

/* ---- the agent's own work ------------------------------------------------ */

bool clock_sampler_is_own_work(const struct clock_sampler *sampler,
                               const struct clocked_thread *thread)
{
	return atomic_load_explicit(&sampler->worker, memory_order_relaxed) == thread->id;
}

/* Its count goes on where it was when the work began, or begins now. */
static void skip_work(const struct clock_sampler *sampler, struct clocked_thread *thread)
{
	uint64_t now_ns = os_self_cpu_ns();

	if (thread->origin_ns > sampler->work_begin_ns)
		thread->origin_ns = now_ns;
	else
		thread->origin_ns += now_ns - sampler->work_begin_ns;
}

void clock_sampler_end_own_work(struct clock_sampler *sampler, struct clocked_thread *thread)
{
	os_mutex_lock(&sampler->lock);
	if (thread == NULL)
		DL_SEARCH_SCALAR(sampler->threads, thread, id, os_self_thread());
	if (thread != NULL)
		skip_work(sampler, thread);
	atomic_store(&sampler->worker, NO_WORKER);
	os_mutex_unlock(&sampler->lock);
}

/* ---- ticks ------------------------------------------------------------- */

/* Whether to sample the thread now; *weight is the number of intervals that the sample
 * stands for. Under the lock. */
static bool is_due(struct clock_sampler *sampler, struct clocked_thread *thread, uint64_t *weight)
{
	uint64_t cpu_ns;

	if (thread->object == NULL || clock_sampler_is_own_work(sampler, thread) ||
	    os_thread_cpu_ns(thread->id, &cpu_ns) != 0)
		return false;
	*weight = clock_sampler_due(sampler, thread, cpu_ns);
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
static jint collect_due(struct clock_sampler *sampler, JNIEnv *jni, uint64_t *from,
                        struct due_thread *due)
{
	struct clocked_thread *thread;
	uint64_t place = 0;
	jint count = 0;

	os_mutex_lock(&sampler->lock);
	DL_FOREACH(sampler->threads, thread)
	{
		uint64_t weight;
		if (place++ < *from || !is_due(sampler, thread, &weight))
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
	os_mutex_unlock(&sampler->lock);
	return count;
}

static void add_stack(struct clock_sampler *sampler, JNIEnv *jni,
                      const struct sample_origin *origin, jint frame_count)
{
	if (frame_count <= 0) {
		sampler->sink->add_stackless(sampler->sink, origin, STACKLESS_NO_JAVA_FRAME);
		return;
	}
	for (jint i = 0; i < frame_count; i++) {
		sampler->frames[i].method = sampler->stack[i].method;
		sampler->frames[i].bci = (int32_t)sampler->stack[i].location;
	}
	sampler->sink->add(sampler->sink, jni, origin, sampler->frames, (uint32_t)frame_count);
}

/* Resolves the methods before the dump lock is taken: their classes may be unloaded
 * while a dump holds it. */
static void resolve_methods(struct clock_sampler *sampler, JNIEnv *jni, jint frame_count)
{
	for (jint i = 0; i < frame_count; i++)
		frame_resolver_learn(sampler->profile->resolver, jni, &sampler->stack[i].method, 1);
}

/* Takes one thread's stack and passes it to the sink. GetThreadListStackTraces could take
 * many at once, but it stops all threads of the program by a VM operation: the VM thread
 * gets a CPU only when a thread of the program gives it up, so that samples would show
 * that thread in a system call too often. */
static void sample(struct clock_sampler *sampler, JNIEnv *jni, const struct due_thread *due)
{
	struct profile *profile = sampler->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread runner = runner_of(profile, sampler->virtual_thread_of, due->object);
	jvmtiError error = (*jvmti)->GetStackTrace(jvmti, runner, 0,
	                                           (jint)atomic_load(&sampler->sink->current_depth),
	                                           sampler->stack, &count);
	const struct sample_origin origin = {
	        .thread_serial = runner_serial(profile, jni, due->object, runner,
	                                       sampler->sink->virtual_threads, due->serial),
	        .weight = due->weight,
	        .time_ns = engine_sample_time(sampler->sink)};

	if (error == JVMTI_ERROR_NONE)
		resolve_methods(sampler, jni, count);
	os_mutex_lock(&profile->dump_lock);
	if (!profile_is_stopped(profile)) {
		if (error == JVMTI_ERROR_NONE)
			add_stack(sampler, jni, &origin, count);
		else
			sampler->sink->add_stackless(sampler->sink, &origin,
			                             STACKLESS_NOT_WALKABLE);
	}
	os_mutex_unlock(&profile->dump_lock);
}

static void tick(struct clock_sampler *sampler, JNIEnv *jni)
{
	struct due_thread due[BATCH];
	uint64_t from = 0;
	jint count;

	do {
		if (!jni_frame_push(jni, 2 * BATCH))
			return;
		count = collect_due(sampler, jni, &from, due);
		for (jint i = 0; i < count; i++)
			sample(sampler, jni, &due[i]);
		jni_frame_pop(jni);
	} while (count == BATCH);
}

static void JNICALL run(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
	struct clock_sampler *sampler = argument;
	struct ticks ticks;
	(void)jvmti;

	ticks_start(&ticks, sampler->interval_ns, &sampler->stopped);
	while (ticks_wait(&ticks, 0))
		tick(sampler, jni);
}

/* ---- life -------------------------------------------------------------- */

struct clock_sampler *clock_sampler_create(struct profile *profile, struct sample_sink *sink)
{
	struct clock_sampler *sampler = calloc(1, sizeof(*sampler));

	if (sampler == NULL)
		return NULL;
	sampler->depth = (jint)sink->depth;
	sampler->stack = calloc(sink->depth, sizeof(*sampler->stack));
	sampler->frames = calloc(sink->depth, sizeof(*sampler->frames));
	if (sampler->stack == NULL || sampler->frames == NULL ||
	    os_mutex_init(&sampler->lock) != 0) {
		free(sampler->stack);
		free(sampler->frames);
		free(sampler);
		return NULL;
	}
	sampler->profile = profile;
	sampler->sink = sink;
	sampler->interval_ns = profile->settings->interval_ms * NS_PER_MS;
	sampler->virtual_thread_of = virtual_threads_find(profile->jvmti);
	sampler->work_begin_ns = os_self_cpu_ns();
	atomic_init(&sampler->worker, os_self_thread());
	return sampler;
}

void clock_sampler_destroy(struct clock_sampler *sampler)
{
	os_mutex_destroy(&sampler->lock);
	free(sampler->stack);
	free(sampler->frames);
	free(sampler);
}

bool clock_sampler_start(struct clock_sampler *sampler, JNIEnv *jni)
{
	return agent_thread_start(sampler->profile, jni, "hprof sampler", run, sampler);
}

void clock_sampler_stop(struct clock_sampler *sampler)
{
	atomic_store(&sampler->stopped, true);
}
