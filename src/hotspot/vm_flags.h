/*
 * vm_flags.h: options of HotSpot (-XX:...), as they are in effect. The VM exports where
 * they are for debuggers; other VMs don't.
 */
#ifndef HPROF_HOTSPOT_VM_FLAGS_H
#define HPROF_HOTSPOT_VM_FLAGS_H

#include "hotspot/vm_structs.h"

/* Whether the collector is one that works beside the program all the time, and walks
 * the heap by following references: the Z or the Shenandoah collector. */
bool vm_collects_concurrently(jvmtiEnv *jvmti);

/* Whether compiled methods link their frames by the frame pointer. */
bool vm_links_compiled_frames(const struct vm_structs *structs);

#endif
