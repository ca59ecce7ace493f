/*
 * dump_merge.c: see dump_merge.h. The second reading of the file: each sub-record is
 * translated and goes to heap_writer at once.
 */
#include "heapdump/dump_merge.h"

#include "heapdump/dump_index.h"
#include "hprof/tags.h"
#include "output/heap_writer.h"

#include <stdlib.h>
#include <string.h>

/* Elements that are translated at once. */
enum { ELEMENTS_AT_ONCE = 8192 };

struct heap_splicing {
	struct heap_image image;
	struct hprof_reader *reader;
	struct hprof_sub sub;
	struct heap_writer *heap;
	unsigned id_size;          /* of the output */
	struct byte_buffer values; /* of an instance, translated */
	uint64_t *elements;        /* ELEMENTS_AT_ONCE */
	struct heap_constant *constants;
	struct heap_static *statics;
	struct heap_field *fields; /* each of the three has room for 65535 */
	uint64_t jni_ids;
	int error;
};

static void fail(struct heap_splicing *splicing, int error)
{
	if (splicing->error == 0)
		splicing->error = error;
}

static uint64_t to_id(const struct heap_splicing *splicing, uint64_t id)
{
	return heap_image_id(&splicing->image, id);
}

static void tell_progress(struct heap_splicing *splicing, uint64_t bytes)
{
	heap_image_progress(&splicing->image, bytes, splicing->image.merge->object_count,
	                    splicing->image.object_count);
}

static uint32_t trace_of(const struct heap_splicing *splicing)
{
	const struct dump_merge *merge = splicing->image.merge;
	if (merge->ops->trace_of == NULL)
		return splicing->sub.trace_serial;
	return merge->ops->trace_of(merge->context, splicing->sub.object_id);
}

/* ---- roots ------------------------------------------------------------ */

static bool has_thread(enum hprof_sub_tag kind)
{
	return kind == HPROF_SUB_ROOT_JNI_LOCAL || kind == HPROF_SUB_ROOT_JAVA_FRAME ||
	       kind == HPROF_SUB_ROOT_NATIVE_STACK || kind == HPROF_SUB_ROOT_THREAD_BLOCK ||
	       kind == HPROF_SUB_ROOT_THREAD_OBJECT;
}

static void splice_root(struct heap_splicing *splicing)
{
	const struct hprof_sub *sub = &splicing->sub;
	struct heap_image *image = &splicing->image;
	if (!heap_image_has_root(image, sub->object_id))
		return;
	struct heap_root root = {
	        .kind = (enum hprof_sub_tag)sub->tag,
	        .object_id = to_id(splicing, sub->object_id),
	        .thread_serial = sub->thread_serial,
	        .frame = sub->frame,
	        .trace_serial = sub->trace_serial,
	        .jni_id = ++splicing->jni_ids,
	};

	if (has_thread(root.kind)) {
		const struct image_thread *thread = heap_image_thread(image, sub->thread_serial);
		/* What no record of the output can name keeps its object alive all the same. */
		if (thread == NULL || thread->thread.serial == 0)
			root.kind = HPROF_SUB_ROOT_UNKNOWN;
		else
			root.thread_serial = thread->thread.serial;
		if (image->merge->ops->trace_of != NULL)
			root.trace_serial = thread == NULL || thread->trace == NULL
			                            ? TRACE_SERIAL_EMPTY
			                            : thread->trace->serial;
	}
	if (sub->tag == HPROF_SUB_ROOT_JNI_GLOBAL)
		root.trace_serial = TRACE_SERIAL_EMPTY;
	if (sub->tag == HPROF_SUB_ROOT_STICKY_CLASS) {
		const uint64_t *index = address_map_find(&image->class_by_id, sub->object_id);
		root.class = index == NULL ? NULL : image->classes[*index].record;
	}
	heap_writer_root(splicing->heap, &root);
}

/* ---- classes ---------------------------------------------------------- */

static const struct string *name_of(struct heap_splicing *splicing, uint64_t id)
{
	const struct string *name = heap_image_string(&splicing->image, id);
	if (name == NULL)
		fail(splicing, OS_NO_MEMORY);
	return name;
}

static void translate_statics(struct heap_splicing *splicing, const struct hprof_class *from)
{
	for (uint16_t i = 0; i < from->static_count; i++) {
		struct heap_static *to = &splicing->statics[i];
		to->name = name_of(splicing, from->statics[i].name_id);
		to->type = from->statics[i].type;
		to->value = to->type == HPROF_TYPE_OBJECT ? to_id(splicing, from->statics[i].value)
		                                          : from->statics[i].value;
	}
	for (uint16_t i = 0; i < from->constant_count; i++) {
		struct heap_constant *to = &splicing->constants[i];
		to->index = from->constants[i].index;
		to->type = from->constants[i].type;
		to->value = to->type == HPROF_TYPE_OBJECT
		                    ? to_id(splicing, from->constants[i].value)
		                    : from->constants[i].value;
	}
	for (uint16_t i = 0; i < from->field_count; i++) {
		splicing->fields[i].name = name_of(splicing, from->fields[i].name_id);
		splicing->fields[i].type = from->fields[i].type;
	}
}

/* Bytes of an instance's values with ids of the output's size. */
static uint32_t values_length(struct heap_splicing *splicing, const struct image_class *class)
{
	uint64_t ids = class->id_count;
	uint64_t length =
	        class->values_length + ids * splicing->id_size - ids * splicing->reader->id_size;

	if (length <= UINT32_MAX)
		return (uint32_t)length;
	fail(splicing, HPROF_BROKEN);
	return 0;
}

static void splice_class(struct heap_splicing *splicing)
{
	const struct hprof_class *from = &splicing->sub.class;
	struct image_class *class = heap_image_class(&splicing->image, splicing->sub.object_id);
	if (class == NULL)
		return;
	translate_statics(splicing, from);
	struct heap_class dump = {
	        .class = class->record,
	        .trace_serial = trace_of(splicing),
	        .super_id = to_id(splicing, from->super_id),
	        .loader_id = to_id(splicing, from->loader_id),
	        .signers_id = to_id(splicing, from->signers_id),
	        .domain_id = to_id(splicing, from->domain_id),
	        .instance_size = values_length(splicing, class),
	        .constant_count = from->constant_count,
	        .constants = splicing->constants,
	        .static_count = from->static_count,
	        .statics = splicing->statics,
	        .field_count = from->field_count,
	        .fields = splicing->fields,
	};
	if (splicing->error == 0)
		heap_writer_class(splicing->heap, &dump);
}

/* ---- objects ---------------------------------------------------------- */

/* Copies the values to to, with each id translated. The layout has as many bytes as the
 * values: the caller has looked. */
static inline void translate(struct heap_splicing *splicing, const struct image_class *class,
                             const uint8_t *from, unsigned in_size, uint8_t *to, unsigned out_size)
{
	for (size_t i = 0; i < class->run_count; i++) {
		const struct image_run *run = &class->runs[i];
		if (run->plain_bytes > 0)
			memcpy(to, from, run->plain_bytes);
		from += run->plain_bytes;
		to += run->plain_bytes;
		for (uint32_t j = 0; j < run->ids; j++, from += in_size) {
			uint64_t id = to_id(splicing, hprof_number(from, in_size));
			if (out_size == 4 && id > UINT32_MAX)
				fail(splicing, OS_TOO_LARGE);
			to = bytes_put_id(to, out_size, id);
		}
	}
}

/* Nearly always both sizes are 8: code of its own for that takes half the time. */
static void translate_values(struct heap_splicing *splicing, const struct image_class *class,
                             const uint8_t *from, uint8_t *to)
{
	unsigned in_size = splicing->reader->id_size;
	unsigned out_size = splicing->id_size;

	if (in_size == 8 && out_size == 8)
		translate(splicing, class, from, 8, to, 8);
	else
		translate(splicing, class, from, in_size, to, out_size);
}

static void splice_instance(struct heap_splicing *splicing)
{
	const struct hprof_sub *sub = &splicing->sub;
	struct byte_buffer *values = &splicing->values;
	struct image_class *class = heap_image_class(&splicing->image, sub->class_id);
	const uint8_t *from = hprof_bytes(splicing->reader, sub->length);

	if (class == NULL || from == NULL || class->values_length != sub->length) {
		fail(splicing, HPROF_BROKEN);
		return;
	}
	byte_buffer_truncate(values, 0);
	uint32_t length = values_length(splicing, class);
	uint8_t *to = byte_buffer_extend(values, length);
	if (to == NULL) {
		fail(splicing, values->error);
		return;
	}
	translate_values(splicing, class, from, to);
	struct heap_instance instance = {
	        .object_id = to_id(splicing, sub->object_id),
	        .trace_serial = trace_of(splicing),
	        .size = class->instance_size,
	        .class = class->record,
	        .values = values->bytes,
	        .values_length = length,
	        .field_count = class->field_count,
	        .fields = class->fields,
	};
	if (splicing->error == 0)
		heap_writer_instance(splicing->heap, &instance);
}

static struct heap_array array_of(struct heap_splicing *splicing, uint8_t type)
{
	const struct dump_merge *merge = splicing->image.merge;
	const struct hprof_sub *sub = &splicing->sub;
	struct heap_array array = {
	        .object_id = to_id(splicing, sub->object_id),
	        .trace_serial = trace_of(splicing),
	        .length = sub->length,
	        .type = type,
	};
	if (merge->ops->array_size != NULL)
		array.size = merge->ops->array_size(merge->context, type, sub->length);
	return array;
}

static void splice_object_array(struct heap_splicing *splicing)
{
	struct hprof_reader *reader = splicing->reader;
	unsigned id_size = reader->id_size;
	struct heap_array array = array_of(splicing, HPROF_TYPE_OBJECT);
	struct image_class *class = heap_image_class(&splicing->image, splicing->sub.class_id);
	if (class == NULL)
		return;
	array.class = class->record;
	bool may_lead_nowhere =
	        address_map_find(&splicing->image.globals, splicing->sub.object_id) != NULL;
	heap_writer_object_array(splicing->heap, &array);
	for (uint32_t left = array.length; left > 0;) {
		uint32_t piece = left < ELEMENTS_AT_ONCE ? left : ELEMENTS_AT_ONCE;
		const uint8_t *from = hprof_bytes(reader, (size_t)piece * id_size);
		if (from == NULL)
			return;
		for (uint32_t i = 0; i < piece; i++) {
			uint64_t id = hprof_number(from + (size_t)i * id_size, id_size);
			if (may_lead_nowhere && !heap_image_may_have(&splicing->image, id))
				id = 0;
			splicing->elements[i] = to_id(splicing, id);
		}
		heap_writer_elements(splicing->heap, splicing->elements, piece);
		left -= piece;
		tell_progress(splicing, (uint64_t)piece * id_size);
	}
}

static void splice_primitive_array(struct heap_splicing *splicing)
{
	struct heap_array array = array_of(splicing, splicing->sub.type);
	uint64_t left = hprof_body(splicing->reader, &splicing->sub);

	heap_writer_primitive_array(splicing->heap, &array);
	while (left > 0) {
		size_t piece = left < HPROF_WINDOW_BYTES ? (size_t)left : HPROF_WINDOW_BYTES;
		const uint8_t *bytes = hprof_bytes(splicing->reader, piece);
		if (bytes == NULL)
			return;
		heap_writer_bytes(splicing->heap, bytes, piece);
		left -= piece;
		tell_progress(splicing, piece);
	}
}

static void splice_segment(struct heap_splicing *splicing)
{
	struct hprof_sub *sub = &splicing->sub;

	while (splicing->error == 0 && splicing->image.error == 0 &&
	       !heap_writer_failed(splicing->heap) && hprof_read_sub(splicing->reader, sub)) {
		switch (sub->tag) {
		case HPROF_SUB_CLASS_DUMP:
			splice_class(splicing);
			continue;
		case HPROF_SUB_INSTANCE_DUMP:
			splice_instance(splicing);
			break;
		case HPROF_SUB_OBJECT_ARRAY_DUMP:
			splice_object_array(splicing);
			break;
		case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
			splice_primitive_array(splicing);
			break;
		default:
			splice_root(splicing);
			continue;
		}
		splicing->image.merge->object_count++;
		tell_progress(splicing, HPROF_OBJECT_HEAD_BYTES);
	}
}

/* Writes all of the file; it has been read once. */
static void splice_objects(struct heap_splicing *splicing)
{
	uint8_t tag;

	while (splicing->error == 0 && splicing->image.error == 0 &&
	       !heap_writer_failed(splicing->heap) && hprof_next(splicing->reader, &tag)) {
		if (tag == HPROF_RECORD_HEAP_DUMP || tag == HPROF_RECORD_HEAP_DUMP_SEGMENT)
			splice_segment(splicing);
	}
	fail(splicing, splicing->image.error);
}

static bool allocate(struct heap_splicing *splicing)
{
	size_t most = (size_t)UINT16_MAX + 1;

	splicing->elements = calloc(ELEMENTS_AT_ONCE, sizeof(*splicing->elements));
	splicing->constants = calloc(most, sizeof(*splicing->constants));
	splicing->statics = calloc(most, sizeof(*splicing->statics));
	splicing->fields = calloc(most, sizeof(*splicing->fields));
	return splicing->elements != NULL && splicing->constants != NULL &&
	       splicing->statics != NULL && splicing->fields != NULL;
}

void heap_splice_end(struct heap_splicing *splicing)
{
	if (splicing == NULL)
		return;
	byte_buffer_free(&splicing->values);
	free(splicing->elements);
	free(splicing->constants);
	free(splicing->statics);
	free(splicing->fields);
	heap_image_free(&splicing->image);
	hprof_sub_free(&splicing->sub);
	free(splicing);
}

struct heap_splicing *heap_splice_begin(struct dump_merge *merge)
{
	struct heap_splicing *splicing = calloc(1, sizeof(*splicing));

	if (splicing == NULL)
		return NULL;
	merge->object_count = 0;
	bool made = hprof_sub_init(&splicing->sub);
	made = heap_image_init(&splicing->image, merge) && made;
	made = allocate(splicing) && made;
	if (made)
		return splicing;
	heap_splice_end(splicing);
	return NULL;
}

int heap_splice_read(struct heap_splicing *splicing, struct os_file *file, hprof_more *more,
                     void *more_context)
{
	struct hprof_reader reader;
	int error = os_file_rewind(file);

	if (error != 0)
		return error;
	if (hprof_reader_open(&reader, file, more, more_context))
		heap_image_read(&splicing->image, &reader, &splicing->sub);
	error = reader.error;
	hprof_reader_close(&reader);
	return error != 0 ? error : splicing->image.error;
}

static void write_file(struct heap_splicing *splicing, struct os_file *file)
{
	struct hprof_reader reader;
	int error = os_file_rewind(file);

	if (error != 0) {
		fail(splicing, error);
		return;
	}
	splicing->reader = &reader;
	if (hprof_reader_open(&reader, file, NULL, NULL))
		splice_objects(splicing);
	splicing->reader = NULL;
	fail(splicing, reader.error);
	hprof_reader_close(&reader);
}

int heap_splice_write(struct heap_splicing *splicing, struct os_file *files, size_t file_count)
{
	struct heap_image *image = &splicing->image;
	struct dump_merge *merge = image->merge;

	if (!heap_image_finish(image))
		return image->error;
	struct heap_begin begin = {.wall_ms = merge->wall_ms,
	                           .object_count = image->object_count,
	                           .object_bytes = image->object_bytes,
	                           .traces = merge->model->traces};
	splicing->heap = heap_writer_begin(merge->writer, &begin);
	if (splicing->heap == NULL)
		return 0;
	splicing->id_size = heap_writer_id_size(splicing->heap);
	for (size_t i = 0; i < file_count && splicing->error == 0; i++)
		write_file(splicing, &files[i]);
	heap_writer_end(splicing->heap);
	splicing->heap = NULL;
	return splicing->error;
}
