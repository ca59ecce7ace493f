/* marks: posix */
/*
 * Tests of ticks: one in each interval, at a phase that varies, ticks that are left out, and the
 * time until a stop is noticed. The clock and the sleep are fakes, so a busy machine does no harm.
 */
#include "sampling/ticks.h"
#include "os.h"
#include "quick_check.h"
#include "run_suite.h"

#define MS UINT64_C(1000000)
#define INTERVAL (10 * MS)
#define START (12345 * MS + 678)

static uint64_t now_ns;
static uint64_t late_ns;  /* how much longer than asked for a sleep takes */
static uint64_t stops_ns; /* when stopped is set; 0: never */
static uint64_t sleeps;
static atomic_bool stopped;
static struct ticks ticks;

/* ---- fakes ------------------------------------------------------------- */

uint64_t os_monotonic_ns(void)
{
	return now_ns;
}

void os_sleep_until(uint64_t when_ns)
{
	QUICK_CHECK(when_ns > now_ns, "a sleep that ends before it begins");
	QUICK_CHECK(when_ns - now_ns <= 50 * MS, "a sleep that is too long for a stop");
	sleeps++;
	now_ns = when_ns + late_ns;
	if (stops_ns != 0 && now_ns >= stops_ns)
		atomic_store(&stopped, true);
}

/* ---- tests ------------------------------------------------------------- */

static void start(uint64_t interval_ns)
{
	now_ns = START;
	late_ns = 0;
	stops_ns = 0;
	sleeps = 0;
	atomic_store(&stopped, false);
	ticks_start(&ticks, interval_ns, &stopped);
}

/* The next tick, as time since the start. */
static uint64_t next(void)
{
	ck_assert(ticks_wait(&ticks, 0));
	return now_ns - START;
}

START_TEST(each_interval_after_the_first_has_one_tick)
{
	start(INTERVAL);
	for (uint64_t i = 1; i <= 1000; i++)
		ck_assert_uint_eq(next() / INTERVAL, i);
}
END_TEST

START_TEST(phases_are_evenly_spread_and_differ_from_tick_to_tick)
{
	unsigned tenths[10] = {0};
	uint64_t last = INTERVAL;

	start(INTERVAL);
	for (int i = 0; i < 100; i++) {
		uint64_t phase = next() % INTERVAL;
		ck_assert_uint_ne(phase, last);
		tenths[phase * 10 / INTERVAL]++;
		last = phase;
	}
	for (int i = 0; i < 10; i++) {
		ck_assert_uint_ge(tenths[i], 8);
		ck_assert_uint_le(tenths[i], 12);
	}
}
END_TEST

START_TEST(ticks_that_have_passed_are_left_out)
{
	start(INTERVAL);
	ck_assert_uint_eq(next() / INTERVAL, 1);
	/* The caller was busy until the end of the interval: its tick is due at once. */
	now_ns = START + 101 * INTERVAL - 1;
	ck_assert_uint_eq(next() / INTERVAL, 100);
	for (uint64_t i = 101; i < 110; i++)
		ck_assert_uint_eq(next() / INTERVAL, i);
	/* The tick of this interval is still to come. */
	now_ns = START + 200 * INTERVAL;
	for (uint64_t i = 200; i < 210; i++)
		ck_assert_uint_eq(next() / INTERVAL, i);
}
END_TEST

START_TEST(a_caller_that_is_always_late_has_no_more_than_one_tick_per_interval)
{
	uint64_t count = 0;

	start(INTERVAL);
	late_ns = 7 * INTERVAL / 4;
	for (uint64_t last = 0; last / INTERVAL < 1000; count++) {
		uint64_t at = next();
		ck_assert_uint_gt(at, last);
		last = at;
		now_ns += INTERVAL / 8;
	}
	ck_assert_uint_le(count, 1000);
	ck_assert_uint_ge(count, 300);
}
END_TEST

START_TEST(a_wait_for_a_long_interval_is_many_sleeps)
{
	start(1000 * INTERVAL);
	ck_assert_uint_ge(next(), 1000 * INTERVAL);
	ck_assert_uint_ge(sleeps, 200);
	ck_assert_uint_le(sleeps, 401);
}
END_TEST

START_TEST(a_stop_ends_a_long_wait_soon)
{
	start(1000 * INTERVAL);
	stops_ns = START + 333 * MS;
	ck_assert(!ticks_wait(&ticks, 0));
	ck_assert_uint_ge(now_ns, stops_ns);
	ck_assert_uint_le(now_ns, stops_ns + 50 * MS);
}
END_TEST

START_TEST(after_a_stop_there_is_neither_a_tick_nor_a_sleep)
{
	start(INTERVAL);
	(void)next();
	uint64_t slept = sleeps;
	atomic_store(&stopped, true);
	ck_assert(!ticks_wait(&ticks, 0));
	now_ns += 5 * INTERVAL;
	ck_assert(!ticks_wait(&ticks, 0));
	ck_assert_uint_eq(sleeps, slept);
}
END_TEST

START_TEST(a_stop_at_the_time_of_a_tick_is_no_tick)
{
	start(INTERVAL);
	stops_ns = START + 1;
	ck_assert(!ticks_wait(&ticks, 0));
	ck_assert_uint_ge(now_ns, START + INTERVAL);
}
END_TEST

START_TEST(a_tick_is_not_before_the_earliest_time)
{
	start(INTERVAL);
	for (uint64_t i = 1; i <= 1000; i++) {
		uint64_t earliest_ns = now_ns + i * INTERVAL / 7;
		ck_assert(ticks_wait(&ticks, earliest_ns));
		ck_assert_uint_ge(now_ns, earliest_ns);
		ck_assert_uint_lt(now_ns, earliest_ns + 2 * INTERVAL);
	}
}
END_TEST

static Suite *ticks_suite(void)
{
	Suite *suite = suite_create("ticks");
	TCase *tests = tcase_create("ticks");

	tcase_add_test(tests, each_interval_after_the_first_has_one_tick);
	tcase_add_test(tests, phases_are_evenly_spread_and_differ_from_tick_to_tick);
	tcase_add_test(tests, ticks_that_have_passed_are_left_out);
	tcase_add_test(tests, a_caller_that_is_always_late_has_no_more_than_one_tick_per_interval);
	tcase_add_test(tests, a_wait_for_a_long_interval_is_many_sleeps);
	tcase_add_test(tests, a_stop_ends_a_long_wait_soon);
	tcase_add_test(tests, after_a_stop_there_is_neither_a_tick_nor_a_sleep);
	tcase_add_test(tests, a_stop_at_the_time_of_a_tick_is_no_tick);
	tcase_add_test(tests, a_tick_is_not_before_the_earliest_time);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(ticks_suite());
}
