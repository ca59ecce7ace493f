/*
 * walk_dump.c: see walk_dump.h. JVM TI's FollowReferences reports every root, every reference
 * and every primitive value of the objects that can be reached; the callbacks here pass
 * them on: ids to walk_ids, objects to walk_objects, roots on stacks to walk_threads, what
 * belongs to a class to its layout.
 *
 * The callbacks run in a pause of the VM, on one thread, while the thread that dumps waits.
 * They call neither JVM TI nor JNI. The writer may allocate and wait for its file. That is
 * safe: the pause stops Java threads at safepoints, never inside malloc, and leaves the
 * threads of the system running. No lock.
 */
#include "heapdump/walk_dump.h"

#include "heapdump/walk_files.h"
#include "heapdump/walk_ids.h"
#include "heapdump/walk_objects.h"
#include "heapdump/walk_threads.h"
#include "vm/class_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files of a run: classes come before their objects. */
enum { CLASS_FILE, OBJECT_FILE, FILE_COUNT };

/* Progress is reported each time that objects of this size have been found. */
#define PROGRESS_BYTES (UINT64_C(1) << 20)

struct walk {
	struct dump_run *run;
	struct class_layouts *layouts;
	struct heap_writer *heap;
	struct walk_ids ids;
	struct walk_objects objects;
	struct walk_threads threads;
	jlong class_of_classes; /* the tag of java.lang.Class */
	uint64_t unreported_size;
	uint64_t jni_globals;
	const char *failure; /* why the walk must end; NULL while it goes on */
};

static const char no_memory[] = "out of memory";

/* ---- roots ------------------------------------------------------------ */

static void set_stack_position(struct walk *walk, struct heap_root *root, jlong thread_tag,
                               jint depth)
{
	uint64_t thread = walk_ids_of_tag(thread_tag);

	root->thread_serial = walk_threads_serial(&walk->threads, thread);
	root->frame = walk_threads_frame(&walk->threads, thread, depth);
	if (root->thread_serial == 0)
		walk->failure = no_memory;
}

static void write_root(struct walk *walk, jvmtiHeapReferenceKind kind,
                       const jvmtiHeapReferenceInfo *info, jlong tag, uint64_t id)
{
	struct heap_root root = {.object_id = id, .kind = HPROF_SUB_ROOT_UNKNOWN};

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
			return; /* a class object of the VM that stands for no loaded class */
		break;
	case JVMTI_HEAP_REFERENCE_MONITOR:
		root.kind = HPROF_SUB_ROOT_MONITOR_USED;
		break;
	case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
		root.kind = HPROF_SUB_ROOT_JAVA_FRAME;
		set_stack_position(walk, &root, info->stack_local.thread_tag,
		                   info->stack_local.depth);
		break;
	case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
		root.kind = HPROF_SUB_ROOT_JNI_LOCAL;
		set_stack_position(walk, &root, info->jni_local.thread_tag, info->jni_local.depth);
		break;
	case JVMTI_HEAP_REFERENCE_THREAD:
		/* Written before the walk, with its trace, or else after it. */
		if (walk_threads_serial(&walk->threads, id) == 0)
			walk->failure = no_memory;
		return;
	default:
		break;
	}
	heap_writer_root(walk->heap, &root);
}

/* ---- references ------------------------------------------------------- */

static void add_class_reference(struct walk *walk, jvmtiHeapReferenceKind kind,
                                const jvmtiHeapReferenceInfo *info, struct class_layout *layout,
                                uint64_t id)
{
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
		class_layout_set_static(layout, info->field.index, id);
		break;
	case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
		if (!class_layout_add_constant(layout, info->constant_pool.index, id))
			walk->failure = no_memory;
		break;
	default:
		break;
	}
}

static void add_reference(struct walk *walk, jvmtiHeapReferenceKind kind,
                          const jvmtiHeapReferenceInfo *info, jlong referrer_class_tag,
                          jlong referrer_tag, uint64_t id)
{
	if (!walk_ids_is_tag(referrer_tag)) {
		struct class_layout *layout =
		        class_layouts_find_by_tag(walk->layouts, referrer_tag);
		if (layout != NULL)
			add_class_reference(walk, kind, info, layout, id);
		return;
	}
	walk_objects_begin(&walk->objects, referrer_tag, referrer_class_tag);
	if (kind == JVMTI_HEAP_REFERENCE_FIELD)
		walk_objects_set_field(&walk->objects, info->field.index, id);
	else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
		walk_objects_set_element(&walk->objects, info->array.index, id);
	if (walk->objects.out_of_order)
		walk->failure = "this JVM reports the elements of an array out of order";
}

static jint visit_or_abort(const struct walk *walk)
{
	return walk->failure != NULL || heap_writer_failed(walk->heap) ? JVMTI_VISIT_ABORT
	                                                               : JVMTI_VISIT_OBJECTS;
}

/* False for a class that was loaded after the classes were listed, which has no layout, and
 * for one that is being loaded, whose class object has no tag of a class. Such classes and
 * their instances are left out; references to them become null. */
static bool is_listed(const struct walk *walk, jlong class_tag, jlong tag)
{
	if (class_registry_by_tag(tag) != NULL)
		return class_layouts_find_by_tag(walk->layouts, tag) != NULL;
	if (class_tag == walk->class_of_classes && !walk_ids_is_tag(tag))
		return false;
	return class_layouts_find_by_tag(walk->layouts, class_tag) != NULL;
}

static void report_progress(struct walk *walk, jlong size)
{
	walk->unreported_size += (uint64_t)size;
	if (walk->unreported_size < PROGRESS_BYTES)
		return;
	walk->unreported_size = 0;
	progress_update(&walk->run->profile->progress, walk->ids.count, 0, "objects followed");
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                                 jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
                                 jlong *referrer_tag, jint length, void *user)
{
	struct walk *walk = user;
	uint64_t count = walk->ids.count;

	if (!is_listed(walk, class_tag, *tag))
		return 0;
	uint64_t id = walk_ids_assign(&walk->ids, tag, length);
	if (id == 0) {
		walk->failure = no_memory;
		return JVMTI_VISIT_ABORT;
	}
	if (walk->ids.count != count)
		report_progress(walk, size);
	if (referrer_tag == NULL)
		write_root(walk, kind, info, *tag, id);
	else
		add_reference(walk, kind, info, referrer_class_tag, *referrer_tag, id);
	return visit_or_abort(walk);
}

/* ---- primitive values ------------------------------------------------- */

/* The bits of a value, in the lowest bytes. */
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
		struct class_layout *layout = class_layouts_find_by_tag(walk->layouts, *tag);
		if (layout != NULL)
			class_layout_set_static(layout, info->field.index, bits);
	} else if (walk_ids_is_tag(*tag)) {
		walk_objects_begin(&walk->objects, *tag, class_tag);
		walk_objects_set_field(&walk->objects, info->field.index, bits);
	}
	return visit_or_abort(walk);
}

static jint JNICALL on_primitive_array(jlong class_tag, jlong size, jlong *tag, jint count,
                                       jvmtiPrimitiveType type, const void *elements, void *user)
{
	struct walk *walk = user;
	(void)size;
	(void)type;

	if (walk_ids_is_tag(*tag) && count >= 0)
		walk_objects_add_primitive_array(&walk->objects, *tag, class_tag, elements,
		                                 (uint32_t)count);
	return visit_or_abort(walk);
}

/* ---- the walk --------------------------------------------------------- */

static void write_primitive_classes(struct walk *walk)
{
	struct dump_run *run = walk->run;
	JNIEnv *jni = run->jni;
	jvmtiEnv *jvmti = run->profile->jvmti;

	jclass of_classes = (*jni)->FindClass(jni, "java/lang/Class");
	if (of_classes == NULL ||
	    (*jvmti)->GetTag(jvmti, of_classes, &walk->class_of_classes) != JVMTI_ERROR_NONE ||
	    class_layouts_find_by_tag(walk->layouts, walk->class_of_classes) == NULL)
		walk->failure = "java.lang.Class is not among the loaded classes";
	else if (!walk_primitive_classes(run, &walk->ids, &walk->objects, walk->class_of_classes))
		walk->failure = no_memory;
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
	if (is_trace_tag(*tag) || walk_ids_is_tag(*tag))
		*tag = 0;
	return 0;
}

static void remove_tags(jvmtiEnv *jvmti)
{
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = remove_tag};

	(void)(*jvmti)->IterateThroughHeap(jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &callbacks,
	                                   NULL);
}

/* Follows all references. False with the run's reason set. */
static bool follow_references(struct walk *walk)
{
	struct dump_run *run = walk->run;
	jvmtiEnv *jvmti = run->profile->jvmti;
	jvmtiHeapCallbacks callbacks = {
	        .heap_reference_callback = on_reference,
	        .primitive_field_callback = on_primitive_field,
	        .array_primitive_value_callback = on_primitive_array,
	};

	jvmtiError error = JVMTI_ERROR_NONE;
	if (walk->failure == NULL)
		write_primitive_classes(walk);
	if (walk->failure == NULL)
		error = (*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, walk);
	walk_objects_end(&walk->objects);
	walk_threads_end(&walk->threads);
	remove_tags(jvmti);
	if (walk->failure != NULL)
		(void)snprintf(run->reason, sizeof(run->reason), "%s", walk->failure);
	else if (error != JVMTI_ERROR_NONE)
		(void)snprintf(run->reason, sizeof(run->reason),
		               "can't follow references: JVM TI error %d", (int)error);
	return error == JVMTI_ERROR_NONE && walk->failure == NULL;
}

static bool write_objects(struct walk *walk)
{
	struct dump_run *run = walk->run;
	struct profile *profile = run->profile;
	struct walk_file file;
	bool followed = false;

	if (walk_file_begin(&file, run, OBJECT_FILE)) {
		walk->heap = file.heap;
		if (profile->alloc != NULL)
			object_traces_tag(profile->alloc, run->jni);
		if (!walk_threads_begin(&walk->threads, run, file.heap) ||
		    !walk_objects_init(&walk->objects, &walk->ids, walk->layouts, file.heap))
			walk->failure = no_memory;
		followed = follow_references(walk);
		walk_objects_free(&walk->objects);
		walk_threads_free(&walk->threads);
	}
	return walk_file_end(&file) && followed;
}

static bool walk_and_write(struct dump_run *run, struct class_layouts *layouts)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	if (walk == NULL || layouts == NULL) {
		dump_run_explain(run, "can't begin the walk", OS_NO_MEMORY);
		free(walk);
		return false;
	}
	walk->run = run;
	walk->layouts = layouts;
	walk_ids_init(&walk->ids, &run->profile->model.object_ids);
	bool written = write_objects(walk) && walk_files_write_classes(run, CLASS_FILE, layouts);
	walk_ids_free(&walk->ids);
	free(walk);
	return written;
}

static bool walk_dump_produce(struct dump_run *run)
{
	struct class_layouts *layouts = class_layouts_create(run->profile, run->jni, run->classes);

	run->file_count = FILE_COUNT;
	bool written = walk_and_write(run, layouts);
	class_layouts_destroy(layouts);
	return written;
}

const struct dump_source walk_dump_source = {.produce = walk_dump_produce};
