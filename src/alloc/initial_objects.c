/*
 * initial_objects.c: the objects that are on the heap when counting starts. On the VM's
 * main thread before main(); other threads allocate at the same time, and mark the
 * objects that they have counted.
 *
 * Heap callbacks can't create references, but JVM TI returns references for tags: a
 * first pass gives each object a tag for its class and size, from a
 * table of all such tags, the objects with these tags are then tracked, and a second
 * pass removes the tags. The table has a fixed size; passes are repeated until all
 * objects have fit.
 */
#include "alloc/initial_objects.h"

#include "alloc/site_counting.h"
#include "base/address_map.h"
#include "profile/jni_frame.h"
#include "vm/class_registry.h"

#include <math.h>
#include <stdlib.h>

enum {
	TAGS_LOG2 = 16,
	TAGS = 1 << TAGS_LOG2,
	TAGS_MAX = TAGS / 2,
	SIZE_BITS = 32,
	ROUNDS_MAX = 1000
};

#define SIZE_MASK (((jlong)1 << SIZE_BITS) - 1)

struct heap_start {
	struct alloc *alloc;
	jlong *tags; /* a hash, 0 is free */
	uint32_t tag_count;
	bool full;       /* some objects are left for another round */
	uint64_t random; /* for heapinterval=: which objects are taken */
	jlong *tag_list;
};

/* Below INITIAL_OBJECTS_TAG, which it has set. */
static jlong tag_of(const struct class_record *class, uint64_t units)
{
	return INITIAL_OBJECTS_TAG | (jlong)(class->serial - CLASS_SERIAL_BASE) << SIZE_BITS |
	       (jlong)units;
}

static bool is_start_tag(jlong tag)
{
	return (tag & INITIAL_OBJECTS_TAG) != 0 && tag > 0;
}

/* Enters a tag; false when there is no room. */
static bool enter(struct heap_start *start, jlong tag)
{
	uint64_t at = address_hash((uint64_t)tag) >> (64 - TAGS_LOG2);

	while (start->tags[at % TAGS] != 0 && start->tags[at % TAGS] != tag)
		at++;
	if (start->tags[at % TAGS] == tag)
		return true;
	if (start->tag_count == TAGS_MAX)
		return false;
	start->tags[at % TAGS] = tag;
	start->tag_count++;
	return true;
}

/* Whether an object of that size is taken, as the VM takes those that come later. */
static bool is_taken(struct heap_start *start, uint64_t size)
{
	uint32_t interval = start->alloc->sampled;
	if (interval == 0)
		return true;
	start->random ^= start->random << 13;
	start->random ^= start->random >> 7;
	start->random ^= start->random << 17;
	double chance = (double)(start->random >> 11) * 0x1.0p-53;
	return chance < -expm1(-(double)size / (double)interval);
}

/* Gives an object its tag. Called by the VM, which allows nothing but memory. */
static jint JNICALL tag_object(jlong class_tag, jlong size, jlong *tag, jint length, void *argument)
{
	struct heap_start *start = argument;
	const struct class_record *class = class_registry_by_tag(class_tag);
	uint64_t units = ((uint64_t)size + LIVE_SIZE_UNIT - 1) / LIVE_SIZE_UNIT;
	(void)length;

	if (*tag != 0 || class == NULL || units > (uint64_t)SIZE_MASK)
		return JVMTI_VISIT_OBJECTS;
	if (start->full || start->tag_count == TAGS_MAX) {
		start->full = true;
	} else if (!is_taken(start, (uint64_t)size)) {
		*tag = INITIAL_OBJECTS_TAG;
	} else {
		jlong its_tag = tag_of(class, units);
		if (enter(start, its_tag))
			*tag = its_tag;
	}
	return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL untag_object(jlong class_tag, jlong size, jlong *tag, jint length,
                                 void *argument)
{
	(void)class_tag;
	(void)size;
	(void)length;
	(void)argument;
	if (is_start_tag(*tag))
		*tag = 0;
	return JVMTI_VISIT_OBJECTS;
}

static void iterate(struct heap_start *start, jvmtiHeapIterationCallback callback)
{
	jvmtiEnv *jvmti = start->alloc->profile->jvmti;
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = callback};
	(void)(*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, start);
}

static void count_object(struct heap_start *start, JNIEnv *jni, jobject object,
                         const struct class_record *class, uint64_t size)
{
	struct alloc *alloc = start->alloc;
	struct profile *profile = alloc->profile;
	const struct trace *empty = trace_table_find(profile->model.traces, TRACE_SERIAL_EMPTY);
	const struct site *site =
	        class == NULL ? NULL : site_table_intern(alloc->sites, empty, class);

	if (site != NULL)
		(void)site_counting_add(alloc, jni, object, site, size);
}

/* Counts the objects that have the tags of the table. */
static void count_tagged(struct heap_start *start, JNIEnv *jni)
{
	struct profile *profile = start->alloc->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint tag_count = 0;
	jint count = 0;
	jobject *objects = NULL;
	jlong *tags = NULL;

	for (uint32_t i = 0; i < TAGS; i++) {
		if (start->tags[i] != 0)
			start->tag_list[tag_count++] = start->tags[i];
		start->tags[i] = 0;
	}
	start->tag_count = 0;
	if (tag_count == 0 ||
	    (*jvmti)->GetObjectsWithTags(jvmti, tag_count, start->tag_list, &count, &objects,
	                                 &tags) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count && !profile_is_stopped(profile); i++) {
		uint32_t serial = (uint32_t)((tags[i] & ~INITIAL_OBJECTS_TAG) >> SIZE_BITS) +
		                  CLASS_SERIAL_BASE;
		count_object(start, jni, objects[i],
		             class_table_find(profile->model.classes, serial),
		             (uint64_t)(tags[i] & SIZE_MASK) * LIVE_SIZE_UNIT);
	}
	profile_deallocate(profile, objects);
	profile_deallocate(profile, tags);
}

/* Adds all classes to the table, so that heap callbacks find them by tag, and counts their
 * class objects. */
static void count_classes(struct heap_start *start, JNIEnv *jni)
{
	struct profile *profile = start->alloc->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jclass *classes = NULL;
	jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");

	if (class_class == NULL ||
	    (*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE)
		return;
	const struct class_record *record = class_registry_find(profile->classes, class_class);
	for (jint i = 0; i < count; i++) {
		jlong size = 0;
		(void)class_registry_find(profile->classes, classes[i]);
		if ((*jvmti)->GetObjectSize(jvmti, classes[i], &size) == JVMTI_ERROR_NONE &&
		    is_taken(start, (uint64_t)size))
			count_object(start, jni, classes[i], record, (uint64_t)size);
	}
	profile_deallocate(profile, classes);
}

/* References pile up by rounds, each in a frame of its own. */
static void in_frame(struct heap_start *start, JNIEnv *jni,
                     void (*count)(struct heap_start *, JNIEnv *))
{
	if (!jni_frame_push(jni, JNI_FRAME_MAX))
		return;
	count(start, jni);
	jni_frame_pop(jni);
}

void initial_objects_count(struct alloc *alloc, JNIEnv *jni)
{
	struct heap_start start = {.alloc = alloc, .random = os_ticks() | 1};

	start.tags = calloc(TAGS, sizeof(*start.tags));
	start.tag_list = calloc(TAGS, sizeof(*start.tag_list));
	if (start.tags == NULL || start.tag_list == NULL) {
		profile_out_of_memory(alloc->profile);
	} else {
		in_frame(&start, jni, count_classes);
		start.full = true;
		for (int i = 0; start.full && i < ROUNDS_MAX; i++) {
			start.full = false;
			iterate(&start, tag_object);
			in_frame(&start, jni, count_tagged);
		}
		iterate(&start, untag_object);
	}
	free(start.tags);
	free(start.tag_list);
}
