/*
 * Tests of the stacks that exports write: rows of all kinds, their frames, and when samples were
 * taken.
 */
#include "run_suite.h"
#include "stack_fixture.h"

#include "export/profile_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_up(void)
{
	ck_assert(stack_set_up());
}

START_TEST(each_kind_is_a_series)
{
	static const enum section_kind kinds[] = {SECTION_SAMPLES, SECTION_TIMES, SECTION_MONITORS,
	                                          SECTION_SITES};
	static const uint64_t totals[] = {10, 123, 7, 1000};
	read_all();
	ck_assert_uint_eq(stacks.series_count, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(stacks.series[i].section.kind, kinds[i]);
		ck_assert_uint_eq(stack_series_total(&stacks.series[i]), totals[i]);
	}
}
END_TEST

START_TEST(one_kind_can_be_selected)
{
	stacks.kind_given = true;
	stacks.kind = SECTION_TIMES;
	read_all();
	ck_assert_uint_eq(stacks.series_count, 1);
	ck_assert_int_eq(stacks.series[0].section.kind, SECTION_TIMES);
	ck_assert_uint_eq(stacks.series[0].times.count, 0);
}
END_TEST

START_TEST(sections_are_added_up_unless_only_the_last_is_selected)
{
	for (int last = 0; last < 2; last++) {
		stacks.last = last != 0;
		read_all();
		read_all();
		ck_assert_uint_eq(stacks.series_count, 4);
		ck_assert_uint_eq(stack_series_total(&stacks.series[0]), last != 0 ? 10 : 20);
		ck_assert_uint_eq(stack_series_total(&stacks.series[3]), 1000);
		ck_assert_int_eq(
		        strncmp(stack_series_title(&stacks.series[0]), "CPU SAMPLES (", 13) == 0,
		        last != 0);
		stack_tear_down();
		set_up();
	}
}
END_TEST

static void check_frames(size_t series, size_t row, const char *const *names)
{
	const struct stack_frames frames = stack_frames_of(&stacks, &stacks.series[series], row);
	uint32_t count = 0;
	for (; names[count] != NULL; count++) {
		ck_assert_uint_lt(count, frames.depth);
		const struct stack_frame frame = stack_frame_at(&frames, count);
		ck_assert_str_eq(frame.name->text, names[count]);
	}
	ck_assert_uint_eq(frames.depth, count);
}

START_TEST(rows_have_their_frames)
{
	static const char *const main[] = {"A.inner", "B.\"m\\ain;</script>", NULL};
	static const char *const no_frames[] = {"<empty trace>", NULL};
	static const char *const rest[] = {"[below the cutoff]", NULL};
	static const char *const monitor[] = {"M$S", "A.inner", "B.\"m\\ain;</script>", NULL};
	static const char *const site[] = {"a.B", "<empty trace>", NULL};
	read_all();
	check_frames(0, 0, main);
	check_frames(0, 2, no_frames);
	check_frames(0, 3, rest);
	check_frames(2, 0, monitor);
	check_frames(3, 1, site);
}
END_TEST

START_TEST(samples_have_their_times)
{
	static const struct {
		uint64_t at;
		size_t row;
		uint64_t cost;
	} expected[] = {
	        /* Of row 1 the file has more times than samples. */
	        {0, 0, 1},
	        {0, 2, 2},
	        {1795543828123, 0, 1},
	        {1795543828223, 1, 3},
	        {1795543828323, 3, 1},
	        {1795543828423, 0, 2},
	};
	const size_t count = sizeof(expected) / sizeof(expected[0]);
	struct stack_sample *samples;
	size_t found;

	read_all();
	ck_assert(stack_series_samples(&stacks, &stacks.series[0], &samples, &found));
	ck_assert_uint_eq(found, count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(samples[i].at_ms, expected[i].at);
		ck_assert_uint_eq(samples[i].row, expected[i].row);
		ck_assert_uint_eq(samples[i].cost, expected[i].cost);
		ck_assert_uint_eq(samples[i].thread, 0);
	}
	free(samples);
}
END_TEST

START_TEST(samples_can_be_told_apart_by_thread)
{
	struct stack_sample *samples;
	size_t count;
	uint64_t sums[3] = {0};

	stacks.threads = true;
	read_all();
	ck_assert(stack_series_samples(&stacks, &stacks.series[0], &samples, &count));
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_le(i == 0 ? 0 : samples[i - 1].thread, samples[i].thread);
		sums[samples[i].thread == 0 ? 0 : samples[i].thread - 200000] += samples[i].cost;
	}
	ck_assert_uint_eq(sums[0], 3);
	ck_assert_uint_eq(sums[1], 4);
	ck_assert_uint_eq(sums[2], 3);
	free(samples);
}
END_TEST

START_TEST(a_stack_of_two_sections_is_one_row_with_the_times_of_both)
{
	struct stack_sample *samples;
	size_t count;

	read_all();
	read_all();
	ck_assert(stack_series_samples(&stacks, &stacks.series[0], &samples, &count));
	ck_assert_uint_eq(stacks.series[0].section.row_count, 4);
	/* Six with a time, and what is left of three rows. */
	ck_assert_uint_eq(count, 9);
	for (size_t row = 0; row < 4; row++) {
		uint64_t sum = 0;
		for (size_t i = 0; i < count; i++)
			sum += samples[i].row == row ? samples[i].cost : 0;
		ck_assert_uint_eq(sum, stacks.series[0].section.rows[row].cost);
	}
	free(samples);
}
END_TEST

START_TEST(a_profile_begins_with_its_first_sample)
{
	read_all();
	ck_assert_uint_eq(profile_start_ms(&stacks), 1795543828123);
}
END_TEST

static uint64_t start_of(const char *date)
{
	char text[256];
	(void)snprintf(text, sizeof(text),
	               "JAVA PROFILE 1.0.1, created %s\n--------\nCPU SAMPLES BEGIN (total = 0)\n"
	               "CPU SAMPLES END\n",
	               date);
	stack_tear_down();
	set_up();
	ck_assert(stack_read(text));
	return profile_start_ms(&stacks);
}

START_TEST(without_times_a_profile_begins_with_its_date)
{
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	ck_assert_uint_eq(start_of("Sat Nov 21 02:55:43 2026"), 1795229743000);
	ck_assert_uint_eq(start_of("Thu Jan  1 00:00:01 1970"), 1000);
	ck_assert_uint_eq(start_of("Sat Nov 21 02:55:43 1926"), 0);
	ck_assert_uint_eq(start_of("Sat ovD 21 02:55:43 2026"), 0);
	ck_assert_uint_eq(start_of("Sat No 21 02:55:43 2026"), 0);
	ck_assert_uint_eq(start_of("Sat Nov 21 02:55:43 2026 x"), 0);
	ck_assert_uint_eq(start_of("yesterday"), 0);
}
END_TEST

static Suite *stack_profile_suite(void)
{
	Suite *suite = suite_create("stack_profile");
	TCase *tests = tcase_create("stacks");
	tcase_add_checked_fixture(tests, set_up, stack_tear_down);
	tcase_add_test(tests, each_kind_is_a_series);
	tcase_add_test(tests, one_kind_can_be_selected);
	tcase_add_test(tests, sections_are_added_up_unless_only_the_last_is_selected);
	tcase_add_test(tests, rows_have_their_frames);
	tcase_add_test(tests, samples_have_their_times);
	tcase_add_test(tests, samples_can_be_told_apart_by_thread);
	tcase_add_test(tests, a_stack_of_two_sections_is_one_row_with_the_times_of_both);
	tcase_add_test(tests, a_profile_begins_with_its_first_sample);
	tcase_add_test(tests, without_times_a_profile_begins_with_its_date);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(stack_profile_suite());
}
