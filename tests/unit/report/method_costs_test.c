/*
 * Tests of costs by method, line, class, package and thread, and of the interval of a share.
 */
#include "report_fixture.h"
#include "run_suite.h"

#include "report/content.h"
#include "report/interval.h"
#include "report/method_costs.h"
#include "report/method_table.h"

#include <math.h>

static const char samples[] = FIXTURE_TRACES "CPU SAMPLES BEGIN (total = 100) x\n"
                                             "   1 50.00% 50.00%  50 300001 a.b.A.fib\n"
                                             "   2 30.00% 80.00%  30 300002 x\n"
                                             "   3 10.00% 90.00%  10 300003 x\n"
                                             "   4  5.00% 95.00%   5 300000 x\n"
                                             "CPU SAMPLES END\n";

static const char sites[] = FIXTURE_TRACES "SITES BEGIN (ordered by allocated bytes) x\n"
                                           "   1 60.00% 60.00%   6 1  600 10 300001 byte[]\n"
                                           "   2 30.00% 90.00%   3 2  300 20 300002 a.C\n"
                                           "   3 10.00% 100.00%  1 3  100 30 300002 byte[]\n"
                                           "SITES END\n";

static const char monitors[] = FIXTURE_TRACES "MONITOR TIME BEGIN (total = 1 ms) x\n"
                                              "   1 60.00% 60.00%   7 300001 La/M; (Java)\n"
                                              "   2 40.00% 100.00%  5 300002 La/M; (Java)\n"
                                              "MONITOR TIME END\n";

static struct report_content content;
static struct method_costs costs;

static void set_up(void)
{
	fixture_set_up();
	report_content_init(&content, &profile);
	method_costs_init(&costs, BY_METHOD);
}

static void tear_down(void)
{
	method_costs_free(&costs);
	report_content_free(&content);
	fixture_tear_down();
}

static void collect(const char *text, enum method_group group)
{
	ck_assert(fixture_read(text, &content.base));
	method_costs_init(&costs, group);
	for (size_t i = 0; i < content.count; i++)
		ck_assert(method_costs_add(&costs, &profile, &content.items[i].section));
	ck_assert(method_costs_finish(&costs, &profile));
	uint64_t sum = 0;
	for (uint32_t i = 0; i < costs.count; i++)
		sum += costs.rows[i].self;
	ck_assert_uint_eq(sum, costs.total);
	ck_assert_uint_eq(sum, content.items[0].section.total);
}

static void row_is(uint32_t place, const char *name, uint64_t self, uint64_t total, uint64_t count)
{
	ck_assert_uint_lt(place, costs.count);
	const struct method_cost *row = &costs.rows[place];
	ck_assert_str_eq(row->name->text, name);
	ck_assert_uint_eq(row->self, self);
	ck_assert_uint_eq(row->total, total);
	ck_assert_uint_eq(row->count, count);
}

START_TEST(a_recursive_method_counts_once_a_stack)
{
	collect(samples, BY_METHOD);
	ck_assert_uint_eq(costs.count, 6);
	row_is(0, "a.b.A.fib", 50, 80, 50);
	row_is(1, "a.b.A$$Lambda.run", 30, 30, 30);
	row_is(2, "<no_stack>.ring_full", 10, 10, 10);
	row_is(3, "<empty trace>", 5, 5, 5);
	row_is(4, "Main.main", 0, 50, 0);
	row_is(5, SECTION_REST_NAME, 5, 5, 5);
	ck_assert(costs.rows[5].is_rest);
	ck_assert_uint_eq(costs.stackless, 15);
}
END_TEST

START_TEST(lines_of_a_method_are_apart)
{
	collect(samples, BY_LINE);
	row_is(0, "a.b.A.fib(A.java:3)", 50, 50, 50);
	row_is(5, "a.b.A.fib(A.java:4)", 0, 50, 0);
}
END_TEST

START_TEST(classes_and_packages_are_those_of_the_methods)
{
	collect(samples, BY_CLASS);
	row_is(0, "a.b.A", 50, 80, 50);
	row_is(1, "a.b.A$$Lambda", 30, 30, 30);
	tear_down();
	set_up();
	collect(samples, BY_PACKAGE);
	row_is(0, "a.b", 80, 80, 80);
	row_is(1, "<no_stack>", 10, 10, 10);
	row_is(3, "(no package)", 0, 50, 0);
}
END_TEST

START_TEST(threads_of_one_name_are_apart)
{
	collect(samples, BY_THREAD);
	ck_assert_uint_eq(costs.count, 5);
	row_is(0, "main", 50, 50, 50);
	row_is(1, "pool", 30, 30, 30);
	ck_assert_uint_eq(costs.rows[1].thread, 200002);
	row_is(2, "pool", 10, 10, 10);
	row_is(3, "[thread not recorded]", 5, 5, 5);
}
END_TEST

START_TEST(classes_of_sites_and_monitors_are_those_of_the_objects)
{
	collect(sites, BY_CLASS);
	ck_assert_uint_eq(costs.count, 2);
	row_is(0, "byte[]", 700, 700, 40);
	row_is(1, "a.C", 300, 300, 20);
	tear_down();
	set_up();
	collect(sites, BY_METHOD);
	row_is(0, "a.b.A.fib", 600, 1000, 10);
	tear_down();
	set_up();
	collect(monitors, BY_CLASS);
	ck_assert_uint_eq(costs.count, 1);
	row_is(0, "a.M", 1000000, 1000000, 12);
	ck_assert(!costs.exact);
}
END_TEST

START_TEST(the_table_has_shares_intervals_and_times)
{
	collect(samples, BY_METHOD);
	method_costs_write_title(&costs, "CPU SAMPLES", 10, &output);
	ck_assert(method_costs_write(&costs, 10, 1, &output));
	ck_assert_str_eq(
	        fixture_printed(),
	        "CPU SAMPLES: 100 samples of 10 ms CPU time, 15.00% without a stack, 5.00% "
	        "[below the cutoff]\n"
	        " rank    self    95% interval   total       self ms      total ms     samples "
	        "method\n"
	        "    1   50.00%  40.38- 59.62%  80.00%            500            800          50 "
	        "a.b.A.fib\n"
	        "         5.00%   2.15- 11.18%   5.00%             50             50           5 "
	        "[below the cutoff]\n"
	        "... and 4 more; --top 0 shows all\n");
}
END_TEST

START_TEST(a_narrow_terminal_has_fewer_columns_and_shares_that_stand_out)
{
	output.columns = 80;
	output.has_styles = true;
	collect(samples, BY_METHOD);
	ck_assert(method_costs_write(&costs, 10, 1, &output));
	ck_assert_str_eq(fixture_printed(),
	                 " rank    self    95% interval   total     samples method\n"
	                 "    1 \033[31m  50.00%\033[0m  40.38- 59.62%  80.00%          50 "
	                 "a.b.A.fib\n"
	                 "      \033[31m   5.00%\033[0m   2.15- 11.18%   5.00%           5 "
	                 "[below the cutoff]\n"
	                 "... and 4 more; --top 0 shows all\n");
	tear_down();
	set_up();
	output.columns = 80;
	collect(sites, BY_CLASS);
	ck_assert(method_costs_write(&costs, 0, 1, &output));
	ck_assert_str_eq(fixture_printed(),
	                 " rank    self   total    self bytes     objects class\n"
	                 "    1   70.00%  70.00%           700          40 byte[]\n"
	                 "... and 1 more; --top 0 shows all\n");
}
END_TEST

START_TEST(times_that_are_not_exact_are_marked)
{
	collect(monitors, BY_METHOD);
	method_costs_write_title(&costs, "MONITOR TIME", 0, &output);
	ck_assert(method_costs_write(&costs, 0, 0, &output));
	const char *text = fixture_printed();
	ck_assert_ptr_nonnull(strstr(text, "MONITOR TIME: \xe2\x89\x88 1.000 ms\n"));
	ck_assert_ptr_nonnull(strstr(text, "\xe2\x89\x88self ms"));
	ck_assert_ptr_nonnull(strstr(text, "  60.00% 100.00%          0.600          1.000"));
}
END_TEST

/* Of the textbook: 10 of 100 is 5.52% to 17.44%. */
START_TEST(intervals_are_those_of_wilsons_score)
{
	struct interval share = interval_of_share(10, 100);
	ck_assert(fabs(share.low - 0.05523) < 0.00001);
	ck_assert(fabs(share.high - 0.17437) < 0.00001);
	share = interval_of_share(0, 20);
	ck_assert(share.low == 0);
	ck_assert(fabs(share.high - 0.16113) < 0.00001);
	share = interval_of_share(20, 20);
	ck_assert(share.high == 1);
	share = interval_of_share(0, 0);
	ck_assert(share.low == 0 && share.high == 1);
}
END_TEST

static Suite *method_costs_suite(void)
{
	Suite *suite = suite_create("method_costs");
	TCase *tests = tcase_create("costs");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_recursive_method_counts_once_a_stack);
	tcase_add_test(tests, lines_of_a_method_are_apart);
	tcase_add_test(tests, classes_and_packages_are_those_of_the_methods);
	tcase_add_test(tests, threads_of_one_name_are_apart);
	tcase_add_test(tests, classes_of_sites_and_monitors_are_those_of_the_objects);
	tcase_add_test(tests, the_table_has_shares_intervals_and_times);
	tcase_add_test(tests, a_narrow_terminal_has_fewer_columns_and_shares_that_stand_out);
	tcase_add_test(tests, times_that_are_not_exact_are_marked);
	tcase_add_test(tests, intervals_are_those_of_wilsons_score);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(method_costs_suite());
}
