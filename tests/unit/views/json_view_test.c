/*
 * Tests of a report as JSON: each view has its parts, whose bytes are those expected.
 */
#include "report_fixture.h"
#include "run_suite.h"

#include "views/format.h"

static const char text[] =
        FIXTURE_TRACES "NOTE: a note\n"
                       "CPU SAMPLES BEGIN (total = 100) x\n"
                       "   1 60.00% 60.00%  60 300001 a.b.A.fib\n"
                       "   2 30.00% 90.00%  30 300002 x\n"
                       "CPU SAMPLES END\n"
                       "SITES BEGIN (ordered by live bytes) x\n"
                       "    1 100.00% 100.00%   16    1     48     3 300002 byte[]\n"
                       "SITES END\n";

#define HEAD                                                                                      \
	"{\"format\":\"hprof-report\",\"version\":1,\"profile\":{\"file\":\"name\",\"is_whole\":" \
	"true,\"created\":\"Sat Nov 21 02:55:43 2026\",\"has_cut_stacks\":false},"

static void set_up(void)
{
	fixture_set_up();
}

static void tear_down(void)
{
	fixture_tear_down();
}

/* The document of a view of one kind of section. */
static const char *view(enum profile_view parts, enum section_kind kind, size_t top)
{
	struct view_request request = {.input = input_of_bytes(text, strlen(text)),
	                               .input_name = "name",
	                               .selection = {.view = parts,
	                                             .kind_given = true,
	                                             .kind = kind,
	                                             .top = top,
	                                             .least_share = 0.4}};

	ck_assert_ptr_nonnull(request.input);
	ck_assert(profile_format_json.write(&request, &output));
	input_close(request.input);
	return fixture_printed();
}

START_TEST(costs_have_rows_and_the_number_of_those_left_out)
{
	ck_assert_str_eq(
	        view(VIEW_COSTS, SECTION_SAMPLES, 1), HEAD
	        "\"costs\":[{\"of\":\"samples\",\"title\":\"CPU SAMPLES\",\"unit\":\"samples\","
	        "\"by\":\"method\",\"counted\":\"samples\",\"exact\":true,\"total\":100,"
	        "\"without_stack\":0,\"without_stack_percent\":0.0,\"rows\":[{\"name\":"
	        "\"a.b.A.fib\",\"self\":60,\"total\":90,\"count\":60,\"self_percent\":60.0,"
	        "\"total_percent\":90.0,\"low_percent\":50.2,\"high_percent\":69.06}],"
	        "\"rows_left_out\":2,\"rest\":[{\"name\":\"[below the cutoff]\",\"self\":10,"
	        "\"total\":10,\"count\":10,\"self_percent\":10.0,\"total_percent\":10.0,"
	        "\"low_percent\":5.52,\"high_percent\":17.44}]}]}\n");
}
END_TEST

START_TEST(a_tree_has_depths_and_the_sum_of_smaller_callees)
{
	ck_assert_str_eq(
	        view(VIEW_TREE, SECTION_SAMPLES, 0), HEAD
	        "\"trees\":[{\"of\":\"samples\",\"title\":\"CPU SAMPLES\",\"unit\":\"samples\","
	        "\"total\":100,\"inverted\":false,\"rows\":["
	        "{\"depth\":0,\"name\":\"all\",\"self\":0,\"total\":100,\"self_percent\":0.0,"
	        "\"total_percent\":100.0},"
	        "{\"depth\":1,\"name\":\"Main.main\",\"self\":0,\"total\":60,"
	        "\"self_percent\":0.0,\"total_percent\":60.0},"
	        "{\"depth\":2,\"name\":\"a.b.A.fib\",\"self\":0,\"total\":60,"
	        "\"self_percent\":0.0,\"total_percent\":60.0},"
	        "{\"depth\":3,\"name\":\"a.b.A.fib\",\"self\":0,\"total\":60,"
	        "\"self_percent\":0.0,\"total_percent\":60.0},"
	        "{\"depth\":4,\"name\":\"a.b.A.fib\",\"self\":60,\"total\":60,"
	        "\"self_percent\":60.0,\"total_percent\":60.0},"
	        "{\"depth\":1,\"smaller\":2,\"total\":40,\"total_percent\":40.0}]}]}\n");
}
END_TEST

START_TEST(tables_have_the_parts_of_frames_and_notes)
{
	ck_assert_str_eq(
	        view(VIEW_TRACES, SECTION_SITES, 0), HEAD
	        "\"tables\":[{\"of\":\"sites\",\"title\":\"SITES (ordered by live bytes) "
	        "x\",\"unit\":\"bytes\",\"exact\":true,\"total\":16,\"rows\":[{\"name\":"
	        "\"byte[]\",\"self_percent\":100.0,\"accumulated_percent\":100.0,\"cost\":16,"
	        "\"live_bytes\":16,\"live_objects\":1,\"allocated_bytes\":48,"
	        "\"allocated_objects\":3,\"trace\":300002,\"thread\":200002,"
	        "\"thread_name\":\"pool\",\"frames\":["
	        "{\"class\":\"a.b.A$$Lambda\",\"method\":\"run\",\"file\":\"A.java\",\"line\":7},"
	        "{\"class\":\"a.b.A\",\"method\":\"fib\",\"file\":\"A.java\",\"line\":5}]}],"
	        "\"rows_left_out\":0,\"rest\":[]}],\"notes\":[\"NOTE: a note\"]}\n");
}
END_TEST

static Suite *json_view_suite(void)
{
	Suite *suite = suite_create("json_view");
	TCase *tests = tcase_create("documents");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, costs_have_rows_and_the_number_of_those_left_out);
	tcase_add_test(tests, a_tree_has_depths_and_the_sum_of_smaller_callees);
	tcase_add_test(tests, tables_have_the_parts_of_frames_and_notes);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(json_view_suite());
}
