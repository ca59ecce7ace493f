/*
 * Tests of when the charger reads the CPU clocks.
 */
#include "calls/charger.h"
#include "run_suite.h"

#include <math.h>

#define MS UINT64_C(1000000)
#define BEGAN (1000 * MS)

START_TEST(rounds_start_once_a_millisecond_at_varying_phases)
{
	uint64_t least = UINT64_MAX;
	uint64_t most = 0;

	for (uint64_t round = 0; round < 100; round++) {
		uint64_t pause = charger_next_ns(BEGAN, BEGAN + MS / 100, 1000, round) - BEGAN;
		least = pause < least ? pause : least;
		most = pause > most ? pause : most;
	}
	ck_assert_uint_ge(least, MS / 2);
	ck_assert_uint_le(least, MS / 2 + MS / 20);
	ck_assert_uint_le(most, MS + MS / 2);
	ck_assert_uint_ge(most, MS + MS / 2 - MS / 20);
}
END_TEST

START_TEST(a_round_that_waited_for_a_cpu_does_not_delay_the_next)
{
	uint64_t now = BEGAN + 80 * MS;

	ck_assert_uint_ge(charger_next_ns(BEGAN, now, MS / 100, 7), now);
	ck_assert_uint_le(charger_next_ns(BEGAN, now, MS / 100, 7), now + MS);
}
END_TEST

START_TEST(a_long_round_leaves_most_of_the_cpu_to_the_program)
{
	uint64_t now = BEGAN + 5 * MS;
	ck_assert_uint_ge(charger_next_ns(BEGAN, now, 5 * MS, 7), now + 90 * MS);
}
END_TEST

/* Of nine moments, one is in the first distance and eight are in the second. */
START_TEST(the_pace_is_how_far_apart_rounds_are_around_a_random_moment)
{
	struct charger charger = {.tracker = NULL};

	ck_assert_double_eq(charger_pace_ns(&charger), 0);
	charger_add_pace(&charger, MS);
	charger_add_pace(&charger, 8 * MS);
	ck_assert_double_eq_tol(charger_pace_ns(&charger), sqrt((1 + 8 * 64) / 9.0) * (double)MS, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("charger");
	TCase *tests = tcase_create("next round");

	tcase_add_test(tests, rounds_start_once_a_millisecond_at_varying_phases);
	tcase_add_test(tests, a_round_that_waited_for_a_cpu_does_not_delay_the_next);
	tcase_add_test(tests, a_long_round_leaves_most_of_the_cpu_to_the_program);
	tcase_add_test(tests, the_pace_is_how_far_apart_rounds_are_around_a_random_moment);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
