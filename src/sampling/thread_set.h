/*
 * thread_set.h: which threads something is done for: all or none, with exceptions.
 * Not locked: the owner's lock covers it.
 */
#ifndef HPROF_SAMPLING_THREAD_SET_H
#define HPROF_SAMPLING_THREAD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_set {
	bool others;          /* what holds for threads that are not among these */
	uint32_t *exceptions; /* serials, in order */
	size_t count;
	size_t capacity;
};

/* From now on it holds, or not, for all threads. */
void thread_set_assign_all(struct thread_set *set, bool on);

/* … and for this one. False without memory. */
bool thread_set_assign(struct thread_set *set, uint32_t serial, bool on);

bool thread_set_has(const struct thread_set *set, uint32_t serial);

/* Whether it may hold for any thread. */
bool thread_set_has_any(const struct thread_set *set);

void thread_set_free(struct thread_set *set);

#endif
