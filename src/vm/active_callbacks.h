/*
 * active_callbacks.h: counts callbacks in flight: calls of JVM TI callbacks and of the
 * tracker's native methods, on threads of the program, which can happen at any time. A
 * profile that ends while the program keeps running is first made unreachable for new
 * callbacks, and freed when those in flight have returned.
 *
 * Process-wide, without a lock: counters, which threads share in groups.
 */
#ifndef HPROF_VM_ACTIVE_CALLBACKS_H
#define HPROF_VM_ACTIVE_CALLBACKS_H

#include <stdbool.h>
#include <stdint.h>

/* A callback begins and ends on the calling thread, with the same key: an address that
 * other threads seldom use, such as that of its JNIEnv. May nest. Callable where JVM TI and
 * malloc are not. */
void active_callbacks_enter(const void *key);
void active_callbacks_leave(const void *key);

/* Waits, at most timeout_ms, until all callbacks that were in flight at the call have
 * returned. False if one has not. Not in a callback. */
bool active_callbacks_wait(uint32_t timeout_ms);

#endif
