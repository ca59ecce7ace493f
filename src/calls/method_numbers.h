/*
 * method_numbers.h: the numbers of all methods ever instrumented, by class, name and
 * descriptor. The table outlives profiles, so that a class gets the same constants each
 * time it is rewritten: the VM merges the constant pools of all versions of a class, which
 * would otherwise grow from profile to profile.
 *
 * Locking: one lock covers the table. Any thread.
 */
#ifndef HPROF_CALLS_METHOD_NUMBERS_H
#define HPROF_CALLS_METHOD_NUMBERS_H

#include "calls/call_graph.h"

#include <stdbool.h>

struct method_numbers;

/* NULL without memory. */
struct method_numbers *method_numbers_create(void);
void method_numbers_destroy(struct method_numbers *numbers);

/* Sets *number to the method's number; numbers are given from 0 on, in the order of first
 * calls. Names are as in class files, with a terminating NUL. False without memory. */
bool method_numbers_intern(struct method_numbers *numbers, const char *class_name, const char *name,
                           const char *descriptor, call_method *number);

#endif
