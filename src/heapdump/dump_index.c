/*
 * dump_index.c: see dump_index.h. What the file refers to is looked up when all of it has
 * been read, so that the order of its records does not matter.
 */
#include "heapdump/dump_index.h"

#include "hprof/tags.h"
#include "output/record_writer.h"

#include <stdlib.h>
#include <string.h>

/* One bit for each value of 16 bits of the hash. */
enum { FILTER_WORDS = 65536 / 64 };

/* Supers of a class that are believed; a longer chain is a circle. */
enum { SUPERS_MAX = 65536 };

static void fail(struct heap_image *image, int error)
{
	if (image->error == 0)
		image->error = error;
}

static bool set(struct heap_image *image, struct address_map *map, uint64_t key, uint64_t value)
{
	if (key == 0 || !address_map_set(map, key, value)) {
		fail(image, key == 0 ? HPROF_BROKEN : OS_NO_MEMORY);
		return false;
	}
	return true;
}

/* Makes room for one more element; the list, which takes the place of the old one, or
 * NULL, which leaves that as it was. */
static void *grow(struct heap_image *image, void *list, size_t count, size_t *capacity, size_t size)
{
	enum { FIRST = 64 };
	if (count < *capacity)
		return list;
	size_t wanted = *capacity == 0 ? FIRST : *capacity * 2;
	void *larger = wanted > SIZE_MAX / size ? NULL : realloc(list, wanted * size);
	if (larger == NULL) {
		fail(image, OS_NO_MEMORY);
		return NULL;
	}
	*capacity = wanted;
	return larger;
}

bool heap_image_init(struct heap_image *image, struct dump_merge *merge)
{
	*image = (struct heap_image){.merge = merge};
	byte_buffer_init(&image->text);
	byte_buffer_init(&image->frame_ids);
	image->special_filter = calloc(FILTER_WORDS, sizeof(*image->special_filter));
	if (merge->addresses)
		image->present = calloc(IMAGE_PRESENT_BITS / 64, sizeof(uint64_t));
	return image->special_filter != NULL && (image->present != NULL || !merge->addresses);
}

void heap_image_free(struct heap_image *image)
{
	for (size_t i = 0; i < image->class_count; i++) {
		free(image->classes[i].own);
		free(image->classes[i].fields);
		free(image->classes[i].runs);
	}
	free(image->classes);
	free(image->frames);
	free(image->trace_list);
	free(image->threads);
	free(image->special_filter);
	free(image->present);
	address_map_free(&image->globals);
	byte_buffer_free(&image->text);
	byte_buffer_free(&image->frame_ids);
	address_map_free(&image->strings);
	address_map_free(&image->class_by_id);
	address_map_free(&image->class_by_serial);
	address_map_free(&image->frame_by_id);
	address_map_free(&image->traces);
	address_map_free(&image->thread_by_serial);
	address_map_free(&image->tids);
	address_map_free(&image->special);
}

/* ---- strings ---------------------------------------------------------- */

static void read_string(struct heap_image *image, struct hprof_reader *reader)
{
	uint64_t id = hprof_id(reader);
	if (reader->left > HPROF_WINDOW_BYTES) {
		hprof_broken(reader);
		return;
	}
	size_t length = (size_t)reader->left;
	const uint8_t *bytes = hprof_bytes(reader, length);
	if (bytes == NULL || id == 0)
		return;
	size_t place = image->text.length;
	byte_buffer_add_u4(&image->text, (uint32_t)length);
	byte_buffer_add(&image->text, bytes, length);
	byte_buffer_add_u1(&image->text, '\0');
	if (image->text.error != 0)
		fail(image, OS_NO_MEMORY);
	else
		(void)set(image, &image->strings, id, place);
}

/* The text of a string, NUL-terminated; "" when the file does not have it. */
static const char *text_of(const struct heap_image *image, uint64_t id, size_t *length)
{
	const uint64_t *place = address_map_find(&image->strings, id);
	if (place == NULL) {
		*length = 0;
		return "";
	}
	*length = hprof_u4_at(image->text.bytes + *place);
	return (const char *)image->text.bytes + *place + 4;
}

const struct string *heap_image_string(struct heap_image *image, uint64_t id)
{
	size_t length;
	const struct string *string =
	        string_intern_jvm(image->merge->model->strings, text_of(image, id, &length));
	if (string == NULL)
		fail(image, OS_NO_MEMORY);
	return string;
}

/* ---- classes ---------------------------------------------------------- */

static void add_special(struct heap_image *image, uint64_t id, uint64_t output_id)
{
	uint64_t hash = address_hash(id) >> 48;
	image->special_filter[hash / 64] |= UINT64_C(1) << hash % 64;
	(void)set(image, &image->special, id, output_id);
}

/* As the VM's dumper writes it, and as the output has it. */
static bool is_thread_class(const char *name)
{
	return strcmp(name, "java/lang/Thread") == 0 || strcmp(name, "java.lang.Thread") == 0;
}

static void read_load_class(struct heap_image *image, struct hprof_reader *reader)
{
	struct image_class class = {.serial = hprof_u4(reader)};
	size_t length;

	class.id = hprof_id(reader);
	(void)hprof_u4(reader);
	const char *name = text_of(image, hprof_id(reader), &length);
	/* A class that is being loaded may have no object yet: nothing refers to it. */
	if (reader->error != 0 || class.id == 0)
		return;
	struct image_class *list = grow(image, image->classes, image->class_count,
	                                &image->class_capacity, sizeof(*list));
	if (list == NULL)
		return;
	image->classes = list;
	if (address_map_find(&image->class_by_id, class.id) != NULL)
		return;
	if (!set(image, &image->class_by_id, class.id, image->class_count) ||
	    !set(image, &image->class_by_serial, class.serial, image->class_count))
		return;
	class.record = image->merge->ops->class_of(image->merge->context, class.id, name, length);
	if (class.record == NULL) {
		fail(image, OS_NO_MEMORY);
		return;
	}
	if (is_thread_class(name) && image->thread_class_id == 0)
		image->thread_class_id = class.id;
	list[image->class_count++] = class;
	if (image->merge->addresses)
		add_special(image, class.id, class.record->object_id);
}

static struct image_class *find_class(const struct heap_image *image, uint64_t id)
{
	const uint64_t *index = address_map_find(&image->class_by_id, id);
	return index == NULL ? NULL : &image->classes[*index];
}

static void note_present(struct heap_image *image, uint64_t id)
{
	uint64_t bit = heap_image_bit(id);
	if (image->present != NULL)
		image->present[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void note_class(struct heap_image *image, const struct hprof_sub *sub)
{
	struct image_class *class = find_class(image, sub->object_id);

	if (class == NULL) {
		fail(image, HPROF_BROKEN);
		return;
	}
	if (class->dumped)
		return;
	class->dumped = true;
	note_present(image, sub->object_id);
	class->super_id = sub->class.super_id;
	class->own_count = sub->class.field_count;
	if (class->own_count == 0)
		return;
	class->own = calloc(class->own_count, sizeof(*class->own));
	if (class->own == NULL)
		fail(image, OS_NO_MEMORY);
	else
		memcpy(class->own, sub->class.fields, class->own_count * sizeof(*class->own));
}

/* HotSpot loads older versions of classes that were retransformed, and lists them among its
 * roots, with no CLASS DUMP. */
static void forget_classes_without_dump(struct heap_image *image)
{
	for (size_t i = 0; i < image->class_count; i++) {
		if (!image->classes[i].dumped)
			add_special(image, image->classes[i].id, 0);
	}
}

bool heap_image_has_root(const struct heap_image *image, uint64_t id)
{
	const struct image_class *class = find_class(image, id);
	return class == NULL ? heap_image_may_have(image, id) : class->dumped;
}

/* Adds one field to the layout of a class that is being laid out. */
static void lay_out_field(struct heap_image *image, struct image_class *class,
                          const struct hprof_field *own)
{
	struct heap_field *field = &class->fields[class->field_count++];
	unsigned size = heap_type_size(own->type, image->id_size);

	field->name = heap_image_string(image, own->name_id);
	field->type = own->type;
	if (class->run_count == 0 ||
	    (own->type != HPROF_TYPE_OBJECT && class->runs[class->run_count - 1].ids > 0))
		class->runs[class->run_count++] = (struct image_run){0};
	struct image_run *run = &class->runs[class->run_count - 1];
	if (own->type == HPROF_TYPE_OBJECT) {
		run->ids++;
		class->id_count++;
	} else {
		run->plain_bytes += size;
	}
	if (class->values_length > UINT32_MAX - size)
		fail(image, HPROF_BROKEN);
	else
		class->values_length += size;
}

static void lay_out(struct heap_image *image, struct image_class *class)
{
	size_t count = 0;
	unsigned supers = 0;

	class->laid_out = true;
	for (struct image_class *at = class; at != NULL; at = find_class(image, at->super_id)) {
		if (++supers > SUPERS_MAX) {
			fail(image, HPROF_BROKEN);
			return;
		}
		count += at->own_count;
	}
	class->fields = calloc(count + 1, sizeof(*class->fields));
	class->runs = calloc(count + 1, sizeof(*class->runs));
	if (class->fields == NULL || class->runs == NULL) {
		fail(image, OS_NO_MEMORY);
		return;
	}
	for (struct image_class *at = class; at != NULL; at = find_class(image, at->super_id)) {
		for (uint16_t i = 0; i < at->own_count; i++) {
			size_t length;
			if (at->id == image->thread_class_id &&
			    strcmp(text_of(image, at->own[i].name_id, &length), "tid") == 0 &&
			    at->own[i].type == HPROF_TYPE_LONG) {
				class->is_thread = true;
				class->tid_at = class->values_length;
			}
			lay_out_field(image, class, &at->own[i]);
		}
	}
}

struct image_class *heap_image_find_class(struct heap_image *image, uint64_t id)
{
	struct image_class *class = find_class(image, id);
	if (class == NULL) {
		fail(image, HPROF_BROKEN);
		return NULL;
	}
	if (!class->laid_out)
		lay_out(image, class);
	if (image->error != 0)
		return NULL;
	image->lately[address_hash(id) >> (64 - IMAGE_LATELY_BITS)] =
	        (struct image_lately){.id = id, .index = (size_t)(class - image->classes)};
	return class;
}

/* ---- traces and threads ----------------------------------------------- */

static void read_frame(struct heap_image *image, struct hprof_reader *reader)
{
	uint64_t id = hprof_id(reader);
	struct image_frame frame = {.name_id = hprof_id(reader)};

	frame.signature_id = hprof_id(reader);
	frame.source_id = hprof_id(reader);
	frame.class_serial = hprof_u4(reader);
	frame.line = (int32_t)hprof_u4(reader);
	if (reader->error != 0)
		return;
	struct image_frame *list = grow(image, image->frames, image->frame_count,
	                                &image->frame_capacity, sizeof(*list));
	if (list == NULL)
		return;
	image->frames = list;
	list[image->frame_count] = frame;
	if (set(image, &image->frame_by_id, id, image->frame_count))
		image->frame_count++;
}

static void read_trace(struct heap_image *image, struct hprof_reader *reader)
{
	uint32_t serial = hprof_u4(reader);
	struct image_trace trace = {.thread_serial = hprof_u4(reader), .depth = hprof_u4(reader)};

	trace.first = image->frame_ids.length / sizeof(uint64_t);
	for (uint32_t i = 0; i < trace.depth && reader->error == 0; i++)
		byte_buffer_add_u8(&image->frame_ids, hprof_id(reader));
	if (image->frame_ids.error != 0)
		fail(image, OS_NO_MEMORY);
	if (reader->error != 0 || image->error != 0)
		return;
	struct image_trace *list = grow(image, image->trace_list, image->trace_count,
	                                &image->trace_capacity, sizeof(*list));
	if (list == NULL)
		return;
	image->trace_list = list;
	list[image->trace_count] = trace;
	if (set(image, &image->traces, (uint64_t)serial + 1, image->trace_count))
		image->trace_count++;
}

static void note_thread(struct heap_image *image, const struct hprof_sub *sub)
{
	struct image_thread *list = grow(image, image->threads, image->thread_count,
	                                 &image->thread_capacity, sizeof(*list));
	if (list == NULL)
		return;
	image->threads = list;
	list[image->thread_count] = (struct image_thread){.object_id = sub->object_id,
	                                                  .file_serial = sub->thread_serial,
	                                                  .file_trace = sub->trace_serial};
	if (set(image, &image->thread_by_serial, (uint64_t)sub->thread_serial + 1,
	        image->thread_count))
		image->thread_count++;
}

const struct image_thread *heap_image_thread(const struct heap_image *image, uint32_t serial)
{
	const uint64_t *index = address_map_find(&image->thread_by_serial, (uint64_t)serial + 1);
	return index == NULL ? NULL : &image->threads[*index];
}

/* A method that is known by its names alone. */
static const struct method *find_method(struct heap_image *image, const struct image_frame *frame)
{
	struct model *model = image->merge->model;
	const uint64_t *index = address_map_find(&image->class_by_serial, frame->class_serial);
	struct method method = {
	        .class = index == NULL ? NULL : image->classes[*index].record,
	        .name = heap_image_string(image, frame->name_id),
	        .signature = heap_image_string(image, frame->signature_id),
	};
	size_t length;
	(void)text_of(image, frame->source_id, &length);
	if (length > 0)
		method.source = heap_image_string(image, frame->source_id);
	if (method.class == NULL || method.name == NULL || method.signature == NULL) {
		fail(image, method.class == NULL ? HPROF_BROKEN : OS_NO_MEMORY);
		return NULL;
	}
	const struct method *added = method_by_names(model->methods, &method);
	if (added == NULL)
		fail(image, OS_NO_MEMORY);
	return added;
}

static const struct frame *find_frame(struct heap_image *image, uint64_t id)
{
	const uint64_t *index = address_map_find(&image->frame_by_id, id);
	if (index == NULL) {
		fail(image, HPROF_BROKEN);
		return NULL;
	}
	const struct image_frame *frame = &image->frames[*index];
	const struct method *method = find_method(image, frame);
	if (method == NULL)
		return NULL;
	const struct frame *found = frame_intern(image->merge->model->frames, method,
	                                         image->merge->lines ? frame->line : LINE_UNKNOWN);
	if (found == NULL)
		fail(image, OS_NO_MEMORY);
	return found;
}

/* The trace of the output that has the frames of the file's; writes it if it is new. */
static const struct trace *intern_trace(struct heap_image *image, const struct image_trace *trace,
                                        uint32_t thread_serial)
{
	struct dump_merge *merge = image->merge;
	const struct trace *interned = NULL;
	bool created = false;
	const struct frame **frames = calloc((size_t)trace->depth + 1, sizeof(const void *));

	if (frames == NULL) {
		fail(image, OS_NO_MEMORY);
		return NULL;
	}
	for (uint32_t i = 0; i < trace->depth && image->error == 0; i++)
		frames[i] = find_frame(image, hprof_u8_at(image->frame_ids.bytes +
		                                          (trace->first + i) * sizeof(uint64_t)));
	if (image->error == 0) {
		interned = trace_intern(merge->model->traces, frames, trace->depth,
		                        merge->thread_traces ? thread_serial : 0, &created);
		if (interned == NULL)
			fail(image, OS_NO_MEMORY);
	}
	free(frames);
	if (created && interned != NULL)
		writer_trace(merge->writer, interned);
	return interned;
}

/* Objects of threads, alive, ended or not started, have the ids of the output's threads. */
static void name_thread_objects(struct heap_image *image)
{
	for (size_t i = 0; i < image->tids.capacity; i++) {
		const struct address_entry *entry = &image->tids.entries[i];
		uint64_t id = entry->key == 0 ? 0 : object_id_of_thread(entry->value);
		if (id != 0)
			add_special(image, entry->key, id);
	}
}

/* When all is read: the threads' serials, ids and traces in the output. */
static void resolve_threads(struct heap_image *image)
{
	struct dump_merge *merge = image->merge;

	for (size_t i = 0; i < image->thread_count && image->error == 0; i++) {
		struct image_thread *thread = &image->threads[i];
		const uint64_t *tid = address_map_find(&image->tids, thread->object_id);
		thread->thread = merge->ops->thread_of(merge->context, thread->object_id,
		                                       tid == NULL ? 0 : *tid);
		if (thread->thread.object_id != 0)
			add_special(image, thread->object_id, thread->thread.object_id);
		const uint64_t *index =
		        address_map_find(&image->traces, (uint64_t)thread->file_trace + 1);
		if (index != NULL)
			thread->trace = intern_trace(image, &image->trace_list[*index],
			                             thread->thread.serial);
	}
}

/* ---- objects ---------------------------------------------------------- */

void heap_image_tell(struct heap_image *image, uint64_t done, uint64_t total)
{
	const struct dump_merge *merge = image->merge;

	image->untold_bytes = 0;
	if (merge->ops->progress != NULL)
		merge->ops->progress(merge->context, done, total);
}

static void count_object(struct heap_image *image, const struct hprof_reader *reader,
                         const struct hprof_sub *sub)
{
	image->object_count++;
	note_present(image, sub->object_id);
	heap_image_progress(image, HPROF_OBJECT_HEAD_BYTES + hprof_body(reader, sub),
	                    image->object_count, 0);
}

static void note_instance(struct heap_image *image, struct hprof_reader *reader,
                          const struct hprof_sub *sub)
{
	const struct merge_ops *ops = image->merge->ops;

	count_object(image, reader, sub);
	struct image_class *class = heap_image_class(image, sub->class_id);
	if (class == NULL || class->values_length != sub->length) {
		fail(image, HPROF_BROKEN);
		return;
	}
	if (ops->instance_size != NULL) {
		if (class->instance_size == 0)
			class->instance_size =
			        ops->instance_size(image->merge->context, class->record);
		image->object_bytes += class->instance_size;
	}
	if (!class->is_thread) {
		hprof_skip(reader, sub->length);
		return;
	}
	const uint8_t *values = hprof_bytes(reader, sub->length);
	if (values != NULL)
		(void)set(image, &image->tids, sub->object_id, hprof_u8_at(values + class->tid_at));
}

static void note_array(struct heap_image *image, struct hprof_reader *reader,
                       const struct hprof_sub *sub)
{
	const struct dump_merge *merge = image->merge;
	uint8_t type = sub->tag == HPROF_SUB_OBJECT_ARRAY_DUMP ? HPROF_TYPE_OBJECT : sub->type;

	count_object(image, reader, sub);
	if (merge->ops->array_size != NULL)
		image->object_bytes += merge->ops->array_size(merge->context, type, sub->length);
	hprof_skip(reader, hprof_body(reader, sub));
}

static void read_segment(struct heap_image *image, struct hprof_reader *reader,
                         struct hprof_sub *sub)
{
	while (image->error == 0 && hprof_read_sub(reader, sub)) {
		switch (sub->tag) {
		case HPROF_SUB_CLASS_DUMP:
			note_class(image, sub);
			break;
		case HPROF_SUB_ROOT_THREAD_OBJECT:
			note_thread(image, sub);
			break;
		case HPROF_SUB_ROOT_JNI_GLOBAL:
			if (sub->object_id != 0)
				(void)set(image, &image->globals, sub->object_id, 1);
			break;
		case HPROF_SUB_INSTANCE_DUMP:
			note_instance(image, reader, sub);
			break;
		case HPROF_SUB_OBJECT_ARRAY_DUMP:
		case HPROF_SUB_PRIMITIVE_ARRAY_DUMP:
			note_array(image, reader, sub);
			break;
		default:
			break;
		}
	}
}

void heap_image_read(struct heap_image *image, struct hprof_reader *reader, struct hprof_sub *sub)
{
	uint8_t tag;

	if (image->id_size != 0 && image->id_size != reader->id_size)
		fail(image, HPROF_BROKEN);
	image->id_size = reader->id_size;
	while (image->error == 0 && hprof_next(reader, &tag)) {
		switch (tag) {
		case HPROF_RECORD_STRING:
			read_string(image, reader);
			break;
		case HPROF_RECORD_LOAD_CLASS:
			read_load_class(image, reader);
			break;
		case HPROF_RECORD_STACK_FRAME:
			read_frame(image, reader);
			break;
		case HPROF_RECORD_STACK_TRACE:
			read_trace(image, reader);
			break;
		case HPROF_RECORD_HEAP_DUMP:
		case HPROF_RECORD_HEAP_DUMP_SEGMENT:
			read_segment(image, reader, sub);
			break;
		default:
			break;
		}
	}
}

bool heap_image_finish(struct heap_image *image)
{
	if (image->error == 0) {
		forget_classes_without_dump(image);
		name_thread_objects(image);
		resolve_threads(image);
	}
	return image->error == 0;
}
