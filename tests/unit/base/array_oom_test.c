/*
 * Test of growing arrays, with memory and without.
 */
#include "base/array.h"
#include "failing_allocation.h"
#include "run_suite.h"

#include <stdint.h>
#include <stdlib.h>

struct numbers {
	uint32_t *elements;
	size_t capacity;
	size_t count;
};

static bool append(struct numbers *numbers)
{
	if (!array_grow(&numbers->elements, &numbers->capacity, numbers->count, sizeof(uint32_t)))
		return false;
	numbers->elements[numbers->count] = (uint32_t)numbers->count;
	numbers->count++;
	return true;
}

static bool cover(struct numbers *numbers, size_t index)
{
	return array_cover(&numbers->elements, &numbers->capacity, index, sizeof(uint32_t));
}

START_TEST(an_array_grows_and_keeps_its_elements)
{
	struct numbers numbers = {0};

	for (uint32_t i = 0; i < 1000; i++)
		ck_assert(append(&numbers));
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(numbers.elements[i], i);
	ck_assert_uint_ge(numbers.capacity, 1000);
	ck_assert_uint_le(numbers.capacity, 2000);
	free(numbers.elements);
}
END_TEST

START_TEST(elements_up_to_an_index_are_zero)
{
	static const size_t indexes[] = {0, 1, 15, 16, 17, 5000, 3};
	struct numbers numbers = {0};
	size_t covered = 0;

	for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]); i++) {
		ck_assert(cover(&numbers, indexes[i]));
		ck_assert_uint_gt(numbers.capacity, indexes[i]);
		for (; covered < numbers.capacity; covered++) {
			ck_assert_uint_eq(numbers.elements[covered], 0);
			numbers.elements[covered] = UINT32_MAX;
		}
	}
	for (size_t i = 0; i < covered; i++)
		ck_assert_uint_eq(numbers.elements[i], UINT32_MAX);
	free(numbers.elements);
}
END_TEST

START_TEST(an_array_that_has_room_allocates_nothing)
{
	struct numbers numbers = {0};

	ck_assert(append(&numbers));
	fail_allocations(1, UINT32_MAX);
	bool grown = append(&numbers) && cover(&numbers, numbers.capacity - 1);
	ck_assert(!stop_failing());
	ck_assert(grown);
	free(numbers.elements);
}
END_TEST

START_TEST(without_memory_an_array_is_unchanged)
{
	struct numbers numbers = {0};

	fail_allocations(1, UINT32_MAX);
	bool grown = append(&numbers) || cover(&numbers, 0);
	ck_assert(stop_failing());
	ck_assert(!grown);
	ck_assert_ptr_null(numbers.elements);
	ck_assert_uint_eq(numbers.capacity, 0);

	do {
		ck_assert(append(&numbers));
	} while (numbers.count < numbers.capacity);
	const uint32_t *elements = numbers.elements;
	fail_allocations(1, UINT32_MAX);
	grown = append(&numbers) || cover(&numbers, numbers.capacity);
	ck_assert(stop_failing());
	ck_assert(!grown);
	ck_assert_ptr_eq(numbers.elements, elements);
	ck_assert_uint_eq(numbers.capacity, numbers.count);
	for (uint32_t i = 0; i < numbers.count; i++)
		ck_assert_uint_eq(elements[i], i);
	free(numbers.elements);
}
END_TEST

START_TEST(a_size_that_overflows_is_refused_without_asking_for_memory)
{
	static const size_t indexes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(uint32_t),
	                                 SIZE_MAX / sizeof(uint32_t) / 2};
	struct numbers numbers = {0};
	bool refused = true;

	fail_allocations(1, UINT32_MAX);
	for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]); i++)
		refused = refused && !cover(&numbers, indexes[i]);
	refused = refused && !array_grow(&numbers.elements, &numbers.capacity,
	                                 SIZE_MAX / sizeof(uint32_t) / 2 + 1, sizeof(uint32_t));
	ck_assert(!stop_failing());
	ck_assert(refused);
	ck_assert_uint_eq(numbers.capacity, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("array_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, an_array_grows_and_keeps_its_elements);
	tcase_add_test(tests, elements_up_to_an_index_are_zero);
	tcase_add_test(tests, an_array_that_has_room_allocates_nothing);
	tcase_add_test(tests, without_memory_an_array_is_unchanged);
	tcase_add_test(tests, a_size_that_overflows_is_refused_without_asking_for_memory);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
