/*
 * instrumented_methods.h: maps the method numbers that instrumented code passes to the
 * tracker to the methods of one profile. Methods are identified by name: a method of a
 * class that is loaded twice, or rewritten again, keeps its number.
 */
#ifndef HPROF_CALLS_INSTRUMENTED_METHODS_H
#define HPROF_CALLS_INSTRUMENTED_METHODS_H

#include "calls/method_numbers.h"
#include "model/model.h"

#include <stdbool.h>

struct instrumented_methods;

/* An empty table for methods of the model, which takes the numbers from numbers. Both must
 * outlive the table. NULL without memory. */
struct instrumented_methods *instrumented_methods_create(struct model *model,
                                                         struct method_numbers *numbers);
void instrumented_methods_destroy(struct instrumented_methods *methods);

/* Sets *number to the number of a method, which is added if necessary. The internal name of
 * its class ("java/lang/Object"), its name, its descriptor and source, the name of its
 * file or NULL, are in modified UTF-8. False without memory. Any thread; takes the table's
 * lock. */
bool instrumented_methods_intern(struct instrumented_methods *methods, const char *class_name,
                                 const char *source, const char *name, const char *descriptor,
                                 call_method *number);

/* Sets *number to the number of the method in the table with the same names as a method of
 * the model; false if there is none. Any thread; takes the table's lock. */
bool instrumented_methods_find(struct instrumented_methods *methods, const struct method *method,
                               call_method *number);

/* Whether this profile has a method with that number. Any thread; takes the table's lock. */
bool instrumented_methods_has(struct instrumented_methods *methods, call_method number);

/* The method with that number, which gets into the model with the first call; NULL if this profile
 * has none, or without memory. Any thread; takes the table's lock. */
const struct method *instrumented_methods_get(struct instrumented_methods *methods,
                                              call_method number);

#endif
