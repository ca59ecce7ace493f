/*
 * heap_objects.c: see heap_objects.h.
 */
#include "report/heap_objects.h"

#include "base/array.h"

#include <stdlib.h>

struct class_objects {
	uint64_t class_id;
	uint64_t instances;
	uint64_t value_bytes;
	struct array_objects *arrays; /* NULL until the first array of this class */
};

void heap_objects_init(struct heap_objects *objects, unsigned id_size)
{
	*objects = (struct heap_objects){.id_size = id_size};
	heap_layout_init(&objects->layout);
	address_map_init(&objects->places);
}

void heap_objects_free(struct heap_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		free(objects->classes[i].arrays);
	free(objects->classes);
	objects->classes = NULL;
	objects->count = 0;
	address_map_free(&objects->places);
	heap_layout_free(&objects->layout);
}

/* ---- counting --------------------------------------------------------------- */

static struct class_objects *class_objects(struct heap_objects *objects, uint64_t class_id)
{
	/* Keys are not 0, and neither are ids of classes in a file that is correct. */
	uint64_t key = class_id == 0 ? UINT64_MAX : class_id;
	const uint64_t *place = address_map_find(&objects->places, key);

	if (place != NULL)
		return &objects->classes[*place];
	if (!array_grow(&objects->classes, &objects->capacity, objects->count,
	                sizeof(*objects->classes)))
		return NULL;
	if (!address_map_set(&objects->places, key, objects->count))
		return NULL;
	struct class_objects *added = &objects->classes[objects->count++];
	*added = (struct class_objects){.class_id = key};
	return added;
}

static void add_array(struct array_objects *arrays, uint32_t length)
{
	arrays->count++;
	arrays->elements += length;
	arrays->by_remainder[length % HEAP_ALIGNMENT_MAX]++;
}

static bool add_object_array(struct heap_objects *objects, const struct hprof_sub_record *sub)
{
	struct class_objects *class = class_objects(objects, sub->class_id);

	if (class == NULL)
		return false;
	if (class->arrays == NULL)
		class->arrays = calloc(1, sizeof(*class->arrays));
	if (class->arrays == NULL)
		return false;
	add_array(class->arrays, sub->length);
	return true;
}

bool heap_objects_add(struct heap_objects *objects, const struct hprof_sub_record *sub)
{
	struct class_objects *class;

	heap_layout_note_id(&objects->layout, sub->object_id);
	switch (sub->tag) {
	case HPROF_SUB_INSTANCE_DUMP:
		class = class_objects(objects, sub->class_id);
		if (class == NULL)
			return false;
		class->instances++;
		class->value_bytes += sub->length;
		return true;
	case HPROF_SUB_OBJECT_ARRAY_DUMP:
		return add_object_array(objects, sub);
	default:
		if (sub->type < HEAP_LAYOUT_TYPES)
			add_array(&objects->primitive[sub->type], sub->length);
		return true;
	}
}

/* ---- sizes -------------------------------------------------------------------- */

static uint64_t product(uint64_t one, uint64_t other)
{
	return other != 0 && one > UINT64_MAX / other ? UINT64_MAX : one * other;
}

/* A sum over arrays of all lengths: of arrays of one remainder each is padded by as much. */
static uint64_t array_bytes(const struct heap_layout *layout, uint8_t type,
                            const struct array_objects *arrays)
{
	uint64_t base = heap_layout_base(layout, type);
	uint64_t element = heap_layout_element(layout, type);
	uint64_t bytes =
	        report_sum(product(arrays->count, base), product(arrays->elements, element));

	for (uint64_t i = 0; i < HEAP_ALIGNMENT_MAX; i++) {
		uint64_t used = base + i * element;
		uint64_t padding = heap_layout_align(layout, used) - used;
		bytes = report_sum(bytes, product(arrays->by_remainder[i], padding));
	}
	return bytes;
}

static bool list_arrays(struct heap_objects *objects, bool is_known,
                        struct heap_histogram *histogram, uint8_t type,
                        const struct array_objects *arrays, const struct string *name)
{
	uint64_t bytes =
	        is_known ? array_bytes(&objects->layout, type, arrays)
	                 : product(arrays->elements, heap_type_size(type, objects->id_size));
	return name != NULL && heap_histogram_add(histogram, name, arrays->count, bytes);
}

bool heap_objects_list(struct heap_objects *objects, bool is_known,
                       struct heap_histogram *histogram, heap_objects_name *name_of, void *context)
{
	for (size_t i = 0; i < HEAP_LAYOUT_TYPES; i++) {
		const struct array_objects *arrays = &objects->primitive[i];
		const uint8_t type = (uint8_t)i;
		if (arrays->count > 0 && !list_arrays(objects, is_known, histogram, type, arrays,
		                                      name_of(context, 0, type)))
			return false;
	}
	for (size_t i = 0; i < objects->count; i++) {
		const struct class_objects *class = &objects->classes[i];
		const struct string *name = name_of(context, class->class_id, 0);
		uint64_t count = class->instances;
		uint64_t bytes = class->value_bytes;

		if (is_known && count > 0)
			bytes = product(count,
			                heap_layout_instance(&objects->layout, class->class_id,
			                                     bytes / count));
		if (name == NULL ||
		    (count > 0 && !heap_histogram_add(histogram, name, count, bytes)))
			return false;
		if (class->arrays != NULL && !list_arrays(objects, is_known, histogram,
		                                          HPROF_TYPE_OBJECT, class->arrays, name))
			return false;
	}
	return true;
}
