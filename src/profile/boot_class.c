/*
 * boot_class.c: see boot_class.h.
 */
#include "profile/boot_class.h"

#include "profile/class_rewriting.h"

#include <stdlib.h>
#include <string.h>

/* What is being defined, for the event's callback: it has no argument of ours. Only while
 * boot_class_define() runs, which one thread at a time does. */
static const struct boot_class *defined;

JNINativeMethod boot_class_native(const char *name, const char *signature, void (*function)(void))
{
	JNINativeMethod method;

	/* JNI takes its strings without const, and a function as a data pointer. */
	memcpy(&method.name, &name, sizeof(name));
	memcpy(&method.signature, &signature, sizeof(signature));
	memcpy(&method.fnPtr, &function, sizeof(function));
	return method;
}

/* By name the VM would find native methods only in agents that it has loaded already.
 * They are registered in the ClassPrepare event, before the class's own initialiser
 * calls them: when that event comes in the midst of code of the JDK, the VM does not
 * print a warning that we meddle with the JDK's classes. */
static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
	char *signature = NULL;
	(void)thread;

	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
		return;
	if (class_signature_is(signature, defined->name))
		(void)(*jni)->RegisterNatives(jni, class, defined->natives, defined->native_count);
	(void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static jstring dotted_name(JNIEnv *jni, const char *internal)
{
	struct classfile_name name = {(const uint8_t *)internal, (uint16_t)strlen(internal)};
	char *dotted = class_rewriting_dotted_name(name);
	jstring string = dotted == NULL ? NULL : (*jni)->NewStringUTF(jni, dotted);
	free(dotted);
	return string;
}

/* Class.forName() with the boot loader: initialises the class. */
static void initialise(JNIEnv *jni)
{
	jclass class = (*jni)->FindClass(jni, "java/lang/Class");
	jstring name = dotted_name(jni, defined->name);
	jmethodID for_name = NULL;

	if (class != NULL && name != NULL)
		for_name = (*jni)->GetStaticMethodID(
		        jni, class, "forName",
		        "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
	if (for_name != NULL)
		(void)(*jni)->CallStaticObjectMethod(jni, class, for_name, name, JNI_TRUE, NULL);
	(*jni)->ExceptionClear(jni);
}

/* The event is enabled in an environment of its own, on this thread. */
static void initialise_with_natives(struct profile *profile, JNIEnv *jni)
{
	JavaVM *vm = profile->vm;
	jvmtiEventCallbacks callbacks = {.ClassPrepare = on_class_prepare};
	jvmtiEnv *jvmti = NULL;
	jthread self = NULL;

	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return;
	if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) == JVMTI_ERROR_NONE &&
	    (*jvmti)->GetCurrentThread(jvmti, &self) == JVMTI_ERROR_NONE &&
	    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE,
	                                       self) == JVMTI_ERROR_NONE)
		initialise(jni);
	(void)(*jvmti)->DisposeEnvironment(jvmti);
}

jclass boot_class_define(struct profile *profile, JNIEnv *jni, const struct boot_class *class)
{
	jclass found = (*jni)->FindClass(jni, class->name);
	if (found != NULL)
		return found;
	(*jni)->ExceptionClear(jni);
	found = (*jni)->DefineClass(jni, class->name, NULL, (const jbyte *)class->bytes,
	                            (jsize) class->length);
	if (found != NULL) {
		defined = class;
		initialise_with_natives(profile, jni);
		defined = NULL;
	}
	(*jni)->ExceptionClear(jni);
	return found;
}
