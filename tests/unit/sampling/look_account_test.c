/*
 * Tests of the account of measured times: what a run and a wait add, amounts below 0, and that no
 * time is lost or counted twice.
 */
#include "sampling/look_account.h"
#include "run_suite.h"

static void account_is(const struct look_account *account, int64_t waited_ns, int64_t queued_ns,
                       int64_t stopped_ns)
{
	ck_assert_int_eq(account->waited_ns, waited_ns);
	ck_assert_int_eq(account->queued_ns, queued_ns);
	ck_assert_int_eq(account->stopped_ns, stopped_ns);
}

START_TEST(time_on_the_cpu_is_in_no_account)
{
	const struct look_times times = {.wall_ns = 100, .cpu_ns = 100};
	struct look_account account = {0};

	look_account_run(&account, &times);
	account_is(&account, 0, 0, 0);
	ck_assert_uint_eq(look_account_wait(&account, &times), 0);
	account_is(&account, 0, 0, 0);
}
END_TEST

START_TEST(a_run_has_waits_for_a_cpu_then_stops_then_other_waits)
{
	const struct look_times times = {
	        .wall_ns = 1000, .cpu_ns = 500, .queued_ns = 70, .paused_ns = 30};
	struct look_account account = {0};

	look_account_run(&account, &times);
	account_is(&account, 400, 70, 30);
	look_account_run(&account, &times);
	account_is(&account, 800, 140, 60);
}
END_TEST

START_TEST(a_pause_stops_a_thread_only_while_it_is_off_its_cpu)
{
	const struct look_times times = {
	        .wall_ns = 1000, .cpu_ns = 900, .queued_ns = 60, .paused_ns = 300};
	const struct look_times as_long = {
	        .wall_ns = 1000, .cpu_ns = 900, .queued_ns = 60, .paused_ns = 40};
	struct look_account account = {0};

	look_account_run(&account, &times);
	account_is(&account, 0, 60, 40);
	look_account_run(&account, &as_long);
	account_is(&account, 0, 120, 80);
}
END_TEST

START_TEST(more_cpu_time_than_time_is_owed_by_waits)
{
	const struct look_times ahead = {.wall_ns = 100, .cpu_ns = 130, .paused_ns = 50};
	const struct look_times behind = {.wall_ns = 100, .cpu_ns = 10};
	struct look_account account = {0};

	look_account_run(&account, &ahead);
	account_is(&account, -30, 0, 0);
	look_account_run(&account, &behind);
	account_is(&account, 60, 0, 0);
}
END_TEST

START_TEST(more_queued_time_than_the_rest_is_owed_by_waits)
{
	const struct look_times times = {
	        .wall_ns = 100, .cpu_ns = 50, .queued_ns = 80, .paused_ns = 10};
	struct look_account account = {0};

	look_account_run(&account, &times);
	account_is(&account, -30, 80, 0);
	ck_assert_uint_eq(look_account_wait(&account, &times), 80);
	account_is(&account, -60, 80, 0);
}
END_TEST

START_TEST(a_wait_has_pauses_too_and_returns_its_waits_for_a_cpu)
{
	const struct look_times times = {
	        .wall_ns = 1000, .cpu_ns = 20, .queued_ns = 5, .paused_ns = 300};
	struct look_account account = {.waited_ns = 7, .queued_ns = 11, .stopped_ns = 13};

	ck_assert_uint_eq(look_account_wait(&account, &times), 5);
	account_is(&account, 982, 11, 13);
}
END_TEST

/* The thread loses its CPU between the last readings of the clocks and of the queue. */
START_TEST(at_the_end_a_wait_for_a_cpu_is_no_longer_than_the_clocks_leave)
{
	const struct look_times ran = {.wall_ns = 100, .cpu_ns = 90, .queued_ns = 30};
	struct look_account owing = {0};
	struct look_account owing_all = {.waited_ns = -50, .queued_ns = 20};
	struct look_account owed = {.waited_ns = 50, .queued_ns = 20};

	look_account_run(&owing, &ran);
	look_account_end(&owing);
	account_is(&owing, 0, 10, 0);
	look_account_end(&owing_all);
	account_is(&owing_all, 0, -30, 0);
	look_account_end(&owed);
	account_is(&owed, 50, 20, 0);
}
END_TEST

START_TEST(what_is_taken_is_gone)
{
	struct look_account account = {.waited_ns = INT64_MAX, .queued_ns = 1, .stopped_ns = 2};

	ck_assert_uint_eq(look_account_take(&account.waited_ns), (uint64_t)INT64_MAX);
	ck_assert_uint_eq(look_account_take(&account.waited_ns), 0);
	ck_assert_uint_eq(look_account_take(&account.stopped_ns), 2);
	account_is(&account, 0, 1, 0);
}
END_TEST

START_TEST(a_debt_is_not_taken_and_is_paid_later)
{
	const struct look_times times = {.wall_ns = 100};
	struct look_account account = {.waited_ns = -30};

	ck_assert_uint_eq(look_account_take(&account.waited_ns), 0);
	account_is(&account, -30, 0, 0);
	(void)look_account_wait(&account, &times);
	ck_assert_uint_eq(look_account_take(&account.waited_ns), 70);
	account_is(&account, 0, 0, 0);
}
END_TEST

/* Numbers that are the same in each run (Numerical Recipes). */
static uint64_t next_number(uint64_t *state, uint64_t below)
{
	*state = *state * UINT64_C(1664525) + UINT64_C(1013904223);
	return (*state >> 16) % below;
}

/* Windows of all kinds: also with more CPU time than time, and longer pauses than the window. */
START_TEST(what_is_taken_and_what_is_left_is_the_time_off_the_cpu)
{
	struct look_account account = {0};
	uint64_t state = 1;
	int64_t off_ns = 0;
	int64_t taken_ns = 0;

	for (int i = 0; i < 2000; i++) {
		const struct look_times times = {
		        .wall_ns = next_number(&state, 1000),
		        .cpu_ns = next_number(&state, 800),
		        .queued_ns = next_number(&state, 300),
		        .paused_ns = next_number(&state, 1500),
		};
		off_ns += (int64_t)times.wall_ns - (int64_t)times.cpu_ns;
		if (next_number(&state, 2) == 0) {
			look_account_run(&account, &times);
		} else {
			taken_ns += (int64_t)look_account_wait(&account, &times);
			taken_ns += (int64_t)look_account_take(&account.waited_ns);
		}
		if (next_number(&state, 3) == 0) {
			taken_ns += (int64_t)look_account_take(&account.queued_ns);
			taken_ns += (int64_t)look_account_take(&account.stopped_ns);
		}
		ck_assert_int_eq(taken_ns + account.waited_ns + account.queued_ns +
		                         account.stopped_ns,
		                 off_ns);
		ck_assert_int_ge(account.stopped_ns, 0);
	}
	ck_assert_int_gt(taken_ns, 0);
}
END_TEST

static Suite *look_account_suite(void)
{
	Suite *suite = suite_create("look_account");
	TCase *tests = tcase_create("account");

	tcase_add_test(tests, time_on_the_cpu_is_in_no_account);
	tcase_add_test(tests, a_run_has_waits_for_a_cpu_then_stops_then_other_waits);
	tcase_add_test(tests, a_pause_stops_a_thread_only_while_it_is_off_its_cpu);
	tcase_add_test(tests, more_cpu_time_than_time_is_owed_by_waits);
	tcase_add_test(tests, more_queued_time_than_the_rest_is_owed_by_waits);
	tcase_add_test(tests, a_wait_has_pauses_too_and_returns_its_waits_for_a_cpu);
	tcase_add_test(tests, at_the_end_a_wait_for_a_cpu_is_no_longer_than_the_clocks_leave);
	tcase_add_test(tests, what_is_taken_is_gone);
	tcase_add_test(tests, a_debt_is_not_taken_and_is_paid_later);
	tcase_add_test(tests, what_is_taken_and_what_is_left_is_the_time_off_the_cpu);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(look_account_suite());
}
