/*
 * loader_classes.c: see loader_classes.h. Any thread; the memo table's rules.
 */
#include "alloc/loader_classes.h"

#include "profile/jni_frame.h"
#include "vm/class_registry.h"

#include <string.h>

enum { ANY_EPOCH = 1 };

/* The class of the method that called the native method on top. NULL if the VM has no answer. */
static jclass calling_class(jvmtiEnv *jvmti)
{
	enum { CALLER = 1 };
	jvmtiFrameInfo frame;
	jint count = 0;
	jclass class = NULL;

	if ((*jvmti)->GetStackTrace(jvmti, NULL, CALLER, 1, &frame, &count) != JVMTI_ERROR_NONE ||
	    count == 0 ||
	    (*jvmti)->GetMethodDeclaringClass(jvmti, frame.method, &class) != JVMTI_ERROR_NONE)
		return NULL;
	return class;
}

static bool is_named(jvmtiEnv *jvmti, jclass class, const char *name)
{
	char *signature = NULL;

	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
		return false;
	bool named = class_signature_is(signature, name);
	(void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
	return named;
}

/* A local reference to the class that the caller's loader knows by that name, or NULL. */
static jclass look_for(struct profile *profile, JNIEnv *jni, jclass caller, const char *name)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jobject loader = NULL;
	jclass *classes = NULL;
	jint count = 0;
	jclass found = NULL;

	if (!jni_frame_push(jni, JNI_FRAME_MAX))
		return NULL;
	if ((*jvmti)->GetClassLoader(jvmti, caller, &loader) == JVMTI_ERROR_NONE)
		(void)(*jvmti)->GetClassLoaderClasses(jvmti, loader, &count, &classes);
	for (jint i = 0; i < count && found == NULL; i++) {
		if (is_named(jvmti, classes[i], name))
			found = classes[i];
	}
	profile_deallocate(profile, classes);
	return (*jni)->PopLocalFrame(jni, found);
}

static const struct class_record *find(struct profile *profile, struct memo_table *memo,
                                       JNIEnv *jni, const char *name, jclass *class)
{
	jclass caller = calling_class(profile->jvmti);
	const struct class_record *calling =
	        caller == NULL ? NULL : class_registry_find(profile->classes, caller);
	const struct string *string =
	        string_table_intern(profile->model.strings, name, strlen(name));

	if (calling == NULL || string == NULL)
		return NULL;
	struct memo_node *node = memo_add(memo, NULL, (uintptr_t)calling, (uintptr_t)string, NULL);
	const struct class_record *record = node == NULL ? NULL : memo_value(node, 0);
	if (record != NULL)
		return record;
	*class = look_for(profile, jni, caller, name);
	record = *class == NULL ? NULL : class_registry_find(profile->classes, *class);
	if (record != NULL && node != NULL)
		memo_set_value(memo, node, ANY_EPOCH, record);
	return record;
}

const struct class_record *loader_class_named(struct profile *profile, struct memo_table *memo,
                                              JNIEnv *jni, jstring name, jclass *class)
{
	const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);

	*class = NULL;
	if (text == NULL) {
		(*jni)->ExceptionClear(jni);
		return NULL;
	}
	const struct class_record *record = find(profile, memo, jni, text, class);
	(*jni)->ReleaseStringUTFChars(jni, name, text);
	return record;
}
