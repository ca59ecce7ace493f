/* marks: timed, posix */
/*
 * Tests of caught requests to end: they end nothing, and what was ignored before stays so.
 */
#include "run_suite.h"

#include "os/os_programs.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static struct sigaction handling_of(int number)
{
	struct sigaction now;
	ck_assert_int_eq(sigaction(number, NULL, &now), 0);
	return now;
}

START_TEST(requests_are_seen_and_end_nothing)
{
	static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		/* Whatever the shell that runs the tests ignores. */
		(void)signal(requests[i], SIG_DFL);
		os_interrupts_catch();
		ck_assert(!os_interrupted());
		ck_assert_int_eq(raise(requests[i]), 0);
		ck_assert(os_interrupted());
		ck_assert_int_eq(raise(requests[i]), 0);
	}
}
END_TEST

START_TEST(an_ignored_hangup_stays_ignored)
{
	(void)signal(SIGHUP, SIG_IGN);
	os_interrupts_catch();
	ck_assert_int_eq(raise(SIGHUP), 0);
	ck_assert(!os_interrupted());
	ck_assert(handling_of(SIGHUP).sa_handler == SIG_IGN);
}
END_TEST

START_TEST(a_closed_pipe_is_an_error)
{
	int ends[2];
	ck_assert_int_eq(pipe(ends), 0);
	(void)close(ends[0]);
	os_interrupts_catch();
	ck_assert_int_eq(write(ends[1], "x", 1), -1);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert(!os_interrupted());
	(void)close(ends[1]);
}
END_TEST

static Suite *interrupts_suite(void)
{
	Suite *suite = suite_create("interrupts");
	TCase *tests = tcase_create("interrupts");
	tcase_add_test(tests, requests_are_seen_and_end_nothing);
	tcase_add_test(tests, an_ignored_hangup_stays_ignored);
	tcase_add_test(tests, a_closed_pipe_is_an_error);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(interrupts_suite());
}
