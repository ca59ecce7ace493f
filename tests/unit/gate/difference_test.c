/*
 * Tests of hprof diff's parts: two profiles become tables, collapsed stacks with two numbers and
 * coloured flame graphs.
 */
#include "gate_fixture.h"
#include "run_suite.h"

#include "console/input.h"
#include "gate/difference.h"
#include "gate/difference_export.h"
#include "gate/difference_table.h"

#include <string.h>

static const char old_text[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
                               "--------\n"
                               "TRACE 300001:\n"
                               "\tA.f(A.java:12)\n"
                               "\tA.main(A.java:1)\n"
                               "TRACE 300002:\n"
                               "\tA.g(A.java:13)\n"
                               "\tA.main(A.java:1)\n"
                               "TRACE 300003:\n"
                               "\tA$$Lambda$14/0x00007f4.run(A.java:13)\n"
                               "CPU SAMPLES BEGIN (total = 10) Sat Nov 21 02:55:44 2026\n"
                               "rank   self  accum   count trace method\n"
                               "   1 50.00% 50.00%       5 300001 A.f\n"
                               "   2 30.00% 80.00%       3 300002 A.g\n"
                               "   3 20.00% 100.00%      2 300003 A$$Lambda$14/0x00007f4.run\n"
                               "CPU SAMPLES END\n"
                               "SITES BEGIN (ordered by allocated bytes, live not counted) Sat\n"
                               "    1 100.00% 100.00%       0    0      6000    60 300001 byte[]\n"
                               "SITES END\n";

static const char new_text[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
                               "--------\n"
                               "TRACE 300007:\n"
                               "\tA.f(A.java:99)\n"
                               "\tA.main(A.java:2)\n"
                               "TRACE 300008:\n"
                               "\tA.<h>(A.java:13)\n"
                               "TRACE 300009:\n"
                               "\tA$$Lambda/0x0000aaa.run(A.java:13)\n"
                               "CPU SAMPLES BEGIN (total = 20) Sat Nov 21 02:55:44 2026\n"
                               "   1 70.00% 70.00%      14 300007 A.f\n"
                               "   2 20.00% 90.00%       4 300008 A.<h>\n"
                               "   3 10.00% 100.00%      2 300009 A$$Lambda/0x0000aaa.run\n"
                               "CPU SAMPLES END\n"
                               "CPU TIME (ms) BEGIN (total = 2000) Sat Nov 21 02:55:44 2026\n"
                               "   1 100.00% 100.00%    7777 300007 A.f\n"
                               "CPU TIME (ms) END\n";

/* Ten columns: wall, usr, sys, tfl, dfl, lck, slp, i/o, lat and stw. */
#define NOT_COUNTED "           -           -           -"
#define NONE "       0.000       0.000       0.000"
#define STATES_OLD                                                                    \
	"TRACE MICROSTATES (ms) BEGIN (total = 10, exact) Sat Nov 21 02:55:44 2026\n" \
	"   1       8.000       5.000" NOT_COUNTED "       2.000       1.000" NONE    \
	"        1 300001 A.f\n"                                                      \
	"TRACE MICROSTATES (ms) END\n"
#define STATES_NEW                                                                   \
	"TRACE MICROSTATES (ms) BEGIN (total = 9, exact) Sat Nov 21 02:55:44 2026\n" \
	"   1       6.000       6.000" NOT_COUNTED "       0.000       0.000" NONE   \
	"        1 300007 A.f\n"                                                     \
	"   2       3.000       0.000" NOT_COUNTED "       0.000       3.000" NONE   \
	"        1 300008 A.<h>\n"                                                   \
	"TRACE MICROSTATES (ms) END\n"

static struct difference difference;
static struct output output;

static void read_side(enum side side, const char *text, bool last)
{
	struct report_profile profile;
	struct report_error error;
	struct difference_reader reader;
	struct input *input = input_of_bytes(text, strlen(text));

	ck_assert(report_profile_init(&profile));
	ck_assert(difference_reader_init(&reader, last, false));
	ck_assert_msg(report_read_text(input_source(input), &profile, &reader.states.base, &error),
	              "%s", error.text);
	ck_assert(difference_add(&difference, side, &reader, &profile));
	difference_reader_free(&reader);
	report_profile_free(&profile);
	input_close(input);
}

static void set_up(void)
{
	ck_assert(difference_init(&difference));
	read_side(SIDE_OLD, old_text, false);
	read_side(SIDE_NEW, new_text, false);
	memset(&output, 0, sizeof(output));
	byte_buffer_init(&output.text);
}

static void tear_down(void)
{
	difference_free(&difference);
	byte_buffer_free(&output.text);
}

static struct difference_part *samples(void)
{
	enum difference_kind kind;
	struct difference_part *part = difference_find(&difference, DIFFERENCE_KINDS, &kind);
	ck_assert_ptr_nonnull(part);
	ck_assert_uint_eq(kind, DIFFERENCE_SAMPLES);
	return part;
}

static const char *text(void)
{
	byte_buffer_add_u1(&output.text, 0);
	return (const char *)output.text.bytes;
}

START_TEST(parts_of_one_profile_alone_are_not_compared)
{
	enum difference_kind kind;
	ck_assert_ptr_null(difference_find(&difference, DIFFERENCE_SITES, &kind));
	ck_assert_ptr_null(difference_find(&difference, DIFFERENCE_CALLS, &kind));
	ck_assert(difference.parts[DIFFERENCE_SITES].has[SIDE_OLD]);
	ck_assert(difference.parts[DIFFERENCE_TIMES].has[SIDE_NEW]);
	ck_assert(difference_lacks(&difference, DIFFERENCE_TIMES));
	ck_assert(!difference_lacks(&difference, DIFFERENCE_CALLS));
	ck_assert(!difference_lacks(&difference, DIFFERENCE_SAMPLES));
	ck_assert_uint_eq(difference.parts[DIFFERENCE_CALLS].total[SIDE_NEW], 7777);
}
END_TEST

START_TEST(rows_are_sorted_by_how_much_they_changed)
{
	ck_assert(difference_write_part(samples(), &difference_names[DIFFERENCE_SAMPLES], 3,
	                                &output));
	const char *all = text();
	assert_has(all, "\nCPU SAMPLES, samples, by method\n");
	assert_has(all, " 10              20             +10   +100.0% total\n"
	                "              5              14              +9   +180.0% A.f\n"
	                "              0               4              +4       new A.<h>\n"
	                "              3               0              -3      gone A.g\n"
	                "... and 1 more; --top 0 shows all\n");
	assert_has(all, "+180.0% A.f\n\t\tA.main\n");
}
END_TEST

START_TEST(old_values_can_be_scaled_to_the_new_total)
{
	difference_normalize(&difference);
	ck_assert(difference_write_part(samples(), &difference_names[DIFFERENCE_SAMPLES], 0,
	                                &output));
	assert_has(text(), "             10              14              +4    +40.0% A.f\n");
	ck_assert_uint_eq(samples()->total[SIDE_OLD], 20);
}
END_TEST

START_TEST(collapsed_stacks_have_both_numbers)
{
	ck_assert(difference_write_collapsed(samples(), &output));
	ck_assert_str_eq(text(), "A$$Lambda.run 2 2\nA.<h> 0 4\nA.main;A.f 5 14\nA.main;A.g 3 0\n");
}
END_TEST

START_TEST(a_flame_graph_shows_what_grew_and_what_shrank)
{
	ck_assert(
	        difference_write_flame(samples(), &difference_names[DIFFERENCE_SAMPLES], &output));
	const char *all = text();
	assert_has(all, "CPU SAMPLES: from 10 to 20 samples");
	/* 14 of 20; 9 of 14 of the strongest colour. */
	assert_has(all, "<title>A.f (14 samples, 70.00%; before: 5)</title>");
	assert_has(all, "fill=\"rgb(238,116,116)\"");
	assert_has(all, "<title>A$$Lambda.run (2 samples, 10.00%; before: 2)</title>");
	assert_has(all, "fill=\"rgb(238,238,238)\"");
	assert_has(all, "<title>A.&lt;h&gt; (4 samples");
	ck_assert_ptr_null(strstr(all, "A.g"));
}
END_TEST

/* Two profiles with states in place of those of set_up(). */
static void read_states(const char *old_states, const char *new_states, bool last)
{
	char text[4096];

	difference_free(&difference);
	ck_assert(difference_init(&difference));
	(void)snprintf(text, sizeof(text), "%s%s", old_text, old_states);
	read_side(SIDE_OLD, text, last);
	(void)snprintf(text, sizeof(text), "%s%s", new_text, new_states);
	read_side(SIDE_NEW, text, last);
}

static const struct pair *total_of(enum difference_kind kind)
{
	static struct pair total;
	enum difference_kind found;
	const struct difference_part *part = difference_find(&difference, kind, &found);

	ck_assert_ptr_nonnull(part);
	total = (struct pair){{part->total[SIDE_OLD], part->total[SIDE_NEW]}};
	return &total;
}

START_TEST(states_are_the_innermost_names_of_their_times)
{
	read_states(STATES_OLD, STATES_NEW, false);
	ck_assert(difference_write_part(&difference.parts[DIFFERENCE_STATES],
	                                &difference_names[DIFFERENCE_STATES], 0, &output));
	ck_assert_str_eq(
	        text(),
	        "\nTRACE MICROSTATES, ms, by state\n"
	        "            old             new          change           state\n"
	        "         10.000           9.000          -1.000    -10.0% total\n"
	        "          2.000           0.000          -2.000      gone [below the cutoff]\n"
	        "          2.000           0.000          -2.000      gone lck\n"
	        "          1.000           3.000          +2.000   +200.0% slp\n"
	        "          5.000           6.000          +1.000    +20.0% usr\n"
	        "\nTRACE MICROSTATES, ms, by stack\n"
	        "            old             new          change           stack\n"
	        "          0.000           3.000          +3.000       new slp\n"
	        "\t\tA.<h>\n"
	        "          2.000           0.000          -2.000      gone [below the cutoff]\n"
	        "          2.000           0.000          -2.000      gone lck\n"
	        "\t\tA.f\n\t\tA.main\n"
	        "          1.000           0.000          -1.000      gone slp\n"
	        "\t\tA.f\n\t\tA.main\n"
	        "          5.000           6.000          +1.000    +20.0% usr\n"
	        "\t\tA.f\n\t\tA.main\n");
}
END_TEST

START_TEST(a_state_that_one_profile_has_no_time_in_is_compared)
{
	read_states(STATES_OLD, STATES_NEW, false);
	ck_assert(difference_write_part(&difference.parts[DIFFERENCE_LCK],
	                                &difference_names[DIFFERENCE_LCK], 0, &output));
	assert_has(text(), "\nTRACE MICROSTATES, lck, ms, by method\n"
	                   "            old             new          change           method\n"
	                   "          2.000           0.000          -2.000      gone total\n"
	                   "          2.000           0.000          -2.000      gone A.f\n");
	ck_assert_uint_eq(total_of(DIFFERENCE_LCK)->of[SIDE_NEW], 0);
	ck_assert(!difference_shows(&difference, DIFFERENCE_KINDS, DIFFERENCE_LCK));
	ck_assert(difference_shows(&difference, DIFFERENCE_LCK, DIFFERENCE_LCK));
	ck_assert(difference_shows(&difference, DIFFERENCE_KINDS, DIFFERENCE_STATES));
}
END_TEST

START_TEST(the_last_states_replace_those_before_them)
{
	read_states(STATES_OLD STATES_OLD, STATES_OLD STATES_NEW, true);
	ck_assert_uint_eq(total_of(DIFFERENCE_LCK)->of[SIDE_OLD], 2000000);
	ck_assert_uint_eq(total_of(DIFFERENCE_LCK)->of[SIDE_NEW], 0);
	ck_assert_uint_eq(total_of(DIFFERENCE_STATES)->of[SIDE_OLD], 10000000);
	ck_assert_uint_eq(total_of(DIFFERENCE_STATES)->of[SIDE_NEW], 9000000);
	read_states(STATES_OLD STATES_OLD, STATES_OLD STATES_NEW, false);
	ck_assert_uint_eq(total_of(DIFFERENCE_LCK)->of[SIDE_OLD], 4000000);
	ck_assert_uint_eq(total_of(DIFFERENCE_LCK)->of[SIDE_NEW], 2000000);
	ck_assert_uint_eq(total_of(DIFFERENCE_STATES)->of[SIDE_OLD], 20000000);
	ck_assert_uint_eq(total_of(DIFFERENCE_STATES)->of[SIDE_NEW], 19000000);
}
END_TEST

static Suite *difference_suite(void)
{
	Suite *suite = suite_create("difference");
	TCase *tests = tcase_create("difference");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, parts_of_one_profile_alone_are_not_compared);
	tcase_add_test(tests, rows_are_sorted_by_how_much_they_changed);
	tcase_add_test(tests, old_values_can_be_scaled_to_the_new_total);
	tcase_add_test(tests, collapsed_stacks_have_both_numbers);
	tcase_add_test(tests, a_flame_graph_shows_what_grew_and_what_shrank);
	tcase_add_test(tests, states_are_the_innermost_names_of_their_times);
	tcase_add_test(tests, a_state_that_one_profile_has_no_time_in_is_compared);
	tcase_add_test(tests, the_last_states_replace_those_before_them);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(difference_suite());
}
