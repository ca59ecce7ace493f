/*
 * virtual_callers.h: the callers that the VM's walker for signal handlers does
 * not see in a virtual thread. When such a thread goes on after it was parked,
 * only its innermost frames come back to its carrier's stack; the walker goes
 * from the last of them straight to the carrier's own. The rest is asked for a
 * little later and put behind it.
 */
#ifndef HPROF_SAMPLING_VIRTUAL_CALLERS_H
#define HPROF_SAMPLING_VIRTUAL_CALLERS_H

#include "profile/profile.h"
#include "sampling/sample_ring.h"

struct virtual_callers;

/* For a VM that has virtual threads, and stacks of depth frames. NULL without
 * memory. */
struct virtual_callers *virtual_callers_create(struct profile *profile, uint32_t depth);
void virtual_callers_destroy(struct virtual_callers *callers);

/* Finds what it needs of the JDK. Live phase, before the first sample. */
void virtual_callers_live(struct virtual_callers *callers, JNIEnv *jni);

/* How many frames of a sample are the virtual thread's when callers lack behind
 * them; 0 when none do, and when callers is NULL. Signal-safe. */
uint32_t virtual_callers_find_gap(const struct virtual_callers *callers,
                                  const struct raw_frame *frames, uint32_t frame_count);

/* What the VM said holds no more: samples of another carrier come, or of another
 * moment. NULL is fine. Under the dump lock, as the next. */
void virtual_callers_invalidate(struct virtual_callers *callers);

/* The first gap frames of a sample of the carrier and behind them their callers,
 * if these can be told: *frame_count frames, no more than settings.depth, valid
 * until the next call. */
const struct raw_frame *virtual_callers_complete(struct virtual_callers *callers, JNIEnv *jni,
                                                 jthread carrier, const struct raw_frame *frames,
                                                 uint32_t gap, uint32_t *frame_count);

/* Where in the VM's stack the sampled frames end: the place of the caller of the
 * outermost one, or 0 when that does not occur. Of several places the one where
 * most callees agree, innermost first. Pure. */
uint32_t virtual_callers_match(const struct raw_frame *sampled, uint32_t sampled_count,
                               const jvmtiFrameInfo *stack, uint32_t stack_count);

#endif
