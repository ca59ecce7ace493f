/*
 * Tests of the traces of LOAD CLASS over the fake VM: the stack that prepares a class, its
 * depth, threads, and the order in which trace and class are written.
 */
#include "vm/load_trace.h"

#include "profile_fixture.h"
#include "run_suite.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"

enum { FRAMES = 20 };

static struct fake_object loader_class = {.name = "Ldemo/Loader;"};
static struct fake_method load = {&loader_class, "load", "()V", JNI_FALSE, 1, JVMTI_ERROR_NONE};
static struct fake_object loaded;
static struct fake_object thread_object;
static jvmtiFrameInfo stack[FRAMES];
static uint32_t current_serial;

/* ---- stand-ins --------------------------------------------------------- */

uint32_t java_threads_current_serial(struct java_threads *threads, JNIEnv *jni)
{
	(void)threads;
	(void)jni;
	return current_serial;
}

/* ---- tests ------------------------------------------------------------- */

static void set_up(void)
{
	profile_set_up();
	fake_set_phase(JVMTI_PHASE_LIVE);
	loader_class.tag = 0;
	loaded = (struct fake_object){.name = "Ldemo/Loaded;"};
	thread_object = (struct fake_object){.name = "main"};
	for (int i = 0; i < FRAMES; i++)
		stack[i] = (jvmtiFrameInfo){(jmethodID)(void *)&load, 10 * (i % 3)};
	atomic_store(&thread_object.frames, stack);
	atomic_store(&thread_object.frame_count, FRAMES);
	fake_attach(&thread_object);
	current_serial = 0;
	profile.classes = class_registry_create(&profile);
	profile.resolver = frame_resolver_create(&profile);
	ck_assert(profile.classes != NULL && profile.resolver != NULL);
}

static void tear_down(void)
{
	frame_resolver_destroy(profile.resolver);
	class_registry_destroy(profile.classes);
	profile_tear_down();
	ck_assert_int_eq(atomic_load(&fake_counts.allocated), 0);
}

static const struct class_record *add(void)
{
	load_trace_add_class(&profile, fake_jni(), (jclass)(void *)&loaded);
	return class_registry_find(profile.classes, (jclass)(void *)&loaded);
}

START_TEST(class_has_the_trace_that_prepared_it)
{
	const struct class_record *record = add();
	ck_assert_uint_ge(written.traces, 1);
	ck_assert_uint_eq(record->trace_serial, written.trace->serial);
	ck_assert_uint_eq(written.trace->depth, settings.depth);
	ck_assert_str_eq(written.trace->frames[0]->method->name->text, "load");
	ck_assert_uint_eq(written.trace->thread_serial, 0);
}
END_TEST

START_TEST(deep_traces_are_complete)
{
	settings.depth = FRAMES;
	ck_assert_uint_ne(add()->trace_serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(written.trace->depth, FRAMES);
}
END_TEST

START_TEST(known_class_keeps_its_trace)
{
	uint32_t serial = add()->trace_serial;
	atomic_store(&thread_object.frame_count, 1);
	unsigned traces = written.traces;
	ck_assert_uint_eq(add()->trace_serial, serial);
	ck_assert_uint_eq(written.traces, traces);
}
END_TEST

START_TEST(no_frames_give_the_empty_trace)
{
	atomic_store(&thread_object.frame_count, 0);
	ck_assert_uint_eq(add()->trace_serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(written.traces, 0);
}
END_TEST

START_TEST(depth_0_gives_the_empty_trace)
{
	settings.depth = 0;
	ck_assert_uint_eq(add()->trace_serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(written.traces, 0);
}
END_TEST

START_TEST(thread_is_in_the_trace_once_it_is_known)
{
	settings.thread = true;
	ck_assert_uint_eq(add()->trace_serial, TRACE_SERIAL_EMPTY);

	loaded = (struct fake_object){.name = "Ldemo/Other;"};
	current_serial = 9;
	ck_assert_uint_eq(add()->trace_serial, written.trace->serial);
	ck_assert_uint_eq(written.trace->thread_serial, 9);
}
END_TEST

static Suite *load_trace_suite(void)
{
	Suite *suite = suite_create("load_trace");
	TCase *tests = tcase_create("classes");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, class_has_the_trace_that_prepared_it);
	tcase_add_test(tests, deep_traces_are_complete);
	tcase_add_test(tests, known_class_keeps_its_trace);
	tcase_add_test(tests, no_frames_give_the_empty_trace);
	tcase_add_test(tests, depth_0_gives_the_empty_trace);
	tcase_add_test(tests, thread_is_in_the_trace_once_it_is_known);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(load_trace_suite());
}
