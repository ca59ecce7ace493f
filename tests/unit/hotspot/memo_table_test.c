/* marks: tsan */
/*
 * Tests of the table of nodes, against what it must find, by several threads at once.
 */
#include "hotspot/memo_table.h"
#include "alloc/site_table.h"
#include "quick_check.h"
#include "run_suite.h"

#include <pthread.h>
#include <sched.h>

enum { NODES = 100000, THREADS = 4, COUNTERS = 40, COUNTED = 600000, SITES = 4 };

static struct memo_table *table;

static void set_up(void)
{
	table = memo_table_create(NODES * 2);
	ck_assert_ptr_nonnull(table);
}

static void tear_down(void)
{
	memo_table_destroy(table);
}

START_TEST(a_node_is_found_by_parent_and_both_words)
{
	struct memo_node *root = memo_add(table, NULL, 1, 2, NULL);
	struct memo_node *child = memo_add(table, root, 3, 4, NULL);

	ck_assert_ptr_nonnull(root);
	ck_assert_ptr_nonnull(child);
	ck_assert_ptr_eq(memo_find(table, NULL, 1, 2), root);
	ck_assert_ptr_eq(memo_find(table, root, 3, 4), child);
	ck_assert_ptr_eq(memo_add(table, root, 3, 4, NULL), child);
	ck_assert_ptr_null(memo_find(table, NULL, 3, 4));
	ck_assert_ptr_null(memo_find(table, root, 3, 5));
	ck_assert_ptr_null(memo_find(table, root, 4, 4));
	ck_assert_ptr_null(memo_find(table, child, 3, 4));
}
END_TEST

START_TEST(many_nodes_stay_apart_while_the_table_grows)
{
	static struct memo_node *nodes[NODES];
	struct memo_node *parent = NULL;

	for (uintptr_t i = 0; i < NODES; i++) {
		nodes[i] = memo_add(table, parent, i * 16, i % 7, NULL);
		QUICK_CHECK(nodes[i] != NULL, "node %u was not added", (unsigned)i);
		parent = i % 1000 == 999 ? nodes[i] : parent;
	}
	parent = NULL;
	for (uintptr_t i = 0; i < NODES; i++) {
		QUICK_CHECK(memo_find(table, parent, i * 16, i % 7) == nodes[i],
		            "node %u is not found", (unsigned)i);
		parent = i % 1000 == 999 ? nodes[i] : parent;
	}
	ck_assert_uint_eq(memo_count(table), NODES);
}
END_TEST

START_TEST(a_full_table_takes_no_more)
{
	struct memo_table *small = memo_table_create(2);

	ck_assert_ptr_nonnull(memo_add(small, NULL, 1, 0, NULL));
	ck_assert_ptr_nonnull(memo_add(small, NULL, 2, 0, NULL));
	ck_assert_ptr_null(memo_add(small, NULL, 3, 0, NULL));
	ck_assert_ptr_nonnull(memo_find(small, NULL, 2, 0));
	memo_table_destroy(small);
}
END_TEST

START_TEST(a_forgotten_node_makes_room_for_another)
{
	const struct code_place old = {.kind = CODE_COMPILED, .frame_bytes = 16};
	const struct code_place new = {.kind = CODE_COMPILED, .frame_bytes = 32};
	struct memo_node *node = memo_add(table, NULL, 1, 0, &old);

	memo_forget(node);
	ck_assert_ptr_null(memo_find(table, NULL, 1, 0));
	struct memo_node *other = memo_add(table, NULL, 1, 0, &new);
	ck_assert_ptr_ne(other, node);
	ck_assert_uint_eq(memo_find(table, NULL, 1, 0)->code.frame_bytes, 32);
	ck_assert_uint_eq(node->code.frame_bytes, 16);
}
END_TEST

START_TEST(a_value_is_known_in_its_epoch)
{
	static const int first, second;
	struct memo_node *node = memo_add(table, NULL, 1, 0, NULL);

	ck_assert_ptr_null(memo_value(node, 0));
	ck_assert_ptr_null(memo_value(node, 2));
	memo_set_value(table, node, 2, &first);
	ck_assert_ptr_eq(memo_value(node, 0), &first);
	ck_assert_ptr_eq(memo_value(node, 2), &first);
	ck_assert_ptr_null(memo_value(node, 4));
	memo_set_value(table, node, 4, &second);
	ck_assert_ptr_eq(memo_value(node, 4), &second);
	ck_assert_ptr_null(memo_value(node, 2));
}
END_TEST

START_TEST(a_value_of_an_earlier_epoch_comes_too_late)
{
	static const char early, late;
	static const uint32_t epochs[][2] = {{2, 4}, {UINT32_MAX - 1, 2}};
	struct memo_node *node = memo_add(table, NULL, 1, 2, NULL);

	ck_assert_ptr_nonnull(node);
	memo_set_value(table, node, epochs[_i][1], &late);
	memo_set_value(table, node, epochs[_i][0], &early);
	ck_assert_ptr_eq(memo_value(node, 0), &late);
	ck_assert_ptr_eq(memo_value(node, epochs[_i][1]), &late);
	ck_assert_ptr_null(memo_value(node, epochs[_i][0]));
	memo_set_value(table, node, epochs[_i][1], &early);
	ck_assert_ptr_eq(memo_value(node, epochs[_i][1]), &early);
}
END_TEST

static void *add_all(void *argument)
{
	struct memo_node **found = argument;
	for (uintptr_t i = 0; i < NODES; i++)
		found[i] = memo_add(table, NULL, i, 1, NULL);
	return NULL;
}

START_TEST(threads_that_add_the_same_get_the_same)
{
	static struct memo_node *found[THREADS][NODES];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, add_all, found[i]), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_eq(memo_count(table), NODES);
	for (uintptr_t i = 0; i < NODES; i++) {
		for (int j = 0; j < THREADS; j++)
			QUICK_CHECK(found[j][i] == memo_find(table, NULL, i, 1),
			            "thread %d has another node for %u", j, (unsigned)i);
	}
}
END_TEST

/* ---- sites --------------------------------------------------------------- */

static struct site_table *sites;

static void set_up_sites(void)
{
	set_up();
	sites = site_table_create();
	ck_assert_ptr_nonnull(sites);
}

static void tear_down_sites(void)
{
	site_table_destroy(sites);
	tear_down();
}

START_TEST(a_site_is_a_trace_and_a_class)
{
	static const struct trace traces[2];
	static const struct class_record classes[2];
	const struct site *site = site_table_intern(sites, &traces[0], &classes[0]);

	ck_assert_uint_eq(site->number, 0);
	ck_assert_ptr_eq(site_table_intern(sites, &traces[0], &classes[0]), site);
	ck_assert_uint_eq(site_table_intern(sites, &traces[0], &classes[1])->number, 1);
	ck_assert_uint_eq(site_table_intern(sites, &traces[1], &classes[0])->number, 2);
	ck_assert_uint_eq(site_table_count(sites), 3);
	ck_assert_ptr_eq(site_table_site(sites, 0), site);
	ck_assert_ptr_eq(site_table_site(sites, 2)->trace, &traces[1]);
}
END_TEST

static _Atomic bool all_are_there;

static void *count_many(void *argument)
{
	const struct site_counts counts = {.bytes = 24, .objects = SITE_OBJECT};
	bool added = true;
	while (!atomic_load(&all_are_there))
		sched_yield();
	for (uint32_t i = 0; i < COUNTED; i++)
		added &= site_table_add_allocated(sites, (uintptr_t)argument, i % SITES, &counts);
	ck_assert(added);
	return NULL;
}

/* More threads than have counts of their own. */
START_TEST(counts_of_all_threads_add_up)
{
	static const struct class_record class;
	static const struct trace traces[SITES];
	pthread_t threads[COUNTERS];

	for (int i = 0; i < SITES; i++)
		ck_assert_ptr_nonnull(site_table_intern(sites, &traces[i], &class));
	for (uintptr_t i = 0; i < COUNTERS; i++)
		ck_assert_int_eq(
		        pthread_create(&threads[i], NULL, count_many, (void *)((i + 1) * 4096)), 0);
	atomic_store(&all_are_there, true);
	for (int i = 0; i < COUNTERS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	for (uint32_t i = 0; i < SITES; i++) {
		struct site_counts sum = site_table_allocated(sites, i);
		ck_assert_uint_eq(sum.objects, COUNTERS * (COUNTED / SITES) * SITE_OBJECT);
		ck_assert_uint_eq(sum.bytes, COUNTERS * (COUNTED / SITES) * 24);
		ck_assert_uint_eq(site_table_collected(sites, i).objects, 0);
	}
	const struct site_counts gone = {.bytes = 24, .objects = SITE_OBJECT};
	site_table_add_collected(sites, 2, &gone);
	site_table_add_collected(sites, 2, &gone);
	ck_assert_uint_eq(site_table_collected(sites, 2).bytes, 48);
}
END_TEST

START_TEST(a_thread_leaves_its_counts_to_the_next)
{
	static const struct trace trace;
	static const struct class_record class;
	const struct site_counts counts = {.bytes = 24, .objects = SITE_OBJECT};
	const uintptr_t keys[] = {64, 128};
	uint32_t number = site_table_intern(sites, &trace, &class)->number;
	size_t own = site_table_own_copy(sites, keys[0]);

	ck_assert_uint_lt(own, SITE_OWN_COPIES);
	ck_assert_uint_eq(site_table_own_copy(sites, keys[0]), own);
	ck_assert_uint_ne(site_table_own_copy(sites, keys[1]), own);
	ck_assert(site_table_add_allocated(sites, keys[0], number, &counts));
	site_table_release_copy(sites, keys[0]);
	site_table_release_copy(sites, keys[1]);
	for (uintptr_t key = 1; key <= SITE_OWN_COPIES * 8; key++) {
		ck_assert(site_table_add_allocated(sites, key * 4096, number, &counts));
		site_table_release_copy(sites, key * 4096);
	}
	ck_assert_uint_eq(site_table_allocated(sites, number).objects,
	                  (SITE_OWN_COPIES * 8 + 1) * SITE_OBJECT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("memo_table");
	TCase *nodes = tcase_create("nodes");
	TCase *site_tests = tcase_create("sites");

	tcase_add_checked_fixture(nodes, set_up, tear_down);
	tcase_add_test(nodes, a_node_is_found_by_parent_and_both_words);
	tcase_add_test(nodes, many_nodes_stay_apart_while_the_table_grows);
	tcase_add_test(nodes, a_full_table_takes_no_more);
	tcase_add_test(nodes, a_forgotten_node_makes_room_for_another);
	tcase_add_test(nodes, a_value_is_known_in_its_epoch);
	tcase_add_loop_test(nodes, a_value_of_an_earlier_epoch_comes_too_late, 0, 2);
	tcase_add_test(nodes, threads_that_add_the_same_get_the_same);
	suite_add_tcase(suite, nodes);
	tcase_add_checked_fixture(site_tests, set_up_sites, tear_down_sites);
	tcase_add_test(site_tests, a_site_is_a_trace_and_a_class);
	tcase_add_test(site_tests, counts_of_all_threads_add_up);
	tcase_add_test(site_tests, a_thread_leaves_its_counts_to_the_next);
	suite_add_tcase(suite, site_tests);
	return run_suite(suite);
}
