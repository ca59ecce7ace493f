/*
 * stack_fixture.h: a text profile with several kinds of sections, times and hostile names, read as
 * stacks.
 */
#ifndef HPROF_TESTS_STACK_FIXTURE_H
#define HPROF_TESTS_STACK_FIXTURE_H

#include "console/input.h"
#include "console/output.h"
#include "export/stack_profile.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

/* Samples: 10, of which 1 has no row. Costs in ns of times: 100, 23; of monitors: 7. */
extern const char stack_text[];
extern struct report_profile stack_read_profile;
extern struct stack_profile stacks;
extern struct output stack_output;

/* False when out of memory; stack_tear_down() must be called in either case. */
bool stack_read(const char *text);
void read_all(void);
bool stack_set_up(void);
void stack_tear_down(void);

#endif
