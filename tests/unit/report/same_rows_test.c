/*
 * Tests of rows that become equal because addresses are left out of names: they are added up, and
 * nothing else is.
 */
#include "report_fixture.h"
#include "run_suite.h"

#include "report/content.h"

/* 1 and 2 differ in an address, 3 in its thread, 4 in its line, 5 in the compiler's number. */
#define TRACES                                                              \
	"JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n--------\n"  \
	"TRACE 1: (thread=7)\n\tA$$Lambda/0x1.run(A.java:3)\n\tA.f(A:1)\n"  \
	"TRACE 2: (thread=7)\n\tA$$Lambda/0x22.run(A.java:3)\n\tA.f(A:1)\n" \
	"TRACE 3: (thread=8)\n\tA$$Lambda/0x1.run(A.java:3)\n\tA.f(A:1)\n"  \
	"TRACE 4: (thread=7)\n\tA$$Lambda/0x1.run(A.java:4)\n\tA.f(A:1)\n"  \
	"TRACE 5: (thread=7)\n\tA$2.run(A.java:3)\n\tA.f(A:1)\n"            \
	"TRACE 6: (thread=7)\n\tA$3.run(A.java:3)\n\tA.f(A:1)\n"

static struct report_content content;

static void set_up(void)
{
	fixture_set_up();
	report_content_init(&content, &profile);
}

static void tear_down(void)
{
	report_content_free(&content);
	fixture_tear_down();
}

/* Rows as "trace cost count name;". */
static void rows_are(size_t item, const char *expected)
{
	const struct report_section *section = &content.items[item].section;
	struct byte_buffer text;

	byte_buffer_init(&text);
	for (size_t i = 0; i < section->row_count; i++) {
		const struct section_row *row = &section->rows[i];
		byte_buffer_printf(&text, "%d %d %d %s;", (int)row->trace, (int)row->cost,
		                   (int)row->count, row->name->text);
	}
	byte_buffer_add_u1(&text, 0);
	ck_assert_str_eq((const char *)text.bytes, expected);
	byte_buffer_free(&text);
}

START_TEST(samples_of_one_stack_are_added_up)
{
	ck_assert(fixture_read(TRACES "CPU SAMPLES BEGIN (total = 100) x\n"
	                              "   1 30.00% 30.00%  30 5 A$2.run\n"
	                              "   2 20.00% 50.00%  20 1 A$$Lambda/0x1.run\n"
	                              "   3 15.00% 65.00%  15 2 A$$Lambda/0x22.run\n"
	                              "   4 10.00% 75.00%  10 3 A$$Lambda/0x1.run\n"
	                              "   5  9.00% 84.00%   9 4 A$$Lambda/0x1.run\n"
	                              "   6  8.00% 92.00%   8 6 A$3.run\n"
	                              "CPU SAMPLES END\n"
	                              "SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1) x\n"
	                              "1 0:20\n2 0:10 1:5\n"
	                              "SAMPLE TIMES END\n",
	                       &content.base));
	rows_are(0, "1 35 35 A$$Lambda.run;5 30 30 A$2.run;3 10 10 A$$Lambda.run;"
	            "4 9 9 A$$Lambda.run;6 8 8 A$3.run;0 8 8 [below the cutoff];");
	const struct section_row *rows = content.items[0].section.rows;
	ck_assert_uint_eq(rows[0].self, 3500);
	ck_assert_uint_eq(rows[1].accumulated, 6500);
	ck_assert_uint_eq(rows[5].accumulated, 10000);
	ck_assert_uint_eq(content.items[0].section.total, 100);
	/* The times are those of the row. */
	ck_assert_uint_eq(content.items[1].section.time_count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(content.items[1].section.times[i].trace, 1);
}
END_TEST

START_TEST(exact_costs_are_added_up)
{
	ck_assert(fixture_read(TRACES "CPU TIME (ms) BEGIN (total = 2) x\n"
	                              "   1 60.00% 60.00%  3 1 A$$Lambda/0x1.run\n"
	                              "   2 40.00% 100.00%  4 2 A$$Lambda/0x22.run\n"
	                              "CPU TIME (ms) END\n"
	                              "TRACE COSTS BEGIN (CPU TIME, ns, total = 2000001) x\n"
	                              "1 1200000 3\n2 800001 4\n"
	                              "TRACE COSTS END\n",
	                       &content.base));
	rows_are(0, "1 2000001 7 A$$Lambda.run;");
	ck_assert_uint_eq(content.items[0].section.rows[0].self, 10000);
}
END_TEST

START_TEST(objects_of_one_class_and_stack_are_added_up)
{
	ck_assert(fixture_read(TRACES "SITES BEGIN (ordered by live bytes) x\n"
	                              "   1 50.00% 50.00%  50 5  80 8 5 B$$Lambda/0x1\n"
	                              "   2 30.00% 80.00%  30 3  70 7 5 C\n"
	                              "   3 12.00% 92.00%  12 1  60 6 5 B$$Lambda/0x2\n"
	                              "   4  8.00% 100.00%  8 2  50 5 6 B$$Lambda/0x2\n"
	                              "SITES END\n",
	                       &content.base));
	rows_are(0, "5 62 6 B$$Lambda;5 30 3 C;6 8 2 B$$Lambda;");
	const struct section_row *row = &content.items[0].section.rows[0];
	ck_assert_uint_eq(row->live_bytes, 62);
	ck_assert_uint_eq(row->allocated_bytes, 140);
	ck_assert_uint_eq(row->allocated_objects, 14);
	ck_assert_uint_eq(row->self, 6200);
}
END_TEST

START_TEST(monitors_and_lines_have_stable_names)
{
	ck_assert(fixture_read(TRACES "MONITOR TIME BEGIN (total = 10 ms) x\n"
	                              "   1 70.00% 70.00%  7 5 LB$$Lambda.0x1; (Java)\n"
	                              "   2 30.00% 100.00% 3 5 LB$$Lambda.0x2; (Java)\n"
	                              "MONITOR TIME END\n"
	                              "MONITOR DUMP BEGIN\n"
	                              "    MONITOR LB$$Lambda.0x1; unowned\n"
	                              "MONITOR DUMP END\n",
	                       &content.base));
	rows_are(0, "5 10000000 10 LB$$Lambda; (Java);");
	rows_are(1, "0 0 0     MONITOR LB$$Lambda; unowned;");
}
END_TEST

START_TEST(names_of_threads_are_left_alone)
{
	ck_assert(fixture_read(TRACES
	                       "THREAD START (obj=1, id = 7, name=\"a/0x12\", group=\"main\")\n"
	                       "THREAD MICROSTATES (ms) BEGIN x\n"
	                       "thread life usr vcx icx name\n"
	                       "7 1.000 1.000 0 0 \"$Proxy12\"\n"
	                       "THREAD MICROSTATES (ms) END\n",
	                       &content.base));
	ck_assert_str_eq(report_find_thread(&profile, 7)->text, "a/0x12");
	ck_assert_str_eq(content.items[0].section.threads[0].name->text, "$Proxy12");
	rows_are(0, "0 0 0 thread life usr vcx icx name;0 0 0 7 1.000 1.000 0 0 \"$Proxy12\";");
}
END_TEST

START_TEST(a_file_that_defines_a_trace_again_has_a_row_for_each)
{
	ck_assert(fixture_read(TRACES "TRACE 1:\n\tB.g(B.java:1)\n"
	                              "CPU SAMPLES BEGIN (total = 3) x\n"
	                              "   1 60.00% 60.00%  2 1 B.g\n"
	                              "   2 40.00% 100.00% 1 2 A$$Lambda/0x22.run\n"
	                              "CPU SAMPLES END\n",
	                       &content.base));
	rows_are(0, "1 2 2 B.g;2 1 1 A$$Lambda.run;");
}
END_TEST

static Suite *same_rows_suite(void)
{
	Suite *suite = suite_create("same_rows");
	TCase *tests = tcase_create("same_rows");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, samples_of_one_stack_are_added_up);
	tcase_add_test(tests, exact_costs_are_added_up);
	tcase_add_test(tests, objects_of_one_class_and_stack_are_added_up);
	tcase_add_test(tests, monitors_and_lines_have_stable_names);
	tcase_add_test(tests, names_of_threads_are_left_alone);
	tcase_add_test(tests, a_file_that_defines_a_trace_again_has_a_row_for_each);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(same_rows_suite());
}
