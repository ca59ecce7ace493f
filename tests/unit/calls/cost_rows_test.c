/*
 * Tests of the costs of one thread by node, against a plain array of sums.
 */
#include "calls/cost_rows.h"
#include "run_suite.h"

#include <string.h>

enum { NODES = 300, ADDS = 20000 };

static struct cost_rows rows;

static void tear_down(void)
{
	cost_rows_clear(&rows);
}

static void add(unsigned kinds, uint32_t node, uint64_t amount)
{
	uint64_t amounts[COST_KINDS];

	for (uint64_t kind = 0; kind < COST_KINDS; kind++)
		amounts[kind] = amount * (kind + 1);
	ck_assert(cost_rows_add(&rows, kinds, node, amounts));
}

/* The rows are those of nodes with a sum, in their order. */
static void check(unsigned kinds, const uint64_t sums[NODES])
{
	size_t place = 0;

	for (uint32_t node = 0; node < NODES; node++) {
		uint32_t found;
		if (sums[node] == 0)
			continue;
		ck_assert_uint_lt(place, rows.count);
		const uint64_t *costs = cost_rows_at(&rows, kinds, place++, &found);
		ck_assert_uint_eq(found, node);
		for (unsigned kind = 0; kind < kinds; kind++)
			ck_assert_uint_eq(costs[kind], sums[node] * (kind + 1));
	}
	ck_assert_uint_eq(place, rows.count);
}

static void check_random(unsigned kinds)
{
	uint64_t sums[NODES] = {0};
	uint32_t random = 1;

	for (uint64_t i = 1; i <= ADDS; i++) {
		random = random * 1664525 + 1013904223;
		uint32_t node = (random >> 8) % NODES;
		add(kinds, node, i);
		sums[node] += i;
		if (i < 100 || i == ADDS)
			check(kinds, sums);
	}
}

START_TEST(costs_in_any_order_add_up)
{
	check_random(COST_KINDS);
}
END_TEST

START_TEST(costs_of_few_kinds_add_up)
{
	check_random(COST_CPU_NS + 1);
}
END_TEST

START_TEST(nodes_in_order_add_up_again_and_again)
{
	uint64_t sums[NODES] = {0};

	for (int turn = 0; turn < 3; turn++) {
		for (uint32_t node = (uint32_t)turn; node < NODES; node += 3) {
			add(COST_KINDS, node, node + 1);
			sums[node] += node + 1;
		}
		for (uint32_t node = 0; node < NODES; node += 7) {
			add(COST_KINDS, node, 1);
			sums[node]++;
		}
		check(COST_KINDS, sums);
	}
}
END_TEST

START_TEST(cleared_rows_start_again)
{
	uint64_t sums[NODES] = {[5] = 7};

	add(COST_KINDS, 200, 1);
	add(COST_KINDS, 201, 1);
	cost_rows_clear(&rows);
	ck_assert_uint_eq(rows.count, 0);
	add(COST_KINDS, 5, 7);
	check(COST_KINDS, sums);
}
END_TEST

static Suite *cost_rows_suite(void)
{
	Suite *suite = suite_create("cost_rows");
	TCase *tc = tcase_create("cost_rows");
	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, costs_in_any_order_add_up);
	tcase_add_test(tc, costs_of_few_kinds_add_up);
	tcase_add_test(tc, nodes_in_order_add_up_again_and_again);
	tcase_add_test(tc, cleared_rows_start_again);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(cost_rows_suite());
}
