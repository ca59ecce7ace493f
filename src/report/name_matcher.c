/*
 * name_matcher.c: see name_matcher.h.
 */
#include "report/name_matcher.h"

#include "base/array.h"

#include <stdlib.h>

enum { MATCHES = 1, DIFFERS = 2 };

void name_matcher_init(struct name_matcher *matcher, const struct os_regex *regex)
{
	*matcher = (struct name_matcher){.regex = regex};
}

void name_matcher_free(struct name_matcher *matcher)
{
	free(matcher->known);
}

bool name_matcher_matches(struct name_matcher *matcher, const struct string *name)
{
	if (matcher->regex == NULL || name == NULL)
		return false;
	if (!array_cover(&matcher->known, &matcher->known_count, name->id,
	                 sizeof(*matcher->known))) {
		matcher->out_of_memory = true;
		return false;
	}
	uint8_t *known = &matcher->known[name->id];
	if (*known == 0)
		*known = os_regex_matches(matcher->regex, name->text) ? MATCHES : DIFFERS;
	return *known == MATCHES;
}
