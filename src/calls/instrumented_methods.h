/*
 * instrumented_methods.h: which method the number is that instrumented code
 * passes to the tracker, in one profile. A method is known by its names: one of a class
 * that is loaded twice, or rewritten again, keeps its number.
 */
#ifndef HPROF_CALLS_INSTRUMENTED_METHODS_H
#define HPROF_CALLS_INSTRUMENTED_METHODS_H

#include "calls/method_numbers.h"
#include "model/model.h"

#include <stdbool.h>

struct instrumented_methods;

/* Methods of the model get their numbers from numbers, which outlives the table. NULL
 * without memory. */
struct instrumented_methods *instrumented_methods_create(struct model *model,
                                                         struct method_numbers *numbers);
void instrumented_methods_destroy(struct instrumented_methods *methods);

/* The number of a method, by the internal name of its class ("java/lang/Object"),
 * its name and its descriptor, all in modified UTF-8; source is its file's name,
 * or NULL. False without memory. Any thread; takes the table's lock. */
bool instrumented_methods_intern(struct instrumented_methods *methods, const char *class_name,
                                 const char *source, const char *name, const char *descriptor,
                                 call_method *number);

/* The number of a method of the model with the same names, if it has one. Any
 * thread; takes the table's lock. */
bool instrumented_methods_find(struct instrumented_methods *methods, const struct method *method,
                               call_method *number);

/* The method with that number, or NULL if this profile has none. Any thread; takes the
 * table's lock. */
const struct method *instrumented_methods_get(struct instrumented_methods *methods,
                                              call_method number);

#endif
