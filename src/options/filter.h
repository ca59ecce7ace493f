/*
 * filter.h: include= and exclude= patterns over classes and methods.
 *
 * A pattern is a class name (com.foo.Bar), a method (com.foo.Bar.baz), or either
 * with '*' for any run of characters (com.foo.*, *.toString). It matches a class
 * together with all methods of it. A method is included if no include
 * is given or one matches, and no exclude matches.
 */
#ifndef HPROF_OPTIONS_FILTER_H
#define HPROF_OPTIONS_FILTER_H

#include <stdbool.h>
#include <stddef.h>

enum { FILTER_PATTERNS_MAX = 64, FILTER_PATTERN_MAX = 256 };

struct filter_patterns {
	char patterns[FILTER_PATTERNS_MAX][FILTER_PATTERN_MAX];
	size_t count;
};

struct filter {
	struct filter_patterns include;
	struct filter_patterns exclude;
};

/* Adds a pattern of that length; false when it is empty, too long, has a
 * character that no name has, or there are too many. */
bool filter_add(struct filter_patterns *patterns, const char *pattern, size_t length);

/* Whether that text is a pattern: not empty, not too long, without a character that no name has.
 * Pure. */
bool filter_is_pattern(const char *text, size_t length);

/* Whether a pattern matches a name "Class.method", or its first class_length bytes, which are the
 * class. Pure. */
bool filter_pattern_matches(const char *pattern, const char *name, size_t class_length);

/* Whether the filter leaves anything out. */
bool filter_is_set(const struct filter *filter);

/* Whether the method of the class (source form, terminated) is in. Pure. */
bool filter_accepts(const struct filter *filter, const char *class_name, const char *method_name);

#endif
