/*
 * Tests of the sections that a text profile has for reports: exact costs, times of samples,
 * states of threads, facts, and the rest below the cutoff.
 */
#include "run_suite.h"

#include "base/byte_buffer.h"
#include "console/input.h"
#include "report/report_profile.h"

#include <stdio.h>
#include <string.h>

static const char head[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
                           "--------\n"
                           "TRACE 300001:\n"
                           "\tA.one(A.java:12)\n"
                           "TRACE 300002:\n"
                           "\tA.two(A.java:13)\n"
                           "TRACE 300003:\n"
                           "\tA.three(A.java:14)\n";

/* Keeps a copy of the last section, and what is to be checked of it. */
struct keeping_visitor {
	struct report_visitor base;
	struct report_section section;
	struct section_row rows[8];
	struct section_time times[8];
	struct section_thread threads[4];
	int sections;
	int notes;
};

static struct byte_buffer file;
static struct keeping_visitor visitor;
static struct report_profile profile;
static struct report_error error;

#define KEEP(array, count)                                                                         \
	do {                                                                                       \
		ck_assert_uint_le(section->count, sizeof(visitor.array) / sizeof(*visitor.array)); \
		for (size_t i = 0; i < section->count; i++)                                        \
			visitor.array[i] = section->array[i];                                      \
	} while (0)

static bool keep(struct report_visitor *base, const struct report_profile *read,
                 const struct report_section *section)
{
	(void)base;
	(void)read;
	visitor.section = *section;
	visitor.sections++;
	KEEP(rows, row_count);
	KEEP(times, time_count);
	KEEP(threads, thread_count);
	return true;
}

static bool count_note(struct report_visitor *base, const char *text, size_t length)
{
	(void)base;
	(void)text;
	(void)length;
	visitor.notes++;
	return true;
}

static void set_up(void)
{
	byte_buffer_init(&file);
	visitor = (struct keeping_visitor){.base = {.section = keep, .note = count_note}};
	ck_assert(report_profile_init(&profile));
}

static void tear_down(void)
{
	report_profile_free(&profile);
	byte_buffer_free(&file);
}

static bool read_text(const char *text)
{
	byte_buffer_add_text(&file, head);
	byte_buffer_add_text(&file, text);
	struct input *input = input_of_bytes(file.bytes, file.length);
	ck_assert_ptr_nonnull(input);
	bool whole = report_read_text(input_source(input), &profile, &visitor.base, &error);
	input_close(input);
	return whole;
}

static void row_is(size_t place, const char *name, uint32_t trace, uint64_t cost, uint64_t count)
{
	const struct section_row *row = &visitor.rows[place];
	ck_assert_str_eq(row->name->text, name);
	ck_assert_uint_eq(row->trace, trace);
	ck_assert_uint_eq(row->cost, cost);
	ck_assert_uint_eq(row->count, count);
	ck_assert_int_eq(row->is_rest, strcmp(name, SECTION_REST_NAME) == 0);
}

static uint64_t sum_of_rows(void)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < visitor.section.row_count; i++)
		sum += visitor.rows[i].cost;
	return sum;
}

/* ---- the rest ------------------------------------------------------------------------ */

START_TEST(samples_without_a_row_are_a_row_of_their_own)
{
	ck_assert(read_text("CPU SAMPLES BEGIN (total = 10) x\n"
	                    "rank   self  accum   count trace method\n"
	                    "   1 50.00% 50.00%       5 300001 A.one\n"
	                    "CPU SAMPLES END\n"));
	ck_assert_uint_eq(visitor.section.row_count, 2);
	row_is(1, SECTION_REST_NAME, 0, 5, 5);
	ck_assert_uint_eq(visitor.rows[1].self, 5000);
	ck_assert_uint_eq(visitor.section.total, 10);
}
END_TEST

START_TEST(a_section_without_its_end_has_no_rest)
{
	ck_assert(!read_text("CPU SAMPLES BEGIN (total = 10) x\n"
	                     "   1 50.00% 50.00%       5 300001 A.one\n"));
	ck_assert_int_eq(visitor.sections, 1);
	ck_assert_uint_eq(visitor.section.row_count, 1);
}
END_TEST

START_TEST(costs_of_rounded_shares_add_up_to_the_total)
{
	ck_assert(read_text("CPU TIME (ms) BEGIN (total = 1000) x\n"
	                    "   1 33.33% 33.33%   1 300001 A.one\n"
	                    "   2 33.33% 66.67%   1 300002 A.two\n"
	                    "   3 33.33% 100.00%   1 300003 A.three\n"
	                    "CPU TIME (ms) END\n"));
	ck_assert(!visitor.section.exact);
	ck_assert_uint_eq(visitor.section.row_count, 3);
	row_is(0, "A.one", 300001, 333300000, 1);
	row_is(1, "A.two", 300002, 333400000, 1);
	ck_assert_uint_eq(sum_of_rows(), 1000000000);
}
END_TEST

START_TEST(shares_that_go_down_cost_nothing)
{
	ck_assert(read_text("CPU TIME (ms) BEGIN (total = 1000) x\n"
	                    "   1 50.00% 50.00%   1 300001 A.one\n"
	                    "   2 40.00% 40.00%   1 300002 A.two\n"
	                    "CPU TIME (ms) END\n"));
	row_is(1, "A.two", 300002, 0, 1);
	row_is(2, SECTION_REST_NAME, 0, 500000000, 0);
}
END_TEST

START_TEST(sites_below_the_cutoff_are_estimated)
{
	ck_assert(read_text("SITES BEGIN (ordered by live bytes) x\n"
	                    "    1 60.00% 60.00%  600  6  6000 60 300001 byte[]\n"
	                    "    2 20.00% 80.00%  200  4  4000 40 300002 a.B\n"
	                    "SITES END\n"));
	ck_assert(!visitor.section.exact);
	row_is(2, SECTION_REST_NAME, 0, 200, 0);
	ck_assert_uint_eq(visitor.rows[2].live_bytes, 200);
}
END_TEST

/* ---- TRACE COSTS ----------------------------------------------------------------------- */

START_TEST(exact_costs_replace_those_of_shares)
{
	ck_assert(read_text("CPU TIME (ms) BEGIN (total = 3) x\n"
	                    "   1 66.67% 66.67%       7 300002 A.two\n"
	                    "CPU TIME (ms) END\n"
	                    "NOTE: between\n"
	                    "TRACE COSTS BEGIN (CPU TIME, total = 3000100 ns) x\n"
	                    "300000 0 0\n"
	                    "300001 1000000 42\n"
	                    "300002 2000000 7\n"
	                    "300003 0 5\n"
	                    "300009 3 1\n"
	                    "TRACE COSTS END\n"));
	ck_assert_int_eq(visitor.sections, 1);
	ck_assert_int_eq(visitor.notes, 1);
	ck_assert(visitor.section.exact);
	ck_assert_str_eq(visitor.section.title, "CPU TIME (ms) (total = 3) x");
	ck_assert_uint_eq(visitor.section.row_count, 5);
	row_is(0, "A.two", 300002, 2000000, 7);
	row_is(1, "A.one", 300001, 1000000, 42);
	row_is(2, "<empty trace>", 300009, 3, 1);
	row_is(3, "A.three", 300003, 0, 5);
	row_is(4, SECTION_REST_NAME, 0, 97, 0);
	ck_assert_uint_eq(visitor.section.total, 3000100);
	ck_assert_uint_eq(visitor.rows[0].self, 6666);
	ck_assert_uint_eq(visitor.rows[1].accumulated, 10000);
}
END_TEST

START_TEST(each_section_gets_its_own_exact_costs)
{
	ck_assert(read_text("CPU TIME (ms) BEGIN (total = 3) x\n"
	                    "   1 100.00% 100.00%       7 300002 A.two\n"
	                    "CPU TIME (ms) END\n"
	                    "OFF-CPU TIME (ms) BEGIN (total = 4) x\n"
	                    "   1 100.00% 100.00%       7 300002 A.two\n"
	                    "OFF-CPU TIME (ms) END\n"
	                    "TRACE COSTS BEGIN (CPU TIME, total = 3000005 ns) x\n"
	                    "300002 3000005 42\n"
	                    "TRACE COSTS END\n"));
	ck_assert_int_eq(visitor.sections, 2);
	ck_assert(!visitor.section.exact);
	row_is(0, "A.two", 300002, 4000000, 7);
}
END_TEST

#define STATES                                                                     \
	"       1.000       1.000           -           -           -       0.000" \
	"       0.000       0.000           -       0.000"

START_TEST(states_of_traces_are_shown_line_by_line)
{
	ck_assert(read_text("TRACE MICROSTATES (ms) BEGIN (total = 2, exact) x\n"
	                    "rank        wall         usr    calls trace method\n"
	                    "   1" STATES "        7 300002 A.two\n"
	                    "   2" STATES "        0 300001 A.one\n"
	                    "TRACE MICROSTATES (ms) END\n"));
	ck_assert_int_eq(visitor.sections, 1);
	ck_assert_int_eq(visitor.section.kind, SECTION_STATES);
	ck_assert_uint_eq(visitor.section.row_count, 2);
	ck_assert_uint_eq(visitor.rows[0].trace, 300002);
	ck_assert_uint_eq(visitor.rows[1].trace, 300001);
	ck_assert_str_eq(visitor.rows[1].name->text, "   2" STATES "        0 300001 A.one");
}
END_TEST

START_TEST(only_the_title_says_whether_states_are_sampled)
{
	ck_assert(read_text("TRACE MICROSTATES (ms) BEGIN (total = 2, sampled) x\n"
	                    "   1" STATES "        7 300002 A.two\n"
	                    "TRACE MICROSTATES (ms) END\n"));
	ck_assert(visitor.section.sampled);
	ck_assert_uint_eq(visitor.section.total, 2000000);
	tear_down();
	set_up();
	ck_assert(read_text("TRACE MICROSTATES (ms) BEGIN (total = 2, exact) x\n"
	                    "   1" STATES "        7 300002 A.f(, sampled) \n"
	                    "TRACE MICROSTATES (ms) END\n"));
	ck_assert(!visitor.section.sampled);
	tear_down();
	set_up();
	ck_assert(read_text("CPU SAMPLES BEGIN (total = 10, sampled) x\n"
	                    "   1 50.00% 50.00%       5 300001 A.one\n"
	                    "CPU SAMPLES END\n"));
	ck_assert(!visitor.section.sampled);
}
END_TEST

START_TEST(malformed_states_of_traces_are_refused)
{
	static const char *const rows[] = {
	        "   1       1.000        7 300002 A.two\n",
	        "   1" STATES "        7 300002\n",
	        "   1" STATES "        - 300002 A.two\n",
	        "   1" STATES "x       7 300002 A.two\n",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[512];
		(void)snprintf(text, sizeof(text),
		               "TRACE MICROSTATES (ms) BEGIN (total = 2, exact) x\n%s"
		               "TRACE MICROSTATES (ms) END\n",
		               rows[i]);
		ck_assert(!read_text(text));
	}
}
END_TEST

START_TEST(exact_costs_after_another_section_are_not_used)
{
	ck_assert(read_text("CPU TIME (ms) BEGIN (total = 3) x\n"
	                    "   1 50.00% 50.00%       7 300002 A.two\n"
	                    "CPU TIME (ms) END\n"
	                    "SITES BEGIN (ordered by live bytes) x\nSITES END\n"));
	ck_assert_int_eq(visitor.sections, 2);
	ck_assert(read_text("TRACE COSTS BEGIN (CPU TIME, total = 3000005 ns) x\n"
	                    "300002 3000005 42\n"
	                    "TRACE COSTS END\n"));
	ck_assert_int_eq(visitor.sections, 4);
}
END_TEST

START_TEST(monitors_of_one_trace_share_its_cost)
{
	ck_assert(read_text("MONITOR TIME BEGIN (total = 0 ms) x\n"
	                    "   1 50.00% 50.00%   3 300002 LC; (Java)\n"
	                    "   2 30.00% 80.00%   2 300001 LB; (Java)\n"
	                    "   3 20.00% 100.00%  1 300001 LA; (Java)\n"
	                    "MONITOR TIME END\n"
	                    "TRACE COSTS BEGIN (MONITOR TIME, total = 61 ns) x\n"
	                    "300001 30 3\n"
	                    "300002 30 3\n"
	                    "300003 1 1\n"
	                    "TRACE COSTS END\n"));
	ck_assert_uint_eq(visitor.section.row_count, 4);
	ck_assert_uint_eq(sum_of_rows(), 61);
	row_is(3, "<unknown>", 300003, 1, 1);
}
END_TEST

START_TEST(monitors_of_one_trace_share_in_proportion)
{
	ck_assert(read_text("MONITOR TIME BEGIN (total = 100 ms) x\n"
	                    "   1 60.00% 60.00%   2 300001 LB; (Java)\n"
	                    "   2 40.00% 100.00%  1 300001 LA; (Java)\n"
	                    "MONITOR TIME END\n"
	                    "TRACE COSTS BEGIN (MONITOR TIME, total = 51 ns) x\n"
	                    "300001 51 3\n"
	                    "TRACE COSTS END\n"));
	row_is(0, "LB; (Java)", 300001, 30, 2);
	row_is(1, "LA; (Java)", 300001, 21, 1);
}
END_TEST

/* ---- SAMPLE TIMES ------------------------------------------------------------------------ */

START_TEST(samples_have_their_buckets)
{
	ck_assert(read_text("SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1795543828123) x\n"
	                    "300001 0:1 3:2 17:1\n"
	                    "300002 4000000000:9\n"
	                    "SAMPLE TIMES END\n"));
	ck_assert_int_eq(visitor.section.kind, SECTION_TIMELINE);
	ck_assert_uint_eq(visitor.section.bucket_ms, 100);
	ck_assert_uint_eq(visitor.section.start_ms, UINT64_C(1795543828123));
	ck_assert_uint_eq(visitor.section.time_count, 4);
	ck_assert_uint_eq(visitor.section.total, 13);
	ck_assert_uint_eq(visitor.times[1].trace, 300001);
	ck_assert_uint_eq(visitor.times[1].bucket, 3);
	ck_assert_uint_eq(visitor.times[1].samples, 2);
	ck_assert_uint_eq(visitor.times[3].bucket, UINT32_C(4000000000));
}
END_TEST

/* ---- THREAD MICROSTATES -------------------------------------------------------------------- */

START_TEST(states_of_threads_are_numbers_and_lines)
{
	ck_assert(read_text("THREAD MICROSTATES (ms) BEGIN (threads = 2) x\n"
	                    "thread   life   usr   lck   slp   vcx  icx name\n"
	                    "200001   10.001   4.000   -   6.001   12   3 \"ma\"in\"\n"
	                    "200002   1.000   0.000   -   1.000   -   - \"\"\n"
	                    "THREAD MICROSTATES (ms) END\n"));
	const struct report_section *section = &visitor.section;
	ck_assert_int_eq(section->kind, SECTION_MICROSTATES);
	ck_assert_uint_eq(section->row_count, 3);
	ck_assert_uint_eq(section->thread_count, 2);
	ck_assert_uint_eq(section->state_count, 3);
	ck_assert_str_eq(section->state_names[1]->text, "lck");
	const struct section_thread *thread = &visitor.threads[0];
	ck_assert_str_eq(thread->name->text, "ma\"in");
	ck_assert_uint_eq(thread->thread, 200001);
	ck_assert_uint_eq(thread->life_us, 10001);
	ck_assert_uint_eq(thread->us[0], 4000);
	ck_assert_uint_eq(thread->us[1], SECTION_NOT_KNOWN);
	ck_assert_uint_eq(thread->us[2], 6001);
	ck_assert_uint_eq(thread->voluntary, 12);
	ck_assert_uint_eq(visitor.threads[1].involuntary, SECTION_NOT_KNOWN);
}
END_TEST

/* ---- facts ---------------------------------------------------------------------------------- */

START_TEST(facts_are_those_of_the_notes)
{
	ck_assert(read_text("NOTE: program: com.acme.App --x \"y\"\n"
	                    "NOTE: JVM: 25.0.3+9-LTS OpenJDK 64-Bit Server VM\n"
	                    "NOTE: options: cpu=samples,heapinterval=7,interval=20\n"
	                    "NOTE: something else\n"
	                    "NOTE: profiled for 62.104 s\n"));
	ck_assert_str_eq(profile.facts.created->text, "Sat Nov 21 02:55:43 2026");
	ck_assert_str_eq(profile.facts.program->text, "com.acme.App --x \"y\"");
	ck_assert_str_eq(profile.facts.jvm->text, "25.0.3+9-LTS OpenJDK 64-Bit Server VM");
	ck_assert_str_eq(profile.facts.options->text, "cpu=samples,heapinterval=7,interval=20");
	ck_assert_uint_eq(profile.facts.duration_ns, UINT64_C(62104000000));
	ck_assert_uint_eq(profile.facts.interval_ms, 20);
	ck_assert_int_eq(visitor.notes, 5);
}
END_TEST

static const struct {
	const char *options;
	uint32_t depth;
	bool cut; /* a trace of 5 frames */
} depth_cases[] = {
        {"NOTE: options: depth=5\n", 5, true},
        {"NOTE: options: cpu=times,depth=6\n", 6, false},
        {"NOTE: options: cpu=times\n", 4, true},
        {"NOTE: options: xdepth=6\n", 4, true},
        {"NOTE: options: depth=99999999999\n", 0, false},
        {"NOTE: something else\n", 0, false},
};

START_TEST(stacks_with_as_many_frames_as_depth_are_cut)
{
	char text[256];

	(void)snprintf(text, sizeof(text),
	               "%sTRACE 300009:\n\ta.B.a(B.java)\n\ta.B.b(B.java)\n\ta.B.c(B.java)\n"
	               "\ta.B.d(B.java)\n\ta.B.e(B.java)\n",
	               depth_cases[_i].options);
	ck_assert(read_text(text));
	ck_assert_uint_eq(profile.facts.depth, depth_cases[_i].depth);
	ck_assert(profile.facts.has_cut_stacks == depth_cases[_i].cut);
}
END_TEST

START_TEST(facts_that_make_no_sense_are_not_known)
{
	ck_assert(read_text("NOTE: options: interval=99999999999999\n"
	                    "NOTE: profiled for 99999999999999999999 s\n"));
	ck_assert_uint_eq(profile.facts.duration_ns, 0);
	ck_assert_uint_eq(profile.facts.interval_ms, 0);
	ck_assert_ptr_null(profile.facts.program);
	ck_assert(read_text("NOTE: options: cpu=samples\nNOTE: profiled for 5 minutes\n"));
	ck_assert_uint_eq(profile.facts.interval_ms, 10);
	ck_assert_uint_eq(profile.facts.duration_ns, 0);
}
END_TEST

START_TEST(malformed_rows_are_refused_with_their_line)
{
	static const char *const broken[] = {
	        "TRACE COSTS BEGIN (SPACE TIME, total = 5 ns)\n",
	        "TRACE COSTS BEGIN (CPU TIME, total = 5 ns)\n300001 5\nTRACE COSTS END\n",
	        "TRACE COSTS BEGIN (CPU TIME, total = 5 ns)\n300001 5 5\n",
	        "TRACE COSTS BEGIN (CPU TIME, total = 5 ns)\n300001 5 5x\nTRACE COSTS END\n",
	        "SAMPLE TIMES BEGIN (bucket = 0 ms)\nSAMPLE TIMES END\n",
	        "SAMPLE TIMES BEGIN (bucket = 9 ms)\n300001 5\nSAMPLE TIMES END\n",
	        "SAMPLE TIMES BEGIN (bucket = 9 ms)\n300001 5: 6\nSAMPLE TIMES END\n",
	        "SAMPLE TIMES BEGIN (bucket = 9 ms)\n300001 4294967296:6\nSAMPLE TIMES END\n",
	        "THREAD MICROSTATES (ms) BEGIN\nthread life vcx icx name\n",
	        "THREAD MICROSTATES (ms) BEGIN\nthread life usr vcx\n1 1.0 1.000 1 1 \"\"\n",
	        "THREAD MICROSTATES (ms) BEGIN\nthread life usr vcx\n1 1.000 1.000 1 1 \"\n",
	        "THREAD MICROSTATES (ms) BEGIN\nthread life usr vcx\n1 1.000 1.000 1\n",
	        "THREAD MICROSTATES (ms) BEGIN\nthread life a b c d e f g h i j k l m n o p q "
	        "vcx\n",
	};
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		tear_down();
		set_up();
		ck_assert_msg(!read_text(broken[i]), "%s", broken[i]);
		ck_assert_int_eq(error.code, 0);
		ck_assert_msg(strncmp(error.text, "line ", 5) == 0, "%s: %s", broken[i],
		              error.text);
	}
}
END_TEST

static Suite *report_sections_suite(void)
{
	Suite *suite = suite_create("report_sections");
	TCase *tests = tcase_create("sections");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, samples_without_a_row_are_a_row_of_their_own);
	tcase_add_test(tests, a_section_without_its_end_has_no_rest);
	tcase_add_test(tests, costs_of_rounded_shares_add_up_to_the_total);
	tcase_add_test(tests, shares_that_go_down_cost_nothing);
	tcase_add_test(tests, sites_below_the_cutoff_are_estimated);
	tcase_add_test(tests, exact_costs_replace_those_of_shares);
	tcase_add_test(tests, each_section_gets_its_own_exact_costs);
	tcase_add_test(tests, states_of_traces_are_shown_line_by_line);
	tcase_add_test(tests, only_the_title_says_whether_states_are_sampled);
	tcase_add_test(tests, malformed_states_of_traces_are_refused);
	tcase_add_test(tests, exact_costs_after_another_section_are_not_used);
	tcase_add_test(tests, monitors_of_one_trace_share_its_cost);
	tcase_add_test(tests, monitors_of_one_trace_share_in_proportion);
	tcase_add_test(tests, samples_have_their_buckets);
	tcase_add_test(tests, states_of_threads_are_numbers_and_lines);
	tcase_add_test(tests, facts_are_those_of_the_notes);
	tcase_add_loop_test(tests, stacks_with_as_many_frames_as_depth_are_cut, 0,
	                    sizeof(depth_cases) / sizeof(depth_cases[0]));
	tcase_add_test(tests, facts_that_make_no_sense_are_not_known);
	tcase_add_test(tests, malformed_rows_are_refused_with_their_line);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(report_sections_suite());
}
