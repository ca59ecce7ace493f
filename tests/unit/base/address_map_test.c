/*
 * Tests of the map from numbers to numbers.
 */
#include "base/address_map.h"
#include "run_suite.h"

#include <check.h>
#include <string.h>

static struct address_map map;

static void set_up(void)
{
	address_map_init(&map);
}

static void tear_down(void)
{
	address_map_free(&map);
}

static uint64_t find(uint64_t key)
{
	const uint64_t *value = address_map_find(&map, key);
	ck_assert_msg(value != NULL, "no value for key %llx", (unsigned long long)key);
	return *value;
}

START_TEST(an_empty_map_finds_nothing)
{
	ck_assert_ptr_null(address_map_find(&map, 1));
	ck_assert_ptr_null(address_map_find(&map, 0));
}
END_TEST

START_TEST(a_key_finds_its_last_value)
{
	ck_assert(address_map_set(&map, 8, 1));
	ck_assert(address_map_set(&map, 16, 2));
	ck_assert(address_map_set(&map, 8, 3));
	ck_assert_uint_eq(find(8), 3);
	ck_assert_uint_eq(find(16), 2);
	ck_assert_uint_eq(map.count, 2);
	ck_assert_ptr_null(address_map_find(&map, 24));
	ck_assert_ptr_null(address_map_find(&map, 0));
}
END_TEST

/* Keys as addresses are: multiples of 8 or of a page, close together or far apart. */
START_TEST(keys_of_any_pattern_keep_their_values_while_the_map_grows)
{
	enum { KEYS = 5000 };
	const uint64_t step = UINT64_C(1) << _i;

	for (uint64_t i = 1; i <= KEYS; i++)
		ck_assert(address_map_set(&map, i * step, ~i));
	ck_assert_uint_eq(map.count, KEYS);
	ck_assert_uint_le(map.count, map.capacity / 2);
	for (uint64_t i = 1; i <= KEYS; i++)
		ck_assert_uint_eq(find(i * step), ~i);
	ck_assert_ptr_null(address_map_find(&map, (KEYS + 1) * step));
}
END_TEST

START_TEST(keys_in_one_slot_are_distinct)
{
	uint64_t keys[8];
	size_t count = 0;

	ck_assert(address_map_set(&map, 1, 100));
	const size_t capacity = map.capacity;
	const uint64_t slot = (address_hash(1) >> 32) & (capacity - 1);
	for (uint64_t key = 2; count < 8; key++) {
		if (((address_hash(key) >> 32) & (capacity - 1)) == slot)
			keys[count++] = key;
	}
	for (size_t i = 0; i < 7; i++)
		ck_assert(address_map_set(&map, keys[i], i));
	ck_assert_uint_eq(map.capacity, capacity);
	for (size_t i = 0; i < 7; i++)
		ck_assert_uint_eq(find(keys[i]), i);
	ck_assert_uint_eq(find(1), 100);
	ck_assert_ptr_null(address_map_find(&map, keys[7]));
}
END_TEST

START_TEST(a_map_can_be_used_again_after_it_was_freed)
{
	ck_assert(address_map_set(&map, 8, 1));
	address_map_free(&map);
	ck_assert_ptr_null(address_map_find(&map, 8));
	ck_assert(address_map_set(&map, 8, 2));
	ck_assert_uint_eq(find(8), 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("base_address_map");
	TCase *tests = tcase_create("map");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, an_empty_map_finds_nothing);
	tcase_add_test(tests, a_key_finds_its_last_value);
	tcase_add_loop_test(tests, keys_of_any_pattern_keep_their_values_while_the_map_grows, 0,
	                    33);
	tcase_add_test(tests, keys_in_one_slot_are_distinct);
	tcase_add_test(tests, a_map_can_be_used_again_after_it_was_freed);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
