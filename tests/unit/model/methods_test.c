/*
 * Tests of methods, their line numbers, and frames.
 */
#include "model/frames.h"
#include "model/methods.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

static const struct string name_run = {.id = 1, .length = 3, .text = "run"};
static const struct string name_other = {.id = 2, .length = 5, .text = "other"};

/* ---- lines ------------------------------------------------------------ */

static const struct line_entry lines[] = {{4, 10}, {8, 30}, {9, 20}, {65534, 65535}};

static const struct method method_with_lines = {.line_count = 4, .lines = lines};

START_TEST(a_line_is_that_of_the_last_entry_at_or_before)
{
	static const struct {
		int64_t bci;
		int32_t line;
	} cases[] = {
	        {4, 10},
	        {5, 10},
	        {7, 10},
	        {8, 30},
	        {9, 20},
	        {10, 20},
	        {65533, 20},
	        {65534, 65535},
	        {65535, 65535},
	        {65536, 65535},
	        {INT64_C(1) << 32, 65535},
	        {INT64_MAX, 65535},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_int_eq(method_line(&method_with_lines, cases[i].bci), cases[i].line);
}
END_TEST

START_TEST(before_the_first_entry_the_line_is_unknown)
{
	static const int64_t indexes[] = {3, 0, -1, -3, INT32_MIN, INT64_MIN};

	for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]); i++)
		ck_assert_int_eq(method_line(&method_with_lines, indexes[i]), LINE_UNKNOWN);
}
END_TEST

START_TEST(each_length_of_a_table_finds_each_line)
{
	struct line_entry table[40];

	for (size_t count = 1; count <= 40; count++) {
		for (size_t i = 0; i < count; i++)
			table[i] = (struct line_entry){(uint32_t)i * 3, (int32_t)i + 100};
		const struct method method = {.line_count = count, .lines = table};
		for (size_t i = 0; i < count; i++) {
			for (uint32_t k = 0; k < 3; k++)
				ck_assert_int_eq(method_line(&method, (int64_t)i * 3 + k),
				                 (int)i + 100);
		}
		ck_assert_int_eq(method_line(&method, 1000), (int)count + 99);
	}
}
END_TEST

START_TEST(a_class_without_lines_has_line_none)
{
	const struct method method = {.line_count = 0};

	ck_assert_int_eq(method_line(&method, 0), LINE_NONE);
	ck_assert_int_eq(method_line(&method, 100), LINE_NONE);
	ck_assert_int_eq(method_line(&method, -1), LINE_NONE);
}
END_TEST

START_TEST(a_native_method_has_no_lines_even_with_a_table)
{
	const struct method native = {.native = true};
	const struct method both = {.native = true, .line_count = 4, .lines = lines};

	ck_assert_int_eq(method_line(&native, -3), LINE_NATIVE);
	ck_assert_int_eq(method_line(&native, 0), LINE_NATIVE);
	ck_assert_int_eq(method_line(&both, 8), LINE_NATIVE);
}
END_TEST

START_TEST(starts_beyond_31_bits_are_not_negative)
{
	static const struct line_entry far[] = {{0, 1}, {UINT32_MAX, 2}};
	const struct method method = {.line_count = 2, .lines = far};

	ck_assert_int_eq(method_line(&method, INT32_MAX), 1);
	ck_assert_int_eq(method_line(&method, (int64_t)UINT32_MAX - 1), 1);
	ck_assert_int_eq(method_line(&method, UINT32_MAX), 2);
}
END_TEST

/* ---- methods ---------------------------------------------------------- */

static struct method_table *methods;

static void make_methods(void)
{
	methods = method_table_create();
	ck_assert_ptr_nonnull(methods);
}

static void destroy_methods(void)
{
	method_table_destroy(methods);
}

START_TEST(a_method_is_found_by_its_id)
{
	for (uint64_t i = 0; i < 5000; i++) {
		const struct method method = {.vm_id = i << 3 | i << 50, .name = &name_run};
		const struct method *added = method_table_add(methods, &method);
		ck_assert_ptr_nonnull(added);
		ck_assert_uint_eq(added->vm_id, method.vm_id);
	}
	for (uint64_t i = 0; i < 5000; i++) {
		const struct method *found = method_table_find(methods, i << 3 | i << 50);
		ck_assert_ptr_nonnull(found);
		ck_assert_uint_eq(found->vm_id, i << 3 | i << 50);
		ck_assert_ptr_eq(found->name, &name_run);
	}
}
END_TEST

START_TEST(an_id_that_was_not_added_finds_nothing)
{
	const struct method method = {.vm_id = 8};

	ck_assert_ptr_null(method_table_find(methods, 8));
	ck_assert_ptr_nonnull(method_table_add(methods, &method));
	ck_assert_ptr_null(method_table_find(methods, 0));
	ck_assert_ptr_null(method_table_find(methods, 9));
	ck_assert_ptr_null(method_table_find(methods, UINT64_C(8) << 32));
}
END_TEST

START_TEST(an_existing_method_stays_unchanged)
{
	const struct method first = {
	        .vm_id = 1, .name = &name_run, .line_count = 4, .lines = lines};
	const struct method second = {.vm_id = 1, .name = &name_other, .native = true};
	const struct method *added = method_table_add(methods, &first);

	ck_assert_ptr_eq(method_table_add(methods, &second), added);
	ck_assert_ptr_eq(method_table_find(methods, 1), added);
	ck_assert_ptr_eq(added->name, &name_run);
	ck_assert(!added->native);
	ck_assert_uint_eq(added->line_count, 4);
}
END_TEST

START_TEST(all_fields_of_a_method_are_kept)
{
	static const struct string signature = {.id = 3, .length = 3, .text = "()V"};
	static const struct string source = {.id = 4, .length = 1, .text = "S"};
	static const struct class_record class = {.serial = 100001};
	const struct method method = {.vm_id = UINT64_MAX,
	                              .class = &class,
	                              .name = &name_run,
	                              .signature = &signature,
	                              .source = &source,
	                              .native = true};
	const struct method *added = method_table_add(methods, &method);

	ck_assert_ptr_nonnull(added);
	ck_assert_ptr_eq(added->class, &class);
	ck_assert_ptr_eq(added->name, &name_run);
	ck_assert_ptr_eq(added->signature, &signature);
	ck_assert_ptr_eq(added->source, &source);
	ck_assert(added->native);
	ck_assert_uint_eq(added->line_count, 0);
}
END_TEST

START_TEST(lines_are_copied_and_sorted)
{
	struct line_entry unsorted[] = {{9, 20}, {65534, 65535}, {4, 10}, {8, 30}};
	const struct method method = {.vm_id = 1, .line_count = 4, .lines = unsorted};
	const struct method *added = method_table_add(methods, &method);

	ck_assert_ptr_nonnull(added);
	ck_assert_uint_eq(unsorted[0].start, 9); /* the caller's lines are unchanged */
	memset(unsorted, 0, sizeof(unsorted));
	ck_assert_uint_eq(added->line_count, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(added->lines[i].start, lines[i].start);
		ck_assert_int_eq(added->lines[i].line, lines[i].line);
	}
}
END_TEST

START_TEST(a_large_unsorted_table_gives_right_lines)
{
	enum { COUNT = 65535 };
	struct line_entry *table = malloc(COUNT * sizeof(*table));

	ck_assert_ptr_nonnull(table);
	/* 40502 and 65535 have no common divisor: each start comes once. */
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t start = i * 40502u % COUNT;
		table[i] = (struct line_entry){start, (int32_t)start + 1};
	}
	const struct method method = {.vm_id = 1, .line_count = COUNT, .lines = table};
	const struct method *added = method_table_add(methods, &method);
	free(table);
	ck_assert_ptr_nonnull(added);
	for (int32_t bci = 0; bci < COUNT; bci++)
		QUICK_CHECK(method_line(added, bci) == bci + 1, "index %d", bci);
}
END_TEST

START_TEST(a_line_table_too_large_for_memory_is_rejected)
{
	const struct method method = {.vm_id = 1, .line_count = SIZE_MAX, .lines = lines};
	const struct method half = {.vm_id = 1, .line_count = SIZE_MAX / 8, .lines = lines};

	ck_assert_ptr_null(method_table_add(methods, &method));
	ck_assert_ptr_null(method_table_add(methods, &half));
	ck_assert_ptr_null(method_table_find(methods, 1));
}
END_TEST

/* ---- frames ----------------------------------------------------------- */

static struct frame_table *frames;

static void make_frames(void)
{
	frames = frame_table_create();
	ck_assert_ptr_nonnull(frames);
}

static void destroy_frames(void)
{
	frame_table_destroy(frames);
}

static const struct method method_a = {.vm_id = 1};
static const struct method method_b = {.vm_id = 1};

START_TEST(one_method_and_line_is_one_frame)
{
	static const int32_t all[] = {LINE_NONE, LINE_UNKNOWN, LINE_NATIVE, 1,
	                              65535,     INT32_MAX,    INT32_MIN};
	const struct frame *seen[14];
	size_t count = 0;

	for (size_t i = 0; i < 7; i++) {
		seen[count++] = frame_table_intern(frames, &method_a, all[i]);
		seen[count++] = frame_table_intern(frames, &method_b, all[i]);
	}
	for (size_t i = 0; i < 14; i++) {
		const struct method *method = i % 2 == 0 ? &method_a : &method_b;
		ck_assert_ptr_nonnull(seen[i]);
		ck_assert_uint_eq(seen[i]->id, i + 1);
		ck_assert_ptr_eq(seen[i]->method, method);
		ck_assert_int_eq(seen[i]->line, all[i / 2]);
		ck_assert_ptr_eq(frame_table_intern(frames, method, all[i / 2]), seen[i]);
	}
}
END_TEST

START_TEST(many_frames_are_found_again)
{
	enum { COUNT = 20000 };
	static const struct frame *added[COUNT];

	for (int32_t i = 0; i < COUNT; i++) {
		added[i] = frame_table_intern(frames, &method_a, i);
		ck_assert_ptr_nonnull(added[i]);
		ck_assert_uint_eq(added[i]->id, (uint32_t)i + 1);
	}
	for (int32_t i = 0; i < COUNT; i++)
		ck_assert_ptr_eq(frame_table_intern(frames, &method_a, i), added[i]);
}
END_TEST

START_TEST(no_table_is_nothing_to_destroy)
{
	method_table_destroy(NULL);
	frame_table_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model_methods");
	TCase *line = tcase_create("lines");
	TCase *method = tcase_create("methods");
	TCase *frame = tcase_create("frames");

	tcase_add_test(line, a_line_is_that_of_the_last_entry_at_or_before);
	tcase_add_test(line, before_the_first_entry_the_line_is_unknown);
	tcase_add_test(line, each_length_of_a_table_finds_each_line);
	tcase_add_test(line, a_class_without_lines_has_line_none);
	tcase_add_test(line, a_native_method_has_no_lines_even_with_a_table);
	tcase_add_test(line, starts_beyond_31_bits_are_not_negative);
	tcase_set_timeout(method, 60);
	tcase_set_timeout(frame, 60);
	tcase_add_checked_fixture(method, make_methods, destroy_methods);
	tcase_add_test(method, a_method_is_found_by_its_id);
	tcase_add_test(method, an_id_that_was_not_added_finds_nothing);
	tcase_add_test(method, an_existing_method_stays_unchanged);
	tcase_add_test(method, all_fields_of_a_method_are_kept);
	tcase_add_test(method, lines_are_copied_and_sorted);
	tcase_add_test(method, a_large_unsorted_table_gives_right_lines);
	tcase_add_test(method, a_line_table_too_large_for_memory_is_rejected);
	tcase_add_checked_fixture(frame, make_frames, destroy_frames);
	tcase_add_test(frame, one_method_and_line_is_one_frame);
	tcase_add_test(frame, many_frames_are_found_again);
	tcase_add_test(frame, no_table_is_nothing_to_destroy);
	suite_add_tcase(suite, line);
	suite_add_tcase(suite, method);
	suite_add_tcase(suite, frame);
	return run_suite(suite);
}
