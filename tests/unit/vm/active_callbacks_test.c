/* marks: timed, tsan */
/*
 * Tests of active callbacks: a wait ends only when every callback that was active has left.
 */
#include "vm/active_callbacks.h"
#include "run_suite.h"

#include "os/os.h"

#include <stdatomic.h>

static atomic_bool inside;
static atomic_bool leave;

static void stay(void *argument)
{
	(void)argument;
	active_callbacks_enter(&inside);
	active_callbacks_enter(&inside); /* it may nest */
	active_callbacks_leave(&inside);
	atomic_store(&inside, true);
	while (!atomic_load(&leave))
		os_sleep_until(os_monotonic_ns() + 100000);
	active_callbacks_leave(&inside);
}

START_TEST(nobody_is_waited_for_when_nobody_is_inside)
{
	ck_assert(active_callbacks_wait(0));
	active_callbacks_enter(&inside);
	active_callbacks_leave(&inside);
	ck_assert(active_callbacks_wait(0));
}
END_TEST

START_TEST(who_is_inside_is_waited_for)
{
	struct os_thread_handle thread;

	ck_assert_int_eq(os_thread_start(&thread, stay, NULL), 0);
	while (!atomic_load(&inside))
		os_sleep_until(os_monotonic_ns() + 100000);
	bool too_soon = active_callbacks_wait(5);
	atomic_store(&leave, true);
	bool in_time = active_callbacks_wait(10000);
	os_thread_join(&thread);
	ck_assert(!too_soon);
	ck_assert(in_time);
}
END_TEST

static void come_and_go(void *argument)
{
	for (int i = 0; i < 100000; i++) {
		active_callbacks_enter(argument);
		active_callbacks_leave(argument);
	}
}

START_TEST(many_threads_that_come_and_go_leave_nobody_behind)
{
	enum { THREADS = 8 };
	struct os_thread_handle threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(
		        os_thread_start(&threads[i], come_and_go, i % 2 == 0 ? &threads[i] : NULL),
		        0);
	for (int i = 0; i < THREADS; i++)
		os_thread_join(&threads[i]);
	ck_assert(active_callbacks_wait(0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("active_callbacks");
	TCase *tests = tcase_create("active_callbacks");

	tcase_add_test(tests, nobody_is_waited_for_when_nobody_is_inside);
	tcase_add_test(tests, who_is_inside_is_waited_for);
	tcase_add_test(tests, many_threads_that_come_and_go_leave_nobody_behind);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
