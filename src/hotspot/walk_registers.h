/*
 * walk_registers.h: where the registers of a thread lead that was interrupted in Java code, in a
 * stub of the VM, or in a function that such code has called as its own. Where the CPU is not
 * known (other_cpu/), nothing is tried.
 */
#ifndef HPROF_HOTSPOT_WALK_REGISTERS_H
#define HPROF_HOTSPOT_WALK_REGISTERS_H

#include "hotspot/walk_search.h"

void walk_registers_search(struct walk_search *search);

#endif
