/*
 * engine_clock.c: engine B, for JVMs and systems that lack what engine A needs: all threads are
 * sampled by their CPU clocks (clock_sampler.h). The VM stops a thread at a safepoint to
 * walk its stack; because of this safepoint bias engine A is preferred.
 */
#include "sampling/engine.h"

#include "os/time_units.h"
#include "sampling/clock_sampler.h"
#include "vm/java_thread_serials.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>

struct clock_engine {
	struct profile *profile;
	struct sample_sink *sink;
	struct clock_sampler *sampler;
	uint64_t interval_ns;
	_Atomic uint64_t thread_count; /* ever seen */
	_Atomic uint64_t
	        exiting_weight; /* due intervals of threads that ended since the last poll */
};

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
	uint64_t number = atomic_fetch_add(&engine->thread_count, 1) + 1;
	clocked->id = thread->id;
	clocked->serial = thread->serial;
	clocked->object = (*jni)->NewGlobalRef(jni, object);
	clocked->origin_ns = cpu_ns - engine_phase_ns(number, engine->interval_ns);
	thread->sampling = clocked;
	clock_sampler_add(engine->sampler, clocked, 0);
}

static void free_thread(JNIEnv *jni, struct clocked_thread *clocked)
{
	if (clocked->object != NULL)
		(*jni)->DeleteGlobalRef(jni, clocked->object);
	free(clocked);
}

static void engine_clock_thread_start(void *argument, JNIEnv *jni, jthread object,
                                      struct java_thread *thread)
{
	add_thread(argument, jni, object, thread, os_self_cpu_ns());
}

static void engine_clock_existing_thread(void *argument, JNIEnv *jni, jthread object,
                                         struct java_thread *thread)
{
	uint64_t cpu_ns;
	if (os_thread_cpu_ns(thread->id, &cpu_ns) == 0)
		add_thread(argument, jni, object, thread, cpu_ns);
}

static void engine_clock_thread_end(void *argument, JNIEnv *jni, struct java_thread *thread)
{
	struct clock_engine *engine = argument;
	struct clocked_thread *clocked = thread->sampling;

	if (clocked == NULL)
		return;
	thread->sampling = NULL;
	(void)clock_sampler_remove(engine->sampler, clocked);
	atomic_fetch_add(&engine->exiting_weight,
	                 clock_sampler_due(engine->sampler, clocked, os_self_cpu_ns()));
	free_thread(jni, clocked);
}

/* ---- life -------------------------------------------------------------- */

static void engine_clock_poll(void *argument, JNIEnv *jni)
{
	struct clock_engine *engine = argument;

	if (engine->sink->virtual_threads)
		java_threads_sweep(engine->profile->threads, jni);
	uint64_t exiting = atomic_exchange(&engine->exiting_weight, 0);
	const struct sample_origin origin = {.weight = exiting,
	                                     .time_ns = engine_sample_time(engine->sink)};
	if (exiting > 0)
		engine->sink->add_stackless(engine->sink, &origin, STACKLESS_EXITING);
}

static void engine_clock_destroy(void *argument, JNIEnv *jni)
{
	struct clock_engine *engine = argument;
	struct clocked_thread *clocked;

	while ((clocked = clock_sampler_remove_any(engine->sampler)) != NULL)
		free_thread(jni, clocked);
	clock_sampler_destroy(engine->sampler);
	free(engine);
}

static void *engine_clock_create(struct profile *profile, struct sample_sink *sink,
                                 struct mode_needs *needs, const char **reason)
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
	engine->sampler = clock_sampler_create(profile, sink);
	if (engine->sampler == NULL) {
		free(engine);
		return NULL;
	}
	engine->profile = profile;
	engine->sink = sink;
	engine->interval_ns = profile->settings->interval_ms * NS_PER_MS;
	if (virtual_threads_find(profile->jvmti) != NULL)
		virtual_threads_add_capability(&needs->capabilities);
	needs->virtual_thread_end = needs->virtual_thread_end || sink->virtual_threads;
	needs->capabilities.can_get_source_file_name = 1;
	needs->capabilities.can_get_line_numbers = 1;
	return engine;
}

static const char *engine_clock_describe(void *argument)
{
	(void)argument;
	return "reading every thread's CPU clock (stacks at safepoints)";
}

static void engine_clock_live(void *argument, JNIEnv *jni)
{
	struct clock_engine *engine = argument;
	(void)clock_sampler_start(engine->sampler, jni);
}

static void engine_clock_begin(void *argument)
{
	struct clock_engine *engine = argument;
	clock_sampler_end_own_work(engine->sampler, NULL);
}

static void engine_clock_stop(void *argument)
{
	struct clock_engine *engine = argument;
	clock_sampler_stop(engine->sampler);
}

const struct engine_ops engine_clock = {
        .create = engine_clock_create,
        .describe = engine_clock_describe,
        .destroy = engine_clock_destroy,
        .hooks = {.live = engine_clock_live,
                  .begin = engine_clock_begin,
                  .thread_start = engine_clock_thread_start,
                  .thread_end = engine_clock_thread_end,
                  .existing_thread = engine_clock_existing_thread,
                  .poll = engine_clock_poll,
                  .stop = engine_clock_stop},
};
