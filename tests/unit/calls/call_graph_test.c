/* marks: tsan */
/*
 * Tests of the call graph: one node per sequence of innermost calls, which is found in the
 * same way as by the Java code of the tracker.
 */
#include "calls/call_graph.h"
#include "calls/tracker_words.h"
#include "quick_check.h"
#include "run_suite.h"

#include <pthread.h>
#include <string.h>

static struct call_graph *graph;

static void make(uint32_t depth)
{
	graph = call_graph_create(depth);
	ck_assert_ptr_nonnull(graph);
}

static void tear_down(void)
{
	call_graph_destroy(graph);
	graph = NULL;
}

/* The place where HprofTracker.node() expects the callee. */
static const _Atomic uint64_t *place_of(uint64_t word, call_method method)
{
	const struct call_table *table = (const struct call_table *)callees_word_table(word);
	return &table->places[method & callees_word_mask(word)];
}

static uint64_t callees_of(const struct call_node *caller)
{
	return atomic_load_explicit(&call_graph_callees(graph)[caller->index],
	                            memory_order_acquire);
}

static const _Atomic uint64_t *place_in_line(uint32_t caller, call_method method)
{
	return &call_graph_lines(graph)[caller].places[method % CALL_LINE_PLACES];
}

/* As HprofTracker.node(); NULL when that would call native code. */
static const struct call_node *look_up(const struct call_node *caller, call_method method)
{
	uint64_t place =
	        atomic_load_explicit(place_in_line(caller->index, method), memory_order_acquire);
	if (place >> 32 != method)
		place = atomic_load_explicit(place_of(callees_of(caller), method),
		                             memory_order_acquire);
	return place >> 32 == method ? call_graph_node(graph, (uint32_t)place) : NULL;
}

static const struct call_node *call(const struct call_node *caller, call_method method)
{
	const struct call_node *found = look_up(caller, method);
	return found != NULL ? found : call_graph_find_callee(graph, caller, method);
}

/* Methods are innermost first. */
static void check_node(const struct call_node *node, const call_method *methods, uint32_t depth)
{
	ck_assert_uint_eq(node->depth, depth);
	ck_assert_uint_eq(node->method, depth > 0 ? methods[0] : CALL_METHOD_NONE);
	ck_assert_int_eq(memcmp(node->methods, methods, depth * sizeof(methods[0])), 0);
	ck_assert_ptr_eq(call_graph_node(graph, node->index), node);
}

#define CHECK_NODE(node, ...)                                                                   \
	do {                                                                                    \
		const call_method expected[] = {__VA_ARGS__};                                   \
		check_node(node, expected, (uint32_t)(sizeof(expected) / sizeof(expected[0]))); \
	} while (0)

START_TEST(the_root_has_no_call)
{
	make(4);
	const struct call_node *root = call_graph_root(graph);
	ck_assert_uint_eq(root->index, 0);
	ck_assert_uint_eq(root->depth, 0);
	ck_assert_uint_eq(root->method, CALL_METHOD_NONE);
	ck_assert_ptr_eq(call_graph_node(graph, 0), root);
	ck_assert_uint_eq(call_graph_size(graph), 1);
	ck_assert_ptr_null(call_graph_node(graph, 1));
	ck_assert_ptr_null(look_up(call_graph_root(graph), 0));
	ck_assert(!call_graph_has_failed(graph));
}
END_TEST

START_TEST(a_call_leads_to_its_node_which_java_code_then_finds)
{
	make(4);
	const struct call_node *root = call_graph_root(graph);
	const struct call_node *a = call_graph_find_callee(graph, root, 10);
	const struct call_node *b = call_graph_find_callee(graph, a, 11);

	CHECK_NODE(a, 10);
	CHECK_NODE(b, 11, 10);
	ck_assert_ptr_eq(look_up(root, 10), a);
	ck_assert_ptr_eq(look_up(a, 11), b);
	ck_assert_ptr_null(look_up(root, 11));
	ck_assert_ptr_eq(call_graph_find_callee(graph, root, 10), a);
	ck_assert_ptr_eq(call_graph_find_callee(graph, a, 11), b);
	ck_assert_uint_eq(call_graph_size(graph), 3);
	ck_assert(!call_graph_has_failed(graph));
}
END_TEST

START_TEST(nodes_distinguish_exactly_depth_calls)
{
	make(2);
	const struct call_node *root = call_graph_root(graph);
	const struct call_node *ab = call(call(root, 'a'), 'b');
	const struct call_node *abc = call(ab, 'c');
	const struct call_node *xbc = call(call(call(root, 'x'), 'b'), 'c');

	CHECK_NODE(ab, 'b', 'a');
	CHECK_NODE(abc, 'c', 'b');
	ck_assert_ptr_eq(abc, xbc);
	/* The same methods, but not the same node. */
	ck_assert_ptr_ne(abc, call(root, 'c'));
}
END_TEST

START_TEST(with_depth_1_callers_are_not_distinguished)
{
	make(1);
	const struct call_node *root = call_graph_root(graph);
	const struct call_node *c = call(call(root, 'a'), 'c');

	CHECK_NODE(c, 'c');
	ck_assert_ptr_eq(call(call(root, 'b'), 'c'), c);
	ck_assert_ptr_eq(call(root, 'c'), c);
	ck_assert_ptr_eq(call(c, 'c'), c);
}
END_TEST

START_TEST(a_recursion_deeper_than_depth_stays_at_one_node)
{
	make(3);
	const struct call_node *node = call(call_graph_root(graph), 'm');
	for (int i = 0; i < 10; i++)
		node = call(node, 'r');
	CHECK_NODE(node, 'r', 'r', 'r');
	ck_assert_ptr_eq(call(node, 'r'), node);
	ck_assert_ptr_eq(look_up(node, 'r'), node);
	ck_assert_uint_eq(call_graph_size(graph), 1 + 1 + 3);
}
END_TEST

START_TEST(method_numbers_with_the_same_low_bits_are_distinguished)
{
	static const call_method methods[] = {0,        1,    2,    1u << 10,      1u << 20,
	                                      3u << 20, 1023, 2047, UINT32_MAX - 1};
	enum { COUNT = sizeof(methods) / sizeof(methods[0]) };
	const struct call_node *nodes[COUNT];

	make(2);
	const struct call_node *root = call_graph_root(graph);
	for (int i = 0; i < COUNT; i++) {
		nodes[i] = call(root, methods[i]);
		CHECK_NODE(nodes[i], methods[i]);
	}
	for (int i = 0; i < COUNT; i++)
		ck_assert_ptr_eq(call(root, methods[i]), nodes[i]);
	ck_assert_uint_eq(call_graph_size(graph), 1 + COUNT);
}
END_TEST

START_TEST(a_node_can_have_more_callees_than_the_largest_table_has_places)
{
	enum { CALLEES = 5000 };
	static const struct call_node *nodes[CALLEES];

	make(2);
	const struct call_node *root = call_graph_root(graph);
	for (call_method m = 0; m < CALLEES; m++)
		nodes[m] = call(root, m * 3);
	unsigned found = 0;
	for (call_method m = 0; m < CALLEES; m++)
		found += look_up(root, m * 3) != NULL;
	ck_assert_uint_ge(found, 1000);
	for (call_method m = 0; m < CALLEES; m++)
		QUICK_CHECK(call(root, m * 3) == nodes[m], "callee %u", m);
	ck_assert_uint_eq(call_graph_size(graph), 1 + CALLEES);
	ck_assert(!call_graph_has_failed(graph));
}
END_TEST

START_TEST(an_old_table_keeps_its_contents_for_its_readers)
{
	make(2);
	const struct call_node *root = call_graph_root(graph);
	/* The second of those that have the same place in the line. */
	(void)call(root, 1);
	const struct call_node *first = call(root, 1 + CALL_LINE_PLACES);
	uint64_t old = callees_of(root);
	for (call_method m = 2; m < 200; m++)
		(void)call(root, m);
	ck_assert_uint_ne(callees_of(root), old);
	uint64_t place = atomic_load(place_of(old, 1 + CALL_LINE_PLACES));
	ck_assert_uint_eq(place >> 32, 1 + CALL_LINE_PLACES);
	ck_assert_uint_eq((uint32_t)place, first->index);
}
END_TEST

START_TEST(the_first_callees_are_in_the_callers_line_alone)
{
	make(2);
	const struct call_node *root = call_graph_root(graph);
	uint64_t no_table = callees_of(root);

	ck_assert_uint_eq((uintptr_t)call_graph_lines(graph) % sizeof(struct call_line), 0);
	for (call_method m = 0; m < CALL_LINE_PLACES; m++) {
		const struct call_node *callee = call(root, m);
		uint64_t place = atomic_load(place_in_line(root->index, m));
		ck_assert_uint_eq(place, (uint64_t)m << 32 | callee->index);
		ck_assert_uint_eq(atomic_load(place_in_line(callee->index, m)) >> 32,
		                  CALL_METHOD_NONE);
	}
	ck_assert_uint_eq(callees_of(root), no_table);
	const struct call_node *next = call(root, CALL_LINE_PLACES);
	ck_assert_uint_ne(callees_of(root), no_table);
	ck_assert_ptr_eq(look_up(root, CALL_LINE_PLACES), next);
	ck_assert_uint_eq(atomic_load(place_in_line(root->index, 0)) >> 32, 0);
}
END_TEST

START_TEST(no_node_has_the_end_index)
{
	make(2);
	for (call_method m = 0; m < 20000; m++)
		ck_assert_uint_eq(call(call_graph_root(graph), m)->index + 1,
		                  call_graph_end_index(graph));
}
END_TEST

START_TEST(a_depth_as_large_as_the_option_allows_works)
{
	make(65535);
	const struct call_node *node = call_graph_root(graph);
	for (call_method m = 0; m < 300; m++)
		node = call(node, m);
	ck_assert_uint_eq(node->depth, 300);
	ck_assert_uint_eq(node->methods[299], 0);
}
END_TEST

START_TEST(destroying_null_has_no_effect)
{
	call_graph_destroy(NULL);
}
END_TEST

/* ---- many threads ------------------------------------------------------ */

enum { AT_ONCE = 8, METHODS = 300 };

struct seen {
	const struct call_node *first[METHODS];
	const struct call_node *second[METHODS];
};

static pthread_barrier_t barrier;

static void *walk(void *argument)
{
	struct seen *seen = argument;
	const struct call_node *root = call_graph_root(graph);

	(void)pthread_barrier_wait(&barrier);
	for (call_method m = 0; m < METHODS; m++) {
		seen->first[m] = call(root, m);
		seen->second[m] = call(seen->first[m], m * 7 % METHODS);
	}
	return NULL;
}

START_TEST(concurrent_threads_get_the_same_nodes_for_the_same_calls)
{
	static struct seen seen[AT_ONCE];
	pthread_t threads[AT_ONCE];

	make(4);
	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, AT_ONCE), 0);
	for (int i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, walk, &seen[i]), 0);
	for (int i = 0; i < AT_ONCE; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	(void)pthread_barrier_destroy(&barrier);
	for (int i = 1; i < AT_ONCE; i++)
		ck_assert_int_eq(memcmp(&seen[i], &seen[0], sizeof(seen[0])), 0);
	ck_assert_uint_eq(call_graph_size(graph), 1 + 2 * METHODS);
	for (call_method m = 0; m < METHODS; m++) {
		CHECK_NODE(seen[0].first[m], m);
		CHECK_NODE(seen[0].second[m], m * 7 % METHODS, m);
	}
}
END_TEST

START_TEST(nodes_of_an_ended_graph_have_no_callees_and_new_ones_other_indexes)
{
	graph = call_graph_create(4);
	const _Atomic uint64_t *callees = call_graph_callees(graph);
	uint32_t old_root = call_graph_root(graph)->index;
	uint32_t old = call(call(call_graph_root(graph), 1), 2)->index;
	ck_assert_uint_ne(old, old_root);

	for (int round = 0; round < 3; round++) {
		call_graph_end(graph);
		ck_assert(call_graph_begin(graph, 2));
		const struct call_node *root = call_graph_root(graph);
		ck_assert_uint_gt(root->index, old);
		ck_assert_uint_eq(root->index % CALL_INDEX_ALIGNMENT, 0);
		ck_assert_ptr_eq(call_graph_callees(graph), callees);
		ck_assert_ptr_null(call_graph_node(graph, old));
		ck_assert_ptr_null(call_graph_node(graph, old_root));
		/* Java code finds no callee from old nodes. */
		for (call_method method = 0; method < 3; method++) {
			uint64_t word = atomic_load(&callees[old_root]);
			ck_assert_uint_ne(atomic_load(place_of(word, method)) >> 32, method);
			word = atomic_load(&callees[old]);
			ck_assert_uint_ne(atomic_load(place_of(word, method)) >> 32, method);
			ck_assert_uint_ne(atomic_load(place_in_line(old_root, method)) >> 32,
			                  method);
			ck_assert_uint_ne(atomic_load(place_in_line(old, method)) >> 32, method);
		}
		old_root = root->index;
		old = call(call(root, 1), 2)->index;
		ck_assert_ptr_nonnull(call_graph_node(graph, old));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("call_graph");
	TCase *tests = tcase_create("call_graph");

	tcase_add_checked_fixture(tests, NULL, tear_down);
	tcase_add_test(tests, the_root_has_no_call);
	tcase_add_test(tests, a_call_leads_to_its_node_which_java_code_then_finds);
	tcase_add_test(tests, nodes_distinguish_exactly_depth_calls);
	tcase_add_test(tests, with_depth_1_callers_are_not_distinguished);
	tcase_add_test(tests, a_recursion_deeper_than_depth_stays_at_one_node);
	tcase_add_test(tests, method_numbers_with_the_same_low_bits_are_distinguished);
	tcase_add_test(tests, a_node_can_have_more_callees_than_the_largest_table_has_places);
	tcase_add_test(tests, an_old_table_keeps_its_contents_for_its_readers);
	tcase_add_test(tests, the_first_callees_are_in_the_callers_line_alone);
	tcase_add_test(tests, no_node_has_the_end_index);
	tcase_add_test(tests, a_depth_as_large_as_the_option_allows_works);
	tcase_add_test(tests, nodes_of_an_ended_graph_have_no_callees_and_new_ones_other_indexes);
	tcase_add_test(tests, destroying_null_has_no_effect);
	tcase_add_test(tests, concurrent_threads_get_the_same_nodes_for_the_same_calls);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
