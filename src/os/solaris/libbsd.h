/*
 * libbsd.h: the functions of the BSDs that the agent uses and this system's C library
 * may lack; strlcpy() and strlcat() it has. Included before every file (Makefile).
 */
#ifndef HPROF_OS_LIBBSD_H
#define HPROF_OS_LIBBSD_H

/* The number that text is in decimal, within minimum and maximum; else 0, with what
 * is wrong with it in *problem: "invalid", "too small" or "too large". *problem is
 * NULL when all is well. As strtonum(3) of OpenBSD. */
long long strtonum(const char *text, long long minimum, long long maximum, const char **problem);

#endif
