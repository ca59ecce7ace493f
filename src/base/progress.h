/*
 * progress.h: says on stderr how far something is that takes over a second: on
 * one line that a terminal redraws, or on a line now and then in a log.
 *
 * A progress belongs to one thread at a time (struct profile's: to the holder of
 * the dump lock).
 */
#ifndef HPROF_BASE_PROGRESS_H
#define HPROF_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_TITLE_MAX = 512 };

struct progress {
	bool active;
	bool terminal;     /* stderr is one: the line is redrawn */
	bool drawn;        /* there is a line on it now */
	uint64_t begun_ns; /* os_monotonic_ns() */
	uint64_t due_ns;   /* when the next line is said */
	char title[PROGRESS_TITLE_MAX];
};

/* Something begins that title names ("Dumping the heap"). */
void progress_begin(struct progress *progress, const char *title);

/* done of total things are dealt with, in words of the caller's ("objects"); total
 * 0 when not known. Nothing is said within the first second, nor where nothing has
 * begun. Reads a clock: call it every thousand things or so. Uses stdio, no lock of
 * ours, neither JNI nor JVM TI, no malloc: fit for heap callbacks, not for signal
 * handlers. */
void progress_update(struct progress *progress, uint64_t done, uint64_t total, const char *things);

/* It is over: removes the line from a terminal. */
void progress_end(struct progress *progress);

#endif
