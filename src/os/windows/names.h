/*
 * names.h: text between this program and the system, which wants UTF-16. Private
 * to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_NAMES_H
#define HPROF_OS_NAMES_H

#include <stddef.h>
#include <wchar.h>

/* Makes UTF-16 of a name, in memory from malloc(). What is not UTF-8 is taken for
 * text of the system's code page, in which a JVM hands over its command line. NULL
 * with the reason in *error. */
wchar_t *names_to_wide(const char *name, int *error);

/* The same for the path of a file, made absolute and such that its length does not
 * matter (a path of the usual form ends at 260 characters). Names of devices and
 * pipes stay as they are. */
wchar_t *names_path_to_wide(const char *path, int *error);

/* Writes wide as UTF-8 into text. Fails with a code of os.h when it does not fit. */
int names_to_utf8(const wchar_t *wide, char *text, size_t size);

#endif
