/*
 * Tests that each allocation of the call graph, the arena, the call state, the costs and
 * the slots can fail: the caller gets an error and the contents stay unchanged. Leaks show
 * under the address sanitizer.
 */
#include "failing_allocation.h"
#include "base/arena.h"
#include "calls/call_costs.h"
#include "calls/call_graph.h"
#include "calls/thread_slots.h"
#include "run_suite.h"

enum { FIRST_MAX = 200, METHODS = 400, DEPTH = 40 };

START_TEST(a_graph_without_memory_is_null)
{
	struct call_graph *graph = NULL;
	unsigned first = 1;

	while (graph == NULL) {
		fail_allocations(first++, UINT32_MAX);
		graph = call_graph_create(DEPTH);
		bool failed = stop_failing();
		ck_assert(failed == (graph == NULL));
		ck_assert_uint_lt(first, FIRST_MAX);
	}
	ck_assert_uint_gt(first, 4);
	call_graph_destroy(graph);
}
END_TEST

/* Adds a chain of calls; returns how many led to the root. */
static unsigned call_all(struct call_graph *graph)
{
	const struct call_node *node = call_graph_root(graph);
	unsigned lost = 0;

	for (call_method m = 0; m < METHODS; m++) {
		node = call_graph_find_callee(graph, node, m);
		lost += node == call_graph_root(graph);
	}
	return lost;
}

START_TEST(a_call_without_memory_for_its_node_leads_to_the_root_and_is_reported)
{
	bool failed = true;

	for (unsigned first = 1; failed; first++) {
		struct call_graph *graph = call_graph_create(DEPTH);
		ck_assert_ptr_nonnull(graph);
		fail_allocations(first, first);
		unsigned lost = call_all(graph);
		failed = stop_failing();
		/* If a table could not be allocated, calls are only slower. */
		ck_assert(failed || lost == 0);
		ck_assert((lost != 0) == (call_graph_has_failed(graph) != 0));
		ck_assert_uint_le(lost, 1);
		/* With memory, everything works again. */
		ck_assert_uint_eq(call_all(graph), 0);
		uint32_t size = call_graph_size(graph);
		for (uint32_t i = 0; i < size; i++)
			ck_assert_uint_eq(call_graph_node(graph, i)->index, i);
		ck_assert_ptr_null(call_graph_node(graph, size));
		call_graph_destroy(graph);
		ck_assert_uint_lt(first, 3 * METHODS);
	}
}
END_TEST

START_TEST(callees_without_a_table_are_still_found)
{
	struct call_graph *graph = call_graph_create(1);
	const struct call_node *nodes[METHODS];

	ck_assert_ptr_nonnull(graph);
	const struct call_node *root = call_graph_root(graph);
	for (call_method m = 0; m < METHODS; m++)
		nodes[m] = call_graph_find_callee(graph, root, m << 8);
	unsigned found = 0;
	fail_allocations(1, UINT32_MAX);
	for (call_method m = 0; m < METHODS; m++)
		found += call_graph_find_callee(graph, root, m << 8) == nodes[m];
	(void)stop_failing();
	ck_assert_uint_eq(found, METHODS);
	ck_assert(!call_graph_has_failed(graph));
	call_graph_destroy(graph);
}
END_TEST

START_TEST(an_arena_without_memory_returns_null_and_keeps_its_contents)
{
	struct arena arena = {0};

	fail_allocations(1, 2);
	const void *small = arena_allocate(&arena, 10);
	const void *large = arena_allocate(&arena, 1 << 20);
	ck_assert(stop_failing());
	ck_assert_ptr_null(small);
	ck_assert_ptr_null(large);
	unsigned char *piece = arena_allocate(&arena, 10);
	ck_assert_ptr_nonnull(piece);
	fail_allocations(1, UINT32_MAX);
	large = arena_allocate(&arena, 1 << 20);
	small = arena_allocate(&arena, 10);
	ck_assert(stop_failing());
	ck_assert_ptr_null(large);
	ck_assert_ptr_eq(small, piece + 16);
	arena_free(&arena);
}
END_TEST

static bool count_costs(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	uint64_t *sum = argument;
	(void)index;
	*sum += costs[COST_CALLS];
	return true;
}

START_TEST(a_state_without_memory_is_an_error)
{
	struct call_graph *graph = call_graph_create(2);
	uint64_t calls = 0;

	fail_allocations(1, UINT32_MAX);
	struct call_state *state = call_state_create(graph, false);
	ck_assert(stop_failing());
	ck_assert_ptr_null(state);
	state = call_state_create(graph, false);
	ck_assert_ptr_nonnull(state);
	uint32_t index = call_graph_root(graph)->index;
	call_state_count_call(state, index);
	fail_allocations(1, UINT32_MAX);
	bool has_off_cpu = call_state_add_off_cpu(state, index);
	bool is_collected = call_state_collect(state, count_costs, &calls);
	ck_assert(stop_failing());
	ck_assert(!has_off_cpu && !is_collected);
	ck_assert(call_state_add_off_cpu(state, index));
	ck_assert(call_state_collect(state, count_costs, &calls));
	ck_assert_uint_eq(calls, 1);
	call_state_free(state);
	call_graph_destroy(graph);
}
END_TEST

/* Calls one method after the other from the root until there is no node for one; how many had
 * theirs. */
static uint32_t call_until_lost(struct call_graph *graph, uint32_t most)
{
	const struct call_node *root = call_graph_root(graph);
	for (uint32_t m = 0; m < most; m++) {
		if (call_graph_find_callee(graph, root, m) == root)
			return m;
	}
	return most;
}

START_TEST(a_call_whose_node_no_state_has_room_for_leads_to_the_root)
{
	enum { MOST = 30000 };
	struct call_graph *graph = call_graph_create(1);
	struct call_state *state = call_state_create(graph, false);

	ck_assert_ptr_nonnull(state);
	/* Lines, the words of tables, and the states' room. */
	for (unsigned fails = 1; fails <= 4; fails++) {
		fail_commits(fails);
		uint32_t called = call_until_lost(graph, MOST);
		ck_assert(stop_failing());
		ck_assert_uint_lt(called, MOST);
		ck_assert_uint_gt(called, 1000);
		ck_assert_uint_eq(call_graph_end_index(graph), called + 1);
	}
	ck_assert(call_graph_has_failed(graph));
	ck_assert_uint_eq(call_until_lost(graph, MOST), MOST);
	call_state_count_call(state, MOST);
	call_state_free(state);
	call_graph_destroy(graph);
}
END_TEST

START_TEST(costs_that_can_not_be_added_are_an_error_and_others_stay)
{
	const uint64_t one[COST_KINDS] = {1, 2, 3};
	bool failed = true;

	for (unsigned first = 1; failed; first++) {
		struct call_costs *costs = call_costs_create();
		uint64_t added = 0;
		size_t count = 0;

		ck_assert_ptr_nonnull(costs);
		fail_allocations(first, first);
		for (uint32_t node = 0; node < METHODS; node++)
			added += call_costs_add(costs, node, 0, one);
		failed = stop_failing();
		ck_assert_uint_eq(added, METHODS - failed);
		ck_assert_uint_eq(call_costs_total(costs, COST_CALLS), added);
		const struct call_cost *ranked = call_costs_rank(costs, COST_CPU_NS, 0, &count);
		ck_assert_ptr_nonnull(ranked);
		ck_assert_uint_eq(count, added);
		call_costs_destroy(costs);
		ck_assert_uint_lt(first, 2 * METHODS);
	}
}
END_TEST

START_TEST(costs_that_can_not_be_ranked_stay)
{
	const uint64_t one[COST_KINDS] = {1, 2, 3};
	struct call_costs *costs = call_costs_create();
	size_t count = 7;

	ck_assert(call_costs_add(costs, 5, 0, one));
	fail_allocations(1, UINT32_MAX);
	const struct call_cost *ranked = call_costs_rank(costs, COST_CALLS, 0, &count);
	ck_assert(stop_failing());
	ck_assert_ptr_null(ranked);
	ck_assert_uint_eq(count, 0);
	ck_assert_ptr_nonnull(call_costs_rank(costs, COST_CALLS, 0, &count));
	ck_assert_uint_eq(count, 1);
	call_costs_destroy(costs);
}
END_TEST

START_TEST(costs_and_slots_without_memory_are_null)
{
	fail_allocations(1, UINT32_MAX);
	struct call_costs *costs = call_costs_create();
	struct thread_slots *slots = thread_slots_create();
	ck_assert(stop_failing());
	ck_assert_ptr_null(costs);
	ck_assert_ptr_null(slots);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call_graph_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, a_graph_without_memory_is_null);
	tcase_add_test(tests, a_call_without_memory_for_its_node_leads_to_the_root_and_is_reported);
	tcase_add_test(tests, callees_without_a_table_are_still_found);
	tcase_add_test(tests, an_arena_without_memory_returns_null_and_keeps_its_contents);
	tcase_add_test(tests, a_state_without_memory_is_an_error);
	tcase_add_test(tests, a_call_whose_node_no_state_has_room_for_leads_to_the_root);
	tcase_add_test(tests, costs_that_can_not_be_added_are_an_error_and_others_stay);
	tcase_add_test(tests, costs_that_can_not_be_ranked_stay);
	tcase_add_test(tests, costs_and_slots_without_memory_are_null);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
