/* marks: tsan */
/*
 * Tests of the costs of many threads: a table that shows what is above the cutoff must not differ
 * from one that has every row, and little may be kept of threads that have ended.
 */
#include "calls/costs_by_thread.h"
#include "run_suite.h"

#include <pthread.h>

/* A tenth of a percent: with costs of up to MOST, rows of some threads are above it. */
#define CUTOFF 0.001

enum { LIVING = 20, NODES = 30, MOST = 1000 };

static struct costs_by_thread *all;
static struct call_costs *shown;
static struct call_costs *expected;
static uint32_t random_state;

static void set_up(void)
{
	all = costs_by_thread_create(true, CUTOFF);
	shown = call_costs_create();
	expected = call_costs_create();
	ck_assert_ptr_nonnull(all);
	ck_assert_ptr_nonnull(shown);
	ck_assert_ptr_nonnull(expected);
	random_state = 1;
}

static void tear_down(void)
{
	costs_by_thread_destroy(all);
	call_costs_destroy(shown);
	call_costs_destroy(expected);
}

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % limit;
}

static void add_to(struct cost_owner *owner, uint32_t node, const uint64_t costs[COST_KINDS])
{
	ck_assert(costs_by_thread_lock(all, owner));
	ck_assert(costs_by_thread_add(all, owner, node, costs));
	costs_by_thread_unlock(all, owner);
}

/* Few costs are large. */
static void add_random(struct cost_owner *owner)
{
	uint64_t costs[COST_KINDS];
	uint32_t node = random_below(NODES);

	for (int kind = 0; kind < COST_KINDS; kind++)
		costs[kind] = random_below(100) == 0 ? random_below(MOST) : random_below(3);
	add_to(owner, node, costs);
	ck_assert(call_costs_add(expected, node, owner->serial, costs));
}

static void check_ranked(enum cost_kind kind)
{
	size_t count = 0;
	size_t expected_count = 0;
	const struct call_cost *rows = call_costs_rank(shown, kind, CUTOFF, &count);
	const struct call_cost *all_rows = call_costs_rank(expected, kind, CUTOFF, &expected_count);

	ck_assert_uint_eq(count, expected_count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(rows[i].node, all_rows[i].node);
		ck_assert_uint_eq(rows[i].thread_serial, all_rows[i].thread_serial);
		ck_assert_mem_eq(rows[i].costs, all_rows[i].costs, sizeof(rows[i].costs));
	}
}

static void check_shown(void)
{
	call_costs_clear(shown);
	ck_assert(costs_by_thread_move(all, shown));
	for (int kind = 0; kind < COST_KINDS; kind++)
		ck_assert_uint_eq(call_costs_total(shown, (enum cost_kind)kind),
		                  call_costs_total(expected, (enum cost_kind)kind));
	check_ranked(COST_CPU_NS);
	check_ranked(COST_OFF_CPU_NS);
	check_ranked(COST_WALL_NS);
	call_costs_clear(expected);
}

/* The threads that live at a time take costs by turns, and end by turns. */
static void run_threads(uint32_t *serial, struct cost_owner living[LIVING], int turns)
{
	for (int turn = 0; turn < turns; turn++) {
		struct cost_owner *owner = &living[random_below(LIVING)];
		if (owner->serial == 0)
			owner->serial = ++*serial;
		add_random(owner);
		if (random_below(50) != 0)
			continue;
		ck_assert(costs_by_thread_end(all, owner));
		*owner = (struct cost_owner){0};
	}
}

START_TEST(tables_are_those_of_every_row)
{
	struct cost_owner living[LIVING] = {0};
	uint32_t serial = 200000;

	for (int dump = 0; dump < 5; dump++) {
		run_threads(&serial, living, 20000);
		check_shown();
	}
	check_shown();
}
END_TEST

START_TEST(little_is_kept_of_small_threads)
{
	const uint64_t costs[COST_KINDS] = {
	        [COST_CALLS] = 1, [COST_CPU_NS] = 1, [COST_OFF_CPU_NS] = 2, [COST_WALL_NS] = 3};

	for (uint32_t serial = 1; serial <= 30000; serial++) {
		struct cost_owner owner = {.serial = serial};
		for (uint32_t node = 0; node < 5; node++)
			add_to(&owner, node, costs);
		ck_assert(costs_by_thread_end(all, &owner));
		ck_assert_ptr_null(owner.costs);
	}
	ck_assert(costs_by_thread_move(all, shown));
	ck_assert_uint_eq(call_costs_total(shown, COST_CPU_NS), 150000);
	/* 64 parts have 256 rows each before one searches those below the cutoff. */
	ck_assert_uint_lt(call_costs_rows(shown), 64 * 256 + 64 * 5);
}
END_TEST

START_TEST(without_a_cutoff_all_is_kept)
{
	const uint64_t costs[COST_KINDS] = {[COST_CALLS] = 1};

	costs_by_thread_destroy(all);
	all = costs_by_thread_create(false, 0);
	ck_assert_ptr_nonnull(all);
	for (uint32_t serial = 1; serial <= 20000; serial++) {
		struct cost_owner owner = {.serial = serial};
		add_to(&owner, serial % 7, costs);
		ck_assert(costs_by_thread_end(all, &owner));
	}
	ck_assert(costs_by_thread_move(all, shown));
	ck_assert_uint_eq(call_costs_rows(shown), 20000);
}
END_TEST

/* Of what ended before a dump, nothing raises the limit of the next. */
START_TEST(each_dump_has_limits_of_its_own)
{
	const uint64_t many[COST_KINDS] = {[COST_CPU_NS] = 1000000, [COST_WALL_NS] = 1000000};
	const uint64_t few[COST_KINDS] = {[COST_CPU_NS] = 1, [COST_WALL_NS] = 1};
	struct cost_owner owner = {.serial = 7};

	add_to(&owner, 1, many);
	ck_assert(costs_by_thread_end(all, &owner));
	ck_assert(costs_by_thread_move(all, shown));
	call_costs_clear(shown);
	add_to(&owner, 1, few);
	ck_assert(costs_by_thread_end(all, &owner));
	ck_assert(costs_by_thread_move(all, shown));
	ck_assert_uint_eq(call_costs_rows(shown), 1);
}
END_TEST

START_TEST(corrections_are_settled)
{
	const uint64_t amounts[COST_KINDS] = {[COST_USR_NS] = 25,
	                                      [COST_STATES_NS + OFF_SLP] = -UINT64_C(30),
	                                      [COST_STATES_NS + OFF_IO] = 10,
	                                      [COST_WALL_NS] = 5};
	struct cost_owner ended = {.serial = 7};
	struct cost_owner living = {.serial = 8};

	add_to(&ended, 3, amounts);
	add_to(&living, 3, amounts);
	ck_assert(costs_by_thread_end(all, &ended));
	costs_by_thread_settle(all);
	ck_assert(costs_by_thread_move(all, shown));
	ck_assert_uint_eq(call_costs_rows(shown), 2);
	ck_assert_uint_eq(call_costs_total(shown, COST_USR_NS), 0);
	ck_assert_uint_eq(call_costs_total(shown, COST_STATES_NS + OFF_SLP), 0);
	ck_assert_uint_eq(call_costs_total(shown, COST_STATES_NS + OFF_IO), 10);
}
END_TEST

enum { CARRIERS = 4, LIVES = 2000 };

static void *carry(void *argument)
{
	const uint64_t costs[COST_KINDS] = {
	        [COST_CPU_NS] = 1, [COST_USR_NS] = 1, [COST_WALL_NS] = 1};
	uint32_t first = *(const uint32_t *)argument * LIVES + 1;

	for (uint32_t serial = first; serial < first + LIVES; serial++) {
		struct cost_owner owner = {.serial = serial};
		for (uint32_t node = 0; node < 3; node++)
			add_to(&owner, node, costs);
		ck_assert(costs_by_thread_end(all, &owner));
	}
	return NULL;
}

START_TEST(threads_and_dumps_use_it_at_once)
{
	pthread_t threads[CARRIERS];
	uint32_t numbers[CARRIERS];

	for (uint32_t i = 0; i < CARRIERS; i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, carry, &numbers[i]), 0);
	}
	for (int i = 0; i < 20; i++) {
		ck_assert(costs_by_thread_move(all, shown));
		costs_by_thread_settle(all);
	}
	for (int i = 0; i < CARRIERS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert(costs_by_thread_move(all, shown));
	ck_assert_uint_eq(call_costs_total(shown, COST_CPU_NS), 3 * CARRIERS * LIVES);
	ck_assert_uint_eq(call_costs_total(shown, COST_WALL_NS), 3 * CARRIERS * LIVES);
}
END_TEST

static Suite *costs_by_thread_suite(void)
{
	Suite *suite = suite_create("costs_by_thread");
	TCase *tc = tcase_create("costs_by_thread");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, tables_are_those_of_every_row);
	tcase_add_test(tc, little_is_kept_of_small_threads);
	tcase_add_test(tc, without_a_cutoff_all_is_kept);
	tcase_add_test(tc, each_dump_has_limits_of_its_own);
	tcase_add_test(tc, corrections_are_settled);
	tcase_add_test(tc, threads_and_dumps_use_it_at_once);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(costs_by_thread_suite());
}
