/*
 * thread_set.h: a set of threads by serial number: all or none, with exceptions, so that
 * threads that start later are in it or not. No lock: the owner locks it.
 */
#ifndef HPROF_SAMPLING_THREAD_SET_H
#define HPROF_SAMPLING_THREAD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_set {
	bool others;          /* whether threads other than the exceptions are in the set */
	uint32_t *exceptions; /* serials, ascending */
	size_t count;
	size_t capacity;
};

/* Adds all threads, present and future, or removes them. */
void thread_set_assign_all(struct thread_set *set, bool on);

/* Adds or removes one thread. False without memory. */
bool thread_set_assign(struct thread_set *set, uint32_t serial, bool on);

bool thread_set_has(const struct thread_set *set, uint32_t serial);

/* Whether any thread can be in the set. */
bool thread_set_has_any(const struct thread_set *set);

void thread_set_free(struct thread_set *set);

#endif
