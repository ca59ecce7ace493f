/*
 * walk_places.h: places where the return address of code without a frame may be: in its register,
 * or on top of the stack, above the saved frame pointer. Each is tried; true once a walk has
 * succeeded. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_AARCH64_WALK_PLACES_H
#define HPROF_HOTSPOT_AARCH64_WALK_PLACES_H

#include "hotspot/walk_search.h"

/* In its register; the caller has that stack pointer. */
bool walk_places_try_link(struct walk_search *search, uintptr_t sp, enum java_walk_frame frame);

/* The stack pointer of what calls interpreted code, by the registers; 0 if none has it. */
uintptr_t walk_places_sender(const struct walk_search *search);

/* In its register, where adapters and interpreted code find the caller's stack in another. */
bool walk_places_try_sender(struct walk_search *search);

/* On top of the stack is the caller's frame pointer, and then the address. */
bool walk_places_try_below_frame_pointer(struct walk_search *search, enum java_walk_frame frame);

#endif
