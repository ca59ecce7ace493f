/*
 * object_traces.c: see object_traces.h. Addresses noted in a pause go to memory that
 * was prepared; nothing here has a lock of its own.
 */
#include "alloc/object_traces.h"

#include "alloc/site_counting.h"

#include <stdlib.h>

/* Room for objects that are allocated between preparing and taking. */
enum { SLACK = 65536 };

struct object_place {
	uint64_t address;
	uint32_t site;
};

struct object_traces {
	struct alloc *alloc;
	struct object_place *places;
	size_t count;
	size_t room;
};

bool object_traces_by_address(const struct alloc *alloc)
{
	return alloc->live != NULL && alloc->reads_addresses;
}

struct object_traces *object_traces_prepare(struct alloc *alloc)
{
	struct object_traces *traces = calloc(1, sizeof(*traces));
	if (traces == NULL)
		return NULL;
	uint64_t count = live_objects_count(alloc->live);
	traces->alloc = alloc;
	traces->room = (size_t)(count + count / 8 + SLACK);
	traces->places = calloc(traces->room, sizeof(*traces->places));
	if (traces->places == NULL) {
		free(traces);
		return NULL;
	}
	return traces;
}

static void take_object(void *argument, const struct live_object *object)
{
	struct object_traces *traces = argument;
	uintptr_t reference = atomic_load_explicit(&object->reference, memory_order_relaxed);
	uintptr_t address = live_object_address(reference);

	if (address != 0 && traces->count < traces->room)
		traces->places[traces->count++] =
		        (struct object_place){.address = address, .site = object->site};
}

void object_traces_take(struct object_traces *traces)
{
	traces->count = 0;
	live_objects_visit(traces->alloc->live, take_object, traces);
}

static int by_address(const void *left, const void *right)
{
	uint64_t a = ((const struct object_place *)left)->address;
	uint64_t b = ((const struct object_place *)right)->address;
	return (a > b) - (a < b);
}

void object_traces_index(struct object_traces *traces)
{
	qsort(traces->places, traces->count, sizeof(*traces->places), by_address);
}

uint32_t object_traces_find(const struct object_traces *traces, uint64_t address)
{
	size_t low = 0;
	size_t high = traces->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (traces->places[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == traces->count || traces->places[low].address != address)
		return TRACE_SERIAL_EMPTY;
	return site_table_site(traces->alloc->sites, traces->places[low].site)->trace->serial;
}

void object_traces_free(struct object_traces *traces)
{
	if (traces == NULL)
		return;
	free(traces->places);
	free(traces);
}

/* ---- by tag ---------------------------------------------------------------- */

/* Objects tagged between two reports of the progress. */
enum { PROGRESS_OBJECTS = 1 << 12 };

struct tagging {
	struct alloc *alloc;
	JNIEnv *jni;
	uint64_t done;
	uint64_t count; /* of all; about */
};

static void report_progress(struct tagging *tagging)
{
	if (++tagging->done % PROGRESS_OBJECTS == 0 && tagging->done <= tagging->count)
		progress_update(&tagging->alloc->profile->progress, tagging->done, tagging->count,
		                "objects tagged");
}

static void tag_object(void *argument, const struct live_object *object)
{
	struct tagging *tagging = argument;
	JNIEnv *jni = tagging->jni;
	jvmtiEnv *jvmti = tagging->alloc->profile->jvmti;
	uintptr_t reference = atomic_load_explicit(&object->reference, memory_order_relaxed);
	const struct site *site = site_table_site(tagging->alloc->sites, object->site);
	jlong tag = 0;

	report_progress(tagging);
	if (site->trace->serial == TRACE_SERIAL_EMPTY)
		return;
	jobject local = (*jni)->NewLocalRef(jni, (jobject)reference);
	if (local == NULL)
		return;
	if ((*jvmti)->GetTag(jvmti, local, &tag) == JVMTI_ERROR_NONE && tag == 0)
		(void)(*jvmti)->SetTag(jvmti, local, TRACE_TAG_BIT | (jlong)site->trace->serial);
	(*jni)->DeleteLocalRef(jni, local);
}

void object_traces_tag(struct alloc *alloc, JNIEnv *jni)
{
	struct tagging tagging = {.alloc = alloc, .jni = jni};

	if (alloc->live == NULL)
		return;
	tagging.count = live_objects_count(alloc->live);
	live_objects_visit(alloc->live, tag_object, &tagging);
}

/* ---- after collections ----------------------------------------------------- */

static void count_collected(void *argument, uint32_t site, uint64_t size)
{
	struct alloc *alloc = argument;
	struct site_counts counts = site_counting_weigh(alloc, size);
	site_table_add_collected(alloc->sites, site, &counts);
}

void object_traces_sweep(struct alloc *alloc, JNIEnv *jni)
{
	if (alloc->live != NULL && gc_epoch_is_new(&alloc->epoch, &alloc->swept))
		live_objects_sweep(alloc->live, jni, count_collected, alloc);
}
