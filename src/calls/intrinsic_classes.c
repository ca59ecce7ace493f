/*
 * intrinsic_classes.c: see intrinsic_classes.h. Only classes of the boot loader can have
 * the annotation, which is then in their constant pool; few have it.
 */
#include "calls/intrinsic_classes.h"

#include "calls/intrinsics.h"
#include "profile/jni_frame.h"
#include "vm/class_versions.h"

static bool may_have_intrinsics(struct profile *profile, jclass class)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jobject loader = NULL;
	jint constants = 0;
	jint length = 0;
	unsigned char *pool = NULL;
	jboolean can = JNI_FALSE;

	if ((*jvmti)->GetClassLoader(jvmti, class, &loader) != JVMTI_ERROR_NONE || loader != NULL ||
	    (*jvmti)->IsModifiableClass(jvmti, class, &can) != JVMTI_ERROR_NONE || !can ||
	    (*jvmti)->GetConstantPool(jvmti, class, &constants, &length, &pool) != JVMTI_ERROR_NONE)
		return false;
	bool found = intrinsics_may_be_marked(pool, (size_t)length);
	profile_deallocate(profile, pool);
	return found;
}

/* If one class can't be retransformed, the call fails for all: retry them one by one. */
static void retransform(jvmtiEnv *jvmti, const jclass *classes, jint count)
{
	if (class_versions_retransform(jvmti, count, classes) == JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++)
		(void)class_versions_retransform(jvmti, 1, &classes[i]);
}

void intrinsic_classes_retransform(struct profile *profile, JNIEnv *jni)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jint marked = 0;
	jclass *classes = NULL;

	if (!jni_frame_push(jni, JNI_FRAME_MAX))
		return;
	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++) {
			if (may_have_intrinsics(profile, classes[i]))
				classes[marked++] = classes[i];
		}
		(void)(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
		                                         JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
		if (marked > 0)
			retransform(jvmti, classes, marked);
		profile_deallocate(profile, classes);
	}
	jni_frame_pop(jni);
}
