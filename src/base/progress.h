/*
 * progress.h: prints the progress of an operation that takes more than a second, where messages
 * go: as one line that is redrawn on a terminal, or as a line every 10 s in a log.
 *
 * A progress belongs to one thread at a time; that of struct profile belongs to the holder
 * of the dump lock.
 */
#ifndef HPROF_BASE_PROGRESS_H
#define HPROF_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_TITLE_MAX = 512 };

struct progress {
	bool active;
	bool terminal;     /* stderr is a terminal: the line is redrawn */
	bool drawn;        /* the terminal shows a line now */
	uint64_t begun_ns; /* os_monotonic_ns() */
	uint64_t due_ns;   /* when to print the next line */
	char title[PROGRESS_TITLE_MAX];
};

/* Starts an operation; title is its name ("Dumping the heap"). */
void progress_begin(struct progress *progress, const char *title);

/* Reports that done of total things ("objects") are complete; total is 0 if it is not known.
 * Prints nothing in the first second, or without progress_begin(). Reads a clock, so call it
 * once per thousand things or so. Uses stdio, but no lock of the agent, JNI, JVM TI or malloc:
 * may be called in heap callbacks, but not in signal handlers. */
void progress_update(struct progress *progress, uint64_t done, uint64_t total, const char *things);

/* Ends the operation and removes the line from a terminal. */
void progress_end(struct progress *progress);

#endif
