/*
 * source_bytecode.c: see source_bytecode.h. No lock: natives read a pointer, from
 * inside (active_callbacks.h).
 */
#include "alloc/source_bytecode.h"

#include "alloc/alloc_record.h"
#include "alloc/site_counting.h"
#include "alloc/source_jni.h"
#include "java/boot_classes.h"
#include "vm/active_callbacks.h"
#include "vm/boot_class.h"

#include <stdlib.h>

/* References to the arrays of one array of arrays. */
enum { REFERENCES = 16 };

static _Atomic(struct heap_tracking *) the_tracking;

/* The agent's own code makes an object on this thread: it is told by JNI and by the VM as any
 * other. */
static _Thread_local bool own;

/* The tracking, NULL when there is none; with leave() behind it. */
static struct heap_tracking *enter_own(JNIEnv *jni)
{
	presence_enter(jni);
	own = true;
	return atomic_load_explicit(&the_tracking, memory_order_acquire);
}

/* The same, and NULL when nothing counts. */
static struct heap_tracking *enter(JNIEnv *jni)
{
	struct heap_tracking *tracking = enter_own(jni);
	return tracking == NULL || !site_counting_is_on(tracking) ? NULL : tracking;
}

static void leave(JNIEnv *jni)
{
	own = false;
	presence_leave(jni);
}

/* ---- native methods of HprofHeap --------------------------------------------- */

static void JNICALL native_made_class(JNIEnv *jni, jclass self, jclass class)
{
	struct heap_tracking *tracking = enter(jni);
	(void)self;
	if (tracking != NULL)
		told_class(tracking, jni, class, 0);
	leave(jni);
}

static void JNICALL native_made_array(JNIEnv *jni, jclass self, jint length, jclass class)
{
	struct heap_tracking *tracking = enter(jni);
	(void)self;
	if (tracking != NULL)
		told_class(tracking, jni, class, (uint32_t)length);
	leave(jni);
}

static void JNICALL native_made_named(JNIEnv *jni, jclass self, jstring name)
{
	struct heap_tracking *tracking = enter(jni);
	(void)self;
	if (tracking != NULL)
		told_name(tracking, jni, name);
	leave(jni);
}

static void JNICALL native_made_object(JNIEnv *jni, jclass self, jobject object)
{
	struct heap_tracking *tracking = enter(jni);
	(void)self;
	if (tracking != NULL)
		told_reference(tracking, jni, object);
	leave(jni);
}

static void JNICALL native_made_unless(JNIEnv *jni, jclass self, jobject result, jobject argument)
{
	struct heap_tracking *tracking = enter(jni);
	(void)self;
	if (tracking != NULL && !(*jni)->IsSameObject(jni, result, argument))
		told_reference(tracking, jni, result);
	leave(jni);
}

/* So many dimensions of arrays, one in the other: as many as the instruction has made. */
static void tell_arrays(struct heap_tracking *tracking, JNIEnv *jni, jobject array, jint dimensions)
{
	told_reference(tracking, jni, array);
	jsize length = dimensions > 1 ? (*jni)->GetArrayLength(jni, array) : 0;
	for (jsize i = 0; i < length; i++) {
		if ((*jni)->PushLocalFrame(jni, REFERENCES) != JNI_OK) {
			(*jni)->ExceptionClear(jni);
			profile_out_of_memory(tracking->profile);
			return;
		}
		jobject element = (*jni)->GetObjectArrayElement(jni, array, i);
		if (element != NULL)
			tell_arrays(tracking, jni, element, dimensions - 1);
		(void)(*jni)->PopLocalFrame(jni, NULL);
	}
}

static void JNICALL native_made_arrays(JNIEnv *jni, jclass self, jobject array, jint dimensions)
{
	struct heap_tracking *tracking = enter(jni);
	(void)self;
	if (tracking != NULL)
		tell_arrays(tracking, jni, array, dimensions);
	leave(jni);
}

/* NULL where the class stays as it is, or without memory. */
static jbyteArray rewrite(struct heap_tracking *tracking, JNIEnv *jni, jbyteArray class_file)
{
	uint8_t *rewritten = NULL;
	size_t length = 0;
	jbyteArray array = NULL;
	jbyte *bytes = (*jni)->GetByteArrayElements(jni, class_file, NULL);

	if (bytes != NULL &&
	    instrument_allocations(&tracking->instrumenter, (const uint8_t *)bytes,
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

/* No exception leaves it: null is for the definer to refuse. */
static jbyteArray JNICALL native_rewritten(JNIEnv *jni, jclass self, jbyteArray class_file)
{
	struct heap_tracking *tracking = class_file == NULL ? NULL : enter_own(jni);
	jbyteArray array = NULL;
	(void)self;

	if (tracking != NULL)
		array = rewrite(tracking, jni, class_file);
	if (class_file != NULL)
		leave(jni);
	return array == NULL ? class_file : array;
}

static bool define_class(struct heap_tracking *tracking, JNIEnv *jni)
{
	const JNINativeMethod natives[] = {
	        boot_class_native("made", "(Ljava/lang/Class;)V",
	                          (void (*)(void))native_made_class),
	        boot_class_native("madeNamed", "(Ljava/lang/String;)V",
	                          (void (*)(void))native_made_named),
	        boot_class_native("madeArray", "(ILjava/lang/Class;)V",
	                          (void (*)(void))native_made_array),
	        boot_class_native("made", "(Ljava/lang/Object;)V",
	                          (void (*)(void))native_made_object),
	        boot_class_native("madeUnless", "(Ljava/lang/Object;Ljava/lang/Object;)V",
	                          (void (*)(void))native_made_unless),
	        boot_class_native("rewritten", "([B)[B", (void (*)(void))native_rewritten),
	        boot_class_native("madeArrays", "(Ljava/lang/Object;I)V",
	                          (void (*)(void))native_made_arrays),
	};
	const struct boot_class class = {
	        .name = HEAP_CLASS,
	        .bytes = HprofHeap_bytes,
	        .length = HprofHeap_length,
	        .natives = natives,
	        .native_count = (jint)(sizeof(natives) / sizeof(natives[0])),
	};
	return boot_class_define(tracking->profile, jni, &class) != NULL;
}

/* ---- by JNI and the VM ---------------------------------------------------------- */

static void by_jni(void *argument, JNIEnv *jni, jobject object)
{
	struct heap_tracking *tracking = argument;
	if (!own && site_counting_is_on(tracking))
		told_by_jni(tracking, jni, object);
}

void bytecode_allocations_by_vm(struct heap_tracking *tracking, JNIEnv *jni, jobject object,
                                jclass class, uint64_t size)
{
	if (!own && site_counting_is_on(tracking) &&
	    vm_natives_tell(&tracking->vm_natives, tracking->profile->jvmti))
		told_object(tracking, jni, object, class, size);
}

/* ---- life ------------------------------------------------------------------------ */

static struct jni_allocation_listener jni_listener = {.made = by_jni};

bool bytecode_allocations_begin(struct heap_tracking *tracking, JNIEnv *jni)
{
	if (!define_class(tracking, jni))
		return false;
	vm_natives_find(&tracking->vm_natives, jni);
	jni_listener.argument = tracking;
	if (!jni_allocations_begin(tracking->profile->jvmti, jni, &jni_listener))
		return false;
	atomic_store(&the_tracking, tracking);
	return true;
}

void bytecode_allocations_end(struct heap_tracking *tracking)
{
	struct heap_tracking *expected = tracking;
	if (atomic_compare_exchange_strong(&the_tracking, &expected, NULL))
		jni_allocations_end(&jni_listener);
}
