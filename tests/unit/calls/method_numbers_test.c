/*
 * Tests of the numbers of methods by their names.
 */
#include "calls/method_numbers.h"
#include "os/os.h"
#include "run_suite.h"

#include <stdio.h>

enum { THREADS = 4, METHODS = 500 };

static struct method_numbers *numbers;

static void set_up(void)
{
	numbers = method_numbers_create();
	ck_assert_ptr_nonnull(numbers);
}

static void tear_down(void)
{
	method_numbers_destroy(numbers);
}

static call_method number_of(const char *class_name, const char *name, const char *descriptor)
{
	call_method number = CALL_METHOD_NONE;

	ck_assert(method_numbers_intern(numbers, class_name, name, descriptor, &number));
	return number;
}

START_TEST(numbers_are_consecutive_from_0)
{
	ck_assert_uint_eq(number_of("A", "m", "()V"), 0);
	ck_assert_uint_eq(number_of("A", "n", "()V"), 1);
	ck_assert_uint_eq(number_of("A", "m", "()I"), 2);
	ck_assert_uint_eq(number_of("B", "m", "()V"), 3);
}
END_TEST

START_TEST(a_method_keeps_its_number)
{
	char class_name[] = "A";
	call_method first = number_of(class_name, "m", "()V");

	class_name[0] = 'B'; /* names are copied */
	ck_assert_uint_ne(number_of(class_name, "m", "()V"), first);
	ck_assert_uint_eq(number_of("A", "m", "()V"), first);
	/* A method that is already there takes no number. */
	ck_assert_uint_eq(number_of("C", "m", "()V"), 2);
}
END_TEST

START_TEST(names_with_the_same_concatenation_are_distinguished)
{
	call_method first = number_of("AB", "C", "()V");

	ck_assert_uint_ne(number_of("A", "BC", "()V"), first);
	ck_assert_uint_ne(number_of("ABC", "", "()V"), first);
	ck_assert_uint_ne(number_of("AB", "C()", "V"), first);
}
END_TEST

static void intern_all(void *argument)
{
	call_method *found = argument;

	for (int i = 0; i < METHODS; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "m%d", i);
		if (!method_numbers_intern(numbers, "A", name, "()V", &found[i]))
			found[i] = CALL_METHOD_NONE;
	}
}

START_TEST(concurrent_threads_get_the_same_numbers)
{
	static call_method found[THREADS][METHODS];
	static bool is_used[METHODS];
	struct os_thread_handle threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(os_thread_start(&threads[i], intern_all, found[i]), 0);
	for (int i = 0; i < THREADS; i++)
		os_thread_join(&threads[i]);
	for (int m = 0; m < METHODS; m++) {
		ck_assert_uint_lt(found[0][m], METHODS);
		ck_assert(!is_used[found[0][m]]);
		is_used[found[0][m]] = true;
		for (int i = 1; i < THREADS; i++)
			ck_assert_uint_eq(found[i][m], found[0][m]);
	}
}
END_TEST

START_TEST(destroying_null_has_no_effect)
{
	method_numbers_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("method_numbers");
	TCase *tests = tcase_create("method_numbers");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, numbers_are_consecutive_from_0);
	tcase_add_test(tests, a_method_keeps_its_number);
	tcase_add_test(tests, names_with_the_same_concatenation_are_distinguished);
	tcase_add_test(tests, concurrent_threads_get_the_same_numbers);
	tcase_add_test(tests, destroying_null_has_no_effect);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
