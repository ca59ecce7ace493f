/*
 * Tests of the samples by trace and time: buckets, merging, and the bound of the memory.
 */
#include "quick_check.h"
#include "run_suite.h"
#include "sampling/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { TRACES = 200000, LIMIT = 4096 };

#define MS UINT64_C(1000000)
#define START_NS (UINT64_C(5000) * MS)

static struct timeline timeline;
static struct trace *traces;
static const struct sample_time_row *rows;
static size_t row_count;

static void set_up(void)
{
	traces = calloc(TRACES, sizeof(*traces));
	ck_assert_ptr_nonnull(traces);
	for (uint32_t i = 0; i < TRACES; i++)
		traces[i].serial = TRACE_SERIAL_EMPTY + i;
	timeline_restart(&timeline, LIMIT, START_NS, 1234);
}

static void tear_down(void)
{
	timeline_free(&timeline);
	free(traces);
}

static void add(uint32_t trace, uint64_t ms, uint64_t samples)
{
	QUICK_CHECK(timeline_add(&timeline, &traces[trace], START_NS + ms * MS, samples),
	            "trace %u not added", trace);
}

static void read_rows(void)
{
	rows = timeline_rows(&timeline, &row_count);
	for (size_t i = 1; i < row_count; i++)
		QUICK_CHECK(rows[i - 1].trace->serial < rows[i].trace->serial ||
		                    (rows[i - 1].trace == rows[i].trace &&
		                     rows[i - 1].bucket < rows[i].bucket),
		            "row %zu out of order", i);
}

static void expect_row(size_t place, uint32_t trace, uint64_t bucket, uint64_t count)
{
	QUICK_CHECK(place < row_count && rows[place].trace == &traces[trace] &&
	                    rows[place].bucket == bucket && rows[place].count == count,
	            "row %zu differs", place);
}

START_TEST(a_new_timeline_is_empty)
{
	read_rows();
	ck_assert_uint_eq(row_count, 0);
	ck_assert_uint_eq(timeline.bucket_ms, 100);
	ck_assert_int_eq(timeline.start_wall_ms, 1234);
}
END_TEST

START_TEST(samples_fall_into_buckets_of_100_ms)
{
	add(2, 0, 1);
	add(2, 99, 1);
	add(2, 100, 3);
	add(1, 1999, 1);
	add(1, 2000, 1);
	read_rows();
	ck_assert_uint_eq(row_count, 4);
	expect_row(0, 1, 19, 1);
	expect_row(1, 1, 20, 1);
	expect_row(2, 2, 0, 2);
	expect_row(3, 2, 1, 3);
}
END_TEST

START_TEST(a_sample_before_the_start_counts_in_the_first_bucket)
{
	ck_assert(timeline_add(&timeline, &traces[0], START_NS - 1, 1));
	ck_assert(timeline_add(&timeline, &traces[0], 0, 1));
	read_rows();
	ck_assert_uint_eq(row_count, 1);
	expect_row(0, 0, 0, 2);
}
END_TEST

/* The rings of threads are drained one after the other. */
START_TEST(times_out_of_order_are_merged)
{
	for (int thread = 0; thread < 3; thread++) {
		for (uint64_t ms = 0; ms < 1000; ms += 50)
			add(7, ms, 1);
	}
	read_rows();
	ck_assert_uint_eq(row_count, 10);
	for (size_t i = 0; i < row_count; i++)
		expect_row(i, 7, i, 6);
}
END_TEST

START_TEST(reading_changes_nothing)
{
	add(3, 0, 1);
	add(1, 0, 1);
	read_rows();
	add(3, 50, 1);
	add(1, 100, 1);
	read_rows();
	read_rows();
	ck_assert_uint_eq(row_count, 3);
	expect_row(0, 1, 0, 1);
	expect_row(1, 1, 1, 1);
	expect_row(2, 3, 0, 2);
}
END_TEST

START_TEST(a_restart_forgets_samples_and_length)
{
	for (uint64_t i = 0; i < 10 * LIMIT; i++)
		add(0, i * 100, 1);
	ck_assert_uint_gt(timeline.bucket_ms, 100);
	timeline_restart(&timeline, LIMIT, START_NS + 1000 * MS, 99);
	ck_assert_uint_eq(timeline.bucket_ms, 100);
	add(0, 1100, 1);
	read_rows();
	ck_assert_uint_eq(row_count, 1);
	expect_row(0, 0, 1, 1);
}
END_TEST

/* Random traces over ten hours: the sum of each trace stays, and rows are bounded. */
START_TEST(at_the_limit_buckets_double_and_sums_stay)
{
	enum { USED = 50, SAMPLES = 360000 };
	uint64_t expected[USED] = {0};
	uint64_t found[USED] = {0};
	uint64_t random = 88172645463325252u;

	for (uint64_t i = 0; i < SAMPLES; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		uint32_t trace = (uint32_t)(random % USED);
		uint64_t weight = 1 + random / USED % 3;
		add(trace, i * 100, weight);
		expected[trace] += weight;
		QUICK_CHECK(timeline.row_count <= LIMIT, "%zu rows", timeline.row_count);
	}
	ck_assert_uint_eq(timeline.capacity, LIMIT);
	read_rows();
	for (size_t i = 0; i < row_count; i++) {
		found[rows[i].trace->serial - TRACE_SERIAL_EMPTY] += rows[i].count;
		QUICK_CHECK(rows[i].bucket * timeline.bucket_ms < (uint64_t)SAMPLES * 100,
		            "row %zu is past the end", i);
	}
	ck_assert_mem_eq(expected, found, sizeof(expected));
	/* A power of 2 times 100 ms, and no longer than needed. */
	uint64_t factor = timeline.bucket_ms / 100;
	ck_assert_uint_eq(timeline.bucket_ms % 100, 0);
	ck_assert_uint_eq(factor & (factor - 1), 0);
	ck_assert_uint_gt(row_count, LIMIT / 5);
}
END_TEST

START_TEST(a_doubled_bucket_begins_with_the_timeline)
{
	/* Two rows for each 100 ms: after the doublings all lie in the same place of time. */
	for (uint64_t i = 0; i < LIMIT; i++) {
		add(0, i * 100, 1);
		add(1, i * 100, 1);
	}
	ck_assert_uint_gt(timeline.bucket_ms, 100);
	read_rows();
	for (size_t i = 0; i < row_count; i++) {
		uint64_t first = rows[i].bucket * timeline.bucket_ms / 100;
		uint64_t after = (rows[i].bucket + 1) * timeline.bucket_ms / 100;
		uint64_t in_it = (after < LIMIT ? after : LIMIT) - first;
		QUICK_CHECK(rows[i].count == in_it, "row %zu differs", i);
	}
}
END_TEST

/* Longer buckets don't help where each trace has few samples. */
START_TEST(more_traces_than_the_limit_keep_their_times)
{
	for (uint32_t i = 0; i < TRACES; i++)
		add(i, (uint64_t)i * 10, 1);
	ck_assert_uint_eq(timeline.bucket_ms, 100);
	ck_assert_uint_eq(timeline.trace_count, TRACES);
	ck_assert_uint_le(timeline.capacity, 4 * TRACES);
	read_rows();
	ck_assert_uint_eq(row_count, TRACES);
	for (uint32_t i = 0; i < TRACES; i++)
		expect_row(i, i, i / 10, 1);
}
END_TEST

START_TEST(buckets_can_double_until_none_are_left)
{
	ck_assert(timeline_add(&timeline, &traces[1], UINT64_MAX, 1));
	for (uint64_t i = 0; i < 64 * LIMIT; i++)
		QUICK_CHECK(
		        timeline_add(&timeline, &traces[0], UINT64_MAX / LIMIT * (i % LIMIT), 1),
		        "sample %llu not added", (unsigned long long)i);
	read_rows();
	uint64_t sum = 0;
	for (size_t i = 0; i < row_count; i++)
		sum += rows[i].count;
	ck_assert_uint_eq(sum, 64 * LIMIT + 1);
}
END_TEST

START_TEST(huge_weights_are_kept)
{
	add(0, 0, UINT64_C(1) << 40);
	add(0, 0, UINT64_C(1) << 40);
	read_rows();
	expect_row(0, 0, 0, UINT64_C(1) << 41);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timeline");
	TCase *tests = tcase_create("rows");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_new_timeline_is_empty);
	tcase_add_test(tests, samples_fall_into_buckets_of_100_ms);
	tcase_add_test(tests, a_sample_before_the_start_counts_in_the_first_bucket);
	tcase_add_test(tests, times_out_of_order_are_merged);
	tcase_add_test(tests, reading_changes_nothing);
	tcase_add_test(tests, a_restart_forgets_samples_and_length);
	tcase_add_test(tests, at_the_limit_buckets_double_and_sums_stay);
	tcase_add_test(tests, a_doubled_bucket_begins_with_the_timeline);
	tcase_add_test(tests, more_traces_than_the_limit_keep_their_times);
	tcase_add_test(tests, buckets_can_double_until_none_are_left);
	tcase_add_test(tests, huge_weights_are_kept);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
