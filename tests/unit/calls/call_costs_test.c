/*
 * Tests of summing costs by node and thread, and of ranking them.
 */
#include "calls/call_costs.h"
#include "run_suite.h"

static struct call_costs *costs;

static void set_up(void)
{
	costs = call_costs_create();
	ck_assert_ptr_nonnull(costs);
}

static void tear_down(void)
{
	call_costs_destroy(costs);
}

static void add(uint32_t node, uint32_t thread, uint64_t calls, uint64_t cpu_ns,
                uint64_t off_cpu_ns)
{
	const uint64_t amounts[COST_KINDS] = {
	        [COST_CALLS] = calls, [COST_CPU_NS] = cpu_ns, [COST_OFF_CPU_NS] = off_cpu_ns};
	ck_assert(call_costs_add(costs, node, thread, amounts));
}

static void check_order(enum cost_kind kind, double cutoff, const uint32_t *nodes, size_t expected)
{
	size_t count = 0;
	const struct call_cost *ranked = call_costs_rank(costs, kind, cutoff, &count);

	ck_assert_uint_eq(count, expected);
	for (size_t i = 0; i < expected; i++)
		ck_assert_uint_eq(ranked[i].node, nodes[i]);
}

#define CHECK_CUT_ORDER(kind, cutoff, ...)                                       \
	do {                                                                     \
		const uint32_t expected_nodes[] = {__VA_ARGS__};                 \
		check_order(kind, cutoff, expected_nodes,                        \
		            sizeof(expected_nodes) / sizeof(expected_nodes[0])); \
	} while (0)

#define CHECK_ORDER(kind, ...) CHECK_CUT_ORDER(kind, 0, __VA_ARGS__)

START_TEST(rows_that_are_moved_add_up)
{
	struct call_costs *from = call_costs_create();
	const uint64_t amounts[COST_KINDS] = {[COST_CALLS] = 2, [COST_CPU_NS] = 20};
	size_t count = 0;

	ck_assert_ptr_nonnull(from);
	add(3, 1, 1, 10, 0);
	ck_assert(call_costs_add(from, 3, 1, amounts));
	ck_assert(call_costs_add(from, 3, 2, amounts));
	ck_assert(call_costs_move(costs, from));
	ck_assert_uint_eq(call_costs_total(from, COST_CALLS), 0);
	ck_assert_ptr_nonnull(call_costs_rank(from, COST_CALLS, 0, &count));
	ck_assert_uint_eq(count, 0);
	const struct call_cost *ranked = call_costs_rank(costs, COST_CALLS, 0, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(ranked[0].thread_serial, 1);
	ck_assert_uint_eq(ranked[0].costs[COST_CALLS], 3);
	ck_assert_uint_eq(ranked[0].costs[COST_CPU_NS], 30);
	ck_assert_uint_eq(call_costs_total(costs, COST_CALLS), 5);
	call_costs_destroy(from);
}
END_TEST

START_TEST(totals_without_rows_are_moved_and_settled)
{
	struct call_costs *from = call_costs_create();
	const uint64_t amounts[COST_KINDS] = {[COST_USR_NS] = 20, [COST_WALL_NS] = 20};

	ck_assert_ptr_nonnull(from);
	call_costs_add_to_totals(from, amounts);
	ck_assert_uint_eq(call_costs_total(from, COST_USR_NS), 20);
	ck_assert(call_costs_add(costs, 3, 0, amounts));
	ck_assert(call_costs_move(costs, from));
	ck_assert_uint_eq(call_costs_total(from, COST_USR_NS), 0);
	call_costs_settle(costs);
	ck_assert_uint_eq(call_costs_total(costs, COST_USR_NS), 40);
	ck_assert_uint_eq(call_costs_rows(costs), 1);
	call_costs_clear(costs);
	call_costs_settle(costs);
	ck_assert_uint_eq(call_costs_total(costs, COST_USR_NS), 0);
	call_costs_destroy(from);
}
END_TEST

static bool has_many_calls(void *argument, const uint64_t amounts[COST_KINDS])
{
	return amounts[COST_CALLS] >= *(const uint64_t *)argument;
}

START_TEST(rows_that_are_not_kept_are_a_part_of_the_totals)
{
	uint64_t least = 3;

	for (uint32_t node = 0; node < 5; node++)
		add(node, 0, node, 10, 0);
	call_costs_keep(costs, has_many_calls, &least);
	CHECK_ORDER(COST_CALLS, 4, 3);
	ck_assert_uint_eq(call_costs_rows(costs), 2);
	ck_assert_uint_eq(call_costs_total(costs, COST_CALLS), 10);
	ck_assert_uint_eq(call_costs_total(costs, COST_CPU_NS), 50);
}
END_TEST

/* A table showed 30 ns of sleep that were 10 ns of I/O and 25 ns on the CPU: 5 ns are left. */
START_TEST(corrections_of_what_was_shown_are_taken_from_other_states)
{
	const uint64_t amounts[COST_KINDS] = {[COST_USR_NS] = 25,
	                                      [COST_STATES_NS + OFF_SLP] = -UINT64_C(30),
	                                      [COST_STATES_NS + OFF_IO] = 10,
	                                      [COST_WALL_NS] = 5};
	size_t count = 0;

	ck_assert(call_costs_add(costs, 3, 0, amounts));
	call_costs_settle(costs);
	const struct call_cost *ranked = call_costs_rank(costs, COST_WALL_NS, 0, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(ranked[0].costs[COST_USR_NS], 0);
	ck_assert_uint_eq(ranked[0].costs[COST_STATES_NS + OFF_SLP], 0);
	ck_assert_uint_eq(ranked[0].costs[COST_STATES_NS + OFF_IO], 5);
	ck_assert_uint_eq(ranked[0].costs[COST_WALL_NS], 5);
	ck_assert_uint_eq(call_costs_total(costs, COST_WALL_NS), 5);
	ck_assert_uint_eq(call_costs_total(costs, COST_USR_NS), 0);
}
END_TEST

/* 30 ns of sleep below the cutoff are in the totals; 20 of them were a wait for a CPU. */
START_TEST(corrections_of_what_was_below_the_cutoff_leave_no_negative_state)
{
	const uint64_t below[COST_KINDS] = {[COST_STATES_NS + OFF_SLP] = 30, [COST_WALL_NS] = 30};
	const uint64_t correction[COST_KINDS] = {[COST_STATES_NS + OFF_SLP] = (uint64_t)-20,
	                                         [COST_STATES_NS + OFF_LAT] = 50,
	                                         [COST_WALL_NS] = 30};
	size_t count;

	call_costs_add_to_totals(costs, below);
	ck_assert(call_costs_add(costs, 3, 0, correction));
	const struct call_cost *ranked = call_costs_rank(costs, COST_WALL_NS, 0, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(ranked[0].costs[COST_STATES_NS + OFF_SLP], 0);
	ck_assert_uint_eq(ranked[0].costs[COST_STATES_NS + OFF_LAT], 50);
	ck_assert_uint_eq(ranked[0].costs[COST_WALL_NS], 50);
	ck_assert_uint_eq(call_costs_total(costs, COST_WALL_NS), 60);
	(void)call_costs_rank(costs, COST_WALL_NS, 0.9, &count);
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(a_new_table_has_no_costs)
{
	size_t count = 1;

	ck_assert_ptr_nonnull(call_costs_rank(costs, COST_CPU_NS, 0, &count));
	ck_assert_uint_eq(count, 0);
	for (int kind = 0; kind < COST_KINDS; kind++)
		ck_assert_uint_eq(call_costs_total(costs, (enum cost_kind)kind), 0);
}
END_TEST

START_TEST(costs_of_a_node_add_up)
{
	size_t count = 0;

	add(3, 0, 1, 10, 100);
	add(4, 0, 5, 50, 500);
	add(3, 0, 2, 20, 200);
	const struct call_cost *ranked = call_costs_rank(costs, COST_CALLS, 0, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(ranked[1].node, 3);
	ck_assert_uint_eq(ranked[1].costs[COST_CALLS], 3);
	ck_assert_uint_eq(ranked[1].costs[COST_CPU_NS], 30);
	ck_assert_uint_eq(ranked[1].costs[COST_OFF_CPU_NS], 300);
	ck_assert_uint_eq(call_costs_total(costs, COST_CALLS), 8);
	ck_assert_uint_eq(call_costs_total(costs, COST_CPU_NS), 80);
	ck_assert_uint_eq(call_costs_total(costs, COST_OFF_CPU_NS), 800);
}
END_TEST

START_TEST(threads_have_separate_costs)
{
	size_t count = 0;

	add(3, 200001, 1, 10, 0);
	add(3, 200002, 2, 20, 0);
	add(3, 200001, 1, 15, 0);
	const struct call_cost *ranked = call_costs_rank(costs, COST_CPU_NS, 0, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(ranked[0].thread_serial, 200001);
	ck_assert_uint_eq(ranked[0].costs[COST_CPU_NS], 25);
	ck_assert_uint_eq(ranked[1].thread_serial, 200002);
}
END_TEST

START_TEST(each_kind_of_cost_has_its_own_order)
{
	add(1, 0, 1, 300, 20);
	add(2, 0, 3, 100, 30);
	add(3, 0, 2, 200, 10);
	CHECK_ORDER(COST_CALLS, 2, 3, 1);
	CHECK_ORDER(COST_CPU_NS, 1, 3, 2);
	CHECK_ORDER(COST_OFF_CPU_NS, 2, 1, 3);
	CHECK_ORDER(COST_CPU_NS, 1, 3, 2);
	const uint64_t waits[COST_KINDS] = {[COST_WALL_NS] = 500, [COST_CALLS] = 1};
	ck_assert(call_costs_add(costs, 3, 0, waits));
	CHECK_ORDER(COST_WALL_NS, 3, 2, 1);
	const uint64_t wait[COST_KINDS] = {[COST_WALL_NS] = 900};
	ck_assert(call_costs_add(costs, 4, 0, wait));
	CHECK_ORDER(COST_WALL_NS, 4, 3, 2, 1);
	CHECK_ORDER(COST_OFF_CPU_NS, 2, 1, 3);
}
END_TEST

START_TEST(equal_costs_are_sorted_by_calls_then_in_a_fixed_order)
{
	add(9, 0, 1, 100, 0);
	add(7, 0, 1, 100, 0);
	add(8, 0, 2, 100, 0);
	add(2, 0, 2, UINT64_C(1) << 40, 0);
	CHECK_ORDER(COST_CPU_NS, 2, 8, 7, 9);
}
END_TEST

START_TEST(costs_below_the_cutoff_are_omitted)
{
	add(1, 0, 1, 600, 0);
	add(2, 0, 2, 300, 10);
	add(3, 0, 3, 99, 20);
	add(4, 0, 94, 1, 70);
	CHECK_CUT_ORDER(COST_OFF_CPU_NS, 0.1, 4, 3, 2);
	CHECK_CUT_ORDER(COST_CALLS, 0.03, 4, 3);
	CHECK_CUT_ORDER(COST_CALLS, 0.0301, 4);
}
END_TEST

START_TEST(the_cutoff_can_omit_all_rows)
{
	size_t count = 1;

	add(1, 0, 1, 5, 5);
	add(2, 0, 1, 5, 5);
	ck_assert_ptr_nonnull(call_costs_rank(costs, COST_CPU_NS, 0.9, &count));
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(cleared_costs_are_gone)
{
	add(1, 0, 1, 1, 1);
	call_costs_clear(costs);
	size_t count = 1;
	ck_assert_ptr_nonnull(call_costs_rank(costs, COST_CALLS, 0, &count));
	ck_assert_uint_eq(count, 0);
	ck_assert_uint_eq(call_costs_total(costs, COST_CALLS), 0);
	add(1, 0, 2, 1, 1);
	CHECK_ORDER(COST_CALLS, 1);
	ck_assert_uint_eq(call_costs_total(costs, COST_CALLS), 2);
}
END_TEST

START_TEST(many_rows_are_all_kept)
{
	enum { NODES = 20000 };
	size_t count = 0;

	for (int round = 0; round < 2; round++) {
		for (uint32_t node = 0; node < NODES; node++)
			add(node, 0, 1, node, 0);
	}
	const struct call_cost *ranked = call_costs_rank(costs, COST_CPU_NS, 0, &count);
	ck_assert_uint_eq(count, NODES);
	for (uint32_t i = 0; i < NODES; i++) {
		if (ranked[i].node != NODES - 1 - i || ranked[i].costs[COST_CALLS] != 2)
			ck_abort_msg("row %u is of node %u", i, ranked[i].node);
	}
}
END_TEST

START_TEST(destroying_null_has_no_effect)
{
	call_costs_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call_costs");
	TCase *tests = tcase_create("call_costs");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_new_table_has_no_costs);
	tcase_add_test(tests, rows_that_are_moved_add_up);
	tcase_add_test(tests, totals_without_rows_are_moved_and_settled);
	tcase_add_test(tests, rows_that_are_not_kept_are_a_part_of_the_totals);
	tcase_add_test(tests, corrections_of_what_was_shown_are_taken_from_other_states);
	tcase_add_test(tests, corrections_of_what_was_below_the_cutoff_leave_no_negative_state);
	tcase_add_test(tests, costs_of_a_node_add_up);
	tcase_add_test(tests, threads_have_separate_costs);
	tcase_add_test(tests, each_kind_of_cost_has_its_own_order);
	tcase_add_test(tests, equal_costs_are_sorted_by_calls_then_in_a_fixed_order);
	tcase_add_test(tests, costs_below_the_cutoff_are_omitted);
	tcase_add_test(tests, the_cutoff_can_omit_all_rows);
	tcase_add_test(tests, cleared_costs_are_gone);
	tcase_add_test(tests, many_rows_are_all_kept);
	tcase_add_test(tests, destroying_null_has_no_effect);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
