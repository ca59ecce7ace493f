/*
 * virtual_callers.h: completes samples of virtual threads. When a parked virtual thread
 * resumes, only its innermost frames are copied to the carrier's stack (lazy copy); a
 * walk in a signal handler continues from the last of them with the carrier's frames.
 * The missing callers are requested from the VM a little later and appended.
 */
#ifndef HPROF_SAMPLING_VIRTUAL_CALLERS_H
#define HPROF_SAMPLING_VIRTUAL_CALLERS_H

#include "profile/profile.h"
#include "sampling/sample_ring.h"

struct virtual_callers;

/* For a VM that has virtual threads, and stacks of up to depth frames. NULL without
 * memory. */
struct virtual_callers *virtual_callers_create(struct profile *profile, uint32_t depth);
void virtual_callers_destroy(struct virtual_callers *callers);

/* Looks up methods and fields of the JDK. Live phase, before the first sample. */
void virtual_callers_live(struct virtual_callers *callers, JNIEnv *jni);

/* If a sample's virtual thread lacks callers, returns the number of its frames that are
 * present; otherwise, or if callers is NULL, returns 0. Async-signal-safe. */
uint32_t virtual_callers_find_gap(const struct virtual_callers *callers,
                                  const struct raw_frame *frames, uint32_t frame_count);

/* Discards the stack that the VM returned, before samples of another carrier or a later
 * time are completed. callers may be NULL. Under the dump lock. */
void virtual_callers_invalidate(struct virtual_callers *callers);

/* Returns the first gap frames of a sample of the carrier, followed by their callers if
 * they can be found: *frame_count frames, no more than depth, valid until the next call.
 * Under the dump lock. */
const struct raw_frame *virtual_callers_complete(struct virtual_callers *callers, JNIEnv *jni,
                                                 jthread carrier, const struct raw_frame *frames,
                                                 uint32_t gap, uint32_t *frame_count);

/* Matches the outermost sampled frame with a frame of the VM's stack; returns the index of
 * that frame's caller, or 0 when no frame matches. If several match, the one with the
 * longest run of matching callees is used, the innermost of equals. Pure. */
uint32_t virtual_callers_match(const struct raw_frame *sampled, uint32_t sampled_count,
                               const jvmtiFrameInfo *stack, uint32_t stack_count);

#endif
