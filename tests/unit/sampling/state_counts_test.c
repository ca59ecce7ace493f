/*
 * Tests of the sampled time of each trace by state: sums, ranking, the cutoff, and growth.
 */
#include "sampling/state_counts.h"
#include "run_suite.h"

#include <stdlib.h>

enum { TRACES = 3000, KNOWN = 1u << TRACE_USR | 1u << TRACE_IO };

static struct state_counts counts;
static struct trace_table *traces;
static const struct trace *trace[TRACES]; /* by serial - TRACE_SERIAL_EMPTY */
static uint64_t total_ns;
static size_t row_count;

static void set_up(void)
{
	static struct frame frames[TRACES];
	bool created;

	counts = (struct state_counts){.charges = NULL};
	traces = trace_table_create();
	ck_assert_ptr_nonnull(traces);
	for (uint32_t i = 0; i < TRACES; i++) {
		const struct frame *const frame = &frames[i];
		frames[i].id = i + 1;
		trace[i] = trace_table_intern(traces, &frame, i > 0, 0, &created);
		if (trace[i] == NULL || trace[i]->serial != TRACE_SERIAL_EMPTY + i)
			ck_abort_msg("trace %u is not new", (unsigned)i);
	}
}

static void tear_down(void)
{
	state_counts_free(&counts);
	trace_table_destroy(traces);
}

static void add(uint32_t number, enum trace_state state, uint64_t ns)
{
	struct state_charge charge = {.samples = 1};

	charge.ns[state] = ns;
	ck_assert(state_counts_add(&counts, trace[number], &charge));
}

static struct trace_states_row *rank(double cutoff)
{
	struct trace_states_row *rows =
	        state_counts_rank(&counts, traces, KNOWN, cutoff, &total_ns, &row_count);
	ck_assert_ptr_nonnull(rows);
	return rows;
}

static void row_is(const struct trace_states_row *row, uint32_t number, uint64_t wall_ns)
{
	ck_assert_ptr_eq(row->trace, trace[number]);
	ck_assert_uint_eq(row->wall_ns, wall_ns);
}

START_TEST(charges_of_a_trace_add_up_state_by_state)
{
	struct state_charge charge = {.samples = 3};

	for (int i = 0; i < TRACE_STATES; i++)
		charge.ns[i] = UINT64_C(1) << i;
	ck_assert(state_counts_add(&counts, trace[5], &charge));
	add(5, TRACE_USR, UINT64_C(1) << 40);
	ck_assert(state_counts_add(&counts, trace[5], &charge));

	struct trace_states_row *rows = rank(0);
	ck_assert_uint_eq(row_count, 1);
	ck_assert_uint_eq(rows[0].calls, 7);
	ck_assert_uint_eq(rows[0].known, KNOWN);
	ck_assert_uint_eq(rows[0].ns[TRACE_USR], (UINT64_C(1) << 40) + 2);
	for (int i = TRACE_USR + 1; i < TRACE_STATES; i++)
		ck_assert_uint_eq(rows[0].ns[i], UINT64_C(2) << i);
	row_is(&rows[0], 5, (UINT64_C(1) << 40) + (UINT64_C(2) << TRACE_STATES) - 2);
	ck_assert_uint_eq(total_ns, rows[0].wall_ns);
	free(rows);
}
END_TEST

START_TEST(rows_come_by_the_sum_of_their_states_then_by_serial)
{
	add(9, TRACE_SLP, 20);
	add(2, TRACE_SLP, 10);
	add(2, TRACE_IO, 11);
	add(7, TRACE_STW, 20);
	add(0, TRACE_USR, UINT64_C(1) << 33);
	add(8, TRACE_LAT, 20);

	struct trace_states_row *rows = rank(0);
	ck_assert_uint_eq(row_count, 5);
	row_is(&rows[0], 0, UINT64_C(1) << 33);
	row_is(&rows[1], 2, 21);
	row_is(&rows[2], 7, 20);
	row_is(&rows[3], 8, 20);
	row_is(&rows[4], 9, 20);
	ck_assert_uint_eq(total_ns, (UINT64_C(1) << 33) + 81);
	free(rows);
}
END_TEST

START_TEST(traces_without_time_have_no_row)
{
	add(3, TRACE_USR, 0);
	add(700, TRACE_USR, 1);
	struct trace_states_row *rows = rank(0);
	ck_assert_uint_eq(row_count, 1);
	row_is(&rows[0], 700, 1);
	free(rows);
}
END_TEST

START_TEST(nothing_has_no_rows)
{
	struct trace_states_row *rows = rank(0);
	ck_assert_uint_eq(row_count, 0);
	ck_assert_uint_eq(total_ns, 0);
	free(rows);
}
END_TEST

START_TEST(rows_below_the_cutoff_count_in_the_total_only)
{
	add(1, TRACE_USR, 50);
	add(2, TRACE_USR, 25);
	add(3, TRACE_USR, 24);
	add(4, TRACE_USR, 1);

	struct trace_states_row *rows = rank(0.25);
	ck_assert_uint_eq(row_count, 2);
	row_is(&rows[1], 2, 25);
	ck_assert_uint_eq(total_ns, 100);
	free(rows);
	rows = rank(0.75);
	ck_assert_uint_eq(row_count, 0);
	ck_assert_uint_eq(total_ns, 100);
	free(rows);
}
END_TEST

START_TEST(times_are_kept_when_the_array_grows)
{
	static const uint32_t numbers[] = {1, 1023, 1024, 1025, 2047, 2048, 2999};
	size_t length = sizeof(numbers) / sizeof(numbers[0]);

	for (size_t i = 0; i < length; i++)
		add(numbers[i], TRACE_LCK, 100 - i);
	struct trace_states_row *rows = rank(0);
	ck_assert_uint_eq(row_count, length);
	for (size_t i = 0; i < length; i++)
		row_is(&rows[i], numbers[i], 100 - i);
	free(rows);
}
END_TEST

START_TEST(cleared_times_are_0_and_counting_continues)
{
	state_counts_clear(&counts); /* still empty */
	add(3, TRACE_USR, 5);
	add(2500, TRACE_SLP, 5);
	size_t capacity = counts.capacity;
	state_counts_clear(&counts);
	ck_assert_uint_eq(counts.capacity, capacity);
	free(rank(0));
	ck_assert_uint_eq(row_count, 0);
	ck_assert_uint_eq(total_ns, 0);

	add(3, TRACE_IO, 4);
	struct trace_states_row *rows = rank(0);
	ck_assert_uint_eq(row_count, 1);
	row_is(&rows[0], 3, 4);
	ck_assert_uint_eq(rows[0].calls, 1);
	free(rows);
}
END_TEST

START_TEST(freed_counts_are_empty_and_usable)
{
	add(1, TRACE_USR, 5);
	state_counts_free(&counts);
	ck_assert_uint_eq(counts.capacity, 0);
	add(1, TRACE_USR, 2);
	struct trace_states_row *rows = rank(0);
	row_is(&rows[0], 1, 2);
	free(rows);
}
END_TEST

static Suite *state_counts_suite(void)
{
	Suite *suite = suite_create("state_counts");
	TCase *tests = tcase_create("counts");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, charges_of_a_trace_add_up_state_by_state);
	tcase_add_test(tests, rows_come_by_the_sum_of_their_states_then_by_serial);
	tcase_add_test(tests, traces_without_time_have_no_row);
	tcase_add_test(tests, nothing_has_no_rows);
	tcase_add_test(tests, rows_below_the_cutoff_count_in_the_total_only);
	tcase_add_test(tests, times_are_kept_when_the_array_grows);
	tcase_add_test(tests, cleared_times_are_0_and_counting_continues);
	tcase_add_test(tests, freed_counts_are_empty_and_usable);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(state_counts_suite());
}
