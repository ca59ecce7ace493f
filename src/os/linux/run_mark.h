/*
 * run_mark.h: a word of each thread in which a mark stays only as long as the
 * thread stays on its CPU. Private to the platform layer.
 */
#ifndef HPROF_OS_RUN_MARK_H
#define HPROF_OS_RUN_MARK_H

#include <stdbool.h>
#include <stdint.h>

/* The calling thread's word, or NULL where there is none. What is
 * written into it is os_run_mark_value(). Any thread; no lock. */
volatile uint64_t *run_mark_word(void);

/* Whether the kernel clears the mark from the calling thread's word when
 * the thread leaves its CPU. Sleeps for less than a millisecond. */
bool run_mark_works(volatile uint64_t *word);

#endif
