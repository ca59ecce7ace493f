/*
 * Tests of how a break is explained: the order of the causes, and that its parts sum to it.
 */
#include "calls/break_causes.h"
#include "run_suite.h"

enum { BREAK_NS = 10000000, QUEUED_NS = 3000000, PAUSE_NS = 3000000, RESUME_NS = 1000000 };

static struct break_facts facts;
static uint64_t states_ns[OFF_CPU_STATES];

/* A break that everything could explain. */
static void set_up(void)
{
	facts = (struct break_facts){
	        .ns = BREAK_NS,
	        .cause = WAIT_NONE,
	        .queue_known = true,
	        .switches_known = true,
	        .switches = 1,
	};
}

/* Returns what is left. */
static struct break_facts explain(void)
{
	uint64_t sum_ns = 0;
	struct break_facts left = facts;

	break_explain(&left, states_ns);
	for (int i = 0; i < OFF_CPU_STATES; i++)
		sum_ns += states_ns[i];
	ck_assert_uint_eq(sum_ns, facts.ns);
	return left;
}

static void check(enum off_cpu_state state, uint64_t ns)
{
	ck_assert_msg(states_ns[state] == ns, "state %d has %llu ns, should have %llu", (int)state,
	              (unsigned long long)states_ns[state], (unsigned long long)ns);
}

START_TEST(waits_for_pages_come_before_those_for_a_cpu)
{
	facts.text_fault_ns = 1000;
	facts.data_fault_ns = 2000;
	facts.queued_ns = BREAK_NS;
	struct break_facts left = explain();
	check(OFF_TFL, 1000);
	check(OFF_DFL, 2000);
	check(OFF_LAT, BREAK_NS - 3000);
	ck_assert_uint_eq(left.text_fault_ns + left.data_fault_ns, 0);
	ck_assert_uint_eq(left.queued_ns, 3000);
}
END_TEST

START_TEST(longer_waits_for_pages_are_left_for_the_next_break)
{
	facts.text_fault_ns = BREAK_NS - 1;
	facts.data_fault_ns = 6;
	struct break_facts left = explain();
	check(OFF_TFL, BREAK_NS - 1);
	check(OFF_DFL, 1);
	ck_assert_uint_eq(left.text_fault_ns, 0);
	ck_assert_uint_eq(left.data_fault_ns, 5);
}
END_TEST

START_TEST(waits_for_a_cpu_come_first)
{
	static const enum wait_cause causes[] = {WAIT_NONE, WAIT_SLEEP, WAIT_IO, WAIT_LOCK};
	facts.queued_ns = QUEUED_NS;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		facts.cause = causes[i];
		ck_assert_uint_eq(explain().queued_ns, 0);
		check(OFF_LAT, QUEUED_NS);
	}
}
END_TEST

START_TEST(a_longer_wait_for_a_cpu_is_left_for_the_next_break)
{
	facts.queued_ns = BREAK_NS + 5;
	facts.cause = WAIT_LOCK;
	ck_assert_uint_eq(explain().queued_ns, 5);
	check(OFF_LAT, BREAK_NS);
	check(OFF_LCK, 0);
}
END_TEST

/* Although the VM stopped the program meanwhile, and no switch was counted. */
START_TEST(an_announced_wait_has_all_the_rest)
{
	static const struct {
		enum wait_cause cause;
		enum off_cpu_state state;
	} waits[] = {{WAIT_LOCK, OFF_LCK},
	             {WAIT_SLEEP, OFF_SLP},
	             {WAIT_PARK, OFF_SLP},
	             {WAIT_VM, OFF_STW},
	             {WAIT_IO, OFF_IO}};
	facts.queued_ns = QUEUED_NS;
	facts.pauses = 1;
	facts.safepoint_ns = PAUSE_NS;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		facts.cause = waits[i].cause;
		facts.switches = i % 2;
		(void)explain();
		check(waits[i].state, BREAK_NS - QUEUED_NS);
	}
}
END_TEST

START_TEST(a_break_without_a_voluntary_switch_is_a_wait_for_a_cpu)
{
	facts.switches = 0;
	facts.pauses = 1;
	facts.collected_ns = PAUSE_NS;
	(void)explain();
	check(OFF_LAT, BREAK_NS);
	facts.switches_known = false;
	(void)explain();
	check(OFF_LAT, 0);
}
END_TEST

START_TEST(without_an_account_of_the_queue_nothing_is_a_wait_for_a_cpu)
{
	facts.queue_known = false;
	facts.switches = 0;
	(void)explain();
	check(OFF_LAT, 0);
	check(OFF_SLP, BREAK_NS);
}
END_TEST

START_TEST(a_pause_explains_no_more_than_it_took)
{
	facts.pauses = 2;
	facts.safepoint_ns = PAUSE_NS;
	facts.collected_ns = PAUSE_NS / 2;
	(void)explain();
	check(OFF_STW, PAUSE_NS + 2 * RESUME_NS);
	check(OFF_SLP, BREAK_NS - PAUSE_NS - 2 * RESUME_NS);
	facts.collected_ns = PAUSE_NS * 2;
	(void)explain();
	check(OFF_STW, PAUSE_NS * 2 + 2 * RESUME_NS);
	facts.ns = PAUSE_NS;
	(void)explain();
	check(OFF_STW, PAUSE_NS);
	check(OFF_SLP, 0);
}
END_TEST

START_TEST(a_pause_whose_time_is_not_counted_yet_explains_the_break)
{
	facts.pauses = 1;
	(void)explain();
	check(OFF_STW, BREAK_NS);
}
END_TEST

START_TEST(time_of_earlier_pauses_explains_nothing)
{
	facts.safepoint_ns = PAUSE_NS;
	(void)explain();
	check(OFF_STW, 0);
}
END_TEST

START_TEST(what_nothing_explains_is_sleep)
{
	(void)explain();
	check(OFF_SLP, BREAK_NS);
}
END_TEST

static Suite *break_causes_suite(void)
{
	Suite *suite = suite_create("break_causes");
	TCase *tc = tcase_create("break_causes");
	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, waits_for_pages_come_before_those_for_a_cpu);
	tcase_add_test(tc, longer_waits_for_pages_are_left_for_the_next_break);
	tcase_add_test(tc, waits_for_a_cpu_come_first);
	tcase_add_test(tc, a_longer_wait_for_a_cpu_is_left_for_the_next_break);
	tcase_add_test(tc, an_announced_wait_has_all_the_rest);
	tcase_add_test(tc, a_break_without_a_voluntary_switch_is_a_wait_for_a_cpu);
	tcase_add_test(tc, without_an_account_of_the_queue_nothing_is_a_wait_for_a_cpu);
	tcase_add_test(tc, a_pause_explains_no_more_than_it_took);
	tcase_add_test(tc, a_pause_whose_time_is_not_counted_yet_explains_the_break);
	tcase_add_test(tc, time_of_earlier_pauses_explains_nothing);
	tcase_add_test(tc, what_nothing_explains_is_sleep);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(break_causes_suite());
}
