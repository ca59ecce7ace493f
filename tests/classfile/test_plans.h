/*
 * Rewriting plans by name for the verification runs: see test_plans.c. Used by
 * the test agent, the rewriting tool and the fuzzer; any thread.
 */
#ifndef HPROF_TESTS_CLASSFILE_TEST_PLANS_H
#define HPROF_TESTS_CLASSFILE_TEST_PLANS_H

#include "classfile/rewrite.h"

/* The plan of a name, NULL if there is none. */
const struct rewrite_plan *test_plan_find(const char *name);

/* The plan at an index, NULL after the last; its name too. */
const struct rewrite_plan *test_plan_at(size_t index, const char **name);

/* Ids that plans give to methods count from 0 up to this, and begin again. */
enum { TEST_PLAN_IDS = 100000 };

#endif
