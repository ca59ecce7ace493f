/*
 * jni_frame.c: see jni_frame.h.
 */
#include "profile/jni_frame.h"

#include <stddef.h>

bool jni_frame_push(JNIEnv *jni, jint capacity)
{
	if ((*jni)->PushLocalFrame(jni, capacity) == JNI_OK)
		return true;
	(*jni)->ExceptionClear(jni); /* an OutOfMemoryError */
	return false;
}

void jni_frame_pop(JNIEnv *jni)
{
	(void)(*jni)->PopLocalFrame(jni, NULL);
}
