/*
 * marked_heap.h: reads objects' identity hashes in a walk of the heap (IterateThroughHeap). HotSpot
 * keeps the hash in an object's first word, its header; in that of a lock while the object is
 * locked. Its callback gets no object, but the address of the tag, which is a variable of a
 * structure that has the object's address too. Both places are found by a trial with objects whose
 * hashes are known.
 */
#ifndef HPROF_HOTSPOT_MARKED_HEAP_H
#define HPROF_HOTSPOT_MARKED_HEAP_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct marked_heap {
	uint32_t hash_shift;
	uint32_t object_words; /* from the object's address up to the tag */
	bool locked_apart;     /* of a locked object the hash is where its header points, */
	bool monitor_apart;    /* of one with a monitor in that, in this word */
	uint32_t monitor_word;
};

/* The hash, 0 if the object has none. In the callback of a walk, after a trial has succeeded. */
uint32_t marked_heap_hash(const struct marked_heap *heap, const jlong *tag);

/* The objects of a trial: one that no thread has locked, one that is locked by a method, and
 * one locked by JNI, each with the hash that it has. */
enum marked_trial_object { TRIAL_FREE, TRIAL_LOCKED, TRIAL_MONITOR, TRIAL_OBJECTS };

struct marked_trial {
	uint32_t hash_shift;
	uint32_t hashes[TRIAL_OBJECTS];
	bool is_found[TRIAL_OBJECTS];
	struct marked_heap heap;
};

/* In the callback of a walk over the trial's objects, in any order, that of TRIAL_FREE twice or
 * first: so walk twice. Reads memory that may be anything, guarded. */
void marked_trial_look(struct marked_trial *trial, const jlong *tag);

/* Whether all objects were found; then trial->heap is right. */
bool marked_trial_succeeded(const struct marked_trial *trial);

#endif
