/*
 * walk_places.h: places where the return address of code without a frame may be: on top of the
 * stack, below a saved frame pointer, or where r13 leads. Each is tried; true once a walk has
 * succeeded. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_X86_64_WALK_PLACES_H
#define HPROF_HOTSPOT_X86_64_WALK_PLACES_H

#include "hotspot/walk_search.h"

/* On top of the stack. */
bool walk_places_try_top(struct walk_search *search, enum java_walk_frame frame);

/* On top of the stack is the caller's frame pointer, and then the address. */
bool walk_places_try_below_frame_pointer(struct walk_search *search, enum java_walk_frame frame);

/* Where adapters and interpreted code find the caller's stack in r13, while the return
 * address is still on the stack, just taken from it, or in a register. */
bool walk_places_try_sender(struct walk_search *search);

#endif
