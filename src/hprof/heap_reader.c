/*
 * heap_reader.c: see heap_reader.h.
 */
#include "hprof/heap_reader.h"

#include <stdlib.h>

#define LIST_MAX ((size_t)UINT16_MAX + 1)

bool hprof_sub_record_init(struct hprof_sub_record *sub)
{
	*sub = (struct hprof_sub_record){0};
	sub->class.constants = calloc(LIST_MAX, sizeof(*sub->class.constants));
	sub->class.statics = calloc(LIST_MAX, sizeof(*sub->class.statics));
	sub->class.fields = calloc(LIST_MAX, sizeof(*sub->class.fields));
	return sub->class.constants != NULL && sub->class.statics != NULL &&
	       sub->class.fields != NULL;
}

void hprof_sub_record_free(struct hprof_sub_record *sub)
{
	free(sub->class.constants);
	free(sub->class.statics);
	free(sub->class.fields);
}

bool hprof_has_thread(uint8_t tag)
{
	return tag == HPROF_SUB_ROOT_JNI_LOCAL || tag == HPROF_SUB_ROOT_JAVA_FRAME ||
	       tag == HPROF_SUB_ROOT_NATIVE_STACK || tag == HPROF_SUB_ROOT_THREAD_BLOCK ||
	       tag == HPROF_SUB_ROOT_THREAD_OBJECT || tag == HPROF_SUB_ROOT_JNI_MONITOR;
}

static uint64_t read_value(struct hprof_reader *reader, uint8_t type)
{
	unsigned size = heap_type_size(type, reader->id_size);
	if (size == 0) {
		hprof_set_broken(reader);
		return 0;
	}
	const uint8_t *bytes = hprof_read_bytes(reader, size);
	return bytes == NULL ? 0 : hprof_number(bytes, size);
}

static void read_constants(struct hprof_reader *reader, struct hprof_class *class)
{
	class->constant_count = hprof_read_u2(reader);
	for (uint16_t i = 0; i < class->constant_count && reader->error == 0; i++) {
		class->constants[i].index = hprof_read_u2(reader);
		class->constants[i].type = hprof_read_u1(reader);
		class->constants[i].value = read_value(reader, class->constants[i].type);
	}
}

static uint16_t read_fields(struct hprof_reader *reader, struct hprof_field *fields, bool values)
{
	uint16_t count = hprof_read_u2(reader);
	for (uint16_t i = 0; i < count && reader->error == 0; i++) {
		fields[i].name_id = hprof_read_id(reader);
		fields[i].type = hprof_read_u1(reader);
		if (values)
			fields[i].value = read_value(reader, fields[i].type);
		else if (heap_type_size(fields[i].type, reader->id_size) == 0)
			hprof_set_broken(reader);
	}
	return count;
}

static void read_class(struct hprof_reader *reader, struct hprof_sub_record *sub)
{
	struct hprof_class *class = &sub->class;

	sub->trace_serial = hprof_read_u4(reader);
	class->super_id = hprof_read_id(reader);
	class->loader_id = hprof_read_id(reader);
	class->signers_id = hprof_read_id(reader);
	class->domain_id = hprof_read_id(reader);
	(void)hprof_read_id(reader);
	(void)hprof_read_id(reader);
	class->instance_size = hprof_read_u4(reader);
	read_constants(reader, class);
	class->static_count = read_fields(reader, class->statics, true);
	class->field_count = read_fields(reader, class->fields, false);
}

static void read_root(struct hprof_reader *reader, struct hprof_sub_record *sub)
{
	switch (sub->tag) {
	case HPROF_SUB_ROOT_JNI_GLOBAL:
		sub->jni_id = hprof_read_id(reader);
		break;
	case HPROF_SUB_ROOT_JNI_LOCAL:
	case HPROF_SUB_ROOT_JAVA_FRAME:
	case HPROF_SUB_ROOT_JNI_MONITOR:
		sub->thread_serial = hprof_read_u4(reader);
		sub->frame = hprof_read_u4(reader);
		break;
	case HPROF_SUB_ROOT_NATIVE_STACK:
	case HPROF_SUB_ROOT_THREAD_BLOCK:
		sub->thread_serial = hprof_read_u4(reader);
		break;
	case HPROF_SUB_ROOT_THREAD_OBJECT:
		sub->thread_serial = hprof_read_u4(reader);
		sub->trace_serial = hprof_read_u4(reader);
		break;
	case HPROF_SUB_ROOT_UNKNOWN:
	case HPROF_SUB_ROOT_STICKY_CLASS:
	case HPROF_SUB_ROOT_MONITOR_USED:
	case HPROF_SUB_ROOT_INTERNED_STRING:
	case HPROF_SUB_ROOT_FINALIZING:
	case HPROF_SUB_ROOT_DEBUGGER:
	case HPROF_SUB_ROOT_REFERENCE_CLEANUP:
	case HPROF_SUB_ROOT_VM_INTERNAL:
	case HPROF_SUB_UNREACHABLE:
		break;
	default:
		hprof_set_broken(reader);
		break;
	}
}

/* Reads the head of an object at once, with a branch for each id size: dumps have millions of
 * objects. */
static inline void read_head(struct hprof_sub_record *sub, const uint8_t *bytes, unsigned id_size)
{
	sub->object_id = hprof_number(bytes, id_size);
	sub->trace_serial = hprof_u4_at(bytes + id_size);
	bytes += id_size + 4;
	switch (sub->tag) {
	case HPROF_SUB_INSTANCE_DUMP:
		sub->class_id = hprof_number(bytes, id_size);
		sub->length = hprof_u4_at(bytes + id_size);
		break;
	case HPROF_SUB_OBJECT_ARRAY_DUMP:
		sub->length = hprof_u4_at(bytes);
		sub->class_id = hprof_number(bytes + 4, id_size);
		break;
	default:
		sub->length = hprof_u4_at(bytes);
		sub->type = bytes[4];
		break;
	}
}

static void read_object(struct hprof_reader *reader, struct hprof_sub_record *sub)
{
	unsigned id_size = reader->id_size;
	bool primitive = sub->tag == HPROF_SUB_PRIMITIVE_ARRAY_DUMP ||
	                 sub->tag == HPROF_SUB_PRIMITIVE_ARRAY_NODATA;
	const uint8_t *bytes = hprof_read_bytes(reader, 8 + id_size + (primitive ? 1 : id_size));

	if (bytes == NULL)
		return;
	if (id_size == 8)
		read_head(sub, bytes, 8);
	else
		read_head(sub, bytes, 4);
	if (primitive &&
	    (sub->type == HPROF_TYPE_OBJECT || heap_type_size(sub->type, id_size) == 0))
		hprof_set_broken(reader);
	if (!reader->joins && hprof_body_length(reader, sub) > reader->left)
		hprof_set_broken(reader);
}

static bool is_of_art(uint8_t tag)
{
	static const bool tags[UINT8_MAX + 1] = {HPROF_ART_SUB_RECORDS(HPROF_TAG_ENTRY)};
	return tags[tag];
}

bool hprof_read_sub_record(struct hprof_reader *reader, struct hprof_sub_record *sub)
{
	if (reader->left == 0 || reader->error != 0)
		return false;
	const uint8_t *tag = hprof_read_bytes(reader, 1);
	sub->tag = tag == NULL ? 0 : *tag;
	if (is_of_art(sub->tag) && reader->version != HPROF_VERSION_1_0_3)
		hprof_set_broken(reader);
	switch (sub->tag) {
	case HPROF_SUB_INSTANCE_DUMP:
	case HPROF_SUB_OBJECT_ARRAY_DUMP:
	case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
	case HPROF_SUB_PRIMITIVE_ARRAY_NODATA:
		read_object(reader, sub);
		break;
	case HPROF_SUB_CLASS_DUMP:
		sub->object_id = hprof_read_id(reader);
		read_class(reader, sub);
		break;
	case HPROF_SUB_HEAP_DUMP_INFO:
		sub->object_id = 0;
		(void)hprof_read_u4(reader); /* the number of the heap */
		sub->name_id = hprof_read_id(reader);
		break;
	default:
		sub->object_id = hprof_read_id(reader);
		read_root(reader, sub);
		break;
	}
	return reader->error == 0;
}

uint64_t hprof_body_length(const struct hprof_reader *reader, const struct hprof_sub_record *sub)
{
	switch (sub->tag) {
	case HPROF_SUB_INSTANCE_DUMP:
		return sub->length;
	case HPROF_SUB_OBJECT_ARRAY_DUMP:
		return (uint64_t)sub->length * reader->id_size;
	case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
		return (uint64_t)sub->length * heap_type_size(sub->type, reader->id_size);
	default:
		return 0;
	}
}
