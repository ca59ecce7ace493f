/*
 * Tests of sections of one state, which are made of a section of states by trace.
 */
#include "report/state_sections.h"
#include "report_fixture.h"
#include "run_suite.h"

/* wall usr sys tfl dfl lck slp i/o lat stw calls trace */
#define SECTION(how)                                                    \
	"TRACE MICROSTATES (ms) BEGIN (total = 100, " how ") x\n"       \
	"   1   60.000   10.000   -   -   -   42.000    0.000    8.000" \
	"    0.000   0.000   7 300001 a.b.A.fib\n"                      \
	"   2   30.000   20.000   -   -   -    0.000    0.000   10.000" \
	"    -   0.000   3 300002 a.b.A.run\n"                          \
	"   3    0.500    0.500   -   -   -    0.000    0.000    0.000" \
	"    0.000   0.000   1 300000 <empty>\n"                        \
	"TRACE MICROSTATES (ms) END\n"

static const char states[] = FIXTURE_TRACES SECTION("exact") "NOTE: the note\n";
static const char sampled[] = FIXTURE_TRACES SECTION("sampled");

/* A visitor that keeps what it got, and ends after sections_max. */
struct kept {
	struct report_visitor base;
	struct report_section sections[16];
	size_t count;
	size_t sections_max;
	size_t notes;
};

static struct kept kept;
static struct state_sections sections;

static bool keep(struct report_visitor *base, const struct report_profile *of,
                 const struct report_section *section)
{
	struct kept *to = (struct kept *)base;
	(void)of;
	ck_assert(section_copy(&to->sections[to->count++], section));
	return to->count < to->sections_max;
}

static bool note(struct report_visitor *base, const char *text, size_t length)
{
	(void)text;
	(void)length;
	((struct kept *)base)->notes++;
	return true;
}

static void set_up(void)
{
	fixture_set_up();
	kept = (struct kept){.base = {.section = keep, .note = note}, .sections_max = 16};
	state_sections_init(&sections, &kept.base);
}

static void tear_down(void)
{
	for (size_t i = 0; i < kept.count; i++)
		section_free(&kept.sections[i]);
	fixture_tear_down();
}

START_TEST(each_state_with_time_has_a_section)
{
	ck_assert(fixture_read(states, &sections.base));
	ck_assert(!sections.out_of_memory);
	ck_assert_uint_eq(kept.count, 4);
	ck_assert_int_eq(kept.sections[0].kind, SECTION_STATES);
	ck_assert_int_eq(kept.sections[1].kind, SECTION_USR);
	ck_assert_int_eq(kept.sections[2].kind, SECTION_LCK);
	ck_assert_int_eq(kept.sections[3].kind, SECTION_IO);
	ck_assert_str_eq(kept.sections[3].title, "TRACE MICROSTATES, i/o");
	ck_assert_uint_eq(kept.notes, 1);
}
END_TEST

START_TEST(rows_come_by_their_time_and_have_their_calls)
{
	ck_assert(fixture_read(states, &sections.base));
	const struct report_section *usr = &kept.sections[1];
	ck_assert_uint_eq(usr->total, 30500000);
	ck_assert_uint_eq(usr->row_count, 3);
	ck_assert_uint_eq(usr->rows[0].trace, 300002);
	ck_assert_uint_eq(usr->rows[0].cost, 20000000);
	ck_assert_uint_eq(usr->rows[0].count, 3);
	ck_assert_uint_eq(usr->rows[0].self, 6557);
	ck_assert_str_eq(usr->rows[1].name->text, "a.b.A.fib");
	ck_assert_str_eq(usr->rows[2].name->text, "usr");
	ck_assert_uint_eq(kept.sections[2].row_count, 1);
}
END_TEST

START_TEST(states_are_sampled_if_their_section_is)
{
	for (int is_sampled = 0; is_sampled < 2; is_sampled++) {
		tear_down();
		set_up();
		ck_assert(fixture_read(is_sampled != 0 ? sampled : states, &sections.base));
		ck_assert_uint_eq(kept.count, 4);
		for (size_t i = 0; i < kept.count; i++)
			ck_assert_int_eq(kept.sections[i].sampled, is_sampled);
	}
}
END_TEST

START_TEST(a_visitor_can_end_the_reading)
{
	kept.sections_max = 2;
	ck_assert(!fixture_read(states, &sections.base));
	ck_assert_uint_eq(kept.count, 2);
	ck_assert(!sections.out_of_memory);
}
END_TEST

static Suite *state_sections_suite(void)
{
	Suite *suite = suite_create("state_sections");
	TCase *tc = tcase_create("state_sections");
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, each_state_with_time_has_a_section);
	tcase_add_test(tc, rows_come_by_their_time_and_have_their_calls);
	tcase_add_test(tc, states_are_sampled_if_their_section_is);
	tcase_add_test(tc, a_visitor_can_end_the_reading);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(state_sections_suite());
}
