/*
 * whole_number.c: see whole_number.h.
 */
#include "base/whole_number.h"

#include <ctype.h>
#include <stdlib.h>

bool whole_number_parse(const char *text, long long minimum, long long maximum, long long *number)
{
	const char *problem;

	/* strtonum(3) accepts leading blanks and signs, which are typing errors here. */
	if (!isdigit((unsigned char)text[0]))
		return false;
	*number = strtonum(text, minimum, maximum, &problem);
	return problem == NULL;
}
