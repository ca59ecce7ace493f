/*
 * walk_stub.h: where a thread leads that was interrupted in a stub of the VM, which has no frame
 * that the VM describes. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_WALK_STUB_H
#define HPROF_HOTSPOT_READ_CPU_WALK_STUB_H

#include "hotspot/walk_search.h"

/* place is what is known of the code. */
void walk_stub_search(struct walk_search *search, const struct code_place *place);

#endif
