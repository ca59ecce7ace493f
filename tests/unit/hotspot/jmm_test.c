/*
 * Tests of where the JVM's heap dumper is in tables of functions as JVMs have them: which slots
 * are empty was read from the JVMs named.
 */
#include "run_suite.h"

#include "hotspot/jmm.h"

enum { SLOTS = 44 };

static char function;
static void *table[SLOTS];

/* A table whose slots are all set except those, up to a negative number. */
static void all_set_except(const int *empty)
{
	for (int i = 0; i < SLOTS; i++)
		table[i] = &function;
	for (; *empty >= 0; empty++)
		table[*empty] = NULL;
}

START_TEST(jdk_11_0_9)
{
	all_set_except((int[]){0, 31, 39, 40, 42, 43, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20020000), 28);
}
END_TEST

START_TEST(jdk_11_before_the_backport)
{
	all_set_except((int[]){0, 1, 31, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20020000), 28);
}
END_TEST

START_TEST(the_backport_with_the_version_of_jdk_14)
{
	all_set_except((int[]){0, 31, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20030000), 28);
}
END_TEST

START_TEST(jdk_17)
{
	all_set_except((int[]){0, 1, 40, 41, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20030000), 29);
}
END_TEST

START_TEST(jdk_21_and_25)
{
	all_set_except((int[]){0, 1, 33, 41, 42, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20040000), 30);
}
END_TEST

START_TEST(unknown_tables_have_none)
{
	all_set_except((int[]){0, 1, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20040000), -1);
	all_set_except((int[]){0, 1, 32, 33, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20040000), -1);
	all_set_except((int[]){0, 33, -1});
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20040000), -1);
	ck_assert_int_eq(jmm_dumper_slot(table, 0x20050000), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jmm");
	TCase *tests = tcase_create("tables");
	tcase_add_test(tests, jdk_11_0_9);
	tcase_add_test(tests, jdk_11_before_the_backport);
	tcase_add_test(tests, the_backport_with_the_version_of_jdk_14);
	tcase_add_test(tests, jdk_17);
	tcase_add_test(tests, jdk_21_and_25);
	tcase_add_test(tests, unknown_tables_have_none);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
