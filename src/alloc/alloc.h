/*
 * alloc.h: the state of the room that records allocations: each one by site, and
 * whether its object is live. alloc_mode.c has the mode's hooks; heap_sites writes sections.
 *
 * Sources report to alloc_record(), on the thread that allocates: the VM's event
 * (SampledObjectAlloc), which includes reflection, JNI and the VM itself; or with live=n, where
 * only counts are needed, the code that allocates (source_bytecode.h). Objects older than the
 * profile are counted on the heap (initial_objects.h), at the empty trace.
 *
 * Hooks and sources run on any thread; each table has its own locking rule. Used by alloc only;
 * other rooms have object_traces.h and an opaque pointer.
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
	struct live_objects *live; /* NULL: objects are not tracked */
	/* Bytecode reports allocations (source_bytecode.h), not the VM's event. */
	_Atomic bool by_bytecode;
	_Atomic bool callable;        /* the class that rewritten classes call is defined */
	struct object_shapes *shapes; /* for that, else NULL */
	struct alloc_instrumenter instrumenter;
	struct source_vm source_vm;
	_Atomic bool reads_addresses; /* of objects, in references, without JNI (live_objects.h) */
	_Atomic bool traced;          /* else everything is at the empty trace */
	_Atomic bool counting;        /* allocations are counted now */
	_Atomic bool starting;        /* initial objects are being counted */
	struct gc_epoch epoch;
	uint32_t swept;   /* the epoch of the last sweep */
	uint32_t sampled; /* bytes between samples; 0: every object counts */
};

#endif
