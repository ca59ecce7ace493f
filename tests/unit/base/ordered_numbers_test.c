/*
 * Tests of the search in ordered numbers, against a search from the beginning.
 */
#include "base/ordered_numbers.h"
#include "run_suite.h"

static size_t find_slowly(const uint32_t *numbers, size_t count, uint32_t number)
{
	size_t at = 0;

	while (at < count && numbers[at] < number)
		at++;
	return at;
}

START_TEST(each_number_is_found_where_it_is_or_would_be)
{
	static const uint32_t numbers[] = {0, 3, 3, 4, 9, 9, 9, 10, UINT32_MAX};
	static const uint32_t sought[] = {0,         1, 2, 3, 4, 5, 8, 9, 10, 11, UINT32_MAX - 1,
	                                  UINT32_MAX};

	for (size_t count = 0; count <= sizeof(numbers) / sizeof(numbers[0]); count++) {
		for (size_t i = 0; i < sizeof(sought) / sizeof(sought[0]); i++)
			ck_assert_uint_eq(ordered_numbers_find(numbers, count, sought[i]),
			                  find_slowly(numbers, count, sought[i]));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ordered_numbers");
	TCase *tests = tcase_create("find");

	tcase_add_test(tests, each_number_is_found_where_it_is_or_would_be);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
