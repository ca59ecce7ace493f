/*
 * Tests of the name of the output file.
 */
#include "agent/agent.h"
#include "agent/output_target.h"
#include "run_suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sat Nov 21 02:55:43 2026, in UTC */
#define WALL_MS INT64_C(1795229743123)

static struct settings settings;
static char name[AGENT_OUTPUT_NAME_MAX];

static void use_utc(void)
{
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	memset(&settings, 0, sizeof(settings));
}

/* ---- the name --------------------------------------------------------- */

static void expect_name(const char *pattern, const char *expected)
{
	ck_assert_uint_lt(strlen(pattern), sizeof(settings.file));
	strcpy(settings.file, pattern);
	ck_assert(output_target_file_name(&settings, 4711, WALL_MS, name, sizeof(name)));
	ck_assert_str_eq(name, expected);
}

START_TEST(the_default_name_depends_on_the_format)
{
	settings.format = FORMAT_TEXT;
	expect_name("", "java.hprof.txt");
	settings.format = FORMAT_BINARY;
	expect_name("", "java.hprof");
}
END_TEST

START_TEST(a_name_is_kept_as_it_is)
{
	expect_name("/tmp/a b.txt", "/tmp/a b.txt");
	expect_name("x", "x");
	settings.format = FORMAT_BINARY;
	expect_name("x.txt", "x.txt");
}
END_TEST

START_TEST(pid_time_and_percent_are_replaced)
{
	expect_name("%p", "4711");
	expect_name("%t", "20261121-025543");
	expect_name("%%", "%");
	expect_name("a%pb%tc%%d", "a4711b20261121-025543c%d");
	expect_name("%p%p", "47114711");
	expect_name("%%p%%t", "%p%t");
	expect_name("%%%p", "%4711");
}
END_TEST

START_TEST(other_percent_signs_stay)
{
	expect_name("100%", "100%");
	expect_name("%", "%");
	expect_name("%x%s%n%d", "%x%s%n%d");
	expect_name("%P%T%5p", "%P%T%5p");
	expect_name("%%%", "%%");
}
END_TEST

START_TEST(the_largest_pid_is_whole)
{
	strcpy(settings.file, "%p");
	ck_assert(output_target_file_name(&settings, UINT64_MAX, WALL_MS, name, sizeof(name)));
	ck_assert_str_eq(name, "18446744073709551615");
}
END_TEST

/* The name is written into room that ends where size says. */
static bool fits(const char *pattern, size_t size)
{
	char *room = malloc(size);
	ck_assert_ptr_nonnull(room);
	strcpy(settings.file, pattern);
	bool done = output_target_file_name(&settings, 4711, WALL_MS, room, size);
	if (done)
		ck_assert_uint_eq(strlen(room), size - 1);
	free(room);
	return done;
}

START_TEST(a_name_that_does_not_fit_is_refused)
{
	ck_assert(fits("abc", 4));
	ck_assert(!fits("abc", 3));
	ck_assert(!fits("abc", 1));
	ck_assert(fits("a%p", 6));
	ck_assert(!fits("a%p", 5));
	ck_assert(fits("%t", 16));
	ck_assert(!fits("%t", 15));
	ck_assert(fits("%%", 2));
	ck_assert(!fits("%%", 1));
	ck_assert(fits("a%", 3));
	ck_assert(!fits("a%", 2));
}
END_TEST

START_TEST(a_name_that_grows_beyond_its_room_is_refused)
{
	for (size_t at = 0; at + 2 < sizeof(settings.file); at += 2)
		memcpy(settings.file + at, "%t", 3);
	ck_assert(!output_target_file_name(&settings, 1, WALL_MS, name, sizeof(name)));
}
END_TEST

static TCase *name_tests(void)
{
	TCase *names = tcase_create("name");

	tcase_add_checked_fixture(names, use_utc, NULL);
	tcase_add_test(names, the_default_name_depends_on_the_format);
	tcase_add_test(names, a_name_is_kept_as_it_is);
	tcase_add_test(names, pid_time_and_percent_are_replaced);
	tcase_add_test(names, other_percent_signs_stay);
	tcase_add_test(names, the_largest_pid_is_whole);
	tcase_add_test(names, a_name_that_does_not_fit_is_refused);
	tcase_add_test(names, a_name_that_grows_beyond_its_room_is_refused);
	return names;
}

int main(void)
{
	Suite *suite = suite_create("output_name");

	suite_add_tcase(suite, name_tests());
	return run_suite(suite);
}
