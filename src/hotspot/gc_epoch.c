/*
 * gc_epoch.c: see gc_epoch.h.
 */
#include "hotspot/gc_epoch.h"

#include "hotspot/vm_memory.h"

void gc_epoch_init(struct gc_epoch *epoch)
{
	atomic_init(&epoch->events, 2);
	epoch->collections = NULL;
	epoch->active = NULL;
}

bool gc_epoch_find(struct gc_epoch *epoch, const struct vm_structs *structs)
{
	const void *place;
	uint32_t count;
	uint8_t is_active;
	uint64_t collections;
	uint64_t active;

	if (!vm_structs_pointer(structs, "Universe", "_collectedHeap", &place) ||
	    !vm_structs_offset(structs, "CollectedHeap", "_total_collections", &collections) ||
	    (!vm_structs_offset(structs, "CollectedHeap", "_is_gc_active", &active) &&
	     !vm_structs_offset(structs, "CollectedHeap", "_is_stw_gc_active", &active)))
		return false;
	const char *heap = place;
	if (!vm_memory_read(heap + collections, &count, sizeof(count)) ||
	    !vm_memory_read(heap + active, &is_active, sizeof(is_active)) || is_active > true)
		return false;
	epoch->collections = (const volatile uint32_t *)(const void *)(heap + collections);
	epoch->active = (const volatile uint8_t *)heap + active;
	return true;
}
