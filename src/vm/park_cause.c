/*
 * park_cause.c: see park_cause.h. Any thread; no lock.
 */
#include "vm/park_cause.h"

#include <string.h>

/* The classes in these two are the synchronizers of fair and other locks. */
static const char *const locks[] = {
        "Ljava/util/concurrent/locks/ReentrantLock$",
        "Ljava/util/concurrent/locks/ReentrantReadWriteLock$",
};

void park_fields_find(struct park_fields *fields, JNIEnv *jni)
{
	jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
	jclass synchronizer = NULL;

	if (thread != NULL)
		fields->blocker =
		        (*jni)->GetFieldID(jni, thread, "parkBlocker", "Ljava/lang/Object;");
	if (fields->blocker != NULL)
		synchronizer = (*jni)->FindClass(
		        jni, "java/util/concurrent/locks/AbstractOwnableSynchronizer");
	if (synchronizer != NULL)
		fields->owner = (*jni)->GetFieldID(jni, synchronizer, "exclusiveOwnerThread",
		                                   "Ljava/lang/Thread;");
	if (fields->owner != NULL)
		fields->synchronizer = (*jni)->NewGlobalRef(jni, synchronizer);
	(*jni)->ExceptionClear(jni);
}

static bool is_lock(jvmtiEnv *jvmti, JNIEnv *jni, jobject synchronizer)
{
	char *signature = NULL;
	bool found = false;

	if ((*jvmti)->GetClassSignature(jvmti, (*jni)->GetObjectClass(jni, synchronizer),
	                                &signature, NULL) != JVMTI_ERROR_NONE)
		return false;
	for (size_t i = 0; i < sizeof(locks) / sizeof(locks[0]) && !found; i++)
		found = strncmp(signature, locks[i], strlen(locks[i])) == 0;
	(void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
	return found;
}

enum wait_cause park_cause(const struct park_fields *fields, jvmtiEnv *jvmti, JNIEnv *jni,
                           jthread thread)
{
	if (fields->synchronizer == NULL)
		return WAIT_SLEEP;
	jobject blocker = (*jni)->GetObjectField(jni, thread, fields->blocker);
	if (blocker == NULL || !(*jni)->IsInstanceOf(jni, blocker, fields->synchronizer))
		return WAIT_SLEEP;
	if ((*jni)->GetObjectField(jni, blocker, fields->owner) != NULL)
		return WAIT_LOCK;
	/* A thread that the last owner has woken may not have run yet. */
	return is_lock(jvmti, jni, blocker) ? WAIT_LOCK : WAIT_SLEEP;
}

enum wait_cause park_cause_of_caller(const struct park_fields *fields, jvmtiEnv *jvmti, JNIEnv *jni)
{
	jthread thread = NULL;

	/* The native method's local references end with it. */
	if (fields->synchronizer == NULL ||
	    (*jvmti)->GetCurrentThread(jvmti, &thread) != JVMTI_ERROR_NONE || thread == NULL)
		return WAIT_SLEEP;
	return park_cause(fields, jvmti, jni, thread);
}
