/*
 * virtual_threads.c: see virtual_threads.h.
 */
#include "vm/virtual_threads.h"

#include <string.h>

#define EXTENSION "com.sun.hotspot.functions.GetVirtualThread"

/* The places of jvmtiCapabilities' bits: 44 of them have names up to JDK 20, the
 * next is can_support_virtual_threads. Bit fields, so that the compiler lays
 * them out as it does the original. */
struct capabilities_21 {
	unsigned int first : 32;
	unsigned int second : 12;
	unsigned int can_support_virtual_threads : 1;
	unsigned int rest_of_second : 19;
	unsigned int third : 32;
	unsigned int fourth : 32;
};

_Static_assert(sizeof(struct capabilities_21) == sizeof(jvmtiCapabilities),
               "jvmtiCapabilities has 128 bits");

void virtual_threads_add_capability(jvmtiCapabilities *capabilities)
{
	struct capabilities_21 bits;

	memcpy(&bits, capabilities, sizeof(bits));
	bits.can_support_virtual_threads = 1;
	memcpy(capabilities, &bits, sizeof(bits));
}

static void deallocate(jvmtiEnv *jvmti, void *memory)
{
	if (memory != NULL)
		(void)(*jvmti)->Deallocate(jvmti, memory);
}

static void release(jvmtiEnv *jvmti, jvmtiExtensionFunctionInfo *info)
{
	for (jint i = 0; i < info->param_count; i++)
		deallocate(jvmti, info->params[i].name);
	deallocate(jvmti, info->params);
	deallocate(jvmti, info->errors);
	deallocate(jvmti, info->id);
	deallocate(jvmti, info->short_description);
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	jvmtiExtensionFunctionInfo *functions = NULL;
	virtual_thread_of *found = NULL;
	jint count = 0;

	if ((*jvmti)->GetExtensionFunctions(jvmti, &count, &functions) != JVMTI_ERROR_NONE)
		return NULL;
	for (jint i = 0; i < count; i++) {
		if (strcmp(functions[i].id, EXTENSION) == 0)
			memcpy(&found, &functions[i].func, sizeof(found));
		release(jvmti, &functions[i]);
	}
	deallocate(jvmti, functions);
	return found;
}

void virtual_threads_set_end_callback(union event_callbacks *callbacks,
                                      jvmtiEventThreadEnd callback)
{
	memcpy(&callbacks->all[EVENT_VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL], &callback,
	       sizeof(callback));
}

jclass virtual_threads_class(jvmtiEnv *jvmti, JNIEnv *jni)
{
	if (virtual_threads_find(jvmti) == NULL)
		return NULL;
	jclass class = (*jni)->FindClass(jni, "java/lang/BaseVirtualThread");
	if (class == NULL) {
		(*jni)->ExceptionClear(jni);
		return NULL;
	}
	jclass global = (*jni)->NewGlobalRef(jni, class);
	(*jni)->DeleteLocalRef(jni, class);
	return global;
}

static bool is_used_class(jvmtiEnv *jvmti, jclass class)
{
	char *signature = NULL;
	jint status = 0;

	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
		return false;
	bool is_virtual = strcmp(signature, "Ljava/lang/VirtualThread;") == 0;
	deallocate(jvmti, signature);
	return is_virtual && (*jvmti)->GetClassStatus(jvmti, class, &status) == JVMTI_ERROR_NONE &&
	       (status & JVMTI_CLASS_STATUS_INITIALIZED) != 0;
}

jclass virtual_threads_used_class(jvmtiEnv *jvmti, JNIEnv *jni)
{
	jint count = 0;
	jclass *classes = NULL;
	jclass found = NULL;

	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE)
		return NULL;
	for (jint i = 0; i < count; i++) {
		if (found == NULL && is_used_class(jvmti, classes[i]))
			found = classes[i];
		else
			(*jni)->DeleteLocalRef(jni, classes[i]);
	}
	deallocate(jvmti, classes);
	return found;
}
