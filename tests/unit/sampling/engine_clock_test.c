/*
 * Test of engine B: methods are resolved as soon as the VM has returned a stack, before
 * the engine waits for a dump in progress. The test's thread is both the sampled thread and
 * the engine's. The VM, the table of threads and the resolver are fakes.
 */
#include "os/time_units.h"
#include "vm/agent_thread.h"
#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"
#include "sampling/engine.h"
#include "vm/virtual_threads.h"
#include "run_suite.h"

enum { FRAMES = 3, SERIAL = 7, VIRTUAL_SERIAL = 8, BURN_MS = 20 };

static struct settings settings = {.interval_ms = 1};
static struct profile profile = {.settings = &settings};
static void *engine;
static char method_memory[FRAMES];
static unsigned resolved;
static unsigned samples;
static uint64_t begun_ns;
static bool has_virtual_threads;
static uint32_t expected_serial;
static char virtual_memory;

/* ---- fakes ------------------------------------------------------------- */

static jvmtiError JNICALL get_stack_trace(jvmtiEnv *env, jthread thread, jint start, jint most,
                                          jvmtiFrameInfo *frames, jint *count)
{
	(void)env;
	(void)thread;
	(void)start;
	ck_assert_int_ge(most, FRAMES);
	for (jint i = 0; i < FRAMES; i++)
		frames[i].method = (jmethodID)(void *)&method_memory[i];
	*count = FRAMES;
	return JVMTI_ERROR_NONE;
}

static jobject JNICALL same_reference(JNIEnv *env, jobject object)
{
	(void)env;
	return object;
}

static void JNICALL delete_reference(JNIEnv *env, jobject object)
{
	(void)env;
	(void)object;
}

static jint JNICALL push_frame(JNIEnv *env, jint capacity)
{
	(void)env;
	(void)capacity;
	return JNI_OK;
}

void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count)
{
	(void)resolver;
	(void)jni;
	/* Deadlocks if the caller holds the dump lock, which a dump can hold for long. */
	os_mutex_lock(&profile.dump_lock);
	os_mutex_unlock(&profile.dump_lock);
	for (jint i = 0; i < count; i++)
		ck_assert_ptr_eq(methods[i], &method_memory[resolved++]);
}

bool agent_thread_start(struct profile *its_profile, JNIEnv *jni, const char *name,
                        jvmtiStartFunction run, void *argument)
{
	(void)name;
	run(its_profile->jvmti, jni, argument);
	return true;
}

void profile_out_of_memory(struct profile *its_profile)
{
	(void)its_profile;
	ck_abort_msg("out of memory");
}

static jvmtiError JNICALL find_mounted(jvmtiEnv *jvmti, ...)
{
	va_list arguments;

	va_start(arguments, jvmti);
	(void)va_arg(arguments, jthread);
	*va_arg(arguments, jthread *) = (jthread)(void *)&virtual_memory;
	va_end(arguments);
	return JVMTI_ERROR_NONE;
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	(void)jvmti;
	return has_virtual_threads ? find_mounted : NULL;
}

uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	(void)threads;
	(void)jni;
	ck_assert_ptr_eq(object, &virtual_memory);
	return VIRTUAL_SERIAL;
}

void java_threads_sweep(struct java_threads *threads, JNIEnv *jni)
{
	(void)threads;
	(void)jni;
}

void virtual_threads_add_capability(jvmtiCapabilities *capabilities)
{
	(void)capabilities;
}

static void add(struct sample_sink *sink, JNIEnv *jni, const struct sample_origin *origin,
                const struct raw_frame *frames, uint32_t frame_count)
{
	(void)jni;
	ck_assert_uint_eq(origin->thread_serial, expected_serial);
	ck_assert_uint_gt(origin->weight, 0);
	if (sink->timed)
		ck_assert(origin->time_ns >= begun_ns && origin->time_ns <= os_monotonic_ns());
	else
		ck_assert_uint_eq(origin->time_ns, 0);
	ck_assert_uint_eq(frame_count, FRAMES);
	ck_assert_ptr_eq(frames[0].method, &method_memory[0]);
	ck_assert_msg(resolved == FRAMES, "%u of %d methods resolved", resolved, FRAMES);
	samples++;
	engine_clock.hooks.stop(engine);
}

static void add_stackless(struct sample_sink *sink, const struct sample_origin *origin,
                          enum stackless_reason reason)
{
	(void)sink;
	(void)origin;
	ck_abort_msg("a sample without a stack: reason %d", (int)reason);
}

/* ---- tests ------------------------------------------------------------- */

static void burn(void)
{
	uint64_t end_ns = os_self_cpu_ns() + (uint64_t)BURN_MS * NS_PER_MS;
	while (os_self_cpu_ns() < end_ns)
		;
}

static void sample_once(bool timed, bool virtual_threads)
{
	static struct jvmtiInterface_1_ jvmti_functions;
	static struct JNINativeInterface_ jni_functions;
	static jvmtiEnv jvmti = &jvmti_functions;
	static JNIEnv jni = &jni_functions;
	struct sample_sink sink = {.timed = timed,
	                           .virtual_threads = virtual_threads,
	                           .depth = FRAMES,
	                           .current_depth = FRAMES,
	                           .add = add,
	                           .add_stackless = add_stackless};
	struct java_thread thread = {.serial = SERIAL, .id = os_self_thread()};
	struct mode_needs needs = {0};
	const char *reason = NULL;

	/* Where tests don't fork, the test before has left its own. */
	resolved = 0;
	samples = 0;
	jvmti_functions.GetStackTrace = get_stack_trace;
	jni_functions.NewGlobalRef = same_reference;
	jni_functions.NewLocalRef = same_reference;
	jni_functions.DeleteGlobalRef = delete_reference;
	jni_functions.PushLocalFrame = push_frame;
	jni_functions.PopLocalFrame = same_reference;
	profile.jvmti = &jvmti;
	ck_assert_int_eq(os_mutex_init(&profile.dump_lock), 0);
	engine = engine_clock.create(&profile, &sink, &needs, &reason);
	ck_assert_ptr_nonnull(engine);
	engine_clock.hooks.thread_start(engine, &jni, (jthread)(void *)&thread, &thread);
	engine_clock.hooks.begin(engine);
	burn();
	begun_ns = os_monotonic_ns();
	engine_clock.hooks.live(engine, &jni);
	ck_assert_uint_eq(samples, 1);
	engine_clock.hooks.thread_end(engine, &jni, &thread);
	engine_clock.destroy(engine, &jni);
	os_mutex_destroy(&profile.dump_lock);
}

START_TEST(methods_are_resolved_before_waiting_for_the_dump_lock)
{
	expected_serial = SERIAL;
	sample_once(false, false);
}
END_TEST

START_TEST(samples_have_the_time_at_which_they_were_taken)
{
	expected_serial = SERIAL;
	sample_once(true, false);
}
END_TEST

START_TEST(samples_count_for_the_virtual_thread_only_with_the_option)
{
	has_virtual_threads = true;
	expected_serial = SERIAL;
	sample_once(false, false);
	expected_serial = VIRTUAL_SERIAL;
	sample_once(false, true);
	has_virtual_threads = false;
}
END_TEST

static Suite *engine_clock_suite(void)
{
	Suite *suite = suite_create("engine_clock");
	TCase *tests = tcase_create("stacks");

	tcase_add_test(tests, methods_are_resolved_before_waiting_for_the_dump_lock);
	tcase_add_test(tests, samples_have_the_time_at_which_they_were_taken);
	tcase_add_test(tests, samples_count_for_the_virtual_thread_only_with_the_option);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(engine_clock_suite());
}
