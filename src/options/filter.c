/*
 * filter.c: see filter.h.
 */
#include "options/filter.h"

#include <string.h>

/* A class and a method name, read as one text with a dot between. */
struct full_name {
	const char *class_name;
	size_t class_length;
	const char *method_name; /* NULL: the class alone */
	size_t length;
};

static struct full_name full_name(const char *class_name, const char *method_name)
{
	struct full_name name = {class_name, strlen(class_name), method_name, 0};
	name.length = name.class_length + (method_name == NULL ? 0 : 1 + strlen(method_name));
	return name;
}

static char character_at(const struct full_name *name, size_t at)
{
	if (at < name->class_length)
		return name->class_name[at];
	if (at == name->class_length)
		return '.';
	return name->method_name[at - name->class_length - 1];
}

/* Greedy matching with one point to go back to: linear for one star, never worse
 * than the product of the lengths. */
static bool matches(const char *pattern, const struct full_name *name)
{
	const char *after_star = NULL;
	size_t star_at = 0;
	size_t at = 0;

	while (at < name->length) {
		if (*pattern == '*') {
			after_star = ++pattern;
			star_at = at;
		} else if (*pattern != '\0' && *pattern == character_at(name, at)) {
			pattern++;
			at++;
		} else if (after_star != NULL) {
			pattern = after_star;
			at = ++star_at;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static bool any_matches(const struct filter_patterns *patterns, const char *class_name,
                        const char *method_name)
{
	const struct full_name class_alone = full_name(class_name, NULL);
	const struct full_name method = full_name(class_name, method_name);

	for (size_t i = 0; i < patterns->count; i++) {
		if (matches(patterns->patterns[i], &class_alone) ||
		    matches(patterns->patterns[i], &method))
			return true;
	}
	return false;
}

bool filter_is_pattern(const char *text, size_t length)
{
	if (length == 0 || length >= FILTER_PATTERN_MAX)
		return false;
	for (size_t i = 0; i < length; i++) {
		/* What JVMS 4.2 keeps out of names, and blanks. */
		if ((unsigned char)text[i] <= ' ' || strchr(";[", text[i]) != NULL)
			return false;
	}
	return true;
}

bool filter_pattern_matches(const char *pattern, const char *name, size_t class_length)
{
	const struct full_name class_alone = {name, class_length, NULL, class_length};
	const struct full_name whole = full_name(name, NULL);

	return matches(pattern, &class_alone) || matches(pattern, &whole);
}

bool filter_add(struct filter_patterns *patterns, const char *pattern, size_t length)
{
	if (patterns->count == FILTER_PATTERNS_MAX || !filter_is_pattern(pattern, length))
		return false;
	char *copy = patterns->patterns[patterns->count++];
	memcpy(copy, pattern, length);
	copy[length] = '\0';
	return true;
}

bool filter_is_set(const struct filter *filter)
{
	return filter->include.count > 0 || filter->exclude.count > 0;
}

bool filter_accepts(const struct filter *filter, const char *class_name, const char *method_name)
{
	return (filter->include.count == 0 ||
	        any_matches(&filter->include, class_name, method_name)) &&
	       !any_matches(&filter->exclude, class_name, method_name);
}
