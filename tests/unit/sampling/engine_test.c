/*
 * Tests of the functions that the engines share: the phase of a thread within its first
 * interval, and the part of the CPU time that a late reading charges.
 */
#include "sampling/engine.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdlib.h>

static const uint64_t intervals[] = {1, 2, 7, 1000, 1000000, 10000000, UINT64_C(3600000000000)};

#define INTERVALS ((int)(sizeof(intervals) / sizeof(intervals[0])))

START_TEST(a_phase_is_below_the_interval)
{
	static const uint64_t far[] = {999999,     1000000,        1000001,
	                               UINT32_MAX, UINT64_MAX - 1, UINT64_MAX};
	uint64_t interval = intervals[_i];

	for (uint64_t thread = 0; thread < 100000; thread++)
		QUICK_CHECK(engine_phase_ns(thread, interval) < interval, "thread %llu",
		            (unsigned long long)thread);
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++)
		ck_assert_uint_lt(engine_phase_ns(far[i], interval), interval);
}
END_TEST

START_TEST(a_thread_keeps_its_phase)
{
	for (uint64_t thread = 0; thread < 100; thread++)
		ck_assert_uint_eq(engine_phase_ns(thread, 10000000),
		                  engine_phase_ns(thread, 10000000));
}
END_TEST

#define INTERVAL UINT64_C(10000000)

/* For any number of consecutive threads, phases are spread evenly over the parts of the
 * interval; for few parts, each has at most one more or less than the mean. */
START_TEST(phases_of_any_number_of_threads_are_spread_evenly)
{
	enum { PARTS = 8 };
	static const uint64_t firsts[] = {0, 1, 17, 200001, 999990};

	for (size_t f = 0; f < sizeof(firsts) / sizeof(firsts[0]); f++) {
		unsigned count[PARTS] = {0};
		for (uint64_t n = 1; n <= 2000; n++) {
			count[engine_phase_ns(firsts[f] + n - 1, INTERVAL) * PARTS / INTERVAL]++;
			for (unsigned part = 0; part < PARTS; part++) {
				double mean = (double)n / PARTS;
				QUICK_CHECK(count[part] <= mean + 3 && count[part] >= mean - 3,
				            "%u of %u phases in part %u", count[part], (unsigned)n,
				            part);
			}
		}
	}
}
END_TEST

START_TEST(the_mean_phase_is_half_an_interval)
{
	double sum = 0;

	for (uint64_t thread = 200001; thread < 200101; thread++)
		sum += (double)engine_phase_ns(thread, INTERVAL);
	ck_assert_double_le(sum / 100 / (double)INTERVAL, 0.52);
	ck_assert_double_ge(sum / 100 / (double)INTERVAL, 0.48);
}
END_TEST

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

START_TEST(no_two_threads_in_a_row_share_a_phase)
{
	static uint64_t phases[1000];

	for (uint64_t thread = 0; thread < 1000; thread++)
		phases[thread] = engine_phase_ns(thread, INTERVAL);
	qsort(phases, 1000, sizeof(phases[0]), by_value);
	/* In an even spread, gaps are a thousandth of the interval. */
	for (size_t i = 1; i < 1000; i++)
		ck_assert_uint_gt(phases[i] - phases[i - 1], INTERVAL / 1000 / 4);
}
END_TEST

START_TEST(a_timely_reading_charges_all)
{
	for (uint64_t used = 0; used <= 20; used++)
		ck_assert_uint_eq(engine_share(used, 20), used);
}
END_TEST

/* Later readings charge the rest, over more than a few of them. */
START_TEST(a_late_reading_charges_a_part_and_later_ones_the_rest)
{
	static const uint64_t lates[] = {21, 22, 28, 200, 5000, 123456789};

	for (size_t i = 0; i < sizeof(lates) / sizeof(lates[0]); i++) {
		uint64_t left = lates[i];
		uint64_t first = engine_share(left, 20);
		unsigned looks = 0;
		ck_assert_uint_gt(first, 20);
		ck_assert_uint_le(first, 20 + lates[i] / 8 + 1);
		for (; left > 0; looks++) {
			uint64_t charged = engine_share(left, 20);
			ck_assert_uint_le(charged, left);
			left -= charged;
		}
		ck_assert_uint_lt(looks, 200);
	}
}
END_TEST

/* However late all readings are, the uncharged time is limited to a few readings. */
START_TEST(readings_that_are_always_late_do_not_fall_behind)
{
	uint64_t left = 0;

	for (unsigned look = 0; look < 10000; look++) {
		left += 100;
		left -= engine_share(left, 20);
		QUICK_CHECK(left < 1000, "%llu are left", (unsigned long long)left);
	}
}
END_TEST

START_TEST(the_longest_time_does_not_overflow)
{
	ck_assert_uint_le(engine_share(UINT64_MAX, 1), UINT64_MAX / 8 + 2);
	ck_assert_uint_eq(engine_share(UINT64_MAX, UINT64_MAX), UINT64_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("engine");
	TCase *phase = tcase_create("phase");
	TCase *share = tcase_create("share");

	tcase_set_timeout(phase, 60);
	tcase_add_loop_test(phase, a_phase_is_below_the_interval, 0, INTERVALS);
	tcase_add_test(phase, a_thread_keeps_its_phase);
	tcase_add_test(phase, phases_of_any_number_of_threads_are_spread_evenly);
	tcase_add_test(phase, the_mean_phase_is_half_an_interval);
	tcase_add_test(phase, no_two_threads_in_a_row_share_a_phase);
	suite_add_tcase(suite, phase);
	tcase_add_test(share, a_timely_reading_charges_all);
	tcase_add_test(share, a_late_reading_charges_a_part_and_later_ones_the_rest);
	tcase_add_test(share, readings_that_are_always_late_do_not_fall_behind);
	tcase_add_test(share, the_longest_time_does_not_overflow);
	suite_add_tcase(suite, share);
	return run_suite(suite);
}
