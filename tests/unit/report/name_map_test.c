/*
 * Tests of names of one table that are looked up in another one.
 */
#include "report/name_map.h"
#include "run_suite.h"

#include <check.h>
#include <stdio.h>

START_TEST(names_are_those_of_the_other_table)
{
	struct string_table *from = string_table_create();
	struct string_table *to = string_table_create();
	struct name_map map = {.names = NULL};

	const struct string *first = string_table_intern(from, "a.B.run", 7);
	const struct string *second = string_table_intern(from, "a.B.stop", 8);
	const struct string *there = string_table_intern(to, "a.B.stop", 8);
	ck_assert_ptr_eq(name_map_find(&map, to, second), there);
	ck_assert_ptr_eq(name_map_find(&map, to, second), there);
	const struct string *added = name_map_find(&map, to, first);
	ck_assert_ptr_ne(added, first);
	ck_assert_ptr_eq(added, string_table_intern(to, "a.B.run", 7));
	name_map_free(&map);
	string_table_destroy(from);
	string_table_destroy(to);
}
END_TEST

START_TEST(many_names_are_kept_apart)
{
	enum { NAMES = 5000 };
	struct string_table *from = string_table_create();
	struct string_table *to = string_table_create();
	struct name_map map = {.names = NULL};

	for (int round = 0; round < 2; round++) {
		for (int i = NAMES; i > 0; i--) {
			char text[16];
			int length = snprintf(text, sizeof(text), "m%d", i);
			const struct string *name = string_table_intern(from, text, (size_t)length);
			ck_assert_str_eq(name_map_find(&map, to, name)->text, text);
		}
	}
	name_map_free(&map);
	string_table_destroy(from);
	string_table_destroy(to);
}
END_TEST

static Suite *name_map_suite(void)
{
	Suite *suite = suite_create("name_map");
	TCase *tc = tcase_create("name_map");
	tcase_add_test(tc, names_are_those_of_the_other_table);
	tcase_add_test(tc, many_names_are_kept_apart);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(name_map_suite());
}
