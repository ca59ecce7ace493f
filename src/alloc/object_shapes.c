/*
 * object_shapes.c: see object_shapes.h. By serial numbers of classes, in pages that are allocated
 * when they are first needed and stay: no lock; two threads that learn one class get
 * the same result.
 */
#include "alloc/object_shapes.h"

#include "hprof/heap_records.h"
#include "vm/object_sizes.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PAGE_BITS = 10, PAGE_CLASSES = 1 << PAGE_BITS, PAGES_MAX = 4096 };

struct shape_page {
	_Atomic object_shape shapes[PAGE_CLASSES];
};

struct object_shapes {
	struct profile *profile;
	struct object_sizes *sizes;
	uint32_t alignment_log2;
	allocated_to_learn *allocated;
	void *argument;
	_Atomic(struct shape_page *) pages[PAGES_MAX];
};

static uint32_t log2_of(uint64_t number)
{
	uint32_t bits = 0;
	while (number >> bits > 1)
		bits++;
	return bits;
}

struct object_shapes *object_shapes_create(struct profile *profile, JNIEnv *jni,
                                           allocated_to_learn *allocated, void *argument)
{
	struct object_shapes *shapes = calloc(1, sizeof(*shapes));
	if (shapes == NULL)
		return NULL;
	shapes->profile = profile;
	shapes->allocated = allocated;
	shapes->argument = argument;
	shapes->sizes = object_sizes_create(profile, jni);
	if (shapes->sizes != NULL) {
		shapes->alignment_log2 = log2_of(object_sizes_alignment(shapes->sizes));
		return shapes;
	}
	free(shapes);
	return NULL;
}

void object_shapes_destroy(struct object_shapes *shapes)
{
	if (shapes == NULL)
		return;
	object_sizes_destroy(shapes->sizes);
	for (size_t i = 0; i < PAGES_MAX; i++)
		free(shapes->pages[i]);
	free(shapes);
}

/* NULL for more classes than there is room for. */
static _Atomic(struct shape_page *) *page_of(struct object_shapes *shapes,
                                             const struct class_record *record)
{
	uint32_t number = (record->serial - CLASS_SERIAL_BASE) >> PAGE_BITS;
	return number < PAGES_MAX ? &shapes->pages[number] : NULL;
}

static _Atomic object_shape *place_in(struct shape_page *page, const struct class_record *record)
{
	return &page->shapes[(record->serial - CLASS_SERIAL_BASE) % PAGE_CLASSES];
}

/* The shape, if it has been learnt; else 0. */
static object_shape known_shape(struct object_shapes *shapes, const struct class_record *record)
{
	_Atomic(struct shape_page *) *place = page_of(shapes, record);
	struct shape_page *page =
	        place == NULL ? NULL : atomic_load_explicit(place, memory_order_acquire);
	return page == NULL ? 0
	                    : atomic_load_explicit(place_in(page, record), memory_order_relaxed);
}

/* Without memory, or room, it is learnt again. */
static void keep_shape(struct object_shapes *shapes, const struct class_record *record,
                       object_shape shape)
{
	_Atomic(struct shape_page *) *place = page_of(shapes, record);
	if (place == NULL)
		return;
	struct shape_page *page = atomic_load_explicit(place, memory_order_acquire);
	if (page == NULL) {
		struct shape_page *new_page = calloc(1, sizeof(*new_page));
		if (new_page == NULL)
			return;
		if (atomic_compare_exchange_strong(place, &page, new_page))
			page = new_page;
		else
			free(new_page);
	}
	atomic_store_explicit(place_in(page, record), shape, memory_order_relaxed);
}

static object_shape pack(const struct object_shapes *shapes, uint64_t bytes, uint32_t element)
{
	if (bytes >> (32 - SHAPE_BYTES_BIT) != 0)
		return 0;
	return (object_shape)bytes << SHAPE_BYTES_BIT |
	       shapes->alignment_log2 << SHAPE_ALIGNMENT_BIT | element;
}

static object_shape shape_of_arrays(const struct object_shapes *shapes, char element)
{
	uint64_t header;
	uint64_t bytes;

	if (!object_sizes_layout(shapes->sizes, heap_type_of(element), &header, &bytes))
		return 0;
	return pack(shapes, header, log2_of(bytes) + 1);
}

/* It is only allocated: no code sees it, and it holds nothing. */
static object_shape shape_of_instances(const struct object_shapes *shapes, JNIEnv *jni,
                                       jclass class)
{
	jvmtiEnv *jvmti = shapes->profile->jvmti;
	jlong size = 0;
	jobject object = (*jni)->AllocObject(jni, class);

	if (object == NULL) {
		(*jni)->ExceptionClear(jni);
		return 0;
	}
	(void)(*jvmti)->GetObjectSize(jvmti, object, &size);
	shapes->allocated(shapes->argument, jni, object);
	(*jni)->DeleteLocalRef(jni, object);
	return size <= 0 ? 0 : pack(shapes, (uint64_t)size, 0);
}

object_shape object_shapes_learn(struct object_shapes *shapes, JNIEnv *jni, jclass class,
                                 const struct class_record *record)
{
	object_shape shape = known_shape(shapes, record);
	const char *signature = record->signature->text;

	if (shape != 0)
		return shape;
	if (signature[0] == '[')
		shape = shape_of_arrays(shapes, signature[1]);
	else if (class != NULL)
		shape = shape_of_instances(shapes, jni, class);
	if (shape != 0)
		keep_shape(shapes, record, shape);
	return shape;
}
