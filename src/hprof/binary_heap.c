/*
 * binary_heap.c: heap dumps in the HPROF binary format: heads of segments, the records that
 * a dump refers to, and sub-records.
 */
#include "hprof/heap_format.h"

#include "hprof/binary_records.h"

#include <string.h>

/* ---- records, under the record writer's lock -------------------------- */

static void heap_names(void *state, struct byte_buffer *out, const struct heap_class *class)
{
	binary_need_class(state, out, class->class);
	for (uint16_t i = 0; i < class->static_count; i++)
		binary_need_string(state, out, class->statics[i].name);
	for (uint16_t i = 0; i < class->field_count; i++)
		binary_need_string(state, out, class->fields[i].name);
}

static void heap_segment(void *state, struct byte_buffer *out, uint64_t length)
{
	binary_record_begin(state, out, HPROF_RECORD_HEAP_DUMP_SEGMENT, length);
}

static void heap_segments_end(void *state, struct byte_buffer *out)
{
	binary_record_begin(state, out, HPROF_RECORD_HEAP_DUMP_END, 0);
}

/* ---- sub-records, called by heap_writer on the dumping thread ----------- */

/* Appends length bytes for all numbers of a sub-record, two of which are the ids. NULL if an
 * id does not fit, or without memory. Dumps have millions of objects, and this is faster than
 * appending number by number. */
static inline uint8_t *extend(struct byte_buffer *out, unsigned id_size, uint64_t id,
                              uint64_t other_id, size_t length)
{
	if (id_size == 4 && (id > UINT32_MAX || other_id > UINT32_MAX))
		byte_buffer_fail(out, BYTES_TOO_LARGE);
	return byte_buffer_extend(out, length);
}

static void heap_root(struct byte_buffer *out, unsigned id_size, const struct heap_root *root)
{
	byte_buffer_add_u1(out, (uint8_t)root->kind);
	byte_buffer_add_id(out, id_size, root->object_id);
	switch (root->kind) {
	case HPROF_SUB_ROOT_JNI_GLOBAL:
		byte_buffer_add_id(out, id_size, root->jni_id);
		break;
	case HPROF_SUB_ROOT_JNI_LOCAL:
	case HPROF_SUB_ROOT_JAVA_FRAME:
		byte_buffer_add_u4(out, root->thread_serial);
		byte_buffer_add_u4(out, root->frame);
		break;
	case HPROF_SUB_ROOT_NATIVE_STACK:
	case HPROF_SUB_ROOT_THREAD_BLOCK:
		byte_buffer_add_u4(out, root->thread_serial);
		break;
	case HPROF_SUB_ROOT_THREAD_OBJECT:
		byte_buffer_add_u4(out, root->thread_serial);
		byte_buffer_add_u4(out, root->trace_serial);
		break;
	default:
		break;
	}
}

/* Appends a value in the size of its type. */
static void add_value(struct byte_buffer *out, unsigned id_size, uint8_t type, uint64_t value)
{
	switch (heap_type_size(type, 0)) {
	case 0:
		byte_buffer_add_id(out, id_size, value);
		break;
	case 1:
		byte_buffer_add_u1(out, (uint8_t)value);
		break;
	case 2:
		byte_buffer_add_u2(out, (uint16_t)value);
		break;
	case 4:
		byte_buffer_add_u4(out, (uint32_t)value);
		break;
	default:
		byte_buffer_add_u8(out, value);
		break;
	}
}

static void heap_class(struct byte_buffer *out, unsigned id_size, const struct heap_class *class)
{
	byte_buffer_add_u1(out, HPROF_SUB_CLASS_DUMP);
	byte_buffer_add_id(out, id_size, class->class->object_id);
	byte_buffer_add_u4(out, class->trace_serial);
	byte_buffer_add_id(out, id_size, class->super_id);
	byte_buffer_add_id(out, id_size, class->loader_id);
	byte_buffer_add_id(out, id_size, class->signers_id);
	byte_buffer_add_id(out, id_size, class->domain_id);
	byte_buffer_add_id(out, id_size, 0);
	byte_buffer_add_id(out, id_size, 0);
	byte_buffer_add_u4(out, class->instance_size);

	byte_buffer_add_u2(out, class->constant_count);
	for (uint16_t i = 0; i < class->constant_count; i++) {
		const struct heap_constant *constant = &class->constants[i];
		byte_buffer_add_u2(out, constant->index);
		byte_buffer_add_u1(out, constant->type);
		add_value(out, id_size, constant->type, constant->value);
	}
	byte_buffer_add_u2(out, class->static_count);
	for (uint16_t i = 0; i < class->static_count; i++) {
		const struct heap_static *field = &class->statics[i];
		byte_buffer_add_id(out, id_size, field->name->id);
		byte_buffer_add_u1(out, field->type);
		add_value(out, id_size, field->type, field->value);
	}
	byte_buffer_add_u2(out, class->field_count);
	for (uint16_t i = 0; i < class->field_count; i++) {
		byte_buffer_add_id(out, id_size, class->fields[i].name->id);
		byte_buffer_add_u1(out, class->fields[i].type);
	}
}

static void heap_instance(struct byte_buffer *out, unsigned id_size,
                          const struct heap_instance *instance)
{
	uint64_t class_id = instance->class->object_id;
	size_t head = 1 + 4 + 4 + 2 * (size_t)id_size;
	uint8_t *at =
	        extend(out, id_size, instance->object_id, class_id, head + instance->values_length);

	if (at == NULL)
		return;
	*at++ = HPROF_SUB_INSTANCE_DUMP;
	at = bytes_put_id(at, id_size, instance->object_id);
	at = bytes_put_u4(at, instance->trace_serial);
	at = bytes_put_id(at, id_size, class_id);
	at = bytes_put_u4(at, instance->values_length);
	if (instance->values_length > 0)
		memcpy(at, instance->values, instance->values_length);
}

static void heap_object_array(struct byte_buffer *out, unsigned id_size,
                              const struct heap_array *array)
{
	uint64_t class_id = array->class->object_id;
	uint8_t *at =
	        extend(out, id_size, array->object_id, class_id, 1 + 4 + 4 + 2 * (size_t)id_size);

	if (at == NULL)
		return;
	*at++ = HPROF_SUB_OBJECT_ARRAY_DUMP;
	at = bytes_put_id(at, id_size, array->object_id);
	at = bytes_put_u4(at, array->trace_serial);
	at = bytes_put_u4(at, array->length);
	(void)bytes_put_id(at, id_size, class_id);
}

static void heap_elements(struct byte_buffer *out, unsigned id_size, uint32_t first,
                          const uint64_t *ids, size_t count)
{
	uint64_t all = 0;
	(void)first;

	for (size_t i = 0; i < count; i++)
		all |= ids[i];
	uint8_t *at = extend(out, id_size, all, 0, count * id_size);
	for (size_t i = 0; i < count && at != NULL; i++)
		at = bytes_put_id(at, id_size, ids[i]);
}

static void heap_primitive_array(struct byte_buffer *out, unsigned id_size,
                                 const struct heap_array *array)
{
	uint8_t *at = extend(out, id_size, array->object_id, 0, 1 + 4 + 4 + 1 + (size_t)id_size);

	if (at == NULL)
		return;
	*at++ = HPROF_SUB_PRIMITIVE_ARRAY_DUMP;
	at = bytes_put_id(at, id_size, array->object_id);
	at = bytes_put_u4(at, array->trace_serial);
	at = bytes_put_u4(at, array->length);
	*at = array->type;
}

static void heap_bytes(struct byte_buffer *out, const uint8_t *bytes, size_t length)
{
	byte_buffer_add(out, bytes, length);
}

const struct heap_format heap_format_binary = {
        .names = heap_names,
        .segment = heap_segment,
        .segments_end = heap_segments_end,
        .root = heap_root,
        .class_dump = heap_class,
        .instance = heap_instance,
        .object_array = heap_object_array,
        .elements = heap_elements,
        .primitive_array = heap_primitive_array,
        .bytes = heap_bytes,
};
