/*
 * dump_index.c: see dump_index.h. References are resolved when the whole file has been read, so
 * the order of its records does not matter.
 */
#include "heapdump/dump_index.h"

#include "base/array.h"
#include "hprof/tags.h"
#include "output/record_writer.h"

#include <stdlib.h>
#include <string.h>

/* One bit for each value of a 16-bit hash. */
enum { FILTER_WORDS = 65536 / 64 };

/* Longest chain of superclasses; a longer one is a cycle. */
enum { SUPERS_MAX = 65536 };

static void fail(struct dump_index *index, int error)
{
	if (index->error == 0)
		index->error = error;
}

static bool set(struct dump_index *index, struct address_map *map, uint64_t key, uint64_t value)
{
	if (key == 0 || !address_map_set(map, key, value)) {
		fail(index, key == 0 ? HPROF_BROKEN : OS_NO_MEMORY);
		return false;
	}
	return true;
}

/* Ensures that a list, given by its address, has room for one more. */
static bool grow(struct dump_index *index, void *list, size_t *capacity, size_t count, size_t size)
{
	bool has_room = array_grow(list, capacity, count, size);

	if (!has_room)
		fail(index, OS_NO_MEMORY);
	return has_room;
}

bool dump_index_init(struct dump_index *index, struct dump_merge *merge)
{
	*index = (struct dump_index){.merge = merge};
	byte_buffer_init(&index->text);
	byte_buffer_init(&index->frame_ids);
	index->special_filter = calloc(FILTER_WORDS, sizeof(*index->special_filter));
	if (merge->addresses)
		index->present = calloc(DUMP_INDEX_PRESENT_BITS / 64, sizeof(uint64_t));
	return index->special_filter != NULL && (index->present != NULL || !merge->addresses);
}

void dump_index_free(struct dump_index *index)
{
	for (size_t i = 0; i < index->class_count; i++) {
		free(index->classes[i].own);
		free(index->classes[i].fields);
		free(index->classes[i].runs);
	}
	free(index->classes);
	free(index->frames);
	free(index->trace_list);
	free(index->threads);
	free(index->special_filter);
	free(index->present);
	address_map_free(&index->globals);
	byte_buffer_free(&index->text);
	byte_buffer_free(&index->frame_ids);
	address_map_free(&index->strings);
	address_map_free(&index->class_by_id);
	address_map_free(&index->class_by_serial);
	address_map_free(&index->frame_by_id);
	address_map_free(&index->traces);
	address_map_free(&index->thread_by_serial);
	address_map_free(&index->tids);
	address_map_free(&index->special);
}

/* ---- strings ---------------------------------------------------------- */

static void read_string(struct dump_index *index, struct hprof_reader *reader)
{
	struct hprof_string string;

	if (!hprof_read_string(reader, &string))
		return;
	if (string.length > HPROF_WINDOW_BYTES) {
		hprof_set_broken(reader);
		return;
	}
	size_t length = (size_t)string.length;
	const uint8_t *bytes = hprof_read_bytes(reader, length);
	if (bytes == NULL || string.id == 0)
		return;
	size_t place = index->text.length;
	byte_buffer_add_u4(&index->text, (uint32_t)length);
	byte_buffer_add(&index->text, bytes, length);
	byte_buffer_add_u1(&index->text, '\0');
	if (index->text.error != 0)
		fail(index, OS_NO_MEMORY);
	else
		(void)set(index, &index->strings, string.id, place);
}

/* The text of a string, NUL-terminated; "" when the file does not define it. */
static const char *text_of(const struct dump_index *index, uint64_t id, size_t *length)
{
	const uint64_t *place = address_map_find(&index->strings, id);
	if (place == NULL) {
		*length = 0;
		return "";
	}
	*length = hprof_u4_at(index->text.bytes + *place);
	return (const char *)index->text.bytes + *place + 4;
}

const struct string *dump_index_string(struct dump_index *index, uint64_t id)
{
	size_t length;
	const struct string *string =
	        string_table_intern_jvm(index->merge->model->strings, text_of(index, id, &length));
	if (string == NULL)
		fail(index, OS_NO_MEMORY);
	return string;
}

/* ---- classes ---------------------------------------------------------- */

static void add_special(struct dump_index *index, uint64_t id, uint64_t output_id)
{
	uint64_t hash = address_hash(id) >> 48;
	index->special_filter[hash / 64] |= UINT64_C(1) << hash % 64;
	(void)set(index, &index->special, id, output_id);
}

/* The VM's dumper writes the first form, the output of the agent the second. */
static bool is_thread_class(const char *name)
{
	return strcmp(name, "java/lang/Thread") == 0 || strcmp(name, "java.lang.Thread") == 0;
}

static void read_load_class(struct dump_index *index, struct hprof_reader *reader)
{
	struct hprof_load_class read;
	size_t length;

	/* A class that is still being loaded may have no object yet; nothing refers to it. */
	if (!hprof_read_load_class(reader, &read) || read.object_id == 0)
		return;
	struct indexed_class class = {.id = read.object_id, .serial = read.serial};
	const char *name = text_of(index, read.name_id, &length);
	if (!grow(index, &index->classes, &index->class_capacity, index->class_count,
	          sizeof(*index->classes)))
		return;
	if (address_map_find(&index->class_by_id, class.id) != NULL)
		return;
	if (!set(index, &index->class_by_id, class.id, index->class_count) ||
	    !set(index, &index->class_by_serial, class.serial, index->class_count))
		return;
	class.record = index->merge->ops->class_of(index->merge->context, class.id, name, length);
	if (class.record == NULL) {
		fail(index, OS_NO_MEMORY);
		return;
	}
	if (is_thread_class(name) && index->thread_class_id == 0)
		index->thread_class_id = class.id;
	index->classes[index->class_count++] = class;
	if (index->merge->addresses)
		add_special(index, class.id, class.record->object_id);
}

static struct indexed_class *find_class(const struct dump_index *index, uint64_t id)
{
	const uint64_t *place = address_map_find(&index->class_by_id, id);
	return place == NULL ? NULL : &index->classes[*place];
}

static void note_present(struct dump_index *index, uint64_t id)
{
	uint64_t bit = dump_index_bit(id);
	if (index->present != NULL)
		index->present[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void note_class(struct dump_index *index, const struct hprof_sub_record *sub)
{
	struct indexed_class *class = find_class(index, sub->object_id);

	if (class == NULL) {
		fail(index, HPROF_BROKEN);
		return;
	}
	if (class->dumped)
		return;
	class->dumped = true;
	note_present(index, sub->object_id);
	class->super_id = sub->class.super_id;
	class->own_count = sub->class.field_count;
	if (class->own_count == 0)
		return;
	class->own = calloc(class->own_count, sizeof(*class->own));
	if (class->own == NULL)
		fail(index, OS_NO_MEMORY);
	else
		memcpy(class->own, sub->class.fields, class->own_count * sizeof(*class->own));
}

/* The dumper of HotSpot writes LOAD CLASS for the old versions of retransformed classes, and
 * lists them among its roots, but writes no CLASS DUMP for them. Their ids become 0. */
static void omit_classes_without_dump(struct dump_index *index)
{
	for (size_t i = 0; i < index->class_count; i++) {
		if (!index->classes[i].dumped)
			add_special(index, index->classes[i].id, 0);
	}
}

bool dump_index_has_root(const struct dump_index *index, uint64_t id)
{
	const struct indexed_class *class = find_class(index, id);
	return class == NULL ? dump_index_may_have(index, id) : class->dumped;
}

/* Adds one field to the layout of a class. */
static void lay_out_field(struct dump_index *index, struct indexed_class *class,
                          const struct hprof_field *own)
{
	struct heap_field *field = &class->fields[class->field_count++];
	unsigned size = heap_type_size(own->type, index->id_size);

	field->name = dump_index_string(index, own->name_id);
	field->type = own->type;
	if (class->run_count == 0 ||
	    (own->type != HPROF_TYPE_OBJECT && class->runs[class->run_count - 1].ids > 0))
		class->runs[class->run_count++] = (struct field_run){0};
	struct field_run *run = &class->runs[class->run_count - 1];
	if (own->type == HPROF_TYPE_OBJECT) {
		run->ids++;
		class->id_count++;
	} else {
		run->plain_bytes += size;
	}
	if (class->values_length > UINT32_MAX - size)
		fail(index, HPROF_BROKEN);
	else
		class->values_length += size;
}

static void lay_out(struct dump_index *index, struct indexed_class *class)
{
	size_t count = 0;
	unsigned supers = 0;

	class->laid_out = true;
	for (struct indexed_class *at = class; at != NULL; at = find_class(index, at->super_id)) {
		if (++supers > SUPERS_MAX) {
			fail(index, HPROF_BROKEN);
			return;
		}
		count += at->own_count;
	}
	class->fields = calloc(count + 1, sizeof(*class->fields));
	class->runs = calloc(count + 1, sizeof(*class->runs));
	if (class->fields == NULL || class->runs == NULL) {
		fail(index, OS_NO_MEMORY);
		return;
	}
	for (struct indexed_class *at = class; at != NULL; at = find_class(index, at->super_id)) {
		for (uint16_t i = 0; i < at->own_count; i++) {
			size_t length;
			if (at->id == index->thread_class_id &&
			    strcmp(text_of(index, at->own[i].name_id, &length), "tid") == 0 &&
			    at->own[i].type == HPROF_TYPE_LONG) {
				class->is_thread = true;
				class->tid_at = class->values_length;
			}
			lay_out_field(index, class, &at->own[i]);
		}
	}
}

struct indexed_class *dump_index_find_class(struct dump_index *index, uint64_t id)
{
	struct indexed_class *class = find_class(index, id);
	if (class == NULL) {
		fail(index, HPROF_BROKEN);
		return NULL;
	}
	if (!class->laid_out)
		lay_out(index, class);
	if (index->error != 0)
		return NULL;
	index->class_cache[address_hash(id) >> (64 - CLASS_CACHE_BITS)] =
	        (struct cached_class){.id = id, .index = (size_t)(class - index->classes)};
	return class;
}

/* ---- traces and threads ----------------------------------------------- */

static void read_frame(struct dump_index *index, struct hprof_reader *reader)
{
	struct hprof_frame frame;

	if (!hprof_read_frame(reader, &frame))
		return;
	if (!grow(index, &index->frames, &index->frame_capacity, index->frame_count,
	          sizeof(*index->frames)))
		return;
	index->frames[index->frame_count] = frame;
	if (set(index, &index->frame_by_id, frame.id, index->frame_count))
		index->frame_count++;
}

static void read_trace(struct dump_index *index, struct hprof_reader *reader)
{
	struct hprof_trace read;

	if (!hprof_read_trace(reader, &read))
		return;
	struct indexed_trace trace = {.depth = read.depth,
	                              .first = index->frame_ids.length / sizeof(uint64_t)};
	for (uint32_t i = 0; i < trace.depth && reader->error == 0; i++)
		byte_buffer_add_u8(&index->frame_ids, hprof_read_id(reader));
	if (index->frame_ids.error != 0)
		fail(index, OS_NO_MEMORY);
	if (reader->error != 0 || index->error != 0)
		return;
	if (!grow(index, &index->trace_list, &index->trace_capacity, index->trace_count,
	          sizeof(*index->trace_list)))
		return;
	index->trace_list[index->trace_count] = trace;
	if (set(index, &index->traces, (uint64_t)read.serial + 1, index->trace_count))
		index->trace_count++;
}

static void note_thread(struct dump_index *index, const struct hprof_sub_record *sub)
{
	if (!grow(index, &index->threads, &index->thread_capacity, index->thread_count,
	          sizeof(*index->threads)))
		return;
	index->threads[index->thread_count] =
	        (struct indexed_thread){.object_id = sub->object_id,
	                                .file_serial = sub->thread_serial,
	                                .file_trace = sub->trace_serial};
	if (set(index, &index->thread_by_serial, (uint64_t)sub->thread_serial + 1,
	        index->thread_count))
		index->thread_count++;
}

const struct indexed_thread *dump_index_thread(const struct dump_index *index, uint32_t serial)
{
	const uint64_t *place = address_map_find(&index->thread_by_serial, (uint64_t)serial + 1);
	return place == NULL ? NULL : &index->threads[*place];
}

/* The method of a frame, identified by its names only. */
static const struct method *find_method(struct dump_index *index, const struct hprof_frame *frame)
{
	struct model *model = index->merge->model;
	const uint64_t *place = address_map_find(&index->class_by_serial, frame->class_serial);
	struct method method = {
	        .class = place == NULL ? NULL : index->classes[*place].record,
	        .name = dump_index_string(index, frame->name_id),
	        .signature = dump_index_string(index, frame->signature_id),
	};
	size_t length;
	(void)text_of(index, frame->source_id, &length);
	if (length > 0)
		method.source = dump_index_string(index, frame->source_id);
	if (method.class == NULL || method.name == NULL || method.signature == NULL) {
		fail(index, method.class == NULL ? HPROF_BROKEN : OS_NO_MEMORY);
		return NULL;
	}
	const struct method *added = method_table_intern_named(model->methods, &method);
	if (added == NULL)
		fail(index, OS_NO_MEMORY);
	return added;
}

static const struct frame *find_frame(struct dump_index *index, uint64_t id)
{
	const uint64_t *place = address_map_find(&index->frame_by_id, id);
	if (place == NULL) {
		fail(index, HPROF_BROKEN);
		return NULL;
	}
	const struct hprof_frame *frame = &index->frames[*place];
	const struct method *method = find_method(index, frame);
	if (method == NULL)
		return NULL;
	const struct frame *found =
	        frame_table_intern(index->merge->model->frames, method,
	                           index->merge->lines ? frame->line : LINE_UNKNOWN);
	if (found == NULL)
		fail(index, OS_NO_MEMORY);
	return found;
}

/* The trace of the output with the same frames; writes it if it is new. */
static const struct trace *intern_trace(struct dump_index *index, const struct indexed_trace *trace,
                                        uint32_t thread_serial)
{
	struct dump_merge *merge = index->merge;
	const struct trace *interned = NULL;
	bool created = false;
	const struct frame **frames = calloc((size_t)trace->depth + 1, sizeof(const void *));

	if (frames == NULL) {
		fail(index, OS_NO_MEMORY);
		return NULL;
	}
	for (uint32_t i = 0; i < trace->depth && index->error == 0; i++)
		frames[i] = find_frame(index, hprof_u8_at(index->frame_ids.bytes +
		                                          (trace->first + i) * sizeof(uint64_t)));
	if (index->error == 0) {
		interned = trace_table_intern(merge->model->traces, frames, trace->depth,
		                              merge->thread_traces ? thread_serial : 0, &created);
		if (interned == NULL)
			fail(index, OS_NO_MEMORY);
	}
	free(frames);
	if (created && interned != NULL)
		writer_trace(merge->writer, interned);
	return interned;
}

/* All thread objects, whether started or not, get the ids that the output derives from thread
 * numbers. */
static void set_thread_object_ids(struct dump_index *index)
{
	for (size_t i = 0; i < index->tids.capacity; i++) {
		const struct address_entry *entry = &index->tids.entries[i];
		uint64_t id = entry->key == 0 ? 0 : object_id_of_thread(entry->value);
		if (id != 0)
			add_special(index, entry->key, id);
	}
}

/* Finds the serials, object ids and traces of the threads in the output. After all files have
 * been read. */
static void resolve_threads(struct dump_index *index)
{
	struct dump_merge *merge = index->merge;

	for (size_t i = 0; i < index->thread_count && index->error == 0; i++) {
		struct indexed_thread *thread = &index->threads[i];
		const uint64_t *tid = address_map_find(&index->tids, thread->object_id);
		thread->thread = merge->ops->thread_of(merge->context, thread->object_id,
		                                       tid == NULL ? 0 : *tid);
		if (thread->thread.object_id != 0)
			add_special(index, thread->object_id, thread->thread.object_id);
		const uint64_t *place =
		        address_map_find(&index->traces, (uint64_t)thread->file_trace + 1);
		if (place != NULL)
			thread->trace = intern_trace(index, &index->trace_list[*place],
			                             thread->thread.serial);
	}
}

/* ---- objects ---------------------------------------------------------- */

void dump_index_report_progress(struct dump_index *index, uint64_t done, uint64_t total)
{
	const struct dump_merge *merge = index->merge;

	index->unreported_bytes = 0;
	if (merge->ops->progress != NULL)
		merge->ops->progress(merge->context, done, total);
}

static void count_object(struct dump_index *index, const struct hprof_reader *reader,
                         const struct hprof_sub_record *sub)
{
	index->object_count++;
	note_present(index, sub->object_id);
	dump_index_add_progress(index, HPROF_OBJECT_HEAD_BYTES + hprof_body_length(reader, sub),
	                        index->object_count, 0);
}

static void note_instance(struct dump_index *index, struct hprof_reader *reader,
                          const struct hprof_sub_record *sub)
{
	const struct merge_ops *ops = index->merge->ops;

	count_object(index, reader, sub);
	struct indexed_class *class = dump_index_class(index, sub->class_id);
	if (class == NULL || class->values_length != sub->length) {
		fail(index, HPROF_BROKEN);
		return;
	}
	if (ops->instance_size != NULL) {
		if (class->instance_size == 0)
			class->instance_size =
			        ops->instance_size(index->merge->context, class->record);
		index->object_bytes += class->instance_size;
	}
	if (!class->is_thread) {
		hprof_skip(reader, sub->length);
		return;
	}
	const uint8_t *values = hprof_read_bytes(reader, sub->length);
	if (values != NULL)
		(void)set(index, &index->tids, sub->object_id, hprof_u8_at(values + class->tid_at));
}

static void note_array(struct dump_index *index, struct hprof_reader *reader,
                       const struct hprof_sub_record *sub)
{
	const struct dump_merge *merge = index->merge;
	uint8_t type = sub->tag == HPROF_SUB_OBJECT_ARRAY_DUMP ? HPROF_TYPE_OBJECT : sub->type;

	count_object(index, reader, sub);
	if (merge->ops->array_size != NULL)
		index->object_bytes += merge->ops->array_size(merge->context, type, sub->length);
	hprof_skip(reader, hprof_body_length(reader, sub));
}

static void read_segment(struct dump_index *index, struct hprof_reader *reader,
                         struct hprof_sub_record *sub)
{
	while (index->error == 0 && hprof_read_sub_record(reader, sub)) {
		switch (sub->tag) {
		case HPROF_SUB_CLASS_DUMP:
			note_class(index, sub);
			break;
		case HPROF_SUB_ROOT_THREAD_OBJECT:
			note_thread(index, sub);
			break;
		case HPROF_SUB_ROOT_JNI_GLOBAL:
			if (sub->object_id != 0)
				(void)set(index, &index->globals, sub->object_id, 1);
			break;
		case HPROF_SUB_INSTANCE_DUMP:
			note_instance(index, reader, sub);
			break;
		case HPROF_SUB_OBJECT_ARRAY_DUMP:
		case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
			note_array(index, reader, sub);
			break;
		default:
			break;
		}
	}
}

void dump_index_read(struct dump_index *index, struct hprof_reader *reader,
                     struct hprof_sub_record *sub)
{
	uint8_t tag;

	if (index->id_size != 0 && index->id_size != reader->id_size)
		fail(index, HPROF_BROKEN);
	index->id_size = reader->id_size;
	while (index->error == 0 && hprof_next_record(reader, &tag)) {
		switch (tag) {
		case HPROF_RECORD_STRING:
			read_string(index, reader);
			break;
		case HPROF_RECORD_LOAD_CLASS:
			read_load_class(index, reader);
			break;
		case HPROF_RECORD_STACK_FRAME:
			read_frame(index, reader);
			break;
		case HPROF_RECORD_STACK_TRACE:
			read_trace(index, reader);
			break;
		case HPROF_RECORD_HEAP_DUMP:
		case HPROF_RECORD_HEAP_DUMP_SEGMENT:
			read_segment(index, reader, sub);
			break;
		default:
			break;
		}
	}
}

bool dump_index_finish(struct dump_index *index)
{
	if (index->error == 0) {
		omit_classes_without_dump(index);
		set_thread_object_ids(index);
		resolve_threads(index);
	}
	return index->error == 0;
}
