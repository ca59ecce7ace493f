/*
 * string.h (Windows): the C library's, and what libbsd adds to it elsewhere; see
 * bsd.c.
 */
#ifndef HPROF_OVERLAY_STRING_H
#define HPROF_OVERLAY_STRING_H

#include_next <string.h>

/* Copy, or append, as much as fits into to, of that size, and terminate it. The
 * length of what was to come about: if that is size or more, it was cut. */
size_t strlcpy(char *to, const char *from, size_t size);
size_t strlcat(char *to, const char *from, size_t size);

#endif
