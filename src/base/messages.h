/*
 * messages.h: messages to the user on stderr, one line each, after "hprof: ". Any thread;
 * uses stdio and its lock, no other.
 */
#ifndef HPROF_BASE_MESSAGES_H
#define HPROF_BASE_MESSAGES_H

#include "os/os.h"

#if defined(__GNUC__)
#define MESSAGE_PRINTF(text, first) __attribute__((format(OS_PRINTF_ARCHETYPE, text, first)))
#else
#define MESSAGE_PRINTF(text, first)
#endif

/* Prints the line in one write, so that lines of several threads don't mix. */
void message_print(const char *format, ...) MESSAGE_PRINTF(1, 2);

#endif
