/*
 * Tests of the set of threads.
 */
#include "sampling/thread_set.h"
#include "run_suite.h"

#include <check.h>

static struct thread_set choice;

static void set_up(void)
{
	choice = (struct thread_set){.others = true};
}

static void tear_down(void)
{
	thread_set_free(&choice);
}

START_TEST(all_but_one)
{
	ck_assert(thread_set_has(&choice, 7));
	ck_assert(thread_set_assign(&choice, 7, false));
	ck_assert(thread_set_assign(&choice, 7, false));
	ck_assert(!thread_set_has(&choice, 7));
	ck_assert(thread_set_has(&choice, 6) && thread_set_has(&choice, 8));
	ck_assert(thread_set_has_any(&choice));
	ck_assert(thread_set_assign(&choice, 7, true));
	ck_assert(thread_set_has(&choice, 7));
	ck_assert_uint_eq(choice.count, 0);
}
END_TEST

START_TEST(none_but_one)
{
	thread_set_assign_all(&choice, false);
	ck_assert(!thread_set_has_any(&choice));
	ck_assert(thread_set_assign(&choice, 7, true));
	ck_assert(thread_set_has_any(&choice));
	ck_assert(thread_set_has(&choice, 7));
	ck_assert(!thread_set_has(&choice, 6) && !thread_set_has(&choice, 8));
	thread_set_assign_all(&choice, true);
	ck_assert(thread_set_has(&choice, 6));
	thread_set_assign_all(&choice, false);
	ck_assert(!thread_set_has(&choice, 7));
}
END_TEST

START_TEST(many_in_any_order)
{
	enum { THREADS = 1000, STEP = 373 };

	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t serial = i * STEP % THREADS;
		ck_assert(thread_set_assign(&choice, serial, serial % 3 != 0));
	}
	for (uint32_t serial = 0; serial < THREADS; serial++)
		ck_assert(thread_set_has(&choice, serial) == (serial % 3 != 0));
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t serial = i * STEP % THREADS;
		ck_assert(thread_set_assign(&choice, serial, serial % 2 == 0));
	}
	for (uint32_t serial = 0; serial < THREADS; serial++)
		ck_assert(thread_set_has(&choice, serial) == (serial % 2 == 0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thread_set");
	TCase *tests = tcase_create("choice");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, all_but_one);
	tcase_add_test(tests, none_but_one);
	tcase_add_test(tests, many_in_any_order);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
