/* marks: tsan */
/*
 * Tests of a thread's call state: costs are collected once, and with both clocks the
 * charged time is that of the clocks, whether Java or native code charges it.
 */
#include "calls/call_state.h"
#include "run_suite.h"

#include <pthread.h>
#include <string.h>

static struct call_graph *graph;
static struct call_state *state;
static uint64_t cpu_ns;
static uint64_t off_cpu_ns;

static void set_up(void)
{
	graph = call_graph_create(1);
	ck_assert_ptr_nonnull(graph);
	state = call_state_create(graph, false);
	ck_assert_ptr_nonnull(state);
	ck_assert(call_state_add_off_cpu(state, call_graph_root(graph)->index));
	call_state_skip_both(state, 1000, 50000);
}

static void tear_down(void)
{
	call_state_free(state);
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

static void check_charged(uint64_t expected_cpu_ns, uint64_t expected_off_cpu_ns)
{
	cpu_ns = 0;
	off_cpu_ns = 0;
	ck_assert(call_state_collect(state, add_up, NULL));
	ck_assert_uint_eq(cpu_ns, expected_cpu_ns);
	ck_assert_uint_eq(off_cpu_ns, expected_off_cpu_ns);
}

/* As Java code does while the thread runs without interruption. */
static void charge_in_java(uint64_t wall_now_ns)
{
	_Atomic uint64_t *cost = &state->cpu_ns[0];
	atomic_store(cost, atomic_load(cost) + (wall_now_ns - state->wall_ns));
	state->blocks[0] = BLOCK_IS_NEW;
	state->wall_ns = wall_now_ns;
}

START_TEST(wall_time_less_cpu_time_is_off_cpu_time)
{
	ck_assert(call_state_charge_both(state, 1300, 51000, NULL, NULL));
	check_charged(300, 700);
	ck_assert(call_state_charge_both(state, 1400, 51100, NULL, NULL));
	check_charged(100, 0);
}
END_TEST

/* The clocks are read one after the other. */
START_TEST(charges_sum_to_the_time_that_has_passed)
{
	ck_assert(call_state_charge_both(state, 1320, 50300, NULL, NULL));
	check_charged(300, 0);
	ck_assert(call_state_charge_both(state, 1600, 50600, NULL, NULL));
	check_charged(300, 0);
	ck_assert(call_state_charge_both(state, 1700, 51000, NULL, NULL));
	check_charged(100, 300);
}
END_TEST

START_TEST(cpu_time_beyond_the_time_that_has_passed_is_charged_next)
{
	ck_assert(call_state_charge_both(state, 1320, 50300, NULL, NULL));
	charge_in_java(50400);
	ck_assert(call_state_charge_both(state, 1500, 50600, NULL, NULL));
	check_charged(500, 100);
}
END_TEST

START_TEST(time_that_java_code_charged_is_not_charged_again)
{
	charge_in_java(50100);
	charge_in_java(50250);
	ck_assert(call_state_charge_both(state, 1400, 51000, NULL, NULL));
	check_charged(400, 600);
}
END_TEST

START_TEST(excess_charged_time_is_subtracted_later)
{
	charge_in_java(50500);
	/* 500 are charged, but interrupts took 300 of them. */
	ck_assert(!call_state_charge_both(state, 1200, 50500, NULL, NULL));
	ck_assert(!call_state_charge_both(state, 1400, 50700, NULL, NULL));
	ck_assert(call_state_charge_both(state, 1600, 50900, NULL, NULL));
	check_charged(600, 300);
}
END_TEST

START_TEST(skipped_time_is_not_charged)
{
	charge_in_java(50100);
	call_state_skip_both(state, 5000, 90000);
	ck_assert(call_state_charge_both(state, 5010, 90030, NULL, NULL));
	check_charged(110, 20);
}
END_TEST

/* ---- states of time off the CPU ------------------------------------------ */

static uint64_t explained_ns;

static void explain(void *argument, uint64_t ns, uint64_t states_ns[OFF_CPU_STATES])
{
	ck_assert_ptr_eq(argument, &explained_ns);
	explained_ns += ns;
	states_ns[OFF_LAT] = ns / 4;
	states_ns[OFF_SLP] = ns - ns / 4;
}

static void set_up_states(void)
{
	graph = call_graph_create(1);
	ck_assert_ptr_nonnull(graph);
	state = call_state_create(graph, true);
	ck_assert_ptr_nonnull(state);
	ck_assert(call_state_add_off_cpu(state, call_graph_root(graph)->index));
	call_state_skip_both(state, 1000, 50000);
	explained_ns = 0;
}

static bool add_states(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	uint64_t *states_ns = argument;
	(void)index;
	for (int i = 0; i < OFF_CPU_STATES; i++)
		states_ns[i] += costs[COST_STATES_NS + i];
	return true;
}

START_TEST(time_off_the_cpu_is_divided_among_the_states)
{
	uint64_t states_ns[OFF_CPU_STATES] = {0};

	ck_assert(call_state_charge_both(state, 1200, 51000, explain, &explained_ns));
	ck_assert(call_state_charge_both(state, 1300, 51100, explain, &explained_ns));
	ck_assert_uint_eq(explained_ns, 800);
	ck_assert(call_state_collect(state, add_states, states_ns));
	ck_assert_uint_eq(states_ns[OFF_LAT], 200);
	ck_assert_uint_eq(states_ns[OFF_SLP], 600);
	ck_assert_uint_eq(states_ns[OFF_LCK] + states_ns[OFF_IO] + states_ns[OFF_STW], 0);
	check_charged(0, 0);
	ck_assert(call_state_charge_both(state, 1300, 51900, explain, &explained_ns));
	check_charged(0, 800);
}
END_TEST

/* Its own time is not affected. */
START_TEST(waits_of_virtual_threads_are_charged_beside_the_threads_own_time)
{
	uint32_t at = call_graph_root(graph)->index;

	ck_assert_uint_eq(call_state_charged_ns(state), 50000);
	call_state_set_position(state, call_state_open(at, at));
	ck_assert_uint_eq(call_state_open_node(state), at);
	ck_assert(call_state_hand_over(state, add_up, NULL));
	call_state_charge_wait(state, at, OFF_IO, 700);
	check_charged(0, 700);
	ck_assert(call_state_charge_both(state, 1300, 50300, explain, &explained_ns));
	check_charged(300, 0);
	ck_assert_uint_eq(explained_ns, 0);
	ck_assert_uint_eq(call_state_charged_ns(state), 50300);
}
END_TEST

START_TEST(time_that_is_not_charged_yet_can_be_read)
{
	struct uncharged_time time;

	charge_in_java(50100);
	ck_assert(call_state_uncharged(state, 1350, 51000, &time));
	ck_assert_uint_eq(time.node, call_graph_root(graph)->index);
	ck_assert_uint_eq(time.since_ns, 50100);
	ck_assert_uint_eq(time.cpu_ns, 250);
	ck_assert_uint_eq(time.off_cpu_ns, 650);
	/* Clocks that are a little apart. */
	ck_assert(call_state_uncharged(state, 1090, 50200, &time));
	ck_assert_uint_eq(time.cpu_ns, 0);
	ck_assert(call_state_uncharged(state, 9000, 50200, &time));
	ck_assert_uint_eq(time.cpu_ns, 100);
	ck_assert_uint_eq(time.off_cpu_ns, 0);
	ck_assert(!call_state_uncharged(state, 9000, 50099, &time));
}
END_TEST

/* ---- counts, blocks and collecting -------------------------------------- */

enum { COLLECTED_MAX = 64 };

/* The costs that were collected, in order. */
struct collected {
	uint32_t indexes[COLLECTED_MAX];
	uint64_t costs[COLLECTED_MAX][COST_KINDS];
	size_t count;
	size_t stop_at;
};

static bool note(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	struct collected *collected = argument;
	ck_assert_uint_lt(collected->count, COLLECTED_MAX);
	collected->indexes[collected->count] = index;
	memcpy(collected->costs[collected->count], costs, sizeof(collected->costs[0]));
	collected->count++;
	return collected->count != collected->stop_at;
}

static struct collected collect(void)
{
	struct collected collected = {.count = 0};
	ck_assert(call_state_collect(state, note, &collected));
	return collected;
}

/* Whether the next collection looks at the node's block. */
static bool is_new(uint32_t index)
{
	return atomic_load(&state->blocks[index / CALL_BLOCK_NODES]) == BLOCK_IS_NEW;
}

/* Calls the graph has until there are so many nodes. */
static const struct call_node *add_nodes(uint32_t count)
{
	const struct call_node *node = call_graph_root(graph);
	for (call_method m = 0; call_graph_size(graph) < count; m++)
		node = call_graph_find_callee(graph, call_graph_root(graph), m);
	return node;
}

START_TEST(a_new_state_is_at_the_root_and_has_no_costs)
{
	uint32_t root = call_graph_root(graph)->index;
	ck_assert_uint_eq(atomic_load(&state->open), call_state_open(root, root));
	ck_assert_uint_eq(collect().count, 0);
}
END_TEST

START_TEST(counts_are_collected_once)
{
	(void)add_nodes(CALL_BLOCK_NODES);
	for (int i = 0; i < 5; i++)
		call_state_count_call(state, 7);
	call_state_count_call(state, CALL_BLOCK_NODES - 1);
	struct collected collected = collect();
	ck_assert_uint_eq(collected.count, 2);
	ck_assert_uint_eq(collected.indexes[0], 7);
	ck_assert_uint_eq(collected.costs[0][COST_CALLS], 5);
	ck_assert_uint_eq(collected.costs[0][COST_CPU_NS], 0);
	ck_assert_uint_eq(collected.indexes[1], CALL_BLOCK_NODES - 1);
	ck_assert_uint_eq(collect().count, 0);
	call_state_count_call(state, 7);
	collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.costs[0][COST_CALLS], 1);
}
END_TEST

static struct collected hand_over(void)
{
	struct collected collected = {0};
	ck_assert(call_state_hand_over(state, note, &collected));
	return collected;
}

START_TEST(costs_handed_over_are_collected_once)
{
	(void)add_nodes(CALL_BLOCK_NODES + 1);
	call_state_count_call(state, 7);
	call_state_count_call(state, CALL_BLOCK_NODES);
	ck_assert_uint_eq(hand_over().count, 2);
	ck_assert_uint_eq(hand_over().count, 0);
	call_state_count_call(state, CALL_BLOCK_NODES);
	ck_assert_uint_eq(collect().count, 1);
	ck_assert_uint_eq(hand_over().count, 0);
	call_state_count_call(state, 7);
	struct collected collected = hand_over();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], 7);
	ck_assert_uint_eq(collected.costs[0][COST_CALLS], 1);
}
END_TEST

START_TEST(a_block_that_was_handed_over_is_new_again_with_its_next_cost)
{
	(void)add_nodes(3 * CALL_BLOCK_NODES);
	call_state_count_call(state, 7);
	call_state_count_call(state, CALL_BLOCK_NODES);
	ck_assert(is_new(0) && is_new(CALL_BLOCK_NODES) && !is_new(2 * CALL_BLOCK_NODES));
	(void)collect();
	ck_assert(is_new(0) && is_new(CALL_BLOCK_NODES));
	(void)hand_over();
	ck_assert(!is_new(0) && !is_new(CALL_BLOCK_NODES));
	call_state_count_call(state, CALL_BLOCK_NODES + 1);
	ck_assert(!is_new(0) && is_new(CALL_BLOCK_NODES));
}
END_TEST

START_TEST(time_is_charged_to_a_block_that_was_handed_over)
{
	(void)hand_over();
	call_state_charge_cpu(state, 1010);
	ck_assert_uint_eq(collect().costs[0][COST_CPU_NS], 10);
	(void)hand_over();
	ck_assert(call_state_charge_both(state, 1020, 51020, NULL, NULL));
	ck_assert_uint_eq(collect().costs[0][COST_CPU_NS], 20);
}
END_TEST

static bool add_calls(void *argument, uint32_t index, const uint64_t costs[COST_KINDS])
{
	uint64_t *calls = argument;
	(void)index;
	*calls += costs[COST_CALLS];
	return true;
}

START_TEST(each_node_of_a_large_graph_has_a_place)
{
	enum { NODES = 40000 };
	struct call_state *other = call_state_create(graph, false);
	uint64_t calls = 0;

	ck_assert_ptr_nonnull(other);
	ck_assert_ptr_ne(other, state);
	(void)add_nodes(NODES);
	for (uint32_t i = 0; i < NODES; i++) {
		call_state_count_call(state, i);
		call_state_count_call(other, i);
		ck_assert_uint_eq(atomic_load(&state->calls[i]), 1);
		ck_assert_uint_eq(atomic_load(&state->cpu_ns[i]), 0);
	}
	ck_assert(call_state_collect(other, add_calls, &calls));
	ck_assert_uint_eq(calls, NODES);
	call_state_free(other);
}
END_TEST

static void enter(uint32_t node)
{
	atomic_store(&state->open, call_state_open(node, node));
}

START_TEST(a_timer_charges_the_open_call_and_clocks_the_call_that_reads_them)
{
	const struct call_node *reads = call_graph_find_callee(graph, call_graph_root(graph), 5);
	const struct call_node *is_short = call_graph_find_callee(graph, reads, 6);

	atomic_store(&state->open, call_state_open(is_short->index, reads->index));
	call_state_charge_cpu(state, 1010);
	struct collected collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], is_short->index);
	ck_assert(call_state_charge_both(state, 1020, 50020, NULL, NULL));
	collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], reads->index);
	ck_assert_uint_eq(collected.costs[0][COST_CPU_NS], 20);
	call_state_charge_open(state);
	ck_assert(call_state_charge_both(state, 1020, 50920, NULL, NULL));
	collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], is_short->index);
	ck_assert_uint_eq(collected.costs[0][COST_OFF_CPU_NS], 900);
}
END_TEST

/* The CPU time that passes between is left to the timer. */
START_TEST(with_only_breaks_the_open_call_has_the_time_off_the_cpu)
{
	const struct call_node *caller = call_graph_find_callee(graph, call_graph_root(graph), 5);
	const struct call_node *open = call_graph_find_callee(graph, caller, 6);

	call_state_charge_only_breaks(state);
	/* Java code writes no node that is charged. */
	atomic_store(&state->open, open->index);
	ck_assert(call_state_charge_both(state, 1200, 51000, NULL, NULL));
	struct collected collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], open->index);
	ck_assert_uint_eq(collected.costs[0][COST_OFF_CPU_NS], 800);
	ck_assert_uint_eq(collected.costs[0][COST_CPU_NS], 0);
	ck_assert_uint_eq(call_state_charged_node(state), open->index);
	atomic_store(&state->open, caller->index);
	call_state_charge_cpu(state, 1700);
	collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], caller->index);
	ck_assert_uint_eq(collected.costs[0][COST_CPU_NS], 700);
	/* The timer's charge is no end of a break. */
	ck_assert(call_state_charge_both(state, 1800, 51700, NULL, NULL));
	collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.costs[0][COST_OFF_CPU_NS], 100);
}
END_TEST

START_TEST(with_only_breaks_cpu_time_that_the_timer_has_not_charged_is_not_shown)
{
	struct uncharged_time time;

	call_state_charge_only_breaks(state);
	ck_assert(call_state_uncharged(state, 1350, 51000, &time));
	ck_assert_uint_eq(time.cpu_ns, 0);
	ck_assert_uint_eq(time.off_cpu_ns, 650);
}
END_TEST

START_TEST(cpu_time_is_charged_to_the_open_call)
{
	const struct call_node *node = call_graph_find_callee(graph, call_graph_root(graph), 5);

	call_state_charge_cpu(state, 1010);
	enter(node->index);
	call_state_charge_cpu(state, 1110);
	call_state_charge_cpu(state, 1110);
	call_state_charge_cpu(state, 1111);
	struct collected collected = collect();
	ck_assert_uint_eq(collected.count, 2);
	ck_assert_uint_eq(collected.indexes[0], 0);
	ck_assert_uint_eq(collected.costs[0][COST_CPU_NS], 10);
	ck_assert_uint_eq(collected.indexes[1], node->index);
	ck_assert_uint_eq(collected.costs[1][COST_CPU_NS], 101);
	ck_assert_uint_eq(collected.costs[1][COST_CALLS], 0);
}
END_TEST

START_TEST(time_in_a_call_without_memory_for_it_is_charged_later)
{
	enter(add_nodes(CALL_BLOCK_NODES + 1)->index);
	ck_assert(!call_state_charge_both(state, 1500, 51000, NULL, NULL));
	enter(call_graph_root(graph)->index);
	ck_assert(call_state_charge_both(state, 1600, 52000, NULL, NULL));
	check_charged(600, 1400);
}
END_TEST

START_TEST(collecting_stops_when_the_visitor_returns_false)
{
	struct collected collected = {.stop_at = 2};

	(void)add_nodes(4);
	for (uint32_t index = 0; index < 4; index++)
		call_state_count_call(state, index);
	ck_assert(!call_state_collect(state, note, &collected));
	ck_assert_uint_eq(collected.count, 2);
}
END_TEST

enum { COUNTED = 300000, COUNTED_NODES = 4096 };

static void *count_up(void *argument)
{
	(void)argument;
	for (uint32_t i = 0; i < COUNTED; i++) {
		call_state_count_call(state, i % COUNTED_NODES);
	}
	return NULL;
}

START_TEST(costs_collected_while_the_thread_runs_add_up)
{
	pthread_t thread;
	uint64_t calls = 0;

	(void)add_nodes(COUNTED_NODES);
	ck_assert_int_eq(pthread_create(&thread, NULL, count_up, NULL), 0);
	for (int i = 0; i < 50; i++)
		(void)call_state_collect(state, add_calls, &calls);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert(call_state_collect(state, add_calls, &calls));
	ck_assert_uint_eq(calls, COUNTED);
}
END_TEST

/* ---- the memory of states --------------------------------------------------- */

START_TEST(the_next_thread_gets_the_range_of_one_that_has_ended_without_its_costs)
{
	struct call_state *first = state;

	call_state_count_call(state, 0);
	call_state_charge_cpu(state, 1500);
	ck_assert_uint_eq(collect().count, 1);
	call_state_free(state);
	state = call_state_create(graph, false);
	ck_assert_ptr_eq(state, first);
	ck_assert_uint_eq(collect().count, 0);
	call_state_skip_both(state, 0, 0);
	call_state_count_call(state, 0);
	ck_assert_uint_eq(collect().costs[0][COST_CALLS], 1);
}
END_TEST

START_TEST(costs_that_are_discarded_are_0_and_java_code_may_go_on)
{
	call_state_count_call(state, 0);
	ck_assert_uint_eq(collect().count, 1);
	call_state_discard(state);
	ck_assert_uint_eq(atomic_load(&state->calls[0]), 0);
	ck_assert_uint_eq(collect().count, 0);
	call_state_count_call(state, 0);
	ck_assert_uint_eq(atomic_load(&state->calls[0]), 1);
}
END_TEST

START_TEST(a_state_takes_over_the_address_of_the_threads_earlier_one)
{
	struct call_state *later = call_state_create(graph, false);
	uint32_t root = call_graph_root(graph)->index;

	ck_assert_ptr_nonnull(later);
	enter(add_nodes(2)->index);
	call_state_count_call(state, 1);
	call_state_skip_both(later, 100, 0);
	call_state_charge_cpu(later, 140);
	cpu_ns = 0;
	ck_assert(call_state_collect(later, add_up, NULL));
	ck_assert_uint_eq(cpu_ns, 40);
	call_state_charge_cpu(later, 150);
	ck_assert_ptr_eq(call_state_take_over(later, NULL), later);
	ck_assert_ptr_eq(call_state_take_over(later, state), state);
	ck_assert_uint_eq(call_state_open_node(state), root);
	call_state_charge_cpu(state, 157);
	struct collected collected = collect();
	ck_assert_uint_eq(collected.count, 1);
	ck_assert_uint_eq(collected.indexes[0], root);
	ck_assert_uint_eq(collected.costs[0][COST_CPU_NS], 17);
	ck_assert_uint_eq(collected.costs[0][COST_CALLS], 0);
}
END_TEST

START_TEST(freeing_null_has_no_effect)
{
	call_state_free(NULL);
}
END_TEST

static TCase *counting(void)
{
	TCase *tc = tcase_create("counting");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_new_state_is_at_the_root_and_has_no_costs);
	tcase_add_test(tc, counts_are_collected_once);
	tcase_add_test(tc, costs_handed_over_are_collected_once);
	tcase_add_test(tc, a_block_that_was_handed_over_is_new_again_with_its_next_cost);
	tcase_add_test(tc, time_is_charged_to_a_block_that_was_handed_over);
	tcase_add_test(tc, each_node_of_a_large_graph_has_a_place);
	tcase_add_test(tc, a_timer_charges_the_open_call_and_clocks_the_call_that_reads_them);
	tcase_add_test(tc, with_only_breaks_the_open_call_has_the_time_off_the_cpu);
	tcase_add_test(tc, with_only_breaks_cpu_time_that_the_timer_has_not_charged_is_not_shown);
	tcase_add_test(tc, cpu_time_is_charged_to_the_open_call);
	tcase_add_test(tc, time_in_a_call_without_memory_for_it_is_charged_later);
	tcase_add_test(tc, collecting_stops_when_the_visitor_returns_false);
	tcase_add_test(tc, costs_collected_while_the_thread_runs_add_up);
	tcase_add_test(tc, the_next_thread_gets_the_range_of_one_that_has_ended_without_its_costs);
	tcase_add_test(tc, costs_that_are_discarded_are_0_and_java_code_may_go_on);
	tcase_add_test(tc, a_state_takes_over_the_address_of_the_threads_earlier_one);
	tcase_add_test(tc, freeing_null_has_no_effect);
	return tc;
}

static Suite *call_state_suite(void)
{
	Suite *suite = suite_create("call_state");
	suite_add_tcase(suite, counting());
	TCase *tc = tcase_create("both_clocks");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, wall_time_less_cpu_time_is_off_cpu_time);
	tcase_add_test(tc, charges_sum_to_the_time_that_has_passed);
	tcase_add_test(tc, cpu_time_beyond_the_time_that_has_passed_is_charged_next);
	tcase_add_test(tc, time_that_java_code_charged_is_not_charged_again);
	tcase_add_test(tc, excess_charged_time_is_subtracted_later);
	tcase_add_test(tc, skipped_time_is_not_charged);
	suite_add_tcase(suite, tc);
	tc = tcase_create("states");
	tcase_add_checked_fixture(tc, set_up_states, tear_down);
	tcase_add_test(tc, time_off_the_cpu_is_divided_among_the_states);
	tcase_add_test(tc, waits_of_virtual_threads_are_charged_beside_the_threads_own_time);
	tcase_add_test(tc, time_that_is_not_charged_yet_can_be_read);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(call_state_suite());
}
