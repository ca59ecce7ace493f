/*
 * vm_flags.h: options of HotSpot (-XX:...), as they are in effect. The VM exports where
 * they are for debuggers; other VMs don't.
 */
#ifndef HPROF_PROFILE_VM_FLAGS_H
#define HPROF_PROFILE_VM_FLAGS_H

#include "profile/vm_structs.h"

#include <stdbool.h>
#include <stdint.h>

/* The value of an option that is a yes or no, or a size (size_t). False when this VM has
 * none of that name, or does not tell. Any phase, any thread. */
bool vm_flag_set(const struct vm_structs *structs, const char *name, bool *set);
bool vm_flag_size(const struct vm_structs *structs, const char *name, uint64_t *size);

/* Whether the collector is one that works beside the program all the time, and walks
 * the heap by following references: the Z or the Shenandoah collector. */
bool vm_collects_concurrently(struct profile *profile);

#endif
