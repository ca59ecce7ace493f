/*
 * quick_check.h: a check for the innermost loops of tests. ck_assert() writes a
 * mark to a file even when all is well, which millions of checks can't afford.
 */
#ifndef HPROF_TESTS_QUICK_CHECK_H
#define HPROF_TESTS_QUICK_CHECK_H

#include <check.h>

/* Unless condition holds, ends the test with the message of printf(3) form. */
#define QUICK_CHECK(condition, ...)                \
	do {                                       \
		if (!(condition))                  \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

#endif
