/*
 * heap_tracking.h: the state of allocation tracking: every allocation, by site, and what
 * became of the objects. alloc_mode.c has the hooks; heap_sites and heap_dump write.
 *
 * The VM reports each object that is allocated (SampledObjectAlloc), on the thread that
 * allocates it: from bytecode, reflection, JNI or the VM itself. Where only the count is
 * needed (live=n), the code that allocates reports it (bytecode_allocations.h). Objects from
 * before the VM was up are found on the heap then, and have the empty trace.
 */
#ifndef HPROF_PROFILE_HEAP_TRACKING_H
#define HPROF_PROFILE_HEAP_TRACKING_H

#include "profile/allocation_instrumenter.h"
#include "profile/heap_epoch.h"
#include "profile/live_objects.h"
#include "profile/recent_sites.h"
#include "profile/site_table.h"
#include "profile/vm_natives.h"

struct allocation_traces;

struct heap_tracking {
	struct profile *profile;
	struct memo_table *memo;
	struct allocation_traces *traces;
	struct site_table *sites;
	struct recent_sites *recent;
	struct live_objects *live; /* NULL: objects are not followed */
	/* Allocations are told by bytecode (bytecode_allocations.h), not by the VM's event. */
	bool by_bytecode;
	_Atomic bool callable;        /* the class that rewritten classes call is defined */
	struct object_shapes *shapes; /* for that, else NULL */
	struct allocation_instrumenter instrumenter;
	struct vm_natives vm_natives;
	bool raw;              /* references may be read as the VM keeps them */
	_Atomic bool traced;   /* else everything is at the empty trace */
	_Atomic bool counting; /* what is allocated counts */
	_Atomic bool starting; /* objects made before the start are being looked for */
	struct heap_epoch epoch;
	uint32_t swept;   /* the epoch of the last sweep */
	uint32_t sampled; /* bytes between samples; 0: every object counts */
};

#endif
