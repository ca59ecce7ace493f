/*
 * dump_merge.c: see dump_merge.h. The second reading of the file translates each sub-record and
 * passes it to heap_writer at once.
 */
#include "heapdump/dump_merge.h"

#include "heapdump/dump_index.h"
#include "hprof/tags.h"
#include "output/heap_writer.h"

#include <stdlib.h>
#include <string.h>

/* Elements that are translated in one step. */
enum { ELEMENTS_AT_ONCE = 8192 };

struct dump_merger {
	struct dump_index index;
	struct hprof_reader *reader;
	struct hprof_sub_record sub;
	struct heap_writer *heap;
	unsigned id_size;          /* in the output */
	struct byte_buffer values; /* of an instance, translated */
	uint64_t *elements;        /* ELEMENTS_AT_ONCE */
	struct heap_constant *constants;
	struct heap_static *statics;
	struct heap_field *fields; /* each of the three has room for 65536 */
	uint64_t jni_ids;
	int error;
};

static void fail(struct dump_merger *merger, int error)
{
	if (merger->error == 0)
		merger->error = error;
}

static uint64_t to_id(const struct dump_merger *merger, uint64_t id)
{
	return dump_index_output_id(&merger->index, id);
}

static void report_progress(struct dump_merger *merger, uint64_t bytes)
{
	dump_index_add_progress(&merger->index, bytes, merger->index.merge->object_count,
	                        merger->index.object_count);
}

static uint32_t trace_of(const struct dump_merger *merger)
{
	const struct dump_merge *merge = merger->index.merge;
	if (merge->ops->trace_of == NULL)
		return merger->sub.trace_serial;
	return merge->ops->trace_of(merge->context, merger->sub.object_id);
}

/* ---- roots ------------------------------------------------------------ */

static void merge_root(struct dump_merger *merger)
{
	const struct hprof_sub_record *sub = &merger->sub;
	struct dump_index *index = &merger->index;
	if (!dump_index_has_root(index, sub->object_id))
		return;
	struct heap_root root = {
	        .kind = (enum hprof_sub_tag)sub->tag,
	        .object_id = to_id(merger, sub->object_id),
	        .thread_serial = sub->thread_serial,
	        .frame = sub->frame,
	        .trace_serial = sub->trace_serial,
	        .jni_id = ++merger->jni_ids,
	};

	if (hprof_has_thread(sub->tag)) {
		const struct indexed_thread *thread = dump_index_thread(index, sub->thread_serial);
		/* The output cannot name this thread, but the root still keeps its object
		 * alive. */
		if (thread == NULL || thread->thread.serial == 0)
			root.kind = HPROF_SUB_ROOT_UNKNOWN;
		else
			root.thread_serial = thread->thread.serial;
		if (index->merge->ops->trace_of != NULL)
			root.trace_serial = thread == NULL || thread->trace == NULL
			                            ? TRACE_SERIAL_EMPTY
			                            : thread->trace->serial;
	}
	if (sub->tag == HPROF_SUB_ROOT_JNI_GLOBAL)
		root.trace_serial = TRACE_SERIAL_EMPTY;
	if (sub->tag == HPROF_SUB_ROOT_STICKY_CLASS) {
		const uint64_t *place = address_map_find(&index->class_by_id, sub->object_id);
		root.class = place == NULL ? NULL : index->classes[*place].record;
	}
	heap_writer_root(merger->heap, &root);
}

/* ---- classes ---------------------------------------------------------- */

static const struct string *name_of(struct dump_merger *merger, uint64_t id)
{
	const struct string *name = dump_index_string(&merger->index, id);
	if (name == NULL)
		fail(merger, OS_NO_MEMORY);
	return name;
}

static void translate_statics(struct dump_merger *merger, const struct hprof_class *from)
{
	for (uint16_t i = 0; i < from->static_count; i++) {
		struct heap_static *to = &merger->statics[i];
		to->name = name_of(merger, from->statics[i].name_id);
		to->type = from->statics[i].type;
		to->value = to->type == HPROF_TYPE_OBJECT ? to_id(merger, from->statics[i].value)
		                                          : from->statics[i].value;
	}
	for (uint16_t i = 0; i < from->constant_count; i++) {
		struct heap_constant *to = &merger->constants[i];
		to->index = from->constants[i].index;
		to->type = from->constants[i].type;
		to->value = to->type == HPROF_TYPE_OBJECT ? to_id(merger, from->constants[i].value)
		                                          : from->constants[i].value;
	}
	for (uint16_t i = 0; i < from->field_count; i++) {
		merger->fields[i].name = name_of(merger, from->fields[i].name_id);
		merger->fields[i].type = from->fields[i].type;
	}
}

/* Length of an instance's values in the output, where ids may have another size. */
static uint32_t values_length(struct dump_merger *merger, const struct indexed_class *class)
{
	uint64_t ids = class->id_count;
	uint64_t length =
	        class->values_length + ids * merger->id_size - ids * merger->reader->id_size;

	if (length <= UINT32_MAX)
		return (uint32_t)length;
	fail(merger, HPROF_BROKEN);
	return 0;
}

static void merge_class(struct dump_merger *merger)
{
	const struct hprof_class *from = &merger->sub.class;
	struct indexed_class *class = dump_index_class(&merger->index, merger->sub.object_id);
	if (class == NULL)
		return;
	translate_statics(merger, from);
	struct heap_class dump = {
	        .class = class->record,
	        .trace_serial = trace_of(merger),
	        .super_id = to_id(merger, from->super_id),
	        .loader_id = to_id(merger, from->loader_id),
	        .signers_id = to_id(merger, from->signers_id),
	        .domain_id = to_id(merger, from->domain_id),
	        .instance_size = values_length(merger, class),
	        .constant_count = from->constant_count,
	        .constants = merger->constants,
	        .static_count = from->static_count,
	        .statics = merger->statics,
	        .field_count = from->field_count,
	        .fields = merger->fields,
	};
	if (merger->error == 0)
		heap_writer_class(merger->heap, &dump);
}

/* ---- objects ---------------------------------------------------------- */

/* Copies the values to to and translates each id. The caller has checked that the layout is as
 * long as the values. */
static inline void translate(struct dump_merger *merger, const struct indexed_class *class,
                             const uint8_t *from, unsigned in_size, uint8_t *to, unsigned out_size)
{
	for (size_t i = 0; i < class->run_count; i++) {
		const struct field_run *run = &class->runs[i];
		if (run->plain_bytes > 0)
			memcpy(to, from, run->plain_bytes);
		from += run->plain_bytes;
		to += run->plain_bytes;
		for (uint32_t j = 0; j < run->ids; j++, from += in_size) {
			uint64_t id = to_id(merger, hprof_number(from, in_size));
			if (out_size == 4 && id > UINT32_MAX)
				fail(merger, OS_TOO_LARGE);
			to = bytes_put_id(to, out_size, id);
		}
	}
}

/* Both sizes are nearly always 8; a copy of the code for that case takes half the time. */
static void translate_values(struct dump_merger *merger, const struct indexed_class *class,
                             const uint8_t *from, uint8_t *to)
{
	unsigned in_size = merger->reader->id_size;
	unsigned out_size = merger->id_size;

	if (in_size == 8 && out_size == 8)
		translate(merger, class, from, 8, to, 8);
	else
		translate(merger, class, from, in_size, to, out_size);
}

static void merge_instance(struct dump_merger *merger)
{
	const struct hprof_sub_record *sub = &merger->sub;
	struct byte_buffer *values = &merger->values;
	struct indexed_class *class = dump_index_class(&merger->index, sub->class_id);
	const uint8_t *from = hprof_read_bytes(merger->reader, sub->length);

	if (class == NULL || from == NULL || class->values_length != sub->length) {
		fail(merger, HPROF_BROKEN);
		return;
	}
	byte_buffer_truncate(values, 0);
	uint32_t length = values_length(merger, class);
	uint8_t *to = byte_buffer_extend(values, length);
	if (to == NULL) {
		fail(merger, values->error);
		return;
	}
	translate_values(merger, class, from, to);
	struct heap_instance instance = {
	        .object_id = to_id(merger, sub->object_id),
	        .trace_serial = trace_of(merger),
	        .size = class->instance_size,
	        .class = class->record,
	        .values = values->bytes,
	        .values_length = length,
	        .field_count = class->field_count,
	        .fields = class->fields,
	};
	if (merger->error == 0)
		heap_writer_instance(merger->heap, &instance);
}

static struct heap_array array_of(struct dump_merger *merger, uint8_t type)
{
	const struct dump_merge *merge = merger->index.merge;
	const struct hprof_sub_record *sub = &merger->sub;
	struct heap_array array = {
	        .object_id = to_id(merger, sub->object_id),
	        .trace_serial = trace_of(merger),
	        .length = sub->length,
	        .type = type,
	};
	if (merge->ops->array_size != NULL)
		array.size = merge->ops->array_size(merge->context, type, sub->length);
	return array;
}

static void merge_object_array(struct dump_merger *merger)
{
	struct hprof_reader *reader = merger->reader;
	unsigned id_size = reader->id_size;
	struct heap_array array = array_of(merger, HPROF_TYPE_OBJECT);
	struct indexed_class *class = dump_index_class(&merger->index, merger->sub.class_id);
	if (class == NULL)
		return;
	array.class = class->record;
	bool may_lead_nowhere =
	        address_map_find(&merger->index.globals, merger->sub.object_id) != NULL;
	heap_writer_object_array(merger->heap, &array);
	for (uint32_t left = array.length; left > 0;) {
		uint32_t piece = left < ELEMENTS_AT_ONCE ? left : ELEMENTS_AT_ONCE;
		const uint8_t *from = hprof_read_bytes(reader, (size_t)piece * id_size);
		if (from == NULL)
			return;
		for (uint32_t i = 0; i < piece; i++) {
			uint64_t id = hprof_number(from + (size_t)i * id_size, id_size);
			if (may_lead_nowhere && !dump_index_may_have(&merger->index, id))
				id = 0;
			merger->elements[i] = to_id(merger, id);
		}
		heap_writer_elements(merger->heap, merger->elements, piece);
		left -= piece;
		report_progress(merger, (uint64_t)piece * id_size);
	}
}

static void merge_primitive_array(struct dump_merger *merger)
{
	struct heap_array array = array_of(merger, merger->sub.type);
	uint64_t left = hprof_body_length(merger->reader, &merger->sub);

	heap_writer_primitive_array(merger->heap, &array);
	while (left > 0) {
		size_t piece = left < HPROF_WINDOW_BYTES ? (size_t)left : HPROF_WINDOW_BYTES;
		const uint8_t *bytes = hprof_read_bytes(merger->reader, piece);
		if (bytes == NULL)
			return;
		heap_writer_bytes(merger->heap, bytes, piece);
		left -= piece;
		report_progress(merger, piece);
	}
}

static void merge_segment(struct dump_merger *merger)
{
	struct hprof_sub_record *sub = &merger->sub;

	while (merger->error == 0 && merger->index.error == 0 &&
	       !heap_writer_failed(merger->heap) && hprof_read_sub_record(merger->reader, sub)) {
		switch (sub->tag) {
		case HPROF_SUB_CLASS_DUMP:
			merge_class(merger);
			continue;
		case HPROF_SUB_INSTANCE_DUMP:
			merge_instance(merger);
			break;
		case HPROF_SUB_OBJECT_ARRAY_DUMP:
			merge_object_array(merger);
			break;
		case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
			merge_primitive_array(merger);
			break;
		default:
			merge_root(merger);
			continue;
		}
		merger->index.merge->object_count++;
		report_progress(merger, HPROF_OBJECT_HEAD_BYTES);
	}
}

/* Writes the objects of one file. The index is complete. */
static void merge_objects(struct dump_merger *merger)
{
	uint8_t tag;

	while (merger->error == 0 && merger->index.error == 0 &&
	       !heap_writer_failed(merger->heap) && hprof_next_record(merger->reader, &tag)) {
		if (tag == HPROF_RECORD_HEAP_DUMP || tag == HPROF_RECORD_HEAP_DUMP_SEGMENT)
			merge_segment(merger);
	}
	fail(merger, merger->index.error);
}

static bool allocate(struct dump_merger *merger)
{
	size_t most = (size_t)UINT16_MAX + 1;

	merger->elements = calloc(ELEMENTS_AT_ONCE, sizeof(*merger->elements));
	merger->constants = calloc(most, sizeof(*merger->constants));
	merger->statics = calloc(most, sizeof(*merger->statics));
	merger->fields = calloc(most, sizeof(*merger->fields));
	return merger->elements != NULL && merger->constants != NULL && merger->statics != NULL &&
	       merger->fields != NULL;
}

void dump_merge_end(struct dump_merger *merger)
{
	if (merger == NULL)
		return;
	byte_buffer_free(&merger->values);
	free(merger->elements);
	free(merger->constants);
	free(merger->statics);
	free(merger->fields);
	dump_index_free(&merger->index);
	hprof_sub_record_free(&merger->sub);
	free(merger);
}

struct dump_merger *dump_merge_begin(struct dump_merge *merge)
{
	struct dump_merger *merger = calloc(1, sizeof(*merger));

	if (merger == NULL)
		return NULL;
	merge->object_count = 0;
	bool allocated = hprof_sub_record_init(&merger->sub);
	allocated = dump_index_init(&merger->index, merge) && allocated;
	allocated = allocate(merger) && allocated;
	if (allocated)
		return merger;
	dump_merge_end(merger);
	return NULL;
}

int dump_merge_read(struct dump_merger *merger, struct os_file *file, hprof_more *more,
                    void *more_context)
{
	struct hprof_reader reader;
	int error = os_file_rewind(file);

	if (error != 0)
		return error;
	if (hprof_reader_open(&reader, file, more, more_context))
		dump_index_read(&merger->index, &reader, &merger->sub);
	error = reader.error;
	hprof_reader_close(&reader);
	return error != 0 ? error : merger->index.error;
}

static void write_file(struct dump_merger *merger, struct os_file *file)
{
	struct hprof_reader reader;
	int error = os_file_rewind(file);

	if (error != 0) {
		fail(merger, error);
		return;
	}
	merger->reader = &reader;
	if (hprof_reader_open(&reader, file, NULL, NULL))
		merge_objects(merger);
	merger->reader = NULL;
	fail(merger, reader.error);
	hprof_reader_close(&reader);
}

int dump_merge_write(struct dump_merger *merger, struct os_file *files, size_t file_count)
{
	struct dump_index *index = &merger->index;
	struct dump_merge *merge = index->merge;

	if (!dump_index_finish(index))
		return index->error;
	struct heap_begin begin = {.wall_ms = merge->wall_ms,
	                           .object_count = index->object_count,
	                           .object_bytes = index->object_bytes,
	                           .traces = merge->model->traces};
	merger->heap = heap_writer_begin(merge->writer, &begin);
	if (merger->heap == NULL)
		return 0;
	merger->id_size = heap_writer_id_size(merger->heap);
	for (size_t i = 0; i < file_count && merger->error == 0; i++)
		write_file(merger, &files[i]);
	if (merger->error == 0)
		heap_writer_end(merger->heap);
	else
		heap_writer_discard(merger->heap);
	merger->heap = NULL;
	return merger->error;
}
