/*
 * walk_start.h: the Java frames of an interrupted thread: finds where on its stack a walk of them
 * (java_walk.h) can begin.
 */
#ifndef HPROF_HOTSPOT_WALK_START_H
#define HPROF_HOTSPOT_WALK_START_H

#include "hotspot/walk_starter.h"

/* Of walk_start(): it is not known how the stack goes on; or a limit was reached before that was
 * found out. */
enum { WALK_UNKNOWN = -1, WALK_TOO_LONG = -2 };

/* Writes the innermost frames, at most depth, of the calling thread, interrupted in
 * context; jni is its JNIEnv. Returns their number; 0 when the thread runs no Java method;
 * or WALK_UNKNOWN or WALK_TOO_LONG. Signal-safe. */
int32_t walk_start(const struct walk_starter *starter, JNIEnv *jni, const void *context,
                   struct raw_frame *frames, uint32_t depth);

#endif
