/*
 * strtonum.c: see libbsd.h. Any thread; no lock.
 */
#include "libbsd.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

long long strtonum(const char *text, long long minimum, long long maximum, const char **problem)
{
	char *end = NULL;
	int saved = errno;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	int error = errno;
	errno = saved;

	*problem = NULL;
	if (minimum > maximum || end == text || *end != '\0')
		*problem = "invalid";
	else if (number < minimum || (error == ERANGE && number == LLONG_MIN))
		*problem = "too small";
	else if (number > maximum || (error == ERANGE && number == LLONG_MAX))
		*problem = "too large";
	if (*problem == NULL)
		return number;
	errno = *problem[0] == 'i' ? EINVAL : ERANGE;
	return 0;
}
