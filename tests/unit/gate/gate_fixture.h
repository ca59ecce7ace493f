/*
 * gate_fixture.h: what the tests of the gate share.
 */
#ifndef HPROF_TESTS_GATE_FIXTURE_H
#define HPROF_TESTS_GATE_FIXTURE_H

#include <check.h>
#include <string.h>

static inline void assert_has(const char *all, const char *part)
{
	ck_assert_msg(strstr(all, part) != NULL, "no \"%s\" in:\n%s", part, all);
}

#endif
