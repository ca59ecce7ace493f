/*
 * judged_times.h: whether tests judge times, durations and shares. Under a sanitizer, Wine or
 * QEMU they do not, as no limit is true there: HPROF_TEST_TIMES=n in the environment. What is
 * exact is judged everywhere.
 */
#ifndef HPROF_TESTS_JUDGED_TIMES_H
#define HPROF_TESTS_JUDGED_TIMES_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool times_are_judged(void)
{
	const char *value = getenv("HPROF_TEST_TIMES");
	return value == NULL || strcmp(value, "n") != 0;
}

/* An assertion about time, with a message of printf(3) form. */
#define CHECK_TIME(condition, ...)                             \
	do {                                                   \
		if (times_are_judged())                        \
			ck_assert_msg(condition, __VA_ARGS__); \
	} while (0)

#endif
