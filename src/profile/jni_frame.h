/*
 * jni_frame.h: frames of local references, for code of the agent that gets more of them than a
 * callback may keep, or runs in a thread of its own, whose references would pile up.
 */
#ifndef HPROF_PROFILE_JNI_FRAME_H
#define HPROF_PROFILE_JNI_FRAME_H

#include <jni.h>
#include <stdbool.h>

/* The most references that HotSpot lets a frame ask for: enough for the classes of a JVM, since
 * a frame grows beyond what it asked for. */
enum { JNI_FRAME_MAX = 65536 };

/* Begins a frame with room for capacity references; jni_frame_pop() ends it. False when out of
 * memory, with no exception pending. */
bool jni_frame_push(JNIEnv *jni, jint capacity);

/* Ends the frame, with its references. */
void jni_frame_pop(JNIEnv *jni);

#endif
