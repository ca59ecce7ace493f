/*
 * Tests of the table of states of calls, and of what a filter leaves of it.
 */
#include "report/state_table.h"
#include "report_fixture.h"
#include "run_suite.h"

#include "report/section_filter.h"

#define SECTION_THAT_IS(how, rows)                                     \
	"TRACE MICROSTATES (ms) BEGIN (total = 100, " how ") x\n" rows \
	"TRACE MICROSTATES (ms) END\n"
#define SECTION(rows) SECTION_THAT_IS("exact", rows)

/* wall usr sys tfl dfl lck slp i/o lat stw calls trace */
#define FIB                                                             \
	"   1   60.000   50.000   -   -   -    2.000    0.000    0.000" \
	"    8.000   0.000   7 300001 a.b.A.fib\n"
#define RUN                                                             \
	"   2   30.000    0.500   -   -   -   20.000    9.500    0.000" \
	"    -   0.000   3 300002 a.b.A.run\n"

static const char states[] = FIXTURE_TRACES SECTION(FIB RUN);

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

static const char *table(bool last, size_t rows_max)
{
	bool out_of_memory = true;
	ck_assert(state_table_write(&content, last, rows_max, &output, &out_of_memory));
	ck_assert(!out_of_memory);
	return fixture_printed();
}

#define HEADING " rank    self   total       self ms      total ms       calls method\n"

/* Whether the text begins with part; it is moved behind it. */
static void next_is(const char **text, const char *part)
{
	ck_assert_msg(strncmp(*text, part, strlen(part)) == 0, "wanted %s, got %.400s", part,
	              *text);
	*text += strlen(part);
}

START_TEST(states_come_by_their_time_and_each_has_its_methods)
{
	ck_assert(fixture_read(states, &content.base));
	const char *text = table(false, 2);
	next_is(&text, "TRACE MICROSTATES: 100.000 ms\n"
	               "   share               ms  state\n"
	               "  50.50%           50.500  usr  on a CPU\n"
	               "  22.00%           22.000  lck  waiting for a lock\n"
	               "   9.50%            9.500  slp  asleep, parked or waiting\n"
	               "   8.00%            8.000  lat  waiting for a CPU\n"
	               "  10.00%           10.000       [below the cutoff]\n");
	next_is(&text, "\nusr: 50.500 ms\n" HEADING);
	next_is(&text,
	        "    1   99.01% 100.00%         50.000         50.500           7 a.b.A.fib\n");
	next_is(&text, "    2    0.99%   0.99%          0.500          0.500           3 "
	               "a.b.A$$Lambda.run\n");
	next_is(&text, "... and 1 more; --top 0 shows all\n");
	next_is(&text, "\nlck: 22.000 ms\n" HEADING);
	next_is(&text, "    1   90.91%  90.91%         20.000         20.000           3 "
	               "a.b.A$$Lambda.run\n");
	next_is(&text,
	        "    2    9.09% 100.00%          2.000         22.000           7 a.b.A.fib\n");
	next_is(&text, "... and 1 more; --top 0 shows all\n");
	next_is(&text, "\nslp: 9.500 ms\n" HEADING);
	next_is(&text, "    1  100.00% 100.00%          9.500          9.500           3 "
	               "a.b.A$$Lambda.run\n");
	next_is(&text,
	        "    2    0.00% 100.00%          0.000          9.500           0 a.b.A.fib\n");
	next_is(&text, "\nlat: 8.000 ms\n" HEADING);
	next_is(&text,
	        "    1  100.00% 100.00%          8.000          8.000           7 a.b.A.fib\n");
	next_is(&text,
	        "    2    0.00% 100.00%          0.000          8.000           0 Main.main\n");
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(sections_add_up_unless_the_last_is_asked_for)
{
	ck_assert(fixture_read(FIXTURE_TRACES SECTION(FIB) SECTION(FIB RUN), &content.base));
	const char *text = table(false, 0);
	ck_assert(strstr(text, "TRACE MICROSTATES: 200.000 ms\n") == text);
	ck_assert_ptr_nonnull(strstr(text, "\nusr: 100.500 ms\n"));
	output.text.length = 0;
	ck_assert_ptr_nonnull(strstr(table(true, 0), "\nusr: 50.500 ms\n"));
}
END_TEST

START_TEST(sampled_states_have_samples_for_calls)
{
	ck_assert(fixture_read(FIXTURE_TRACES SECTION_THAT_IS("sampled", FIB RUN), &content.base));
	const char *text = table(false, 2);
	next_is(&text, "TRACE MICROSTATES: 100.000 ms, sampled\n"
	               "   share               ms  state\n");
	ck_assert_ptr_nonnull(strstr(
	        text, "\nlck: 22.000 ms\n"
	              " rank    self   total       self ms      total ms     samples method\n"));
	ck_assert_ptr_null(strstr(text, " calls "));
}
END_TEST

START_TEST(one_sampled_section_makes_the_sum_sampled)
{
	ck_assert(fixture_read(FIXTURE_TRACES SECTION_THAT_IS("sampled", FIB) SECTION(FIB RUN),
	                       &content.base));
	const char *text = table(false, 0);
	next_is(&text, "TRACE MICROSTATES: 200.000 ms, sampled\n");
	output.text.length = 0;
	text = table(true, 0);
	next_is(&text, "TRACE MICROSTATES: 100.000 ms\n");
}
END_TEST

START_TEST(a_profile_without_states_has_no_table)
{
	ck_assert(fixture_read(FIXTURE_TRACES, &content.base));
	ck_assert_str_eq(table(false, 0), "");
}
END_TEST

START_TEST(a_filter_takes_its_rows_from_the_total)
{
	struct section_filter filter;
	struct os_regex *ignore;
	char error[OS_ERROR_TEXT_MAX];

	if (os_regex_compile("Lambda", &ignore, error, sizeof(error)) != 0)
		return;
	section_filter_init(&filter, &content.base, NULL, ignore);
	ck_assert(fixture_read(states, &filter.base));
	ck_assert_uint_eq(content.items[0].section.row_count, 1);
	const char *text = table(false, 0);
	ck_assert(strstr(text, "TRACE MICROSTATES: 70.000 ms\n") == text);
	ck_assert_ptr_nonnull(strstr(text, "\nlck: 2.000 ms\n"));
	section_filter_free(&filter);
	os_regex_free(ignore);
}
END_TEST

static Suite *state_table_suite(void)
{
	Suite *suite = suite_create("state_table");
	TCase *tc = tcase_create("state_table");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, states_come_by_their_time_and_each_has_its_methods);
	tcase_add_test(tc, sections_add_up_unless_the_last_is_asked_for);
	tcase_add_test(tc, sampled_states_have_samples_for_calls);
	tcase_add_test(tc, one_sampled_section_makes_the_sum_sampled);
	tcase_add_test(tc, a_profile_without_states_has_no_table);
	tcase_add_test(tc, a_filter_takes_its_rows_from_the_total);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(state_table_suite());
}
