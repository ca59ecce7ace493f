/*
 * run_suite.h: main() of a unit test. Each test file makes one suite and ends
 * with: int main(void) { return run_suite(NAME_suite()); }
 */
#ifndef HPROF_RUN_SUITE_H
#define HPROF_RUN_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs the suite, each test in a process of its own unless the environment says
 * CK_FORK=no (for a debugger, or a checker that does not follow children). */
static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_FORK_GETENV);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
