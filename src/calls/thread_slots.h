/*
 * thread_slots.h: the hash table in which instrumented Java code finds the state of the
 * current thread. The key is the address of the VM's thread object.
 *
 * No lock: only the thread that owns a slot writes it; other threads read the key to see
 * that the slot is not theirs. HprofTracker.java probes linearly from the key's hash until
 * it finds its key or a free slot.
 */
#ifndef HPROF_CALLS_THREAD_SLOTS_H
#define HPROF_CALLS_THREAD_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct thread_slots;

/* NULL without memory. */
struct thread_slots *thread_slots_create(void);
void thread_slots_destroy(struct thread_slots *slots);

/* The address of the table, the right shift that turns the product of a key and the hash
 * factor into the index of its first slot, and the address of the table's end. */
uint64_t thread_slots_address(const struct thread_slots *slots);
uint32_t thread_slots_shift(const struct thread_slots *slots);
uint64_t thread_slots_end_address(const struct thread_slots *slots);

/* Enters the calling thread. False when the slots that are probed are all in use. */
bool thread_slots_enter(struct thread_slots *slots, uint64_t key, void *state);

/* Removes all threads, while none enters or leaves. A thread that has just found its slot
 * reads the given state or its own. */
void thread_slots_clear(struct thread_slots *slots, void *state);

/* Removes the calling thread: the VM may reuse its address for another thread. */
void thread_slots_leave(struct thread_slots *slots, uint64_t key);

#endif
