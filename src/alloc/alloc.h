/*
 * alloc.h: the state of the room that records allocations: each one by site, and
 * whether its object is live. alloc_mode.c has the mode's hooks; heap_sites writes sections.
 *
 * Sources report to alloc_record(), on the thread that allocates: the VM's event
 * (SampledObjectAlloc), which includes reflection, JNI and the VM itself; or with live=n, where
 * only counts are needed, the code that allocates (source_bytecode.h). Objects older than the
 * profile are counted on the heap (initial_objects.h), at the empty trace.
 *
 * Whether an object is live is known in one of two ways. With marks, its identity hash stands for
 * its site, and a walk of the heap finds it (marked_objects.h). Without, or if an object could not
 * be marked, a weak reference tracks it (live_objects.h).
 *
 * Hooks and sources run on any thread; each table has its own locking rule. Used by alloc only;
 * other rooms have object_traces.h and an opaque pointer.
 */
#ifndef HPROF_ALLOC_ALLOC_H
#define HPROF_ALLOC_ALLOC_H

#include "alloc/alloc_instrumenter.h"
#include "alloc/birth_marks.h"
#include "alloc/live_objects.h"
#include "alloc/site_cache.h"
#include "alloc/site_table.h"
#include "alloc/source_vm.h"
#include "hotspot/gc_epoch.h"
#include "hotspot/marked_heap.h"

struct alloc_traces;

/* What a walk of the heap has found at each site. */
struct live_figures {
	struct site_counts *sites; /* by number */
	uint32_t count;
};

struct alloc {
	struct profile *profile;
	struct memo_table *memo;
	struct alloc_traces *traces;
	struct site_table *sites;
	struct site_cache *site_cache;
	struct live_objects *live; /* NULL: objects are not tracked */
	/* Not NULL: objects carry their sites' marks, and live has those alone that could not be
	 * marked. */
	struct birth_marks *marks;
	struct os_mutex marks_lock;   /* for threads without counts of their own, and for */
	struct birth_range own_marks; /* those of the agent's own objects, which count nowhere */
	struct marked_heap heap;      /* where the marks are */
	struct live_figures figures;  /* of the last walk; under the profile's dump lock, as are */
	uint64_t walk_due_ns;         /* when a provisional section may have the next one */
	uint32_t walked;              /* and the epoch that one was in */
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
