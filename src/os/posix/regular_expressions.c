/*
 * regular_expressions.c: those of the C library. A compiled one belongs to one thread at a time.
 */
#include "os_programs.h"

#include <regex.h>
#include <stdlib.h>

struct os_regex {
	regex_t compiled;
};

int os_regex_compile(const char *pattern, struct os_regex **regex, char *error, size_t size)
{
	struct os_regex *created = malloc(sizeof(*created));
	*regex = NULL;
	if (created == NULL)
		return OS_NO_MEMORY;
	int code = regcomp(&created->compiled, pattern, REG_EXTENDED | REG_NOSUB);
	if (code == 0) {
		*regex = created;
		return 0;
	}
	(void)regerror(code, &created->compiled, error, size);
	free(created);
	return code == REG_ESPACE ? OS_NO_MEMORY : code;
}

void os_regex_free(struct os_regex *regex)
{
	if (regex == NULL)
		return;
	regfree(&regex->compiled);
	free(regex);
}

bool os_regex_matches(const struct os_regex *regex, const char *text)
{
	return regexec(&regex->compiled, text, 0, NULL, 0) == 0;
}
