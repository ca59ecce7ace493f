/*
 * walk_dump.c: a heap dump by JVM TI alone: FollowReferences tells each
 * reference, each primitive value and each root of all that can be reached.
 *
 * An object that is met for the first time gets a tag of ours, with the id that it has in
 * the output. All that the VM tells of one object comes at one time (so do HotSpot's all
 * versions), so that its record is put together in memory and written when the next
 * object's turn comes. Records go to temporary files, since the text format wants to know
 * at the beginning how many there are; objects to one, and their classes, of which more is
 * heard until the end, to another.
 *
 * The walk's callbacks run in a pause of the VM, on one thread, while the one that dumps
 * waits: they call neither JVM TI nor JNI; they do allocate and write files. No lock.
 */
#include "heapdump/walk_dump.h"

#include "base/address_map.h"
#include "heapdump/class_layouts.h"
#include "hprof/record_format.h"
#include "output/heap_writer.h"
#include "vm/class_registry.h"
#include "vm/frame_resolver.h"
#include "vm/java_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ours among the tags of traces (see object_traces.h): with an id in the output. */
#define DUMP_TAG_BIT (TRACE_TAG_BIT >> 1)
#define DUMP_TAG (TRACE_TAG_BIT | DUMP_TAG_BIT)

/* What is known of objects, in pieces of so many. */
enum { NOTES_AT_ONCE = 1 << 20, PIECES_MAX = 1 << 14 };

struct note {
	uint32_t trace_serial;
	uint32_t length; /* of an array */
};

/* A sink into a temporary file, which stays open. */
struct spill {
	struct sink sink;
	struct os_file *file;
};

/* A thread of the profile that is alive. */
struct known_thread {
	jthread object; /* local reference */
	uint32_t serial;
	uint64_t object_id;
};

enum { THREADS_MAX = 65536, FRAMES_MAX = 4096 };

struct walk {
	struct dump_run *run;
	struct class_layouts *layouts;
	jlong class_of_classes;       /* the tag of java.lang.Class */
	struct record_writer *writer; /* of the objects' file */
	struct heap_writer *heap;
	uint64_t first_id;
	struct note *pieces[PIECES_MAX];
	uint64_t met;             /* objects */
	uint64_t unreported_size; /* of those met since progress was told */
	uint64_t jni_globals;
	struct known_thread *threads;
	size_t thread_count;
	struct address_map thread_serials; /* by object id */
	struct address_map thread_depths;  /* frames in the trace, by object id */
	const char *failure;               /* why the walk was ended */

	/* The object whose references are being told; 0 for none. */
	uint64_t current_id;
	struct class_layout *current;
	uint8_t *values; /* of an instance */
	size_t values_capacity;
	uint32_t length; /* of an array */
	uint32_t next;   /* index of the element that comes next */
};

/* ---- tags and notes --------------------------------------------------- */

static bool is_dump_tag(jlong tag)
{
	return (tag & DUMP_TAG) == DUMP_TAG;
}

static uint64_t id_of_tag(jlong tag)
{
	return (uint64_t)tag & ~(uint64_t)DUMP_TAG;
}

static struct note *note_of(struct walk *walk, uint64_t id)
{
	if (id < walk->first_id)
		return NULL; /* a thread */
	uint64_t index = id - walk->first_id;
	uint64_t piece = index / NOTES_AT_ONCE;
	if (piece >= PIECES_MAX)
		return NULL;
	if (walk->pieces[piece] == NULL)
		walk->pieces[piece] = os_pages_alloc(NOTES_AT_ONCE * sizeof(struct note));
	return walk->pieces[piece] == NULL ? NULL : &walk->pieces[piece][index % NOTES_AT_ONCE];
}

static void free_notes(struct walk *walk)
{
	for (size_t i = 0; i < PIECES_MAX; i++) {
		if (walk->pieces[i] != NULL)
			os_pages_free(walk->pieces[i], NOTES_AT_ONCE * sizeof(struct note));
	}
}

/* Progress is told each time when objects of so many bytes have been met. */
#define PROGRESS_BYTES (UINT64_C(1) << 20)

static void report_progress(struct walk *walk, jlong size)
{
	walk->met++;
	walk->unreported_size += (uint64_t)size;
	if (walk->unreported_size < PROGRESS_BYTES)
		return;
	walk->unreported_size = 0;
	progress_update(&walk->run->profile->progress, walk->met, 0, "objects followed");
}

/* The id of an object, which gets one when it has none. 0 without memory. */
static uint64_t meet(struct walk *walk, jlong *tag, jlong size, jint length)
{
	const struct class_record *class = class_registry_by_tag(*tag);
	if (class != NULL)
		return class->object_id;
	if (is_dump_tag(*tag))
		return id_of_tag(*tag);

	uint64_t id = object_id_next(&walk->run->profile->model.object_ids);
	struct note *note = note_of(walk, id);
	if (note == NULL) {
		walk->failure = "out of memory";
		return 0;
	}
	note->trace_serial = *tag == 0 ? TRACE_SERIAL_EMPTY : trace_of_tag(*tag);
	note->length = length < 0 ? 0 : (uint32_t)length;
	*tag = DUMP_TAG | (jlong)id;
	report_progress(walk, size);
	return id;
}

static struct class_layout *layout_of(const struct walk *walk, jlong class_tag)
{
	const struct class_record *class = class_registry_by_tag(class_tag);
	return class == NULL ? NULL : class_layouts_find(walk->layouts, class->serial);
}

/* ---- objects ---------------------------------------------------------- */

static uint32_t trace_of(struct walk *walk, uint64_t id)
{
	const struct note *note = note_of(walk, id);
	return note == NULL || note->trace_serial == 0 ? TRACE_SERIAL_EMPTY : note->trace_serial;
}

/* Elements up to index, which are null. */
static void fill_elements(struct walk *walk, uint32_t index)
{
	static const uint64_t nulls[256];
	while (walk->next < index) {
		uint32_t left = index - walk->next;
		uint32_t piece = left < 256 ? left : 256;
		heap_writer_elements(walk->heap, nulls, piece);
		walk->next += piece;
	}
}

/* Writes what is left of the current object. */
static void end_current(struct walk *walk)
{
	struct class_layout *layout = walk->current;

	if (layout == NULL)
		return;
	walk->current = NULL;
	if (layout->element == HPROF_TYPE_OBJECT) {
		fill_elements(walk, walk->length);
	} else if (layout->element == 0) {
		struct heap_instance instance = {
		        .object_id = walk->current_id,
		        .trace_serial = trace_of(walk, walk->current_id),
		        .class = layout->record,
		        .values = walk->values,
		        .values_length = layout->values_length,
		};
		heap_writer_instance(walk->heap, &instance);
	}
}

static void begin_values(struct walk *walk, const struct class_layout *layout)
{
	if (layout->values_length > walk->values_capacity) {
		uint8_t *larger = realloc(walk->values, layout->values_length);
		if (larger == NULL) {
			walk->failure = "out of memory";
			walk->current = NULL;
			return;
		}
		walk->values = larger;
		walk->values_capacity = layout->values_length;
	}
	if (layout->values_length > 0)
		memset(walk->values, 0, layout->values_length);
}

/* The object's turn: what is told from now on is of it. */
static void begin_object(struct walk *walk, jlong tag, jlong class_tag)
{
	uint64_t id = id_of_tag(tag);
	if (walk->current_id == id)
		return;
	end_current(walk);
	struct class_layout *layout = layout_of(walk, class_tag);
	walk->current_id = id;
	walk->current = layout;
	if (layout == NULL || (layout->element != 0 && layout->element != HPROF_TYPE_OBJECT))
		return;
	if (layout->element == 0) {
		begin_values(walk, layout);
		return;
	}
	const struct note *note = note_of(walk, id);
	struct heap_array array = {
	        .object_id = id,
	        .trace_serial = trace_of(walk, id),
	        .length = note == NULL ? 0 : note->length,
	        .class = layout->record,
	        .type = HPROF_TYPE_OBJECT,
	};
	walk->length = array.length;
	walk->next = 0;
	heap_writer_object_array(walk->heap, &array);
}

static void put_value(uint8_t *to, uint64_t value, unsigned size)
{
	while (size > 0) {
		to[--size] = (uint8_t)value;
		value >>= 8;
	}
}

static const struct layout_slot *slot_of(const struct class_layout *layout, jint index)
{
	if (index < 0 || (size_t)index < layout->first_index ||
	    (size_t)index - layout->first_index >= layout->slot_count)
		return NULL;
	return &layout->slots[(size_t)index - layout->first_index];
}

static void set_field(struct walk *walk, jint index, uint64_t value)
{
	if (walk->current == NULL || walk->current->element != 0)
		return;
	const struct layout_slot *slot = slot_of(walk->current, index);
	/* Fields of a class that is not prepared can't be asked for: an archive of the VM may
	 * hold such objects, which no code of the program has seen yet. */
	if (slot != NULL && !slot->is_static)
		put_value(walk->values + slot->at, value,
		          heap_type_size(slot->type, sizeof(uint64_t)));
}

static void set_static(struct class_layout *layout, jint index, uint64_t value)
{
	const struct layout_slot *slot = layout == NULL ? NULL : slot_of(layout, index);
	if (slot != NULL && slot->is_static && slot->at < layout->static_count)
		layout->statics[slot->at].value = value;
}

static void set_element(struct walk *walk, jint index, uint64_t id)
{
	if (walk->current == NULL)
		return;
	if (index < 0 || (uint32_t)index < walk->next || (uint32_t)index >= walk->length) {
		walk->failure = "this JVM tells elements in another order";
		return;
	}
	fill_elements(walk, (uint32_t)index);
	heap_writer_elements(walk->heap, &id, 1);
	walk->next++;
}

static void add_constant(struct walk *walk, struct class_layout *layout, jint index, uint64_t id)
{
	if (layout == NULL || index < 0 || index > (jint)UINT16_MAX ||
	    layout->constant_count >= UINT16_MAX)
		return;
	if (layout->constant_count == layout->constant_capacity) {
		size_t capacity =
		        layout->constant_capacity == 0 ? 16 : layout->constant_capacity * 2;
		struct heap_constant *larger =
		        realloc(layout->constants, capacity * sizeof(*larger));
		if (larger == NULL) {
			walk->failure = "out of memory";
			return;
		}
		layout->constants = larger;
		layout->constant_capacity = capacity;
	}
	struct heap_constant *constant = &layout->constants[layout->constant_count++];
	constant->index = (uint16_t)index;
	constant->type = HPROF_TYPE_OBJECT;
	constant->value = id;
}

/* ---- callbacks -------------------------------------------------------- */

/* The serial of a thread in the file, by its object; one that the profile does not have gets
 * one that no other has. */
static uint32_t serial_of(struct walk *walk, uint64_t object_id)
{
	const uint64_t *known = address_map_find(&walk->thread_serials, object_id);
	if (known != NULL)
		return (uint32_t)*known;
	uint32_t serial = thread_serial_next(walk->run->profile->model.threads);
	if (!address_map_set(&walk->thread_serials, object_id, serial))
		walk->failure = "out of memory";
	return serial;
}

/* The frame of a root in the trace of its thread; the trace is of a moment before. */
static uint32_t frame_of(const struct walk *walk, uint64_t object_id, jint depth)
{
	const uint64_t *frames = address_map_find(&walk->thread_depths, object_id);
	if (frames == NULL || depth < 0 || (uint64_t)depth >= *frames)
		return HEAP_FRAME_NONE;
	return (uint32_t)depth;
}

static void write_root(struct walk *walk, jvmtiHeapReferenceKind kind,
                       const jvmtiHeapReferenceInfo *info, jlong tag, uint64_t id)
{
	struct heap_root root = {.object_id = id, .kind = HPROF_SUB_ROOT_UNKNOWN};
	uint64_t thread;

	switch (kind) {
	case JVMTI_HEAP_REFERENCE_JNI_GLOBAL:
		root.kind = HPROF_SUB_ROOT_JNI_GLOBAL;
		root.jni_id = ++walk->jni_globals;
		root.trace_serial = TRACE_SERIAL_EMPTY;
		break;
	case JVMTI_HEAP_REFERENCE_SYSTEM_CLASS:
		root.kind = HPROF_SUB_ROOT_STICKY_CLASS;
		root.class = class_registry_by_tag(tag);
		if (root.class == NULL)
			return; /* of the VM itself, which counts it among no classes */
		break;
	case JVMTI_HEAP_REFERENCE_MONITOR:
		root.kind = HPROF_SUB_ROOT_MONITOR_USED;
		break;
	case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
		root.kind = HPROF_SUB_ROOT_JAVA_FRAME;
		thread = id_of_tag(info->stack_local.thread_tag);
		root.thread_serial = serial_of(walk, thread);
		root.frame = frame_of(walk, thread, info->stack_local.depth);
		break;
	case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
		root.kind = HPROF_SUB_ROOT_JNI_LOCAL;
		thread = id_of_tag(info->jni_local.thread_tag);
		root.thread_serial = serial_of(walk, thread);
		root.frame = frame_of(walk, thread, info->jni_local.depth);
		break;
	case JVMTI_HEAP_REFERENCE_THREAD:
		/* Those of the profile have been written, with their traces, and the others
		 * will be. */
		(void)serial_of(walk, id);
		return;
	default:
		break;
	}
	heap_writer_root(walk->heap, &root);
}

static void note_class_reference(struct walk *walk, jvmtiHeapReferenceKind kind,
                                 const jvmtiHeapReferenceInfo *info, struct class_layout *layout,
                                 uint64_t id)
{
	if (layout == NULL)
		return;
	switch (kind) {
	case JVMTI_HEAP_REFERENCE_CLASS_LOADER:
		layout->loader_id = id;
		break;
	case JVMTI_HEAP_REFERENCE_SIGNERS:
		layout->signers_id = id;
		break;
	case JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN:
		layout->domain_id = id;
		break;
	case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
		set_static(layout, info->field.index, id);
		break;
	case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
		add_constant(walk, layout, info->constant_pool.index, id);
		break;
	default:
		break;
	}
}

static void note_reference(struct walk *walk, jvmtiHeapReferenceKind kind,
                           const jvmtiHeapReferenceInfo *info, jlong referrer_class_tag,
                           jlong referrer_tag, uint64_t id)
{
	if (!is_dump_tag(referrer_tag)) {
		const struct class_record *class = class_registry_by_tag(referrer_tag);
		if (class != NULL)
			note_class_reference(walk, kind, info,
			                     class_layouts_find(walk->layouts, class->serial), id);
		return;
	}
	begin_object(walk, referrer_tag, referrer_class_tag);
	if (kind == JVMTI_HEAP_REFERENCE_FIELD)
		set_field(walk, info->field.index, id);
	else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
		set_element(walk, info->array.index, id);
}

static jint go_on(const struct walk *walk)
{
	return walk->failure != NULL || heap_writer_failed(walk->heap) ? JVMTI_VISIT_ABORT
	                                                               : JVMTI_VISIT_OBJECTS;
}

/* Classes that have been loaded since they were listed have no layout, and those that are
 * being loaded no tag of a class. They and their objects are left out, and references to
 * them are null. */
static bool is_listed(const struct walk *walk, jlong class_tag, jlong tag)
{
	if (class_registry_by_tag(tag) != NULL)
		return layout_of(walk, tag) != NULL;
	if (class_tag == walk->class_of_classes && !is_dump_tag(tag))
		return false;
	return layout_of(walk, class_tag) != NULL;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                                 jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
                                 jlong *referrer_tag, jint length, void *user)
{
	struct walk *walk = user;

	if (!is_listed(walk, class_tag, *tag))
		return 0;
	uint64_t id = meet(walk, tag, size, length);
	if (id == 0)
		return JVMTI_VISIT_ABORT;
	if (referrer_tag == NULL)
		write_root(walk, kind, info, *tag, id);
	else
		note_reference(walk, kind, info, referrer_class_tag, *referrer_tag, id);
	return go_on(walk);
}

/* The bits of a value, and its type in the output. */
static uint64_t bits_of(jvalue value, jvmtiPrimitiveType type)
{
	uint32_t word;
	uint64_t bits;

	switch (type) {
	case JVMTI_PRIMITIVE_TYPE_BOOLEAN:
		return value.z;
	case JVMTI_PRIMITIVE_TYPE_BYTE:
		return (uint8_t)value.b;
	case JVMTI_PRIMITIVE_TYPE_CHAR:
		return value.c;
	case JVMTI_PRIMITIVE_TYPE_SHORT:
		return (uint16_t)value.s;
	case JVMTI_PRIMITIVE_TYPE_INT:
		return (uint32_t)value.i;
	case JVMTI_PRIMITIVE_TYPE_FLOAT:
		memcpy(&word, &value.f, sizeof(word));
		return word;
	case JVMTI_PRIMITIVE_TYPE_DOUBLE:
		memcpy(&bits, &value.d, sizeof(bits));
		return bits;
	default:
		return (uint64_t)value.j;
	}
}

static jint JNICALL on_primitive_field(jvmtiHeapReferenceKind kind,
                                       const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                       jlong *tag, jvalue value, jvmtiPrimitiveType type,
                                       void *user)
{
	struct walk *walk = user;
	uint64_t bits = bits_of(value, type);

	if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
		const struct class_record *class = class_registry_by_tag(*tag);
		if (class != NULL)
			set_static(class_layouts_find(walk->layouts, class->serial),
			           info->field.index, bits);
	} else if (is_dump_tag(*tag)) {
		begin_object(walk, *tag, class_tag);
		set_field(walk, info->field.index, bits);
	}
	return go_on(walk);
}

/* Writes elements with the highest byte of each first. */
static void write_elements(struct walk *walk, const uint8_t *from, size_t length, unsigned size)
{
	uint8_t piece[4096];
	uint16_t one = 1;
	uint8_t lowest_first;

	memcpy(&lowest_first, &one, 1);
	if (size == 1 || !lowest_first) {
		heap_writer_bytes(walk->heap, from, length);
		return;
	}
	while (length > 0) {
		size_t n = length < sizeof(piece) ? length : sizeof(piece);
		for (size_t i = 0; i < n; i += size) {
			for (unsigned j = 0; j < size; j++)
				piece[i + j] = from[i + size - 1 - j];
		}
		heap_writer_bytes(walk->heap, piece, n);
		from += n;
		length -= n;
	}
}

static jint JNICALL on_primitive_array(jlong class_tag, jlong size, jlong *tag, jint count,
                                       jvmtiPrimitiveType type, const void *elements, void *user)
{
	struct walk *walk = user;
	const struct class_layout *layout = layout_of(walk, class_tag);
	(void)size;
	(void)type;

	if (!is_dump_tag(*tag) || layout == NULL || count < 0)
		return go_on(walk);
	end_current(walk);
	walk->current_id = id_of_tag(*tag);
	struct heap_array array = {
	        .object_id = walk->current_id,
	        .trace_serial = trace_of(walk, walk->current_id),
	        .length = (uint32_t)count,
	        .type = layout->element,
	};
	unsigned element = heap_type_size(array.type, sizeof(uint64_t));
	heap_writer_primitive_array(walk->heap, &array);
	write_elements(walk, elements, (size_t)count * element, element);
	return go_on(walk);
}

/* ---- before and after ------------------------------------------------- */

static int spill_write(struct sink *sink, const void *bytes, size_t length)
{
	struct spill *spill = (struct spill *)sink;
	return os_file_write(spill->file, bytes, length);
}

static int spill_close(struct sink *sink)
{
	(void)sink;
	return 0;
}

static const struct sink_ops spill_ops = {.write = spill_write, .close = spill_close};

static void add_thread(struct walk *walk, JNIEnv *jni, jthread object, uint32_t serial,
                       uint64_t object_id)
{
	if (walk->thread_count == THREADS_MAX)
		return;
	struct known_thread *known = &walk->threads[walk->thread_count];
	known->object = (*jni)->NewLocalRef(jni, object);
	known->serial = serial;
	known->object_id = object_id;
	walk->thread_count += known->object != NULL;
}

static void note_thread(void *context, JNIEnv *jni, jthread object,
                        const struct java_thread *thread)
{
	add_thread(context, jni, object, thread->serial, thread->record->object_id);
}

/* One that the VM does not list among the profile's. */
static void note_other_thread(void *context, JNIEnv *jni, jthread object)
{
	struct walk *walk = context;
	struct dump_run *run = walk->run;
	uint64_t tid = java_threads_tid(run->profile->threads, jni, object);
	struct merge_thread thread = dumped_threads_find(run->threads, jni, tid);

	for (size_t i = 0; i < walk->thread_count; i++) {
		if (walk->threads[i].serial == thread.serial)
			return;
	}
	if (thread.serial != 0)
		add_thread(walk, jni, object, thread.serial, thread.object_id);
}

/* The whole stack of a thread; its frames, innermost first. NULL when there is none. */
static const struct trace *trace_of_thread(struct walk *walk, const struct known_thread *thread)
{
	struct profile *profile = walk->run->profile;
	jvmtiFrameInfo *infos = calloc(FRAMES_MAX, sizeof(*infos));
	const struct frame **frames = calloc(FRAMES_MAX, sizeof(const void *));
	const struct trace *trace = NULL;
	bool created = false;
	jint count = 0;

	if (infos != NULL && frames != NULL &&
	    (*profile->jvmti)
	                    ->GetStackTrace(profile->jvmti, thread->object, 0, FRAMES_MAX, infos,
	                                    &count) == JVMTI_ERROR_NONE) {
		jint known = 0;
		while (known < count &&
		       (frames[known] = frame_resolver_find(profile->resolver, walk->run->jni,
		                                            infos[known].method,
		                                            infos[known].location)) != NULL)
			known++;
		trace = trace_intern(profile->model.traces, frames, (uint32_t)known,
		                     profile->settings->thread ? thread->serial : 0, &created);
	}
	if (created && trace != NULL)
		writer_trace(profile->writer, trace);
	free(infos);
	free(frames);
	return trace;
}

/* Tags a thread with the id that it has in the output, and writes its root. */
static void begin_thread(struct walk *walk, const struct known_thread *thread)
{
	jvmtiEnv *jvmti = walk->run->profile->jvmti;
	const struct trace *trace = trace_of_thread(walk, thread);
	struct heap_root root = {
	        .kind = HPROF_SUB_ROOT_THREAD_OBJECT,
	        .object_id = thread->object_id,
	        .thread_serial = thread->serial,
	        .trace_serial = trace == NULL ? TRACE_SERIAL_EMPTY : trace->serial,
	};

	(void)(*jvmti)->SetTag(jvmti, thread->object, DUMP_TAG | (jlong)thread->object_id);
	if (!address_map_set(&walk->thread_serials, thread->object_id, thread->serial) ||
	    !address_map_set(&walk->thread_depths, thread->object_id,
	                     trace == NULL ? 0 : trace->depth))
		walk->failure = "out of memory";
	heap_writer_root(walk->heap, &root);
}

/* In the list's order, but not under its lock: stacks are asked for. */
static void begin_threads(struct walk *walk)
{
	struct dump_run *run = walk->run;

	walk->threads = calloc(THREADS_MAX, sizeof(*walk->threads));
	if (walk->threads == NULL) {
		walk->failure = "out of memory";
		return;
	}
	java_threads_visit(run->profile->threads, run->jni, note_thread, walk);
	java_threads_visit_strangers(run->profile->threads, run->jni, note_other_thread, walk);
	/* The thread that ends the VM is in no list. */
	jvmtiEnv *jvmti = run->profile->jvmti;
	jthread current = NULL;
	if ((*jvmti)->GetCurrentThread(jvmti, &current) == JVMTI_ERROR_NONE && current != NULL) {
		note_other_thread(walk, run->jni, current);
		(*run->jni)->DeleteLocalRef(run->jni, current);
	}
	for (size_t i = 0; i < walk->thread_count; i++) {
		begin_thread(walk, &walk->threads[i]);
		(*run->jni)->DeleteLocalRef(run->jni, walk->threads[i].object);
	}
	free(walk->threads);
}

/* The roots of threads that are not in the profile: what they refer to has told of them. */
static void write_other_threads(struct walk *walk)
{
	const struct address_map *serials = &walk->thread_serials;

	for (size_t i = 0; i < serials->capacity; i++) {
		const struct address_entry *entry = &serials->entries[i];
		if (entry->key == 0 || address_map_find(&walk->thread_depths, entry->key) != NULL)
			continue;
		struct heap_root root = {
		        .kind = HPROF_SUB_ROOT_THREAD_OBJECT,
		        .object_id = entry->key,
		        .thread_serial = (uint32_t)entry->value,
		        .trace_serial = TRACE_SERIAL_EMPTY,
		};
		heap_writer_root(walk->heap, &root);
	}
}

/* The class object of a primitive type is met but never told of. */
static void write_primitive_class(struct walk *walk, const char *wrapper)
{
	JNIEnv *jni = walk->run->jni;
	jvmtiEnv *jvmti = walk->run->profile->jvmti;
	jlong tag = 0;

	jclass class = (*jni)->FindClass(jni, wrapper);
	jfieldID field =
	        class == NULL ? NULL
	                      : (*jni)->GetStaticFieldID(jni, class, "TYPE", "Ljava/lang/Class;");
	jobject mirror = field == NULL ? NULL : (*jni)->GetStaticObjectField(jni, class, field);
	if (mirror != NULL && (*jvmti)->GetTag(jvmti, mirror, &tag) == JVMTI_ERROR_NONE &&
	    meet(walk, &tag, 0, -1) != 0 &&
	    (*jvmti)->SetTag(jvmti, mirror, tag) == JVMTI_ERROR_NONE) {
		begin_object(walk, tag, walk->class_of_classes);
		end_current(walk);
	}
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, mirror);
	(*jni)->DeleteLocalRef(jni, class);
}

/* Before all others, so that a class object without a tag is one of a class that has none
 * yet. */
static void write_primitive_classes(struct walk *walk)
{
	static const char *const wrappers[] = {
	        "java/lang/Boolean", "java/lang/Byte",    "java/lang/Character",
	        "java/lang/Short",   "java/lang/Integer", "java/lang/Long",
	        "java/lang/Float",   "java/lang/Double",  "java/lang/Void"};
	JNIEnv *jni = walk->run->jni;
	jvmtiEnv *jvmti = walk->run->profile->jvmti;

	jclass of_classes = (*jni)->FindClass(jni, "java/lang/Class");
	if (of_classes == NULL ||
	    (*jvmti)->GetTag(jvmti, of_classes, &walk->class_of_classes) != JVMTI_ERROR_NONE ||
	    layout_of(walk, walk->class_of_classes) == NULL)
		walk->failure = "java.lang.Class is not among the loaded classes";
	for (size_t i = 0; walk->failure == NULL && i < sizeof(wrappers) / sizeof(wrappers[0]); i++)
		write_primitive_class(walk, wrappers[i]);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, of_classes);
}

static jint JNICALL remove_tag(jlong class_tag, jlong size, jlong *tag, jint length, void *user)
{
	(void)class_tag;
	(void)size;
	(void)length;
	(void)user;
	if (is_trace_tag(*tag))
		*tag = 0;
	return 0;
}

static bool follow(struct walk *walk)
{
	jvmtiEnv *jvmti = walk->run->profile->jvmti;
	jvmtiHeapCallbacks callbacks = {
	        .heap_reference_callback = on_reference,
	        .primitive_field_callback = on_primitive_field,
	        .array_primitive_value_callback = on_primitive_array,
	};
	jvmtiHeapCallbacks untag = {.heap_iteration_callback = remove_tag};

	write_primitive_classes(walk);
	jvmtiError error = JVMTI_ERROR_NONE;
	if (walk->failure == NULL)
		error = (*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, walk);
	end_current(walk);
	write_other_threads(walk);
	(void)(*jvmti)->IterateThroughHeap(jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &untag, NULL);
	if (error == JVMTI_ERROR_NONE && walk->failure == NULL)
		return true;
	if (walk->failure != NULL)
		(void)snprintf(walk->run->reason, sizeof(walk->run->reason), "%s", walk->failure);
	else
		(void)snprintf(walk->run->reason, sizeof(walk->run->reason),
		               "references can't be followed (JVM TI error %d)", (int)error);
	return false;
}

/* A writer into a temporary file, and a dump begun in it. */
static struct heap_writer *begin_file(struct dump_run *run, size_t index, struct spill *spill,
                                      struct record_writer **writer)
{
	static const struct heap_begin nothing;
	*spill = (struct spill){.sink = {.ops = &spill_ops}, .file = &run->files[index]};

	*writer = NULL;
	int error = os_file_temporary(dump_run_beside(run), spill->file);
	if (error != 0) {
		dump_run_explain(run, "can't make a temporary file", error);
		return NULL;
	}
	*writer = writer_create(&record_format_binary_segments, &spill->sink, sizeof(uint64_t),
	                        os_wall_ms());
	struct heap_writer *heap = *writer == NULL ? NULL : heap_writer_begin(*writer, &nothing);
	if (heap == NULL)
		dump_run_explain(run, "can't write a temporary file",
		                 *writer == NULL ? OS_NO_MEMORY : writer_error(*writer));
	return heap;
}

/* Ends the dump in the file. */
static bool end_file(struct dump_run *run, struct heap_writer *heap, struct record_writer *writer)
{
	if (heap != NULL)
		heap_writer_end(heap);
	int error = writer == NULL ? 0 : writer_close(writer);
	if (error != 0 && run->reason[0] == '\0')
		dump_run_explain(run, "can't write a temporary file", error);
	return error == 0 && heap != NULL;
}

static bool write_objects(struct walk *walk)
{
	struct dump_run *run = walk->run;
	struct profile *profile = run->profile;
	struct spill spill;

	walk->heap = begin_file(run, 1, &spill, &walk->writer);
	bool followed = false;
	if (walk->heap != NULL) {
		if (profile->heap_tracking != NULL)
			object_traces_tag(profile->heap_tracking, run->jni);
		begin_threads(walk);
		followed = follow(walk);
	}
	return end_file(run, walk->heap, walk->writer) && followed;
}

static void write_class(struct heap_writer *heap, const struct class_layouts *layouts,
                        const struct class_layout *layout)
{
	const struct class_layout *super =
	        layout->super == 0 ? NULL : class_layouts_find(layouts, layout->super);
	struct heap_class dump = {
	        .class = layout->record,
	        .trace_serial = TRACE_SERIAL_EMPTY,
	        .super_id = super == NULL ? 0 : super->record->object_id,
	        .loader_id = layout->loader_id,
	        .signers_id = layout->signers_id,
	        .domain_id = layout->domain_id,
	        .instance_size = layout->values_length,
	        .constant_count = (uint16_t)layout->constant_count,
	        .constants = layout->constants,
	        .static_count = layout->static_count,
	        .statics = layout->statics,
	        .field_count = layout->field_count,
	        .fields = layout->fields,
	};
	heap_writer_class(heap, &dump);
}

static bool write_classes(struct dump_run *run, const struct class_layouts *layouts)
{
	struct spill spill;
	struct record_writer *writer;
	struct heap_writer *heap = begin_file(run, 0, &spill, &writer);
	uint32_t serial = 0;

	for (const struct class_layout *layout = class_layouts_next(layouts, &serial);
	     heap != NULL && layout != NULL; layout = class_layouts_next(layouts, &serial))
		write_class(heap, layouts, layout);
	return end_file(run, heap, writer);
}

static bool produce(struct dump_run *run)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	struct class_layouts *layouts = class_layouts_create(run->profile, run->jni, run->classes);

	run->file_count = 2;
	bool dumped = false;
	if (walk != NULL && layouts != NULL) {
		walk->run = run;
		walk->layouts = layouts;
		walk->first_id = object_id_next(&run->profile->model.object_ids);
		dumped = write_objects(walk) && write_classes(run, layouts);
		free_notes(walk);
		free(walk->values);
		address_map_free(&walk->thread_serials);
		address_map_free(&walk->thread_depths);
	} else {
		dump_run_explain(run, "can't dump", OS_NO_MEMORY);
	}
	class_layouts_destroy(layouts);
	free(walk);
	return dumped;
}

const struct dump_source walk_dump_source = {.produce = produce};
