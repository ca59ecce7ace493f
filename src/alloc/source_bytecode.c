/*
 * source_bytecode.c: see source_bytecode.h. No lock: native methods read a pointer, as
 * callbacks in flight (active_callbacks.h).
 */
#include "alloc/source_bytecode.h"

#include "alloc/alloc_record.h"
#include "alloc/marked_objects.h"
#include "alloc/site_counting.h"
#include "alloc/source_jni.h"
#include "java/boot_classes.h"
#include "profile/jni_frame.h"
#include "vm/active_callbacks.h"
#include "vm/boot_class.h"

#include <stdlib.h>

/* References to the arrays of one array of arrays. */
enum { REFERENCES = 16 };

/* The native method itself is the top frame. */
enum { OWN_FRAME = 1 };

static _Atomic(struct alloc *) the_alloc;

/* Not 0 while the agent's own code runs on this thread: JNI functions and the VM report the
 * objects that it allocates, too. It marks objects by Java code, which can call it again. */
static _Thread_local uint32_t agent_depth;

/* The struct alloc, NULL if there is none. Call leave() after it. */
static struct alloc *enter_agent(JNIEnv *jni)
{
	active_callbacks_enter(jni);
	agent_depth++;
	return atomic_load_explicit(&the_alloc, memory_order_acquire);
}

/* As enter_agent(), and NULL while nothing is counted. */
static struct alloc *enter(JNIEnv *jni)
{
	struct alloc *alloc = enter_agent(jni);
	return alloc == NULL || !site_counting_is_on(alloc) ? NULL : alloc;
}

static void leave(JNIEnv *jni)
{
	agent_depth--;
	active_callbacks_leave(jni);
}

/* ---- native methods of HprofHeap --------------------------------------------- */

static uint32_t record_reference(struct alloc *alloc, JNIEnv *jni, jobject object)
{
	return alloc_record(
	        alloc,
	        &(struct allocation){.jni = jni, .agent_frames = OWN_FRAME, .object = object});
}

static jint JNICALL native_allocated_class(JNIEnv *jni, jclass self, jclass class)
{
	struct alloc *alloc = enter(jni);
	uint32_t mark = 0;
	(void)self;
	if (alloc != NULL)
		mark = alloc_record(alloc, &(struct allocation){.jni = jni,
		                                                .agent_frames = OWN_FRAME,
		                                                .class = class});
	leave(jni);
	return (jint)mark;
}

static jint JNICALL native_allocated_array(JNIEnv *jni, jclass self, jint length, jclass class)
{
	struct alloc *alloc = enter(jni);
	uint32_t mark = 0;
	(void)self;
	if (alloc != NULL)
		mark = alloc_record(alloc, &(struct allocation){.jni = jni,
		                                                .agent_frames = OWN_FRAME,
		                                                .class = class,
		                                                .length = (uint32_t)length});
	leave(jni);
	return (jint)mark;
}

static jint JNICALL native_allocated_named(JNIEnv *jni, jclass self, jstring name)
{
	struct alloc *alloc = enter(jni);
	uint32_t mark = 0;
	(void)self;
	if (alloc != NULL)
		mark = alloc_record(
		        alloc,
		        &(struct allocation){.jni = jni, .agent_frames = OWN_FRAME, .name = name});
	leave(jni);
	return (jint)mark;
}

static jint JNICALL native_allocated_object(JNIEnv *jni, jclass self, jobject object)
{
	struct alloc *alloc = enter(jni);
	uint32_t mark = 0;
	(void)self;
	if (alloc != NULL)
		mark = record_reference(alloc, jni, object);
	leave(jni);
	return (jint)mark;
}

static jint JNICALL native_allocated_unless(JNIEnv *jni, jclass self, jobject result,
                                            jobject argument)
{
	struct alloc *alloc = enter(jni);
	uint32_t mark = 0;
	(void)self;
	if (alloc != NULL && !(*jni)->IsSameObject(jni, result, argument))
		mark = record_reference(alloc, jni, result);
	leave(jni);
	return (jint)mark;
}

static void JNICALL native_unmarked(JNIEnv *jni, jclass self, jobject object, jint mark)
{
	struct alloc *alloc = enter(jni);
	(void)self;
	if (alloc != NULL && alloc->marks != NULL)
		marked_objects_track(alloc, jni, object, (uint32_t)mark);
	leave(jni);
}

static void JNICALL native_tried(JNIEnv *jni, jclass self, jobject waited, jint hash_shift)
{
	struct alloc *alloc = enter_agent(jni);
	(void)self;
	if (alloc != NULL)
		marked_objects_tried(alloc, jni, waited, (uint32_t)hash_shift);
	leave(jni);
}

/* An array of arrays and those in it, over the dimensions that the instruction has
 * allocated. */
static void record_arrays(struct alloc *alloc, JNIEnv *jni, jobject array, jint dimensions)
{
	marked_objects_mark(jni, array, record_reference(alloc, jni, array));
	jsize length = dimensions > 1 ? (*jni)->GetArrayLength(jni, array) : 0;
	for (jsize i = 0; i < length; i++) {
		if (!jni_frame_push(jni, REFERENCES)) {
			profile_out_of_memory(alloc->profile);
			return;
		}
		jobject element = (*jni)->GetObjectArrayElement(jni, array, i);
		if (element != NULL)
			record_arrays(alloc, jni, element, dimensions - 1);
		jni_frame_pop(jni);
	}
}

static void JNICALL native_allocated_arrays(JNIEnv *jni, jclass self, jobject array,
                                            jint dimensions)
{
	struct alloc *alloc = enter(jni);
	(void)self;
	if (alloc != NULL)
		record_arrays(alloc, jni, array, dimensions);
	leave(jni);
}

/* NULL if the class stays unchanged, or without memory. */
static jbyteArray rewrite(struct alloc *alloc, JNIEnv *jni, jbyteArray class_file)
{
	uint8_t *rewritten = NULL;
	size_t length = 0;
	jbyteArray array = NULL;
	jbyte *bytes = (*jni)->GetByteArrayElements(jni, class_file, NULL);

	if (bytes != NULL &&
	    alloc_instrumenter_rewrite(&alloc->instrumenter, (const uint8_t *)bytes,
	                               (size_t)(*jni)->GetArrayLength(jni, class_file), &rewritten,
	                               &length) &&
	    length <= INT32_MAX)
		array = (*jni)->NewByteArray(jni, (jsize)length);
	if (array != NULL)
		(*jni)->SetByteArrayRegion(jni, array, 0, (jsize)length, (const jbyte *)rewritten);
	(*jni)->ExceptionClear(jni);
	free(rewritten);
	if (bytes != NULL)
		(*jni)->ReleaseByteArrayElements(jni, class_file, bytes, JNI_ABORT);
	return array;
}

/* Throws nothing: a null argument is left for the caller that defines the class. */
static jbyteArray JNICALL native_rewritten(JNIEnv *jni, jclass self, jbyteArray class_file)
{
	struct alloc *alloc = class_file == NULL ? NULL : enter_agent(jni);
	jbyteArray array = NULL;
	(void)self;

	if (alloc != NULL)
		array = rewrite(alloc, jni, class_file);
	if (class_file != NULL)
		leave(jni);
	return array == NULL ? class_file : array;
}

static jclass define_class(struct alloc *alloc, JNIEnv *jni)
{
	const JNINativeMethod natives[] = {
	        boot_class_native("allocated", "(Ljava/lang/Class;)I",
	                          (void (*)(void))native_allocated_class),
	        boot_class_native("allocatedNamed", "(Ljava/lang/String;)I",
	                          (void (*)(void))native_allocated_named),
	        boot_class_native("allocatedArray", "(ILjava/lang/Class;)I",
	                          (void (*)(void))native_allocated_array),
	        boot_class_native("allocated", "(Ljava/lang/Object;)I",
	                          (void (*)(void))native_allocated_object),
	        boot_class_native("allocatedUnless", "(Ljava/lang/Object;Ljava/lang/Object;)I",
	                          (void (*)(void))native_allocated_unless),
	        boot_class_native("unmarked", "(Ljava/lang/Object;I)V",
	                          (void (*)(void))native_unmarked),
	        boot_class_native("tried", "(Ljava/lang/Object;I)V", (void (*)(void))native_tried),
	        boot_class_native("rewritten", "([B)[B", (void (*)(void))native_rewritten),
	        boot_class_native("allocatedArrays", "(Ljava/lang/Object;I)V",
	                          (void (*)(void))native_allocated_arrays),
	};
	const struct boot_class class = {
	        .name = HEAP_CLASS,
	        .bytes = HprofHeap_bytes,
	        .length = HprofHeap_length,
	        .natives = natives,
	        .native_count = (jint)(sizeof(natives) / sizeof(natives[0])),
	};
	return boot_class_define(alloc->profile, jni, &class);
}

/* ---- by JNI and the VM ---------------------------------------------------------- */

static void by_jni(void *argument, JNIEnv *jni, jobject object)
{
	struct alloc *alloc = argument;
	if (agent_depth != 0 || !site_counting_is_on(alloc))
		return;
	marked_objects_mark(
	        jni, object,
	        alloc_record(alloc, &(struct allocation){.jni = jni, .object = object}));
}

void source_bytecode_record_vm_object(struct alloc *alloc, JNIEnv *jni, jobject object,
                                      jclass class, uint64_t size)
{
	if (agent_depth != 0 || !site_counting_is_on(alloc) ||
	    !source_vm_is_only_report(&alloc->source_vm, alloc->profile->jvmti))
		return;
	/* The VM also reports what code allocates that it calls meanwhile. */
	if (alloc->marks != NULL && !marked_objects_is_new(jni, object))
		return;
	marked_objects_mark(jni, object,
	                    alloc_record(alloc, &(struct allocation){.jni = jni,
	                                                             .object = object,
	                                                             .class = class,
	                                                             .size = size}));
}

/* ---- life ------------------------------------------------------------------------ */

static struct source_jni_listener jni_listener = {.allocated = by_jni};

bool source_bytecode_begin(struct alloc *alloc, JNIEnv *jni)
{
	jclass class = define_class(alloc, jni);

	if (class == NULL)
		return false;
	source_vm_find(&alloc->source_vm, jni);
	jni_listener.argument = alloc;
	if (!source_jni_begin(alloc->profile->jvmti, jni, &jni_listener))
		return false;
	atomic_store(&the_alloc, alloc);
	if (alloc->marks == NULL || marked_objects_begin(alloc, jni, class))
		return true;
	source_bytecode_end(alloc);
	return false;
}

void source_bytecode_end(struct alloc *alloc)
{
	struct alloc *expected = alloc;
	if (atomic_compare_exchange_strong(&the_alloc, &expected, NULL))
		source_jni_end(&jni_listener);
}
