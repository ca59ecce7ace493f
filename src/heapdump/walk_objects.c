/*
 * walk_objects.c: see walk_objects.h.
 */
#include "heapdump/walk_objects.h"

#include <stdlib.h>
#include <string.h>

bool walk_objects_init(struct walk_objects *objects, const struct walk_ids *ids,
                       const struct class_layouts *layouts, struct heap_writer *heap)
{
	*objects = (struct walk_objects){.ids = ids, .layouts = layouts, .heap = heap};
	objects->values = calloc((size_t)class_layouts_longest_values(layouts) + 1, 1);
	return objects->values != NULL;
}

void walk_objects_free(struct walk_objects *objects)
{
	free(objects->values);
}

/* Writes nulls for the elements before index that have not been written. */
static void write_nulls(struct walk_objects *objects, uint32_t index)
{
	static const uint64_t nulls[256];
	while (objects->next < index) {
		uint32_t left = index - objects->next;
		uint32_t piece = left < 256 ? left : 256;
		heap_writer_elements(objects->heap, nulls, piece);
		objects->next += piece;
	}
}

void walk_objects_end(struct walk_objects *objects)
{
	const struct class_layout *layout = objects->layout;

	if (layout == NULL)
		return;
	objects->layout = NULL;
	if (layout->element == HPROF_TYPE_OBJECT) {
		write_nulls(objects, objects->length);
	} else if (layout->element == 0) {
		struct heap_instance instance = {
		        .object_id = objects->id,
		        .trace_serial = walk_ids_trace(objects->ids, objects->id),
		        .class = layout->record,
		        .values = objects->values,
		        .values_length = layout->values_length,
		};
		heap_writer_instance(objects->heap, &instance);
	}
}

static void begin_object_array(struct walk_objects *objects)
{
	struct heap_array array = {
	        .object_id = objects->id,
	        .trace_serial = walk_ids_trace(objects->ids, objects->id),
	        .length = walk_ids_length(objects->ids, objects->id),
	        .class = objects->layout->record,
	        .type = HPROF_TYPE_OBJECT,
	};
	objects->length = array.length;
	objects->next = 0;
	heap_writer_object_array(objects->heap, &array);
}

void walk_objects_begin(struct walk_objects *objects, jlong tag, jlong class_tag)
{
	uint64_t id = walk_ids_of_tag(tag);
	if (objects->id == id)
		return;
	walk_objects_end(objects);
	const struct class_layout *layout = class_layouts_find_by_tag(objects->layouts, class_tag);
	objects->id = id;
	objects->layout = layout;
	if (layout == NULL)
		return;
	if (layout->element == 0)
		memset(objects->values, 0, layout->values_length);
	else if (layout->element == HPROF_TYPE_OBJECT)
		begin_object_array(objects);
}

static void put_value(uint8_t *to, uint64_t value, unsigned size)
{
	while (size > 0) {
		to[--size] = (uint8_t)value;
		value >>= 8;
	}
}

void walk_objects_set_field(struct walk_objects *objects, jint index, uint64_t value)
{
	if (objects->layout == NULL || objects->layout->element != 0)
		return;
	/* JVM TI has no fields for a class that is not prepared. The archive of the VM may hold
	 * instances of such classes, which no code of the program has used yet. */
	const struct layout_slot *slot = class_layout_slot(objects->layout, index);
	if (slot != NULL && !slot->is_static)
		put_value(objects->values + slot->at, value,
		          heap_type_size(slot->type, sizeof(uint64_t)));
}

void walk_objects_set_element(struct walk_objects *objects, jint index, uint64_t id)
{
	if (objects->layout == NULL)
		return;
	if (index < 0 || (uint32_t)index < objects->next || (uint32_t)index >= objects->length) {
		objects->out_of_order = true;
		return;
	}
	write_nulls(objects, (uint32_t)index);
	heap_writer_elements(objects->heap, &id, 1);
	objects->next++;
}

/* Writes elements with the highest byte of each first. */
static void write_elements(struct heap_writer *heap, const uint8_t *from, size_t length,
                           unsigned size)
{
	uint8_t piece[4096];
	uint16_t one = 1;
	uint8_t lowest_first;

	memcpy(&lowest_first, &one, 1);
	if (size == 1 || !lowest_first) {
		heap_writer_bytes(heap, from, length);
		return;
	}
	while (length > 0) {
		size_t n = length < sizeof(piece) ? length : sizeof(piece);
		for (size_t i = 0; i < n; i += size) {
			for (unsigned j = 0; j < size; j++)
				piece[i + j] = from[i + size - 1 - j];
		}
		heap_writer_bytes(heap, piece, n);
		from += n;
		length -= n;
	}
}

void walk_objects_add_primitive_array(struct walk_objects *objects, jlong tag, jlong class_tag,
                                      const void *elements, uint32_t count)
{
	const struct class_layout *layout = class_layouts_find_by_tag(objects->layouts, class_tag);
	if (layout == NULL)
		return;
	walk_objects_end(objects);
	objects->id = walk_ids_of_tag(tag);
	struct heap_array array = {
	        .object_id = objects->id,
	        .trace_serial = walk_ids_trace(objects->ids, objects->id),
	        .length = count,
	        .type = layout->element,
	};
	unsigned size = heap_type_size(array.type, sizeof(uint64_t));
	heap_writer_primitive_array(objects->heap, &array);
	write_elements(objects->heap, elements, (size_t)count * size, size);
}
