/*
 * Tests of traces from frames over the fake VM: order and names of frames, one TRACE for a
 * trace, traces by thread, deep stacks and methods without a name.
 */
#include "vm/stack_traces.h"

#include "profile_fixture.h"
#include "run_suite.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"

enum { DEEP = 200, THREAD = 7 };

static struct fake_object class = {.name = "Ldemo/Work;", .source = "Work.java"};
static struct fake_method inner = {&class, "inner", "()V", JNI_FALSE, 10, JVMTI_ERROR_NONE};
static struct fake_method outer = {&class, "outer", "()V", JNI_FALSE, 50, JVMTI_ERROR_NONE};

static void set_up(void)
{
	profile_set_up();
	class.tag = 0;
	fake_set_phase(JVMTI_PHASE_LIVE);
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

static jvmtiFrameInfo at(struct fake_method *method, jlocation bci)
{
	return (jvmtiFrameInfo){(jmethodID)(void *)method, bci};
}

START_TEST(frames_are_innermost_first_with_lines)
{
	const jvmtiFrameInfo stack[] = {at(&inner, 0), at(&outer, 25)};
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), stack, 2, 0);
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->depth, 2);
	ck_assert_str_eq(trace->frames[0]->method->name->text, "inner");
	ck_assert_int_eq(trace->frames[0]->line, 10);
	ck_assert_str_eq(trace->frames[1]->method->name->text, "outer");
	ck_assert_int_eq(trace->frames[1]->line, 52);
	ck_assert_str_eq(trace->frames[1]->method->class->name->text, "demo.Work");
	ck_assert_ptr_eq(written.trace, trace);
}
END_TEST

START_TEST(trace_is_written_once)
{
	const jvmtiFrameInfo stack[] = {at(&inner, 0)};
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), stack, 1, 0);
	ck_assert_ptr_eq(trace_from_frames(&profile, fake_jni(), stack, 1, 0), trace);
	ck_assert_ptr_eq(trace_publish(&profile, trace->frames, 1, 0), trace);
	ck_assert_uint_eq(written.traces, 1);
}
END_TEST

START_TEST(threads_have_traces_of_their_own)
{
	const jvmtiFrameInfo stack[] = {at(&inner, 0)};
	const struct trace *shared = trace_from_frames(&profile, fake_jni(), stack, 1, 0);
	const struct trace *own = trace_from_frames(&profile, fake_jni(), stack, 1, THREAD);
	ck_assert_ptr_ne(own, shared);
	ck_assert_uint_eq(own->thread_serial, THREAD);
	ck_assert_uint_eq(written.traces, 2);
}
END_TEST

START_TEST(no_frames_are_the_empty_trace)
{
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), NULL, 0, THREAD);
	ck_assert_uint_eq(trace->serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(written.traces, 0);
}
END_TEST

START_TEST(deep_stack_keeps_all_frames)
{
	jvmtiFrameInfo stack[DEEP];
	for (int i = 0; i < DEEP; i++)
		stack[i] = at(i == DEEP - 1 ? &outer : &inner, 0);
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), stack, DEEP, 0);
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->depth, DEEP);
	ck_assert_str_eq(trace->frames[0]->method->name->text, "inner");
	ck_assert_str_eq(trace->frames[DEEP - 1]->method->name->text, "outer");
}
END_TEST

START_TEST(stopped_profile_makes_no_trace_of_new_methods)
{
	const jvmtiFrameInfo stack[] = {at(&inner, 0), at(&outer, 0)};
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), stack, 1, 0);
	ck_assert_ptr_nonnull(trace);
	atomic_store(&profile.stopped, true);
	ck_assert_ptr_eq(trace_from_frames(&profile, fake_jni(), stack, 1, 0), trace);
	ck_assert_ptr_null(trace_from_frames(&profile, fake_jni(), stack, 2, 0));
	ck_assert_uint_eq(written.traces, 1);
}
END_TEST

START_TEST(without_a_filter_a_trace_starts_with_any_frame)
{
	static struct settings unfiltered;
	const jvmtiFrameInfo stack[] = {at(&inner, 0)};
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), stack, 1, 0);

	ck_assert(trace_may_start(&unfiltered, trace->frames[0]));
	ck_assert_uint_eq(trace_stack_depth(&unfiltered, 0), 0);
	ck_assert_uint_eq(trace_stack_depth(&unfiltered, 4), 4);
}
END_TEST

START_TEST(with_a_filter_a_trace_starts_deeper_in_the_stack)
{
	static struct settings filtered;
	const jvmtiFrameInfo stack[] = {at(&inner, 0), at(&outer, 0)};
	const struct trace *trace = trace_from_frames(&profile, fake_jni(), stack, 2, 0);

	ck_assert(filter_add(&filtered.filter.exclude, "*.inner", strlen("*.inner")));
	ck_assert(!trace_may_start(&filtered, trace->frames[0]));
	ck_assert(trace_may_start(&filtered, trace->frames[1]));
	ck_assert_uint_eq(trace_stack_depth(&filtered, 0), 0);
	ck_assert_uint_eq(trace_stack_depth(&filtered, 4), 516);
}
END_TEST

static Suite *stack_traces_suite(void)
{
	Suite *suite = suite_create("stack_traces");
	TCase *tests = tcase_create("traces");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, frames_are_innermost_first_with_lines);
	tcase_add_test(tests, trace_is_written_once);
	tcase_add_test(tests, threads_have_traces_of_their_own);
	tcase_add_test(tests, no_frames_are_the_empty_trace);
	tcase_add_test(tests, deep_stack_keeps_all_frames);
	tcase_add_test(tests, stopped_profile_makes_no_trace_of_new_methods);
	tcase_add_test(tests, without_a_filter_a_trace_starts_with_any_frame);
	tcase_add_test(tests, with_a_filter_a_trace_starts_deeper_in_the_stack);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(stack_traces_suite());
}
