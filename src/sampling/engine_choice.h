/*
 * engine_choice.h: chooses the engine by engine= and by what is available.
 */
#ifndef HPROF_SAMPLING_ENGINE_CHOICE_H
#define HPROF_SAMPLING_ENGINE_CHOICE_H

#include "sampling/engine.h"

/* Creates the engine that engine= names, or else the first available one, and sets *ops
 * and *engine. False, with the reason printed, when there is none. Called by the create
 * hook of a mode. */
bool engine_choice_create(struct profile *profile, struct sample_sink *sink,
                          struct mode_needs *needs, const struct engine_ops **ops, void **engine);

#endif
