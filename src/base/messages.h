/*
 * messages.h: messages to the user, one line each, after "hprof: ": on stderr, or in a file.
 * message_print() is for any thread and takes no lock of the agent; stderr has that of stdio.
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

/* Where messages go instead of stderr. */
struct message_file;

/* Opens or creates the file, as an output file but keeping what is in it, and directs messages
 * to its end until message_file_close(). The file opened last gets them. 0, or an os.h code.
 * Opened and closed by one thread at a time. */
int message_file_open(const char *path, struct message_file **opened);

/* Directs messages to where they went before, and closes the file. NULL is allowed. Not in a
 * callback that may print. */
void message_file_close(struct message_file *file);

/* Whether messages go to a terminal that can redraw a line. Any thread. */
bool messages_are_on_terminal(void);

#endif
