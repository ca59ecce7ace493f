/*
 * walk_followed.h: walks from where code returns to, which is found by following its instructions
 * (code_return.h): the code of a stub, or of a method that pushes words on its frame. Each is
 * tried; true once a walk has succeeded. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_X86_64_WALK_FOLLOWED_H
#define HPROF_HOTSPOT_X86_64_WALK_FOLLOWED_H

#include "hotspot/walk_search.h"
#include "hotspot/x86_64/machine_state.h"

/* The state where the thread was interrupted. */
struct machine_state walk_followed_state(const struct os_registers *registers);

/* From the interrupted code. */
bool walk_followed_try(struct walk_search *search);

/* From a place that a call returns to; state is changed. */
bool walk_followed_try_returned(struct walk_search *search, struct machine_state *state);

/* From a method that goes on with that state. It may have pushed words on its frame: if its caller
 * is not certain, its code shows. */
bool walk_followed_try_method(struct walk_search *search, const struct code_place *place,
                              const struct machine_state *state, enum java_walk_frame frame);

#endif
