/*
 * live_objects.h: the objects that were allocated and have not been collected.
 * Each is tracked by a weak reference, which the collector clears and which keeps
 * nothing alive: 24 bytes an object, 8 of them in the VM.
 */
#ifndef HPROF_ALLOC_LIVE_OBJECTS_H
#define HPROF_ALLOC_LIVE_OBJECTS_H

#include "profile/profile.h"

struct live_objects;

/* An object: a weak reference, the number of its site, its size in units of 8 bytes. */
struct live_object {
	_Atomic uintptr_t reference;
	uint32_t site;
	uint32_t size_units;
};

enum { LIVE_SIZE_UNIT = 8 };

/* NULL without memory. */
struct live_objects *live_objects_create(struct profile *profile);
void live_objects_destroy(struct live_objects *objects);

/* Deletes the weak references, before the objects are destroyed in a VM that
 * runs on. No other thread uses the objects now. */
void live_objects_release(struct live_objects *objects, JNIEnv *jni);

/* Whether references may be read as addresses, which is much faster than one JNI call
 * for each. Live phase, before the first sweep. */
void live_objects_read_addresses(struct live_objects *objects, bool read);

/* Tracks the object from now on. False without memory. On a thread in the live phase;
 * takes no lock except for new memory; key as for site_table_add_allocated(). */
bool live_objects_add(struct live_objects *objects, JNIEnv *jni, uintptr_t key, jobject object,
                      uint32_t site, uint64_t size);

/* Called for each object that was collected. */
typedef void collected_object(void *argument, uint32_t site, uint64_t size);

/* Drops the objects that have been collected since the last time. Under the profile's
 * dump lock. Costs some ns for each tracked object, some tens for each that
 * is dropped. */
void live_objects_sweep(struct live_objects *objects, JNIEnv *jni, collected_object *collected,
                        void *argument);

/* Called for each tracked object, collected or not; twice for some,
 * while threads add objects. */
typedef void visited_object(void *argument, const struct live_object *object);

/* Under the profile's dump lock, or while another thread holds it for this one. Reads memory
 * only. */
void live_objects_visit(struct live_objects *objects, visited_object *visit, void *argument);

/* The number of tracked objects; approximate while the program runs. Under the dump lock. */
uint64_t live_objects_count(struct live_objects *objects);

/* The object's address, 0 if it was collected. Only if references may be read as addresses;
 * in a pause, or where an old answer does no harm. */
static inline uintptr_t live_object_address(uintptr_t reference)
{
	return *(const volatile uintptr_t *)(reference & ~(uintptr_t)7);
}

#endif
