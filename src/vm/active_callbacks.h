/*
 * active_callbacks.h: who is inside the agent right now: JVM TI callbacks and the native
 * methods of the tracker, on threads of the program, which come when the VM likes.
 * A profile that ends while the program goes on is freed when, after nothing leads
 * to it any more, everybody who was inside has left.
 *
 * Process-wide, without a lock: counters, which threads share in groups.
 */
#ifndef HPROF_VM_ACTIVE_CALLBACKS_H
#define HPROF_VM_ACTIVE_CALLBACKS_H

#include <stdbool.h>
#include <stdint.h>

/* The calling thread comes in, and goes out again with the same key: an address that other
 * threads come with seldom, such as that of its JNIEnv. May nest. Callable where JVM TI and
 * malloc are not. */
void active_callbacks_enter(const void *key);
void active_callbacks_leave(const void *key);

/* Waits, at most timeout_ms, until everybody has left who was inside at the call.
 * False when somebody has not. Not from inside. */
bool active_callbacks_wait(uint32_t timeout_ms);

#endif
