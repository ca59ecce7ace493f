/*
 * walk_native.h: where a thread leads that was interrupted in a function of the VM, or of the C
 * library, that Java code has called as its own. Within os_call_guarded(); signal-safe.
 */
#ifndef HPROF_HOTSPOT_READ_CPU_WALK_NATIVE_H
#define HPROF_HOTSPOT_READ_CPU_WALK_NATIVE_H

#include "hotspot/walk_search.h"

void walk_native_search(struct walk_search *search);

#endif
