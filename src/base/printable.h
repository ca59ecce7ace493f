/*
 * printable.h: text that the user or the program chose, made fit for a message
 * of one line on a terminal.
 */
#ifndef HPROF_BASE_PRINTABLE_H
#define HPROF_BASE_PRINTABLE_H

#include <stddef.h>

/* Writes length bytes of text to out, terminated: printable characters of ASCII
 * and UTF-8 as they are, each other byte as \xNN. What does not fit into size (at
 * least 4) is cut off between characters, and "..." stands for it. Pure; any
 * thread. */
void printable_text(const char *text, size_t length, char *out, size_t size);

#endif
