/*
 * jvm_load.h: has a running JVM load a library, by HotSpot's attach protocol.
 */
#ifndef HPROF_ATTACH_JVM_LOAD_H
#define HPROF_ATTACH_JVM_LOAD_H

#include "attach/attach_result.h"

/* The longest library path, and the longest options, that a JVM accepts, without a NUL. */
#define ATTACH_TEXT_MAX 1024

/* What a request to end (os_interrupts_catch()) does while the JVM is attached to. */
enum attach_interrupts {
	ATTACH_INTERRUPTS_END,    /* it ends this process, unless that is caught already */
	ATTACH_INTERRUPTS_CANCEL, /* ATTACH_INTERRUPTED; it waits while the JVM answers */
	ATTACH_INTERRUPTS_WAIT    /* it waits */
};

/* Makes the JVM of that process load the library (an absolute path) with options. Accesses the
 * process's directories with the rights of its user and group only, and runs none of its files.
 * Waits up to 15 minutes for the answer. Leaves no file, whenever it is interrupted.
 * OS_UNSUPPORTED, and result unchanged, where that protocol is not implemented; else 0. For a
 * process with one thread. */
int jvm_load(uint64_t pid, const char *library, const char *options,
             enum attach_interrupts interrupts, struct attach_result *result);

#endif
