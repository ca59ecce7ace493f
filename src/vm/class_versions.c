/*
 * class_versions.c: see class_versions.h.
 *
 * Two environments: the VM calls the hook of one that can't retransform in redefinitions only,
 * and of one that can in retransformations, too. So a call of the second is for a redefinition if
 * one of the first came before. The VM calls those that can't retransform first, and otherwise goes
 * in the order of creation.
 *
 * In our own retransformations a redefined class gets what the agents before us made of it when
 * they saw it last, since the VM has them transform an old version now. The same if others
 * retransform a class whose kept class file is old because of us. In all other cases what the VM
 * gives is left alone.
 */
#include "vm/class_versions.h"

#include "base/hash.h"
#include "base/messages.h"
#include "vm/jvm_version.h"
#include "vm/redefined_classes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The VM itself begins with the newest version from there on. */
enum { FIRST_WITH_NEWEST = 20 };

/* The names of classes that the VM keeps a class file of since we rewrote them, as a set of bits
 * by hash: one class in thousands is in it wrongly, of 30,000. */
enum { REWRITTEN_BITS = 1 << 20, REWRITTEN_HASHES = 3, WORD_BITS = 64 };

static _Atomic uint64_t rewritten[REWRITTEN_BITS / WORD_BITS];

static jvmtiEnv *transformer; /* NULL if the VM needs none of this */
static _Atomic bool has_begun;
static struct redefined_classes redefined;

/* While this thread retransforms classes for the agent. */
static _Thread_local bool is_own;

/* ---- which classes were rewritten ----------------------------------------------- */

static uint32_t bit_of(const char *name, uint32_t number)
{
	uint32_t parts[] = {hash_bytes(name, strlen(name)), number};
	return hash_bytes(parts, sizeof(parts)) % REWRITTEN_BITS;
}

void class_versions_rewritten(const char *name)
{
	for (uint32_t i = 0; name != NULL && has_begun && i < REWRITTEN_HASHES; i++) {
		uint32_t bit = bit_of(name, i);
		atomic_fetch_or_explicit(&rewritten[bit / WORD_BITS],
		                         (uint64_t)1 << bit % WORD_BITS, memory_order_relaxed);
	}
}

static bool is_rewritten(const char *name)
{
	for (uint32_t i = 0; i < REWRITTEN_HASHES; i++) {
		uint32_t bit = bit_of(name, i);
		uint64_t word =
		        atomic_load_explicit(&rewritten[bit / WORD_BITS], memory_order_relaxed);
		if ((word >> bit % WORD_BITS & 1) == 0)
			return false;
	}
	return true;
}

/* ---- hooks ------------------------------------------------------------------------ */

/* In a redefinition; on the thread that redefines the class. */
static void JNICALL on_redefinition(jvmtiEnv *jvmti, JNIEnv *jni, jclass object, jobject loader,
                                    const char *name, jobject domain, jint length,
                                    const unsigned char *bytes, jint *new_length,
                                    unsigned char **new_bytes)
{
	(void)jvmti;
	(void)loader;
	(void)domain;
	(void)new_length;
	(void)new_bytes;
	if (object == NULL || name == NULL)
		return;
	const struct transformed_class class = {object, name, bytes, (size_t)length};
	if (!redefined_classes_begin(&redefined, jni, &class, is_rewritten(name)))
		message_print("out of memory");
}

/* In a redefinition, after on_redefinition(), and in a retransformation. */
static void JNICALL on_transformation(jvmtiEnv *jvmti, JNIEnv *jni, jclass object, jobject loader,
                                      const char *name, jobject domain, jint length,
                                      const unsigned char *bytes, jint *new_length,
                                      unsigned char **new_bytes)
{
	(void)loader;
	(void)domain;
	if (object == NULL || name == NULL)
		return;
	const struct transformed_class class = {object, name, bytes, (size_t)length};
	size_t newest_length = 0;
	uint8_t *newest = redefined_classes_newest(&redefined, jni, &class, is_own, &newest_length);
	if (newest != NULL &&
	    (*jvmti)->Allocate(jvmti, (jlong)newest_length, new_bytes) == JVMTI_ERROR_NONE) {
		memcpy(*new_bytes, newest, newest_length);
		*new_length = (jint)newest_length;
	}
	free(newest);
}

jvmtiError class_versions_retransform(jvmtiEnv *jvmti, jint count, const jclass *classes)
{
	is_own = true;
	jvmtiError error = (*jvmti)->RetransformClasses(jvmti, count, classes);
	is_own = false;
	return error;
}

/* ---- life ------------------------------------------------------------------------- */

static jvmtiEnv *create_environment(JavaVM *vm)
{
	jvmtiEnv *jvmti = NULL;
	return (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) == JNI_OK ? jvmti : NULL;
}

void class_versions_reserve(JavaVM *vm)
{
	if (transformer != NULL)
		return;
	transformer = create_environment(vm);
	if (transformer != NULL && jvm_version(transformer) >= FIRST_WITH_NEWEST) {
		(void)(*transformer)->DisposeEnvironment(transformer);
		transformer = NULL;
	}
}

static bool enable(jvmtiEnv *jvmti, jvmtiEventClassFileLoadHook hook)
{
	jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = hook};

	return (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) ==
	               JVMTI_ERROR_NONE &&
	       (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
	                                          JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
	                                          NULL) == JVMTI_ERROR_NONE;
}

void class_versions_begin(JavaVM *vm, JNIEnv *jni)
{
	const jvmtiCapabilities transforms = {.can_retransform_classes = 1,
	                                      .can_retransform_any_class = 1};

	if (transformer == NULL || has_begun)
		return;
	jvmtiEnv *redefinition = create_environment(vm);
	if (redefinition == NULL || !redefined_classes_init(&redefined, jni))
		return;
	/* The one that gets both first, so that no redefinition is seen by the other alone. */
	has_begun = (*transformer)->AddCapabilities(transformer, &transforms) == JVMTI_ERROR_NONE &&
	            enable(transformer, on_transformation) && enable(redefinition, on_redefinition);
}
