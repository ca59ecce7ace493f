/*
 * thread_set.h: which threads something is done for: all or none, with exceptions.
 * Not locked: the owner's lock covers it.
 */
#ifndef HPROF_SAMPLING_THREAD_SET_H
#define HPROF_SAMPLING_THREAD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_choice {
	bool others;          /* what holds for threads that are not among these */
	uint32_t *exceptions; /* serials, in order */
	size_t count;
	size_t room;
};

/* From now on it holds, or not, for all threads. */
void thread_choice_set_all(struct thread_choice *choice, bool on);

/* … and for this one. False without memory. */
bool thread_choice_set(struct thread_choice *choice, uint32_t serial, bool on);

bool thread_choice_has(const struct thread_choice *choice, uint32_t serial);

/* Whether it may hold for any thread. */
bool thread_choice_any(const struct thread_choice *choice);

void thread_choice_free(struct thread_choice *choice);

#endif
