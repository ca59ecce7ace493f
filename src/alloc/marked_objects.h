/*
 * marked_objects.h: objects that carry the mark of their allocation site (birth_marks.h) as
 * identity hash. Neither the agent nor the VM has anything else to remember of them, and the
 * collector carries the marks along: the live objects of a site are those that a walk of the
 * heap finds.
 *
 * An object that was locked or had a hash when it was to be marked is tracked by a weak reference
 * (live_objects.h).
 */
#ifndef HPROF_ALLOC_MARKED_OBJECTS_H
#define HPROF_ALLOC_MARKED_OBJECTS_H

#include "alloc/alloc.h"

/* Tries marks, with objects of heap_class, which is HEAP_CLASS. False if this VM's objects can't
 * carry them, or not so that a walk finds them. Live phase; one at a time in a process. */
bool marked_objects_begin(struct alloc *alloc, JNIEnv *jni, jclass heap_class);

/* What the trial's Java code calls while its objects are locked. */
void marked_objects_tried(struct alloc *alloc, JNIEnv *jni, jobject waited, uint32_t hash_shift);

/* Reads the identity hashes that objects have already, so that they are no marks. Before the first
 * object is marked. False without memory. */
bool marked_objects_leave_out_hashes(struct alloc *alloc, JNIEnv *jni);

/* Whether an object has no mark yet. As below. */
bool marked_objects_is_new(JNIEnv *jni, jobject object);

/* Marks an object that is new. On the thread that allocated it, without a pending exception. */
void marked_objects_mark(JNIEnv *jni, jobject object, uint32_t mark);

/* Marks an object that the agent has allocated, and that walks leave out. As above. */
void marked_objects_leave_out(struct alloc *alloc, JNIEnv *jni, jobject object);

/* Tracks an object that could not be marked, except one of the agent's own: that is garbage
 * already, and at the empty trace until it is collected. */
void marked_objects_track(struct alloc *alloc, JNIEnv *jni, jobject object, uint32_t mark);

/* Walks the heap and sets alloc->figures. What has no mark and is not tracked is at the empty
 * trace: older objects, the VM's own, and those that are just about to be marked. Under the
 * profile's dump lock, live phase. False without memory (reported), or if the VM refuses. */
bool marked_objects_walk(struct alloc *alloc, JNIEnv *jni);

/* The same for provisional sections, after a collection, and so rarely that the program stands
 * still for a hundredth of its time at most. */
void marked_objects_walk_sometimes(struct alloc *alloc, JNIEnv *jni);

#endif
