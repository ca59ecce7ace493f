/*
 * transform.c: rewrites the loaded classes, or restores them. On the thread on which profiling
 * begins or ends; no lock.
 */
#include "agent/transform.h"

#include "profile/jni_frame.h"
#include "vm/class_versions.h"

/* Capacity for local references, one for each class. More are legal, and take memory. */
struct failure {
	jint classes;
	jvmtiError error; /* of one of them */
};

/* One bad class fails the whole call: bisection finds it. */
static void retransform(jvmtiEnv *jvmti, const jclass *classes, jint count, struct failure *failure)
{
	if (count == 0)
		return;
	jvmtiError error = class_versions_retransform(jvmti, count, classes);
	if (error == JVMTI_ERROR_NONE)
		return;
	if (count == 1 || error == JVMTI_ERROR_MUST_POSSESS_CAPABILITY ||
	    error == JVMTI_ERROR_WRONG_PHASE) {
		failure->classes += count;
		failure->error = error;
		return;
	}
	retransform(jvmti, classes, count / 2, failure);
	retransform(jvmti, classes + count / 2, count - count / 2, failure);
}

static jint keep_modifiable(jvmtiEnv *jvmti, jclass *classes, jint count)
{
	jint kept = 0;

	for (jint i = 0; i < count; i++) {
		jboolean can = JNI_FALSE;
		(void)(*jvmti)->IsModifiableClass(jvmti, classes[i], &can);
		if (can)
			classes[kept++] = classes[i];
	}
	return kept;
}

void agent_transform_classes(struct agent *agent, JNIEnv *jni, const char *what)
{
	jvmtiEnv *jvmti = agent->profile.jvmti;
	struct failure failure = {0};
	jint count = 0;
	jclass *classes = NULL;

	if (!agent->needs.class_file_load || !jni_frame_push(jni, JNI_FRAME_MAX))
		return;
	(void)(*jvmti)->GetLoadedClasses(jvmti, &count, &classes);
	retransform(jvmti, classes, keep_modifiable(jvmti, classes, count), &failure);
	if (failure.classes > 0)
		message_print("%d loaded classes %s (JVM TI error %d)", (int)failure.classes, what,
		              (int)failure.error);
	profile_deallocate(&agent->profile, classes);
	jni_frame_pop(jni);
}
