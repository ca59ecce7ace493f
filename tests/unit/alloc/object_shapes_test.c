/*
 * Tests of the sizes that shapes give; what shapes a VM has, end-to-end tests ask it.
 */
#include "alloc/object_shapes.h"
#include "run_suite.h"

static object_shape shape(uint32_t bytes, uint32_t alignment_log2, uint32_t element)
{
	return bytes << SHAPE_BYTES_BIT | alignment_log2 << SHAPE_ALIGNMENT_BIT | element;
}

START_TEST(an_instance_has_its_size_whatever_the_length)
{
	object_shape instance = shape(24, 3, 0);

	ck_assert(!object_shape_is_array(instance));
	ck_assert_uint_eq(object_shape_size(instance, 0), 24);
	ck_assert_uint_eq(object_shape_size(instance, 7), 24);
	/* The largest that a word has room for. */
	ck_assert_uint_eq(object_shape_size(shape(0xffffff, 3, 0), 0), 0xffffff);
}
END_TEST

START_TEST(an_array_has_header_and_elements_up_to_the_alignment)
{
	ck_assert(object_shape_is_array(shape(16, 3, 1)));
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 1), 0), 16);
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 1), 1), 24);
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 1), 8), 24);
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 1), 9), 32);
	ck_assert_uint_eq(object_shape_size(shape(12, 3, 1), 4), 16);
	ck_assert_uint_eq(object_shape_size(shape(16, 4, 1), 1), 32);
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 3), 3), 32);
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 4), 3), 40);
}
END_TEST

START_TEST(the_longest_array_is_not_cut_off)
{
	ck_assert_uint_eq(object_shape_size(shape(16, 3, 4), INT32_MAX),
	                  ((uint64_t)INT32_MAX << 3) + 16);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("object_shapes");
	TCase *tests = tcase_create("sizes");

	tcase_add_test(tests, an_instance_has_its_size_whatever_the_length);
	tcase_add_test(tests, an_array_has_header_and_elements_up_to_the_alignment);
	tcase_add_test(tests, the_longest_array_is_not_cut_off);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
