/*
 * guard.h: what the timer's signal handler needs of the guarded call. Private
 * to the platform layer.
 */
#ifndef HPROF_OS_GUARD_H
#define HPROF_OS_GUARD_H

struct guard;

/* Puts the fault handlers in place, once; later calls do nothing. Signal-safe.
 * Returns 0 or errno. */
int guard_install(void);

/* Has the JVM's own handler (0: not recognized) asked first; see
 * os_guard_ask_vm(). */
typedef int guard_vm_handler(int signal, void *info, void *context, int abort_if_unrecognized);
void guard_set_vm_handler(guard_vm_handler *handler);

/* The calling thread's innermost guarded call no longer catches faults until
 * guard_resume() is given the answer: code that interrupted it must not be
 * thrown out of. Signal-safe. */
struct guard *guard_suspend(void);
void guard_resume(struct guard *guard);

#endif
