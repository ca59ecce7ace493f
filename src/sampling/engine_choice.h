/*
 * engine_choice.h: which engine takes CPU samples, for engine= and what works here.
 */
#ifndef HPROF_SAMPLING_ENGINE_CHOICE_H
#define HPROF_SAMPLING_ENGINE_CHOICE_H

#include "sampling/engine.h"

/* Creates the engine that engine= names, or the first of the two that works here. False,
 * with the reason printed, when none does. Before the VM is up. */
bool engine_choice_create(struct profile *profile, struct sample_sink *sink,
                          struct mode_needs *needs, const struct engine_ops **ops, void **engine);

#endif
