/*
 * Tests of the trace table.
 */
#include "model/traces.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdlib.h>

static struct trace_table *traces;
static struct frame frames[300];

static void make_table(void)
{
	traces = trace_table_create();
	ck_assert_ptr_nonnull(traces);
}

static void destroy_table(void)
{
	trace_table_destroy(traces);
}

/* Interns a trace and checks whether it was new. */
static const struct trace *intern(const struct frame *const *stack, uint32_t depth,
                                  uint32_t thread_serial, bool expect_created)
{
	bool created = !expect_created;
	const struct trace *trace =
	        trace_table_intern(traces, stack, depth, thread_serial, &created);

	ck_assert_ptr_nonnull(trace);
	ck_assert_int_eq(created, expect_created);
	return trace;
}

START_TEST(a_table_holds_the_empty_trace_from_the_start)
{
	ck_assert_uint_eq(trace_table_count(traces), 1);
	const struct trace *empty = trace_table_find(traces, TRACE_SERIAL_EMPTY);
	ck_assert_ptr_nonnull(empty);
	ck_assert_uint_eq(empty->serial, TRACE_SERIAL_EMPTY);
	ck_assert_uint_eq(empty->depth, 0);
	ck_assert_uint_eq(empty->thread_serial, 0);
}
END_TEST

START_TEST(a_stack_without_frames_is_the_empty_trace_of_any_thread)
{
	const struct trace *empty = trace_table_find(traces, TRACE_SERIAL_EMPTY);
	const struct frame *stack[] = {&frames[0]};

	ck_assert_ptr_eq(intern(NULL, 0, 0, false), empty);
	ck_assert_ptr_eq(intern(stack, 0, 0, false), empty);
	ck_assert_ptr_eq(intern(NULL, 0, 200001, false), empty);
	ck_assert_ptr_eq(intern(NULL, 0, UINT32_MAX, false), empty);
	ck_assert_uint_eq(trace_table_count(traces), 1);
}
END_TEST

START_TEST(equal_stacks_are_one_trace)
{
	const struct frame *stack[] = {&frames[0], &frames[1], &frames[2]};
	const struct frame *same[] = {&frames[0], &frames[1], &frames[2]};
	const struct trace *trace = intern(stack, 3, 0, true);

	ck_assert_uint_eq(trace->serial, TRACE_SERIAL_EMPTY + 1);
	ck_assert_uint_eq(trace->depth, 3);
	ck_assert_uint_eq(trace->thread_serial, 0);
	ck_assert_ptr_eq(intern(same, 3, 0, false), trace);
	stack[0] = NULL; /* the table has a copy */
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_eq(trace->frames[i], &frames[i]);
}
END_TEST

START_TEST(stacks_that_differ_are_different_traces)
{
	const struct frame *stack[] = {&frames[0], &frames[1], &frames[2]};
	const struct frame *swapped[] = {&frames[1], &frames[0], &frames[2]};
	const struct frame *twice[] = {&frames[0], &frames[0]};

	const struct trace *first = intern(stack, 3, 0, true);
	ck_assert_ptr_ne(intern(stack, 2, 0, true), first);
	ck_assert_ptr_ne(intern(stack, 1, 0, true), first);
	ck_assert_ptr_ne(intern(stack + 1, 2, 0, true), first);
	ck_assert_ptr_ne(intern(swapped, 3, 0, true), first);
	ck_assert_ptr_ne(intern(twice, 2, 0, true), first);
	ck_assert_uint_eq(trace_table_count(traces), 7);
}
END_TEST

START_TEST(the_same_stack_of_different_threads_is_different_traces)
{
	const struct frame *stack[] = {&frames[0]};
	const struct trace *shared = intern(stack, 1, 0, true);
	const struct trace *first = intern(stack, 1, 200001, true);
	const struct trace *second = intern(stack, 1, 200002, true);

	ck_assert_ptr_ne(shared, first);
	ck_assert_ptr_ne(first, second);
	ck_assert_uint_eq(shared->thread_serial, 0);
	ck_assert_uint_eq(first->thread_serial, 200001);
	ck_assert_uint_eq(second->thread_serial, 200002);
	ck_assert_ptr_eq(intern(stack, 1, 0, false), shared);
	ck_assert_ptr_eq(intern(stack, 1, 200001, false), first);
	ck_assert_ptr_eq(intern(stack, 1, 200002, false), second);
}
END_TEST

START_TEST(serials_are_dense_and_find_their_trace)
{
	enum { COUNT = 30000 };
	static const struct trace *added[COUNT];

	for (uint32_t i = 0; i < COUNT; i++) {
		const struct frame *stack[] = {&frames[i % 300], &frames[i / 300]};
		added[i] = intern(stack, 2, 0, true);
		ck_assert_uint_eq(added[i]->serial, TRACE_SERIAL_EMPTY + 1 + i);
	}
	ck_assert_uint_eq(trace_table_count(traces), COUNT + 1);
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct frame *stack[] = {&frames[i % 300], &frames[i / 300]};
		ck_assert_ptr_eq(intern(stack, 2, 0, false), added[i]);
		ck_assert_ptr_eq(trace_table_find(traces, TRACE_SERIAL_EMPTY + 1 + i), added[i]);
	}
}
END_TEST

START_TEST(an_unused_serial_finds_nothing)
{
	ck_assert_ptr_null(trace_table_find(traces, 0));
	ck_assert_ptr_null(trace_table_find(traces, TRACE_SERIAL_EMPTY - 1));
	ck_assert_ptr_null(trace_table_find(traces, TRACE_SERIAL_EMPTY + 1));
	ck_assert_ptr_null(trace_table_find(traces, UINT32_MAX));
}
END_TEST

START_TEST(the_deepest_stack_is_whole)
{
	enum { DEPTH = 65535 };
	static const struct frame *stack[DEPTH];

	for (size_t i = 0; i < DEPTH; i++)
		stack[i] = &frames[i % 300];
	const struct trace *deep = intern(stack, DEPTH, 0, true);
	ck_assert_uint_eq(deep->depth, DEPTH);
	for (size_t i = 0; i < DEPTH; i++)
		QUICK_CHECK(deep->frames[i] == stack[i], "frame %zu", i);
	ck_assert_ptr_eq(intern(stack, DEPTH, 0, false), deep);
	ck_assert_ptr_ne(intern(stack, DEPTH - 1, 0, true), deep);
	stack[DEPTH - 1] = &frames[299];
	ck_assert_ptr_ne(intern(stack, DEPTH, 0, true), deep);
}
END_TEST

START_TEST(no_table_is_nothing_to_destroy)
{
	trace_table_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model_traces");
	TCase *tests = tcase_create("traces");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, make_table, destroy_table);
	tcase_add_test(tests, a_table_holds_the_empty_trace_from_the_start);
	tcase_add_test(tests, a_stack_without_frames_is_the_empty_trace_of_any_thread);
	tcase_add_test(tests, equal_stacks_are_one_trace);
	tcase_add_test(tests, stacks_that_differ_are_different_traces);
	tcase_add_test(tests, the_same_stack_of_different_threads_is_different_traces);
	tcase_add_test(tests, serials_are_dense_and_find_their_trace);
	tcase_add_test(tests, an_unused_serial_finds_nothing);
	tcase_add_test(tests, the_deepest_stack_is_whole);
	tcase_add_test(tests, no_table_is_nothing_to_destroy);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
