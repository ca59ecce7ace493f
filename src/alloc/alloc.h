/*
 * alloc.h: the state of allocation tracking: every allocation, by site, and what
 * became of the objects. alloc_mode.c has the hooks; heap_sites and heap_dump write.
 *
 * The VM reports each object that is allocated (SampledObjectAlloc), on the thread that
 * allocates it: from bytecode, reflection, JNI or the VM itself. Where only the count is
 * needed (live=n), the code that allocates reports it (source_bytecode.h). Objects from
 * before the VM was up are found on the heap then, and have the empty trace.
 */
#ifndef HPROF_ALLOC_ALLOC_H
#define HPROF_ALLOC_ALLOC_H

#include "alloc/alloc_instrumenter.h"
#include "alloc/live_objects.h"
#include "alloc/site_cache.h"
#include "alloc/site_table.h"
#include "alloc/source_vm.h"
#include "hotspot/gc_epoch.h"

struct alloc_traces;

struct alloc {
	struct profile *profile;
	struct memo_table *memo;
	struct alloc_traces *traces;
	struct site_table *sites;
	struct site_cache *site_cache;
	struct live_objects *live; /* NULL: objects are not followed */
	/* Allocations are told by bytecode (source_bytecode.h), not by the VM's event. */
	bool by_bytecode;
	_Atomic bool callable;        /* the class that rewritten classes call is defined */
	struct object_shapes *shapes; /* for that, else NULL */
	struct alloc_instrumenter instrumenter;
	struct source_vm source_vm;
	bool raw;              /* references may be read as the VM keeps them */
	_Atomic bool traced;   /* else everything is at the empty trace */
	_Atomic bool counting; /* what is allocated counts */
	_Atomic bool starting; /* objects made before the start are being looked for */
	struct gc_epoch epoch;
	uint32_t swept;   /* the epoch of the last sweep */
	uint32_t sampled; /* bytes between samples; 0: every object counts */
};

#endif
