/*
 * method_numbers.h: the number of each method that was ever instrumented, by the names of
 * its class and its own. It outlives profiles: a class that each of them rewrites has the
 * same constants each time, so that its constant pool, to which the VM adds those of each
 * new version, does not grow from profile to profile.
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

/* The method's number, from 0 in the order of the first calls. Names as in class files,
 * terminated. False without memory. */
bool method_numbers_intern(struct method_numbers *numbers, const char *class_name, const char *name,
                           const char *descriptor, call_method *number);

#endif
