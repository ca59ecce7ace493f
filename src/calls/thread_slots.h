/*
 * thread_slots.h: the table by which instrumented Java code finds the state of
 * the thread that it runs on, keyed by the VM's own address of the thread.
 *
 * A slot is written by the thread it belongs to, and read by others only to see
 * that it is not theirs: HprofTracker.java probes from the key's hash on, until
 * it finds its key or a free slot. No lock.
 */
#ifndef HPROF_CALLS_THREAD_SLOTS_H
#define HPROF_CALLS_THREAD_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct thread_slots;

/* NULL without memory. */
struct thread_slots *thread_slots_create(void);
void thread_slots_destroy(struct thread_slots *slots);

/* Where the table is, how far a key's product with the hash factor is shifted to
 * be its first slot, and where the table ends. */
uint64_t thread_slots_address(const struct thread_slots *slots);
uint32_t thread_slots_shift(const struct thread_slots *slots);
uint64_t thread_slots_end_address(const struct thread_slots *slots);

/* Enters the calling thread; false when there is no free slot within reach. */
bool thread_slots_enter(struct thread_slots *slots, uint64_t key, void *state);

/* Takes all threads out, when none enters or leaves; one that has just found itself
 * gets the state given or its own. */
void thread_slots_clear(struct thread_slots *slots, void *state);

/* Takes the calling thread out, whose address may be another thread's next. */
void thread_slots_leave(struct thread_slots *slots, uint64_t key);

#endif
