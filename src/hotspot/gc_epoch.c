/*
 * gc_epoch.c: see gc_epoch.h.
 */
#include "hotspot/gc_epoch.h"

#include <string.h>

void gc_epoch_init(struct gc_epoch *epoch)
{
	atomic_init(&epoch->events, 2);
	epoch->collections = NULL;
	epoch->active = NULL;
}

bool gc_epoch_find(struct gc_epoch *epoch, const struct vm_structs *structs)
{
	const void *place;
	const char *heap;
	uint64_t collections;
	uint64_t active;

	if (!vm_structs_static(structs, "Universe", "_collectedHeap", &place) ||
	    !vm_structs_offset(structs, "CollectedHeap", "_total_collections", &collections) ||
	    (!vm_structs_offset(structs, "CollectedHeap", "_is_gc_active", &active) &&
	     !vm_structs_offset(structs, "CollectedHeap", "_is_stw_gc_active", &active)))
		return false;
	memcpy(&heap, place, sizeof(heap));
	if (heap == NULL)
		return false;
	epoch->collections = (const volatile uint32_t *)(const void *)(heap + collections);
	epoch->active = (const volatile uint8_t *)(heap + active);
	return true;
}
