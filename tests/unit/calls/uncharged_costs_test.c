/*
 * Tests of time that is shown before the thread has charged it: tables that show it at once and
 * tables that wait for it have the same sums in the end.
 */
#include "calls/uncharged_costs.h"
#include "run_suite.h"

#include <string.h>

enum { NODE = 7, OTHER_NODE = 8 };

static struct uncharged_costs shown;
static uint64_t costs[COST_KINDS];
static uint64_t since_ns;
static uint64_t section;

static void set_up(void)
{
	memset(&shown, 0, sizeof(shown));
	memset(costs, 0, sizeof(costs));
	since_ns = 100;
	section = 0;
}

static void show(uint32_t node, uint64_t cpu_ns, uint64_t off_cpu_ns, enum wait_cause cause)
{
	const struct uncharged_time time = {
	        .node = node, .since_ns = since_ns, .cpu_ns = cpu_ns, .off_cpu_ns = off_cpu_ns};
	uncharged_costs_show(&shown, section, &time, cause, costs);
}

static void charge(uint32_t node, uint64_t usr_ns, uint64_t slp_ns, uint64_t lat_ns)
{
	memset(costs, 0, sizeof(costs));
	costs[COST_USR_NS] = usr_ns;
	costs[COST_STATES_NS + OFF_SLP] = slp_ns;
	costs[COST_STATES_NS + OFF_LAT] = lat_ns;
	uncharged_costs_subtract(&shown, section, node, costs);
}

static void check(uint64_t usr_ns, uint64_t slp_ns, uint64_t lat_ns)
{
	ck_assert_uint_eq(costs[COST_USR_NS], usr_ns);
	ck_assert_uint_eq(costs[COST_STATES_NS + OFF_SLP], slp_ns);
	ck_assert_uint_eq(costs[COST_STATES_NS + OFF_LAT], lat_ns);
}

START_TEST(a_wait_is_shown_once_while_it_grows)
{
	show(NODE, 10, 500, WAIT_NONE);
	check(10, 500, 0);
	show(NODE, 10, 800, WAIT_NONE);
	check(0, 300, 0);
	show(NODE, 10, 800, WAIT_NONE);
	check(0, 0, 0);
}
END_TEST

START_TEST(what_was_shown_is_subtracted_when_it_is_charged)
{
	show(NODE, 10, 500, WAIT_SLEEP);
	charge(NODE, 30, 900, 0);
	check(20, 400, 0);
	charge(NODE, 30, 900, 0);
	check(30, 900, 0);
}
END_TEST

START_TEST(a_wait_that_is_explained_differently_is_corrected)
{
	show(NODE, 0, 500, WAIT_SLEEP);
	charge(NODE, 100, 200, 300);
	/* With the 500 that are shown, 200. */
	check(100, (uint64_t)-300, 300);
	charge(NODE, 1, 2, 3);
	check(1, 2, 3);
}
END_TEST

START_TEST(what_an_earlier_section_showed_is_in_no_other)
{
	show(NODE, 0, 500, WAIT_SLEEP);
	section++;
	charge(NODE, 100, 200, 300);
	check(100, 0, 0);
}
END_TEST

START_TEST(of_a_wait_in_two_sections_the_second_is_corrected)
{
	show(NODE, 0, 500, WAIT_SLEEP);
	section++;
	show(NODE, 0, 700, WAIT_SLEEP);
	check(0, 200, 0);
	/* 500 of 800 have been shown, and 200 now. */
	charge(NODE, 0, 0, 800);
	check(0, (uint64_t)-200, 300);
}
END_TEST

START_TEST(costs_of_other_nodes_stay)
{
	show(NODE, 0, 500, WAIT_SLEEP);
	charge(OTHER_NODE, 10, 900, 0);
	check(10, 900, 0);
	charge(NODE, 10, 900, 0);
	check(10, 400, 0);
}
END_TEST

START_TEST(a_wait_of_another_node_is_shown_from_its_beginning)
{
	show(NODE, 0, 500, WAIT_SLEEP);
	charge(NODE, 0, 100, 0);
	since_ns = 700;
	show(OTHER_NODE, 3, 200, WAIT_SLEEP);
	check(3, 200, 0);
	charge(NODE, 0, 600, 0);
	check(0, 600, 0);
}
END_TEST

START_TEST(a_wait_that_another_node_was_charged_is_taken_back)
{
	show(NODE, 10, 500, WAIT_NONE);
	charge(OTHER_NODE, 0, 0, 600);
	check(0, 0, 600);
	uncharged_costs_end(&shown, section, costs);
	check((uint64_t)-10, (uint64_t)-500, 0);
	charge(NODE, 1, 2, 3);
	check(1, 2, 3);
	since_ns = 200;
	show(NODE, 0, 300, WAIT_NONE);
	charge(NODE, 0, 300, 0);
	check(0, 0, 0);
	uncharged_costs_end(&shown, section, costs);
	check(0, 0, 0);
	since_ns = 300;
	show(NODE, 0, 300, WAIT_NONE);
	section++;
	uncharged_costs_end(&shown, section, costs);
	check(0, 0, 0);
}
END_TEST

START_TEST(a_wait_is_subtracted_in_whichever_table_it_is_charged)
{
	show(NODE, 0, 500, WAIT_SLEEP);
	charge(OTHER_NODE, 10, 10, 0);
	show(NODE, 0, 600, WAIT_SLEEP);
	check(0, 100, 0);
	charge(NODE, 0, 700, 0);
	check(0, 100, 0);
	since_ns = 900;
	show(NODE, 0, 50, WAIT_SLEEP);
	check(0, 50, 0);
}
END_TEST

START_TEST(a_wait_is_shown_in_the_state_of_its_cause)
{
	static const struct {
		enum wait_cause cause;
		enum off_cpu_state state;
	} waits[] = {{WAIT_NONE, OFF_SLP},
	             {WAIT_SLEEP, OFF_SLP},
	             {WAIT_IO, OFF_IO},
	             {WAIT_LOCK, OFF_LCK},
	             {WAIT_VM, OFF_STW}};
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		set_up();
		show(NODE, 0, 50, waits[i].cause);
		ck_assert_uint_eq(costs[COST_STATES_NS + (int)waits[i].state], 50);
	}
}
END_TEST

static Suite *uncharged_costs_suite(void)
{
	Suite *suite = suite_create("uncharged_costs");
	TCase *tc = tcase_create("uncharged_costs");
	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, a_wait_is_shown_once_while_it_grows);
	tcase_add_test(tc, what_was_shown_is_subtracted_when_it_is_charged);
	tcase_add_test(tc, a_wait_that_is_explained_differently_is_corrected);
	tcase_add_test(tc, what_an_earlier_section_showed_is_in_no_other);
	tcase_add_test(tc, of_a_wait_in_two_sections_the_second_is_corrected);
	tcase_add_test(tc, costs_of_other_nodes_stay);
	tcase_add_test(tc, a_wait_of_another_node_is_shown_from_its_beginning);
	tcase_add_test(tc, a_wait_that_another_node_was_charged_is_taken_back);
	tcase_add_test(tc, a_wait_is_subtracted_in_whichever_table_it_is_charged);
	tcase_add_test(tc, a_wait_is_shown_in_the_state_of_its_cause);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(uncharged_costs_suite());
}
