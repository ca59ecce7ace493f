/*
 * Tests of what views select of a profile: the filter of stacks, the content that is kept, and the
 * tree as text.
 */
#include "report_fixture.h"
#include "run_suite.h"

#include "report/content.h"
#include "report/section_filter.h"
#include "report/stack_tree.h"
#include "report/tree_text.h"

static const char samples[] = FIXTURE_TRACES "CPU SAMPLES BEGIN (total = 100) x\n"
                                             "   1 50.00% 50.00%  50 300001 a.b.A.fib\n"
                                             "   2 30.00% 80.00%  30 300002 x\n"
                                             "   3 10.00% 90.00%  10 300003 x\n"
                                             "   4  5.00% 95.00%   5 300000 x\n"
                                             "CPU SAMPLES END\n"
                                             "SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1) x\n"
                                             "300001 0:50\n"
                                             "300002 0:10 1:20\n"
                                             "SAMPLE TIMES END\n"
                                             "NOTE: the end\n";

static struct report_content content;
static struct section_filter filter;
static struct os_regex *keep;
static struct os_regex *ignore;

static void set_up(void)
{
	fixture_set_up();
	report_content_init(&content, &profile);
	section_filter_init(&filter, &content.base, NULL, NULL);
	keep = NULL;
	ignore = NULL;
}

static void tear_down(void)
{
	os_regex_free(keep);
	os_regex_free(ignore);
	section_filter_free(&filter);
	report_content_free(&content);
	fixture_tear_down();
}

/* Reads the samples through a filter. False if the system has no regular expressions. */
static bool read_filtered(const char *to_keep, const char *to_ignore)
{
	char error[OS_ERROR_TEXT_MAX];
	int kept = to_keep == NULL ? 0 : os_regex_compile(to_keep, &keep, error, sizeof(error));
	int ignored =
	        to_ignore == NULL ? 0 : os_regex_compile(to_ignore, &ignore, error, sizeof(error));
	if (kept == OS_UNSUPPORTED || ignored == OS_UNSUPPORTED)
		return false;
	ck_assert_int_eq(kept, 0);
	ck_assert_int_eq(ignored, 0);
	section_filter_init(&filter, &content.base, keep, ignore);
	ck_assert(fixture_read(samples, &filter.base));
	ck_assert_uint_eq(content.count, 3);
	return true;
}

/* Rows as "trace cost" and "name cost" of the rest. */
static void rows_are(const char *expected)
{
	const struct report_section *section = &content.items[0].section;
	struct byte_buffer text;
	uint64_t sum = 0;

	byte_buffer_init(&text);
	for (size_t i = 0; i < section->row_count; i++) {
		const struct section_row *row = &section->rows[i];
		sum += row->cost;
		if (row->is_rest)
			byte_buffer_printf(&text, "%s %d;", row->name->text, (int)row->cost);
		else
			byte_buffer_printf(&text, "%d %d;", (int)row->trace, (int)row->cost);
	}
	byte_buffer_add_u1(&text, 0);
	ck_assert_str_eq((const char *)text.bytes, expected);
	ck_assert_uint_eq(sum, 100);
	ck_assert_uint_eq(section->total, 100);
	byte_buffer_free(&text);
}

START_TEST(stacks_with_a_matching_frame_are_kept)
{
	if (!read_filtered("^Main[.]", NULL))
		return;
	rows_are("300001 50;[below the cutoff] 5;[filtered out] 45;");
	ck_assert_uint_eq(content.items[1].section.time_count, 1);
	ck_assert_str_eq(content.items[2].note->text, "NOTE: the end");
}
END_TEST

START_TEST(stacks_with_a_matching_thread_are_kept)
{
	if (!read_filtered("^pool$", NULL))
		return;
	rows_are("300002 30;300003 10;[below the cutoff] 5;[filtered out] 55;");
}
END_TEST

START_TEST(ignored_stacks_are_left_out)
{
	if (!read_filtered(NULL, "Lambda"))
		return;
	rows_are("300001 50;300003 10;300000 5;[below the cutoff] 5;[filtered out] 30;");
	ck_assert_uint_eq(content.items[0].section.rows[1].accumulated, 6000);
}
END_TEST

START_TEST(ignored_stacks_are_left_out_of_those_kept)
{
	if (!read_filtered("fib", "Lambda"))
		return;
	rows_are("300001 50;[below the cutoff] 5;[filtered out] 45;");
}
END_TEST

START_TEST(all_stacks_are_kept_without_a_filter)
{
	if (!read_filtered(NULL, NULL))
		return;
	rows_are("300001 50;300002 30;300003 10;300000 5;[below the cutoff] 5;");
	ck_assert_uint_eq(content.items[1].section.time_count, 3);
}
END_TEST

START_TEST(malformed_expressions_are_refused)
{
	char error[OS_ERROR_TEXT_MAX] = "";
	int code = os_regex_compile("(", &keep, error, sizeof(error));
	ck_assert_int_ne(code, 0);
	ck_assert_ptr_null(keep);
	ck_assert(code == OS_UNSUPPORTED || error[0] != '\0');
}
END_TEST

START_TEST(a_later_section_replaces_those_of_its_kind)
{
	static const char text[] =
	        FIXTURE_TRACES "CPU SAMPLES BEGIN (total = 0) x\nCPU SAMPLES END\n"
	                       "SITES BEGIN (ordered by live bytes) x\nSITES END\n"
	                       "CPU SAMPLES BEGIN (total = 0) x\nCPU SAMPLES END\n"
	                       "SITES BEGIN (ordered by live bytes) x\nSITES END\n";
	ck_assert(fixture_read(text, &content.base));
	ck_assert_uint_eq(content.count, 4);
	ck_assert(report_content_is_replaced(&content, 1, false));
	ck_assert(!report_content_is_replaced(&content, 3, false));
	ck_assert(!report_content_is_replaced(&content, 0, false));
	ck_assert(report_content_is_replaced(&content, 0, true));
	ck_assert(!report_content_is_replaced(&content, 2, true));
}
END_TEST

/* Prints the sections of the text's kind; below is for stacks to begin with, NULL: all. */
static void print_tree_below(const char *text, struct tree_text printed, bool by_thread,
                             const struct os_regex *below)
{
	struct stack_tree tree;
	struct tree_visitor visitor;

	ck_assert(stack_tree_init(&tree));
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = false;
	visitor.kind = printed.kind;
	visitor.inverted = printed.is_inverted;
	visitor.threads = by_thread;
	visitor.below.regex = below;
	ck_assert(fixture_read(text, &visitor.base));
	ck_assert(tree_visitor_finish(&visitor, &profile));
	ck_assert(stack_tree_write_text(&tree, &printed, &output));
	tree_visitor_free(&visitor);
	stack_tree_free(&tree);
}

static void print_tree_of(const char *text, struct tree_text printed, bool by_thread)
{
	print_tree_below(text, printed, by_thread, NULL);
}

static void print_tree(double share)
{
	print_tree_of(samples, (struct tree_text){.least_share = share}, false);
}

START_TEST(a_tree_has_callers_above_callees)
{
	print_tree(0.06);
	ck_assert_str_eq(fixture_printed(),
	                 "  total    self        samples stack\n"
	                 " 100.00%   0.00%            100 all\n"
	                 "  50.00%   0.00%             50 + Main.main\n"
	                 "  50.00%   0.00%             50   a.b.A.fib\n"
	                 "  50.00%   0.00%             50   a.b.A.fib\n"
	                 "  50.00%  50.00%             50   a.b.A.fib\n"
	                 "  30.00%   0.00%             30 + a.b.A.fib\n"
	                 "  30.00%  30.00%             30   a.b.A$$Lambda.run\n"
	                 "  10.00%  10.00%             10 + <no_stack>.ring_full\n"
	                 "  10.00%   0.00%             10 + (2 smaller)\n");
}
END_TEST

START_TEST(a_tree_can_be_printed_whole)
{
	print_tree(0);
	ck_assert_ptr_null(strstr(fixture_printed(), "smaller"));
	ck_assert_ptr_nonnull(strstr((const char *)output.text.bytes, "+ [below the cutoff]\n"));
}
END_TEST

START_TEST(an_inverted_tree_has_callees_above_callers)
{
	print_tree_of(samples, (struct tree_text){.is_inverted = true, .least_share = 0.06}, false);
	ck_assert_str_eq(fixture_printed(), "  total        samples stack\n"
	                                    " 100.00%            100 all\n"
	                                    "  50.00%             50 + a.b.A.fib\n"
	                                    "  50.00%             50   a.b.A.fib\n"
	                                    "  50.00%             50   a.b.A.fib\n"
	                                    "  50.00%             50   Main.main\n"
	                                    "  30.00%             30 + a.b.A$$Lambda.run\n"
	                                    "  30.00%             30   a.b.A.fib\n"
	                                    "  10.00%             10 + <no_stack>.ring_full\n"
	                                    "  10.00%             10 + (2 smaller)\n");
}
END_TEST

START_TEST(an_inverted_tree_ends_with_threads)
{
	print_tree_of(samples, (struct tree_text){.is_inverted = true}, true);
	const char *text = fixture_printed();
	ck_assert_ptr_nonnull(strstr(text, "  Main.main\n  50.00%             50   thread main\n"));
	ck_assert_ptr_nonnull(strstr(text, "  a.b.A.fib\n  30.00%             30   thread pool\n"));
	ck_assert_ptr_nonnull(strstr(text, "+ [below the cutoff]\n"));
	ck_assert_ptr_nonnull(strstr(text, "+ <empty trace>\n"));
}
END_TEST

/* Compiles keep. False if the system has no regular expressions. */
static bool compile(const char *regex)
{
	char error[OS_ERROR_TEXT_MAX];
	int result = os_regex_compile(regex, &keep, error, sizeof(error));
	ck_assert(result == 0 || result == OS_UNSUPPORTED);
	return result == 0;
}

START_TEST(a_tree_can_begin_with_a_method)
{
	if (!compile("fib$|Lambda"))
		return;
	print_tree_below(samples, (struct tree_text){.least_share = 0}, true, keep);
	ck_assert_str_eq(fixture_printed(),
	                 "  total    self        samples stack\n"
	                 " 100.00%   0.00%            100 all\n"
	                 "  50.00%   0.00%             50 + thread main\n"
	                 "  50.00%   0.00%             50   a.b.A.fib\n"
	                 "  50.00%   0.00%             50   a.b.A.fib\n"
	                 "  50.00%  50.00%             50   a.b.A.fib\n"
	                 "  30.00%   0.00%             30 + thread pool\n"
	                 "  30.00%   0.00%             30   a.b.A.fib\n"
	                 "  30.00%  30.00%             30   a.b.A$$Lambda.run\n"
	                 "  15.00%  15.00%             15 + [filtered out]\n"
	                 "   5.00%   5.00%              5 + [below the cutoff]\n");
}
END_TEST

static const char sites_of_two[] = FIXTURE_TRACES "SITES BEGIN (ordered by allocated bytes) x\n"
                                                  "   1 60.00% 60.00%   6 1  600 10 300001 byte[]\n"
                                                  "   2 30.00% 90.00%   3 2  300 20 300002 a.C\n"
                                                  "   3 10.00% 100.00%  1 3  100 30 300002 byte[]\n"
                                                  "SITES END\n";

START_TEST(what_is_not_below_the_method_has_no_class)
{
	if (!compile("Lambda"))
		return;
	print_tree_below(sites_of_two, (struct tree_text){.kind = SECTION_SITES}, false, keep);
	ck_assert_str_eq(fixture_printed(), "  total    self          bytes stack\n"
	                                    " 100.00%   0.00%           1000 all\n"
	                                    "  60.00%  60.00%            600 + [filtered out]\n"
	                                    "  40.00%   0.00%            400 + a.b.A$$Lambda.run\n"
	                                    "  30.00%  30.00%            300   + a.C\n"
	                                    "  10.00%  10.00%            100   + byte[]\n");
}
END_TEST

START_TEST(callers_end_with_the_method)
{
	if (!compile("Lambda"))
		return;
	print_tree_below(sites_of_two,
	                 (struct tree_text){.kind = SECTION_SITES, .is_inverted = true}, false,
	                 keep);
	ck_assert_str_eq(fixture_printed(), "  total          bytes stack\n"
	                                    " 100.00%           1000 all\n"
	                                    "  60.00%            600 + [filtered out]\n"
	                                    "  30.00%            300 + a.C\n"
	                                    "  30.00%            300   a.b.A$$Lambda.run\n"
	                                    "  10.00%            100 + byte[]\n"
	                                    "  10.00%            100   a.b.A$$Lambda.run\n");
}
END_TEST

/* One trace below two classes, and one class above two traces. */
START_TEST(classes_are_above_the_methods_that_allocate_them)
{
	print_tree_of(sites_of_two, (struct tree_text){.kind = SECTION_SITES, .is_inverted = true},
	              false);
	ck_assert_str_eq(fixture_printed(), "  total          bytes stack\n"
	                                    " 100.00%           1000 all\n"
	                                    "  70.00%            700 + byte[]\n"
	                                    "  60.00%            600   + a.b.A.fib\n"
	                                    "  60.00%            600     a.b.A.fib\n"
	                                    "  60.00%            600     a.b.A.fib\n"
	                                    "  60.00%            600     Main.main\n"
	                                    "  10.00%            100   + a.b.A$$Lambda.run\n"
	                                    "  10.00%            100     a.b.A.fib\n"
	                                    "  30.00%            300 + a.C\n"
	                                    "  30.00%            300   a.b.A$$Lambda.run\n"
	                                    "  30.00%            300   a.b.A.fib\n");
}
END_TEST

START_TEST(times_are_in_ms)
{
	static const char monitors[] =
	        FIXTURE_TRACES "MONITOR TIME BEGIN (total = 2 ms) x\n"
	                       "   1 100.00% 100.00%   7 300002 La/M; (Java)\n"
	                       "MONITOR TIME END\n";
	print_tree_of(monitors, (struct tree_text){.kind = SECTION_MONITORS}, false);
	ck_assert_str_eq(fixture_printed(), "  total    self             ms stack\n"
	                                    " 100.00%   0.00%          2.000 all\n"
	                                    " 100.00%   0.00%          2.000 a.b.A.fib\n"
	                                    " 100.00%   0.00%          2.000 a.b.A$$Lambda.run\n"
	                                    " 100.00% 100.00%          2.000 a.M\n");
}
END_TEST

static Suite *report_views_suite(void)
{
	Suite *suite = suite_create("report_views");
	TCase *tests = tcase_create("views");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, stacks_with_a_matching_frame_are_kept);
	tcase_add_test(tests, stacks_with_a_matching_thread_are_kept);
	tcase_add_test(tests, ignored_stacks_are_left_out);
	tcase_add_test(tests, ignored_stacks_are_left_out_of_those_kept);
	tcase_add_test(tests, all_stacks_are_kept_without_a_filter);
	tcase_add_test(tests, malformed_expressions_are_refused);
	tcase_add_test(tests, a_later_section_replaces_those_of_its_kind);
	tcase_add_test(tests, a_tree_has_callers_above_callees);
	tcase_add_test(tests, a_tree_can_be_printed_whole);
	tcase_add_test(tests, an_inverted_tree_has_callees_above_callers);
	tcase_add_test(tests, an_inverted_tree_ends_with_threads);
	tcase_add_test(tests, a_tree_can_begin_with_a_method);
	tcase_add_test(tests, what_is_not_below_the_method_has_no_class);
	tcase_add_test(tests, callers_end_with_the_method);
	tcase_add_test(tests, classes_are_above_the_methods_that_allocate_them);
	tcase_add_test(tests, times_are_in_ms);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(report_views_suite());
}
