/*
 * walk_followed.h: walks from where code returns to, which is found by following its instructions
 * (code_return.h): the code of a stub, or of a method that pushes words on its frame. Each is
 * tried; true once a walk has succeeded. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_WALK_FOLLOWED_H
#define HPROF_HOTSPOT_READ_CPU_WALK_FOLLOWED_H

#include "hotspot/read_cpu/machine_state.h"
#include "hotspot/walk_search.h"

/* Follows the code within those bounds to where it returns; false if it does not. */
bool walk_followed_to_return(struct walk_search *search, const struct os_code_range *code,
                             struct machine_state *state);

/* From the interrupted code. */
bool walk_followed_try(struct walk_search *search);

/* From a place that a call returns to; state is changed. */
bool walk_followed_try_returned(struct walk_search *search, struct machine_state *state);

/* From a method that goes on with that state. It may have pushed words on its frame: if its caller
 * is not certain, its code shows. */
bool walk_followed_try_method(struct walk_search *search, const struct code_place *place,
                              const struct machine_state *state, enum java_walk_frame frame);

#endif
