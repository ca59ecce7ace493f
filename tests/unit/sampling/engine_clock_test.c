/*
 * Test of engine B: methods are resolved as soon as the VM has returned a stack, before
 * the engine waits for a dump in progress. The test's thread is both the sampled thread and
 * the engine's. The VM and the resolver are fakes.
 */
#include "vm/agent_thread.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"
#include "sampling/engine.h"
#include "vm/virtual_threads.h"
#include "run_suite.h"

enum { FRAMES = 3, SERIAL = 7, BURN_MS = 20, NS_PER_MS = 1000000 };

static struct settings settings = {.interval_ms = 1};
static struct profile profile = {.settings = &settings};
static void *engine;
static char method_memory[FRAMES];
static unsigned resolved;
static unsigned samples;

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

uint64_t engine_phase_ns(uint64_t thread_number, uint64_t interval_ns)
{
	(void)thread_number;
	(void)interval_ns;
	return 0;
}

uint64_t engine_share(uint64_t used, uint64_t usual)
{
	(void)usual;
	return used;
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	(void)jvmti;
	return NULL;
}

void virtual_threads_add_capability(jvmtiCapabilities *capabilities)
{
	(void)capabilities;
}

static void add(struct sample_sink *sink, JNIEnv *jni, uint32_t thread_serial,
                const struct raw_frame *frames, uint32_t frame_count, uint64_t weight)
{
	(void)sink;
	(void)jni;
	(void)weight;
	ck_assert_uint_eq(thread_serial, SERIAL);
	ck_assert_uint_eq(frame_count, FRAMES);
	ck_assert_ptr_eq(frames[0].method, &method_memory[0]);
	ck_assert_msg(resolved == FRAMES, "%u of %d methods resolved", resolved, FRAMES);
	samples++;
	engine_clock.stop(engine);
}

static void add_stackless(struct sample_sink *sink, uint32_t thread_serial,
                          enum stackless_reason reason, uint64_t weight)
{
	(void)sink;
	(void)thread_serial;
	(void)weight;
	ck_abort_msg("a sample without a stack: reason %d", (int)reason);
}

/* ---- tests ------------------------------------------------------------- */

static void burn(void)
{
	uint64_t end_ns = os_self_cpu_ns() + (uint64_t)BURN_MS * NS_PER_MS;
	while (os_self_cpu_ns() < end_ns)
		;
}

START_TEST(methods_are_resolved_before_waiting_for_the_dump_lock)
{
	static struct jvmtiInterface_1_ jvmti_functions;
	static struct JNINativeInterface_ jni_functions;
	static jvmtiEnv jvmti = &jvmti_functions;
	static JNIEnv jni = &jni_functions;
	struct sample_sink sink = {.depth = FRAMES,
	                           .current_depth = FRAMES,
	                           .add = add,
	                           .add_stackless = add_stackless};
	struct java_thread thread = {.serial = SERIAL, .id = os_self_thread()};
	struct mode_needs needs = {0};
	const char *reason = NULL;

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
	engine_clock.thread_start(engine, &jni, (jthread)(void *)&thread, &thread);
	burn();
	engine_clock.live(engine, &jni);
	ck_assert_uint_eq(samples, 1);
	engine_clock.thread_end(engine, &jni, &thread);
	engine_clock.destroy(engine, &jni);
	os_mutex_destroy(&profile.dump_lock);
}
END_TEST

static Suite *engine_clock_suite(void)
{
	Suite *suite = suite_create("engine_clock");
	TCase *tests = tcase_create("stacks");

	tcase_add_test(tests, methods_are_resolved_before_waiting_for_the_dump_lock);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(engine_clock_suite());
}
