/*
 * Tests of a thread's call state with both clocks: what is charged is what the
 * clocks say, whoever charges it.
 */
#include "profile/call_state.h"
#include "run_suite.h"

static struct call_graph *graph;
static struct call_state state;
static uint64_t cpu_ns;
static uint64_t off_cpu_ns;

static void set_up(void)
{
	graph = call_graph_create(1);
	ck_assert_ptr_nonnull(graph);
	ck_assert(call_state_init(&state, graph));
	call_state_forget_both(&state, 1000, 50000);
}

static void tear_down(void)
{
	call_state_free(&state);
	call_graph_destroy(graph);
}

static bool add_up(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	(void)argument;
	(void)index;
	cpu_ns += costs[COST_CPU_NS];
	off_cpu_ns += costs[COST_OFF_CPU_NS];
	return true;
}

static void check_charged(uint64_t wanted_cpu_ns, uint64_t wanted_off_cpu_ns)
{
	cpu_ns = 0;
	off_cpu_ns = 0;
	ck_assert(call_state_take(&state, add_up, NULL));
	ck_assert_uint_eq(cpu_ns, wanted_cpu_ns);
	ck_assert_uint_eq(off_cpu_ns, wanted_off_cpu_ns);
}

/* As Java code does while the thread runs without a break. */
static void charge_in_java(uint64_t wall_now_ns)
{
	_Atomic uint64_t *cost = &atomic_load(&state.chunks->at[0])->costs[COST_CPU_NS][0];
	atomic_store(cost, atomic_load(cost) + (wall_now_ns - state.wall_ns));
	state.wall_ns = wall_now_ns;
}

START_TEST(wall_time_less_cpu_time_is_off_cpu_time)
{
	ck_assert(call_state_charge_both(&state, 1300, 51000));
	check_charged(300, 700);
	ck_assert(call_state_charge_both(&state, 1400, 51100));
	check_charged(100, 0);
}
END_TEST

START_TEST(time_that_java_code_charged_is_not_charged_again)
{
	charge_in_java(50100);
	charge_in_java(50250);
	ck_assert(call_state_charge_both(&state, 1400, 51000));
	check_charged(400, 600);
}
END_TEST

START_TEST(time_charged_too_much_is_made_up_for)
{
	charge_in_java(50500);
	/* 500 are charged; interrupts have taken 300 of them. */
	ck_assert(!call_state_charge_both(&state, 1200, 50500));
	ck_assert(!call_state_charge_both(&state, 1400, 50700));
	ck_assert(call_state_charge_both(&state, 1600, 50900));
	check_charged(600, 300);
}
END_TEST

START_TEST(forgotten_time_is_not_charged)
{
	charge_in_java(50100);
	call_state_forget_both(&state, 5000, 90000);
	ck_assert(call_state_charge_both(&state, 5010, 90030));
	check_charged(110, 20);
}
END_TEST

static Suite *call_state_suite(void)
{
	Suite *suite = suite_create("call_state");
	TCase *tc = tcase_create("both_clocks");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, wall_time_less_cpu_time_is_off_cpu_time);
	tcase_add_test(tc, time_that_java_code_charged_is_not_charged_again);
	tcase_add_test(tc, time_charged_too_much_is_made_up_for);
	tcase_add_test(tc, forgotten_time_is_not_charged);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(call_state_suite());
}
