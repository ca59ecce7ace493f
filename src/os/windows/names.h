/*
 * names.h: text conversion between this program and the system, which uses UTF-16. Private
 * to the platform layer. Any thread; no lock.
 */
#ifndef HPROF_OS_NAMES_H
#define HPROF_OS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* Converts a name to UTF-16, in memory from malloc(). A name that is not UTF-8 is read as
 * text of the system's code page, which a JVM uses for its command line. NULL
 * with the reason in *error. */
wchar_t *names_to_wide(const char *name, int *error);

/* The same for the path of a file, made absolute and without the limit of
 * 260 characters. Names of devices and
 * pipes stay as they are. */
wchar_t *names_path_to_wide(const char *path, int *error);

bool names_are_ascii(const wchar_t *text);

/* Replaces the path of what exists, in a buffer of that size, by its name in the system's old form
 * if it has letters beyond ASCII: that one has none, and a JVM reads it right whatever encoding it
 * takes for granted. Not every disk has such names: then the path stays. */
void names_prefer_ascii(wchar_t *path, size_t size);

/* Writes wide as UTF-8 into text. Fails with a code of os.h when it does not fit. */
int names_to_utf8(const wchar_t *wide, char *text, size_t size);

#endif
