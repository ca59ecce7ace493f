/*
 * wait_calls.h: the JDK's native methods that wait, and what for. Bytecode that calls one
 * announces the wait. Waits for monitors have events of JVM TI, and are not among these.
 */
#ifndef HPROF_VM_WAIT_CALLS_H
#define HPROF_VM_WAIT_CALLS_H

#include "classfile/classfile.h"

/* What a thread waits for, or is about to. Instrumented code passes the values to
 * HprofTracker.waits(). */
enum wait_cause {
	WAIT_NONE,
	WAIT_SLEEP, /* sleeps, waits to be notified, waits for events */
	WAIT_IO,    /* reads, writes, connects */
	WAIT_PARK,  /* parks: WAIT_LOCK or WAIT_SLEEP, by what it parks for */
	WAIT_LOCK,  /* enters a monitor that another thread owns, or parks for such a lock */
	WAIT_VM     /* asks the VM for a collection */
};

/* WAIT_NONE for a method that is not known to wait. */
enum wait_cause wait_calls_find(const struct classfile_member *called);

#endif
