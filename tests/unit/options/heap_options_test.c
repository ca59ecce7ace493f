/*
 * Tests of the options of the heap: bytes with their units, and what goes with heap=
 * only.
 */
#include "options/options.h"
#include "run_suite.h"

#include <string.h>

static struct settings settings;
static char error[OPTIONS_ERROR_MAX];

static bool parse(const char *text)
{
	memset(&settings, 0xa5, sizeof(settings));
	return options_parse(text, &settings, error, sizeof(error));
}

static const struct {
	const char *text;
	uint32_t bytes;
} intervals[] = {
        {"0", 0},
        {"1", 1},
        {"1000", 1000},
        {"64k", 65536},
        {"64K", 65536},
        {"2m", 2097152},
        {"1g", 1073741824},
        {"2147483647", 2147483647},
        {"0k", 0},
        {"2047m", 2146435072},
        {"2097151k", 2147482624},
        {"007", 7},
};

START_TEST(bytes_may_have_a_unit)
{
	char text[64] = "heap=sites,heapinterval=";
	strlcat(text, intervals[_i].text, sizeof(text));
	ck_assert_msg(parse(text), "%s: %s", text, error);
	ck_assert_uint_eq(settings.heap_interval, intervals[_i].bytes);
}
END_TEST

static const char *const bad_intervals[] = {
        "",
        "k",
        "-1",
        "+1",
        " 1",
        "1 ",
        "64kb",
        "64kk",
        "k64",
        "0x10",
        "1.5k",
        "2147483648",
        "2g",
        "2097152k",
        "2048m",
        "99999999999999999999",
        "9999999999999999999g",
        "n",
};

START_TEST(what_is_no_number_of_bytes_is_refused)
{
	char text[64] = "heap=sites,heapinterval=";
	strlcat(text, bad_intervals[_i], sizeof(text));
	ck_assert_msg(!parse(text), "%s is taken", text);
	ck_assert_ptr_nonnull(strstr(error,
	                             "heapinterval=BYTES with BYTES a whole number from 0 to "
	                             "2147483647, or one followed by k, m or g"));
}
END_TEST

START_TEST(objects_are_followed_and_all_counted_unless_told)
{
	ck_assert(parse("heap=sites"));
	ck_assert(settings.live);
	ck_assert_uint_eq(settings.heap_interval, 0);
	ck_assert_int_eq(settings.stacks, STACKS_WALK);
	ck_assert(parse("heap=sites,live=n,stacks=check"));
	ck_assert(!settings.live);
	ck_assert_int_eq(settings.stacks, STACKS_CHECK);
}
END_TEST

static const char *const lonely[] = {
        "cpu=samples,live=n",
        "cpu=samples,live=y",
        "cpu=samples,heapinterval=64k",
        "cpu=samples,heapinterval=0",
};

/* stacks= is of samples, too. */
START_TEST(options_of_the_heap_need_it)
{
	ck_assert_msg(!parse(lonely[_i]), "%s is taken", lonely[_i]);
	ck_assert_ptr_nonnull(strstr(error, "requires heap=; add"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap_options");
	TCase *tests = tcase_create("heap options");

	tcase_add_loop_test(tests, bytes_may_have_a_unit, 0,
	                    sizeof(intervals) / sizeof(intervals[0]));
	tcase_add_loop_test(tests, what_is_no_number_of_bytes_is_refused, 0,
	                    sizeof(bad_intervals) / sizeof(bad_intervals[0]));
	tcase_add_test(tests, objects_are_followed_and_all_counted_unless_told);
	tcase_add_loop_test(tests, options_of_the_heap_need_it, 0,
	                    sizeof(lonely) / sizeof(lonely[0]));
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
