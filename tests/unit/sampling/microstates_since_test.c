/* Tests of the microstates of a part of a system thread's life. */
#include "run_suite.h"
#include "sampling/microstates_since.h"

enum { ALL = (1U << OS_MICROSTATES) - 1 };

static uint64_t sum(const struct os_microstates *states)
{
	uint64_t ns = 0;
	for (int i = 0; i < OS_MICROSTATES; i++)
		ns += states->ns[i];
	return ns;
}

START_TEST(each_state_is_what_has_passed)
{
	struct os_microstates begun = {.known = ALL, .life_ns = 36};
	struct os_microstates states = {.known = ALL, .life_ns = 108};

	for (unsigned i = 0; i < OS_MICROSTATES; i++) {
		begun.ns[i] = i + 1;
		states.ns[i] = 3 * (i + 1);
	}
	microstates_since(&states, &begun);
	for (unsigned i = 0; i < OS_MICROSTATES; i++)
		ck_assert_uint_eq(states.ns[i], 2 * (i + 1));
	ck_assert_uint_eq(states.life_ns, 72);
	ck_assert_uint_eq(states.known, ALL);
}
END_TEST

START_TEST(since_the_start_all_is_kept)
{
	const struct os_microstates begun = {.known = 0};
	struct os_microstates states = {.known = 1U << OS_USR | 1U << OS_SLP,
	                                .life_ns = 50,
	                                .voluntary_switches = 7,
	                                .involuntary_switches = 5,
	                                .switches_known = true};

	states.ns[OS_USR] = 20;
	states.ns[OS_SLP] = 30;
	microstates_since(&states, &begun);
	ck_assert_uint_eq(states.ns[OS_USR], 20);
	ck_assert_uint_eq(states.ns[OS_SYS], 0);
	ck_assert_uint_eq(states.ns[OS_SLP], 30);
	ck_assert_uint_eq(states.life_ns, 50);
	ck_assert_uint_eq(states.voluntary_switches, 7);
	ck_assert_uint_eq(states.involuntary_switches, 5);
	ck_assert(states.switches_known);
}
END_TEST

START_TEST(switches_are_those_since)
{
	const struct os_microstates begun = {.voluntary_switches = 4, .involuntary_switches = 1};
	struct os_microstates states = {.voluntary_switches = 7, .involuntary_switches = 5};

	microstates_since(&states, &begun);
	ck_assert_uint_eq(states.voluntary_switches, 3);
	ck_assert_uint_eq(states.involuntary_switches, 4);
}
END_TEST

/* The first ticks come later, and move CPU time from usr to sys. */
static void split_later(uint64_t usr_ns, uint64_t sys_ns, uint64_t wanted_usr_ns)
{
	struct os_microstates begun = {.known = 1U << OS_USR};
	struct os_microstates states = {.known = 1U << OS_USR | 1U << OS_SYS};

	begun.ns[OS_USR] = 100;
	states.ns[OS_USR] = usr_ns;
	states.ns[OS_SYS] = sys_ns;
	microstates_since(&states, &begun);
	ck_assert_uint_eq(states.ns[OS_USR], wanted_usr_ns);
	ck_assert_uint_eq(states.ns[OS_USR] + states.ns[OS_SYS], usr_ns + sys_ns - 100);
	ck_assert_uint_eq(states.life_ns, sum(&states));
}

START_TEST(a_corrected_split_of_cpu_time_changes_no_sum)
{
	split_later(150, 50, 50);
	split_later(90, 50, 0);
	split_later(130, 0, 30);
}
END_TEST

START_TEST(a_reading_that_goes_backwards_is_nothing)
{
	struct os_microstates begun = {.known = ALL};
	struct os_microstates states = {.known = ALL};

	begun.ns[OS_USR] = begun.ns[OS_LAT] = 10;
	states.ns[OS_USR] = states.ns[OS_LAT] = 9;
	begun.voluntary_switches = 1;
	microstates_since(&states, &begun);
	ck_assert_uint_eq(sum(&states), 0);
	ck_assert_uint_eq(states.life_ns, 0);
	ck_assert_uint_eq(states.voluntary_switches, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("microstates_since");
	TCase *tests = tcase_create("since");

	tcase_add_test(tests, each_state_is_what_has_passed);
	tcase_add_test(tests, since_the_start_all_is_kept);
	tcase_add_test(tests, switches_are_those_since);
	tcase_add_test(tests, a_corrected_split_of_cpu_time_changes_no_sum);
	tcase_add_test(tests, a_reading_that_goes_backwards_is_nothing);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
