/*
 * rules.h: rules of a comparison, one a line: the default patterns and budget files. Pure.
 *
 *   library PATTERN           classes that are not the program's own
 *   generated PATTERN         classes that nobody wrote, whatever "own" matches
 *   own PATTERN               the program's classes, instead of all that are no library
 *   runtime PATTERN           the JVM calls these methods, so what they do is not the program's
 *   root PATTERN              contexts begin at these methods, whoever called them
 *   exclude PATTERN           these methods, and everything that they call, are not compared
 *   exclude-callers PATTERN   the callers of these methods, and everything that they call, are not
 *   through PATTERN           either; a caller of one of these is a caller of what it calls
 *   exclude-objects PATTERN   allocations of objects of these classes are not compared
 *   [PATTERN] +N[%] [calls | bytes]    how much these methods, and what they call, may grow
 *
 * Patterns are those of include= (options/filter.h). "#" at the beginning of a line or after a
 * blank begins a comment.
 */
#ifndef HPROF_GATE_RULES_H
#define HPROF_GATE_RULES_H

#include "options/filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rule_kind {
	RULE_LIBRARY,
	RULE_GENERATED,
	RULE_OWN,
	RULE_RUNTIME,
	RULE_ROOT,
	RULE_EXCLUDE,
	RULE_EXCLUDE_CALLERS,
	RULE_THROUGH,
	RULE_EXCLUDE_OBJECTS,
	RULE_BUDGET
};

enum { RULE_ERROR_MAX = 256, BUDGET_PERCENT_MAX = 1000000 };

struct rule {
	enum rule_kind kind;
	char pattern[FILTER_PATTERN_MAX];
	bool percent;    /* of a budget: amount is in percent */
	bool calls;      /* it applies to calls, */
	bool bytes;      /* to allocated bytes */
	uint64_t amount; /* of growth */
};

struct rules {
	struct rule *rules;
	size_t count;
	size_t capacity;
};

void rules_init(struct rules *rules);
void rules_free(struct rules *rules);

/* Adds a rule of a pattern. False when the pattern is invalid or out of memory. */
bool rules_add(struct rules *rules, enum rule_kind kind, const char *pattern);

/* Adds the rules of a text. False with an error, one line that names the line of the text and
 * says what to write instead; "out of memory" without memory. */
bool rules_parse(struct rules *rules, const char *text, size_t length, char error[RULE_ERROR_MAX]);

/* Whether a rule's pattern matches a frame "Class.method" or a class; a class is matched whole. */
bool rule_matches(const struct rule *rule, const char *name);

/* The index of the first rule of that kind that matches; SIZE_MAX: none. */
size_t rules_find(const struct rules *rules, enum rule_kind kind, const char *name);

bool rules_have(const struct rules *rules, enum rule_kind kind);

/* Whether a growth from old to new is within a budget. Exact for all numbers. */
bool rule_allows(const struct rule *rule, uint64_t old_count, uint64_t new_count);

#endif
