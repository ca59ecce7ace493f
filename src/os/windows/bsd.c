/*
 * bsd.c: the functions that come from libbsd on other systems. Any thread; no lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t strlcpy(char *to, const char *from, size_t size)
{
	size_t length = strlen(from);
	if (size > 0) {
		size_t copied = length < size ? length : size - 1;
		memcpy(to, from, copied);
		to[copied] = '\0';
	}
	return length;
}

size_t strlcat(char *to, const char *from, size_t size)
{
	size_t used = strnlen(to, size);
	return used + strlcpy(to + used, from, size - used);
}

long long strtonum(const char *text, long long minimum, long long maximum, const char **problem)
{
	char *end = NULL;
	int saved = errno;
	long long number = 0;

	*problem = NULL;
	errno = 0;
	if (minimum <= maximum)
		number = strtoll(text, &end, 10);
	if (end == NULL || end == text || *end != '\0')
		*problem = "invalid";
	else if (number < minimum || (errno == ERANGE && number < 0))
		*problem = "too small";
	else if (number > maximum || errno == ERANGE)
		*problem = "too large";
	errno = saved;
	return *problem == NULL ? number : 0;
}
