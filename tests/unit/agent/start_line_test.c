/*
 * Tests of the line that is printed when profiling begins.
 */
#include "options/options.h"
#include "agent/start_line.h"
#include "run_suite.h"

#include <string.h>

static const char *line_of(const char *options, const char *output)
{
	static char line[512];
	static struct settings settings;
	char error[OPTIONS_ERROR_MAX] = "";

	ck_assert_msg(options_parse(options, &settings, error, sizeof(error)), "%s: %s", options,
	              error);
	start_line_format(&settings, output, line, sizeof(line));
	return line;
}

static const struct {
	const char *options;
	const char *output;
	const char *line;
} lines[] = {
        {NULL, "java.hprof.txt", "profiling heap=all to java.hprof.txt"},
        {"cpu=samples", "a.txt", "profiling cpu=samples every 10 ms to a.txt"},
        {"cpu=samples,interval=1", "a.txt", "profiling cpu=samples every 1 ms to a.txt"},
        {"cpu=times,msa=y", "a", "profiling cpu=times, msa=y to a"},
        {"cpu=old", "a", "profiling cpu=old to a"},
        {"monitor=y", "[::1]:99", "profiling monitor=y to [::1]:99"},
        {"heap=dump,format=b,net=h:1", "h:1", "profiling heap=dump to h:1"},
        {"heap=sites,heapinterval=512k", "a", "profiling heap=sites every 524288 bytes to a"},
        /* No record for microstates. */
        {"cpu=samples,msa=y,format=b", "a", "profiling cpu=samples every 10 ms to a"},
        {"heap=all,heapinterval=2147483647,cpu=samples,interval=3600000,monitor=y,msa=y", "a",
         "profiling heap=all every 2147483647 bytes, cpu=samples every 3600000 ms, monitor=y, "
         "msa=y to a"},
};

START_TEST(test_names_modes_and_output)
{
	ck_assert_str_eq(line_of(lines[_i].options, lines[_i].output), lines[_i].line);
}
END_TEST

START_TEST(test_long_line_is_cut_off)
{
	struct settings settings;
	char error[OPTIONS_ERROR_MAX];
	char line[16];

	memset(line, 'x', sizeof(line));
	ck_assert(options_parse("cpu=samples", &settings, error, sizeof(error)));
	start_line_format(&settings, "java.hprof.txt", line, sizeof(line) - 1);
	ck_assert_str_eq(line, "profiling cpu=");
	ck_assert_int_eq(line[sizeof(line) - 1], 'x');
}
END_TEST

static Suite *start_line_suite(void)
{
	Suite *suite = suite_create("start_line");
	TCase *all = tcase_create("start_line");

	tcase_add_loop_test(all, test_names_modes_and_output, 0, sizeof(lines) / sizeof(lines[0]));
	tcase_add_test(all, test_long_line_is_cut_off);
	suite_add_tcase(suite, all);
	return suite;
}

int main(void)
{
	return run_suite(start_line_suite());
}
