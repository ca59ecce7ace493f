/*
 * stable_name.c: see stable_name.h.
 */
#include "report/stable_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char lambda[] = "$$Lambda";
static const char address[] = "/0x";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hexadecimal(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool begins(const char *text, const char *part)
{
	return strncmp(text, part, strlen(part)) == 0;
}

/* The length of what is left out at text: "/0x1f", or "$14" after "$$Lambda". */
static size_t unstable_length(const char *text, const char *start)
{
	size_t length = 0;

	if (begins(text, address)) {
		length = strlen(address);
		while (is_hexadecimal(text[length]))
			length++;
	} else if (text[0] == '$' && (size_t)(text - start) >= strlen(lambda) &&
	           begins(text - strlen(lambda), lambda)) {
		length = 1;
		while (is_digit(text[length]))
			length++;
	}
	return length;
}

const struct string *stable_name_intern(struct string_table *strings, const char *prefix,
                                        const struct string *name)
{
	size_t used = strlen(prefix);
	size_t size = used + name->length + 1;
	char *text = malloc(size);
	size_t at = 0;

	if (text == NULL)
		return NULL;
	(void)strlcpy(text, prefix, size);
	while (at < name->length) {
		size_t left_out = unstable_length(name->text + at, name->text);
		at += left_out;
		if (left_out == 0)
			text[used++] = name->text[at++];
	}
	const struct string *result = string_table_intern(strings, text, used);
	free(text);
	return result;
}

void stable_names_free(struct stable_names *names)
{
	free(names->names);
	*names = (struct stable_names){.names = NULL};
}

/* Makes room for an id that has none. */
static bool grow(struct stable_names *names, uint32_t id)
{
	size_t count = (size_t)id * 2 + 1;
	const struct string **larger = realloc(names->names, count * sizeof(*larger));

	if (larger == NULL)
		return false;
	memset(larger + names->count, 0, (count - names->count) * sizeof(*larger));
	names->names = larger;
	names->count = count;
	return true;
}

const struct string *stable_names_find(struct stable_names *names, struct string_table *strings,
                                       const struct string *name)
{
	if (name->id >= names->count && !grow(names, name->id))
		return NULL;
	const struct string **known = &names->names[name->id];
	if (*known == NULL)
		*known = stable_name_intern(strings, "", name);
	return *known;
}
