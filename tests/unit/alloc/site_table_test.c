/*
 * Tests of sites and their counts.
 */
#include "alloc/site_table.h"

#include "run_suite.h"

static struct site_table *table;
static struct trace traces[3];
static struct class_record classes[3];

static void set_up(void)
{
	table = site_table_create();
	ck_assert_ptr_nonnull(table);
	for (uint32_t i = 0; i < 3; i++) {
		traces[i].serial = TRACE_SERIAL_EMPTY + i;
		classes[i].serial = CLASS_SERIAL_BASE + i;
	}
}

static void tear_down(void)
{
	site_table_destroy(table);
}

static struct site_counts counts_of(uint64_t bytes, uint64_t objects)
{
	return (struct site_counts){.bytes = bytes, .objects = objects * SITE_OBJECT};
}

static void add(uintptr_t key, uint32_t site, uint64_t bytes, uint64_t objects)
{
	const struct site_counts counts = counts_of(bytes, objects);
	ck_assert(site_table_add_allocated(table, key, site, &counts));
}

static void expect_allocated(uint32_t site, uint64_t bytes, uint64_t objects)
{
	struct site_counts counts = site_table_allocated(table, site);
	ck_assert_uint_eq(counts.bytes, bytes);
	ck_assert_uint_eq(counts.objects, objects * SITE_OBJECT);
}

START_TEST(site_is_a_pair_of_trace_and_class)
{
	const struct site *sites[3][3];

	for (int t = 0; t < 3; t++)
		for (int c = 0; c < 3; c++) {
			sites[t][c] = site_table_intern(table, &traces[t], &classes[c]);
			ck_assert_uint_eq(sites[t][c]->number, (uint32_t)(3 * t + c));
			ck_assert_ptr_eq(sites[t][c]->trace, &traces[t]);
			ck_assert_ptr_eq(sites[t][c]->class, &classes[c]);
		}
	ck_assert_uint_eq(site_table_count(table), 9);
	for (int t = 0; t < 3; t++)
		for (int c = 0; c < 3; c++) {
			ck_assert_ptr_eq(site_table_intern(table, &traces[t], &classes[c]),
			                 sites[t][c]);
			ck_assert_ptr_eq(site_table_site(table, (uint32_t)(3 * t + c)),
			                 sites[t][c]);
		}
	ck_assert_uint_eq(site_table_count(table), 9);
}
END_TEST

/* More than one page of sites. */
START_TEST(numbers_have_no_gaps)
{
	enum { SITES = 5000 };
	static struct trace many[SITES];

	for (uint32_t i = 0; i < SITES; i++) {
		many[i].serial = TRACE_SERIAL_EMPTY + i;
		ck_assert_uint_eq(site_table_intern(table, &many[i], &classes[0])->number, i);
		add(1, i, i, 1);
	}
	for (uint32_t i = 0; i < SITES; i++)
		expect_allocated(i, i, 1);
}
END_TEST

enum { KEYS = 20 * SITE_OWN_COPIES };

/* A key has a copy that no other key has, or uses the shared one. */
START_TEST(counts_of_all_threads_add_up)
{
	uint32_t site = site_table_intern(table, &traces[0], &classes[0])->number;
	uintptr_t owners[SITE_OWN_COPIES] = {0};
	int owned = 0;

	expect_allocated(site, 0, 0);
	for (uintptr_t key = 1; key <= KEYS; key++) {
		size_t copy = site_table_own_copy(table, key);
		ck_assert_uint_le(copy, SITE_OWN_COPIES);
		if (copy < SITE_OWN_COPIES) {
			ck_assert_uint_eq(owners[copy], 0);
			owners[copy] = key;
			owned++;
		}
		ck_assert_uint_eq(site_table_own_copy(table, key), copy);
		add(key, site, key, 2);
	}
	ck_assert_int_eq(owned, SITE_OWN_COPIES);
	expect_allocated(site, KEYS * (KEYS + 1) / 2, 2 * KEYS);
}
END_TEST

START_TEST(released_copy_keeps_its_counts_for_another_key)
{
	uint32_t site = site_table_intern(table, &traces[0], &classes[0])->number;
	uintptr_t next = KEYS;

	for (uintptr_t key = 1; key <= KEYS; key++)
		add(key, site, 10, 1);
	size_t copy = site_table_own_copy(table, 1);
	ck_assert_uint_lt(copy, SITE_OWN_COPIES);
	site_table_release_copy(table, 1);
	while (next < 2 * KEYS && site_table_own_copy(table, next) != copy)
		next++;
	ck_assert_uint_lt(next, 2 * KEYS);
	ck_assert_uint_eq(site_table_own_copy(table, 1), SITE_OWN_COPIES);
	add(next, site, 5, 1);
	expect_allocated(site, 10 * KEYS + 5, KEYS + 1);
}
END_TEST

START_TEST(counter_is_the_one_that_is_summed)
{
	uint32_t site = site_table_intern(table, &traces[1], &classes[2])->number;
	const struct site_counts counts = counts_of(24, 1);
	size_t copy = site_table_own_copy(table, 42);
	struct site_counter *counter = site_table_counter(table, copy, site);

	ck_assert_ptr_nonnull(counter);
	site_counter_add(counter, &counts);
	add(42, site, 8, 1);
	ck_assert_ptr_eq(site_table_counter(table, copy, site), counter);
	expect_allocated(site, 32, 2);
}
END_TEST

START_TEST(collected_is_counted_apart)
{
	uint32_t site = site_table_intern(table, &traces[0], &classes[0])->number;
	uint32_t other = site_table_intern(table, &traces[0], &classes[1])->number;
	const struct site_counts counts = counts_of(16, 1);

	add(1, site, 48, 3);
	site_table_add_collected(table, site, &counts);
	site_table_add_collected(table, site, &counts);
	ck_assert_uint_eq(site_table_collected(table, site).bytes, 32);
	ck_assert_uint_eq(site_table_collected(table, site).objects, 2 * SITE_OBJECT);
	ck_assert_uint_eq(site_table_collected(table, other).bytes, 0);
	expect_allocated(site, 48, 3);
}
END_TEST

static Suite *site_table_suite(void)
{
	Suite *suite = suite_create("site_table");
	TCase *tests = tcase_create("site_table");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, site_is_a_pair_of_trace_and_class);
	tcase_add_test(tests, numbers_have_no_gaps);
	tcase_add_test(tests, counts_of_all_threads_add_up);
	tcase_add_test(tests, released_copy_keeps_its_counts_for_another_key);
	tcase_add_test(tests, counter_is_the_one_that_is_summed);
	tcase_add_test(tests, collected_is_counted_apart);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(site_table_suite());
}
