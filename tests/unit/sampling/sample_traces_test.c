/*
 * Tests of the traces of sampled stacks: the depth, include= and exclude=, frames of a carrier,
 * thread=y, and frames that can't be resolved. The resolver is a fake; the traces are the model's.
 */
#include "sampling/sample_traces.h"

#include "profile_fixture.h"
#include "run_suite.h"
#include "vm/frame_resolver.h"

enum { DEPTH_MAX = 8, METHODS_MAX = 16, THREAD = 7 };

#define CONTINUATION "jdk.internal.vm.Continuation"

static struct sample_traces traces;
static bool filtered;

/* The stack to be sampled, innermost first. */
static struct {
	struct class_record class;
	struct string name;
	struct method method;
	struct frame frame;
	bool is_lost; /* the resolver does not find it */
} methods[METHODS_MAX];
static struct raw_frame stack[METHODS_MAX];
static uint32_t stack_depth;

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci)
{
	(void)resolver;
	(void)jni;
	size_t i = (size_t)bci;
	ck_assert_uint_lt(i, stack_depth);
	ck_assert_ptr_eq(method, &methods[i]);
	return methods[i].is_lost ? NULL : &methods[i].frame;
}

static void set_up(void)
{
	profile_set_up();
	settings.depth = DEPTH_MAX;
	filtered = true;
	memset(methods, 0, sizeof(methods));
	stack_depth = 0;
	ck_assert(sample_traces_init(&traces, &profile, DEPTH_MAX));
}

static void tear_down(void)
{
	sample_traces_free(&traces);
	profile_tear_down();
}

/* Adds the caller of the frames so far. */
static void push(const char *class_name, const char *name)
{
	uint32_t i = stack_depth++;
	ck_assert_uint_lt(i, METHODS_MAX);
	methods[i].class.name = string_table_intern_jvm(profile.model.strings, class_name);
	methods[i].name = (struct string){.text = name, .length = (uint32_t)strlen(name)};
	methods[i].method = (struct method){.class = &methods[i].class, .name = &methods[i].name};
	methods[i].frame = (struct frame){.id = i + 1, .method = &methods[i].method, .line = 1};
	stack[i] = (struct raw_frame){.method = &methods[i], .bci = (int32_t)i};
}

static void exclude(const char *pattern)
{
	ck_assert(filter_add(&settings.filter.exclude, pattern, strlen(pattern)));
}

static void include(const char *pattern)
{
	ck_assert(filter_add(&settings.filter.include, pattern, strlen(pattern)));
}

static const struct trace *sample(void)
{
	return sample_traces_find(&traces, NULL, stack, stack_depth, THREAD, &filtered);
}

/* The trace has the frames from first to before end, and no others. */
static void trace_has(const struct trace *trace, uint32_t first, uint32_t end)
{
	ck_assert_ptr_nonnull(trace);
	ck_assert(!filtered);
	ck_assert_uint_eq(trace->depth, end - first);
	for (uint32_t i = first; i < end; i++)
		ck_assert_ptr_eq(trace->frames[i - first], &methods[i].frame);
	ck_assert_ptr_eq(written.trace, trace);
}

static void push_work(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		push("demo.Work", "work");
}

/* ---- the depth --------------------------------------------------------- */

START_TEST(a_stack_is_a_trace_innermost_first)
{
	push_work(3);
	const struct trace *trace = sample();
	trace_has(trace, 0, 3);
	ck_assert_ptr_eq(sample(), trace);
	ck_assert_uint_eq(written.traces, 1);
}
END_TEST

START_TEST(a_stack_is_cut_to_the_depth)
{
	push_work(10);
	trace_has(sample(), 0, DEPTH_MAX);
	traces.depth = 2;
	trace_has(sample(), 0, 2);
	traces.depth = 1;
	trace_has(sample(), 0, 1);
}
END_TEST

START_TEST(the_depth_is_that_of_the_settings_to_begin_with)
{
	sample_traces_free(&traces);
	settings.depth = 3;
	ck_assert(sample_traces_init(&traces, &profile, DEPTH_MAX));
	push_work(10);
	trace_has(sample(), 0, 3);
}
END_TEST

static void has_reason(const struct trace *trace, const char *reason)
{
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->depth, 1);
	ck_assert_str_eq(trace->frames[0]->method->class->name->text, STACKLESS_CLASS);
	ck_assert_str_eq(trace->frames[0]->method->name->text, reason);
}

START_TEST(with_depth_0_the_trace_names_the_reason)
{
	push_work(2);
	traces.depth = 0;
	exclude("demo.*");
	methods[0].is_lost = true;
	has_reason(sample(), "depth_is_0");
	ck_assert(!filtered);
}
END_TEST

START_TEST(a_reason_has_the_thread_only_with_the_option)
{
	const struct trace *shared = sample_traces_stackless(&traces, "no frame", THREAD);
	has_reason(shared, "no_frame");
	ck_assert_uint_eq(shared->thread_serial, 0);
	settings.thread = true;
	const struct trace *own = sample_traces_stackless(&traces, "no frame", THREAD);
	has_reason(own, "no_frame");
	ck_assert_uint_eq(own->thread_serial, THREAD);
}
END_TEST

START_TEST(stacks_are_deep_enough_for_the_filter)
{
	ck_assert_uint_eq(sample_traces_stack_depth(&settings, 4), 4);
	ck_assert_uint_eq(sample_traces_stack_depth(&settings, 0), 1);
	include("demo.*");
	ck_assert_uint_gt(sample_traces_stack_depth(&settings, 4), 4);
	ck_assert_uint_gt(sample_traces_stack_depth(&settings, 0), 1);
}
END_TEST

/* ---- the filter -------------------------------------------------------- */

START_TEST(inner_frames_are_removed_until_one_is_accepted)
{
	exclude("java.*");
	push("java.util.Map", "get");
	push("java.util.Map", "hash");
	push("demo.Work", "work");
	push("java.lang.Thread", "run");
	push("demo.Work", "main");
	trace_has(sample(), 2, 5);
}
END_TEST

START_TEST(a_trace_starts_with_a_method_that_is_included)
{
	include("demo.Work.main");
	push("demo.Work", "work");
	push("demo.Work", "main");
	push("demo.Other", "call");
	trace_has(sample(), 1, 3);
}
END_TEST

START_TEST(the_depth_counts_frames_that_the_filter_leaves)
{
	exclude("java.*");
	traces.depth = 2;
	for (int i = 0; i < 5; i++)
		push("java.util.Map", "get");
	push_work(4);
	trace_has(sample(), 5, 7);
}
END_TEST

START_TEST(a_stack_of_excluded_frames_is_filtered)
{
	exclude("java.*");
	push("java.util.Map", "get");
	push("java.lang.Thread", "run");
	filtered = false;
	ck_assert_ptr_null(sample());
	ck_assert(filtered);
	ck_assert_uint_eq(written.traces, 0);
}
END_TEST

/* ---- virtual threads --------------------------------------------------- */

static const char *const entries[] = {"enter", "enter0", "enterSpecial"};

START_TEST(frames_of_the_carrier_are_dropped)
{
	push_work(2);
	push(CONTINUATION, entries[_i]);
	push("java.lang.VirtualThread", "runContinuation");
	push("java.lang.Thread", "run");
	trace_has(sample(), 0, 2);
}
END_TEST

START_TEST(an_innermost_entry_has_its_callers)
{
	push(CONTINUATION, entries[_i]);
	push("java.lang.VirtualThread", "runContinuation");
	trace_has(sample(), 0, 2);
}
END_TEST

START_TEST(other_methods_and_classes_are_no_entry)
{
	push_work(1);
	push(CONTINUATION, "run");
	push("demo.Continuation", "enter");
	push("demo.Work", "main");
	trace_has(sample(), 0, 4);
}
END_TEST

START_TEST(the_filter_does_not_let_a_trace_start_in_the_carrier)
{
	exclude("demo.Work");
	push_work(2);
	push(CONTINUATION, "enter");
	push("demo.Other", "run");
	filtered = false;
	ck_assert_ptr_null(sample());
	ck_assert(filtered);
}
END_TEST

/* ---- threads and errors ------------------------------------------------ */

START_TEST(a_trace_has_the_thread_only_with_the_option)
{
	push_work(2);
	const struct trace *shared = sample();
	ck_assert_uint_eq(shared->thread_serial, 0);
	settings.thread = true;
	const struct trace *own = sample();
	trace_has(own, 0, 2);
	ck_assert_uint_eq(own->thread_serial, THREAD);
	ck_assert_ptr_ne(own, shared);
}
END_TEST

START_TEST(with_a_frame_that_can_not_be_resolved_there_is_no_trace)
{
	exclude("java.*");
	push("java.util.Map", "get");
	push_work(2);
	for (uint32_t i = 0; i < stack_depth; i++) {
		methods[i].is_lost = true;
		filtered = true;
		ck_assert_ptr_null(sample());
		ck_assert(!filtered);
		methods[i].is_lost = false;
	}
	ck_assert_uint_eq(written.traces, 0);
	trace_has(sample(), 1, 3);
}
END_TEST

START_TEST(frames_beyond_the_depth_are_not_resolved)
{
	push_work(4);
	methods[2].is_lost = true;
	traces.depth = 2;
	trace_has(sample(), 0, 2);
}
END_TEST

static TCase *depth_tests(void)
{
	TCase *tests = tcase_create("depth");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_stack_is_a_trace_innermost_first);
	tcase_add_test(tests, a_stack_is_cut_to_the_depth);
	tcase_add_test(tests, the_depth_is_that_of_the_settings_to_begin_with);
	tcase_add_test(tests, with_depth_0_the_trace_names_the_reason);
	tcase_add_test(tests, a_reason_has_the_thread_only_with_the_option);
	tcase_add_test(tests, stacks_are_deep_enough_for_the_filter);
	tcase_add_test(tests, a_trace_has_the_thread_only_with_the_option);
	tcase_add_test(tests, with_a_frame_that_can_not_be_resolved_there_is_no_trace);
	tcase_add_test(tests, frames_beyond_the_depth_are_not_resolved);
	return tests;
}

static TCase *frame_tests(void)
{
	TCase *tests = tcase_create("frames");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, inner_frames_are_removed_until_one_is_accepted);
	tcase_add_test(tests, a_trace_starts_with_a_method_that_is_included);
	tcase_add_test(tests, the_depth_counts_frames_that_the_filter_leaves);
	tcase_add_test(tests, a_stack_of_excluded_frames_is_filtered);
	tcase_add_loop_test(tests, frames_of_the_carrier_are_dropped, 0, 3);
	tcase_add_loop_test(tests, an_innermost_entry_has_its_callers, 0, 3);
	tcase_add_test(tests, other_methods_and_classes_are_no_entry);
	tcase_add_test(tests, the_filter_does_not_let_a_trace_start_in_the_carrier);
	return tests;
}

int main(void)
{
	Suite *suite = suite_create("sample_traces");

	suite_add_tcase(suite, depth_tests());
	suite_add_tcase(suite, frame_tests());
	return run_suite(suite);
}
