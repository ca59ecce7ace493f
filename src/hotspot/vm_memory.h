/*
 * vm_memory.h: reads of the VM's memory at addresses that may be wrong: a version of the VM
 * that is not known may keep something else where they come from.
 */
#ifndef HPROF_HOTSPOT_VM_MEMORY_H
#define HPROF_HOTSPOT_VM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Copies size bytes from an address of the VM's; false, with to unchanged or partly written, if
 * they can't be read. Any thread that holds no lock; signal-safe. */
bool vm_memory_read(const void *from, void *to, size_t size);

#endif
