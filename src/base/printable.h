/*
 * printable.h: escapes text from the user or the program for a one-line message on a
 * terminal.
 */
#ifndef HPROF_BASE_PRINTABLE_H
#define HPROF_BASE_PRINTABLE_H

#include <stddef.h>

/* Writes length bytes of text to out, NUL-terminated: printable characters of ASCII and UTF-8
 * unchanged, each other byte as \xNN. Text that does not fit into size (at least 4) is cut
 * between characters and ends in "...". Pure; any thread. */
void printable_text(const char *text, size_t length, char *out, size_t size);

#endif
