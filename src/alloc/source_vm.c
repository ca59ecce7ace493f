/*
 * source_vm.c: see source_vm.h.
 */
#include "alloc/source_vm.h"

#include <string.h>

static const struct {
	const char *class_name;
	const char *name;
	const char *descriptor;
	bool is_static;
} reported_methods[SOURCE_VM_METHODS_MAX] = {
        {"java/lang/Object", "clone", "()Ljava/lang/Object;", false},
        {"java/lang/reflect/Array", "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", true},
        {"jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;",
         false},
};

void source_vm_find(struct source_vm *natives, JNIEnv *jni)
{
	memset(natives, 0, sizeof(*natives));
	for (int i = 0; i < SOURCE_VM_METHODS_MAX; i++) {
		jclass class = (*jni)->FindClass(jni, reported_methods[i].class_name);
		jmethodID method = NULL;
		if (class != NULL && reported_methods[i].is_static)
			method = (*jni)->GetStaticMethodID(jni, class, reported_methods[i].name,
			                                   reported_methods[i].descriptor);
		else if (class != NULL)
			method = (*jni)->GetMethodID(jni, class, reported_methods[i].name,
			                             reported_methods[i].descriptor);
		(*jni)->ExceptionClear(jni);
		if (method != NULL)
			natives->reported[natives->count++] = method;
		if (class != NULL)
			(*jni)->DeleteLocalRef(jni, class);
	}
}

bool source_vm_is_only_report(const struct source_vm *natives, jvmtiEnv *jvmti)
{
	jvmtiFrameInfo frame;
	jint count = 0;
	jboolean native = JNI_FALSE;

	if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, 1, &frame, &count) != JVMTI_ERROR_NONE ||
	    count == 0)
		return false;
	for (int i = 0; i < natives->count; i++) {
		if (natives->reported[i] == frame.method)
			return false;
	}
	/* In bytecode it is an allocation on the slow path, which the bytecode reports. */
	return (*jvmti)->IsMethodNative(jvmti, frame.method, &native) == JVMTI_ERROR_NONE && native;
}
