/*
 * boot_class.c: see boot_class.h.
 */
#include "vm/boot_class.h"

#include "vm/class_rewriting.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 };

/* What is being defined, for the event's callback: it has no argument of ours, and whether
 * the VM has its native methods. Only while boot_class_define() runs, which one thread at a
 * time does. */
static const struct boot_class *defined;
static bool registered;

JNINativeMethod boot_class_native(const char *name, const char *signature, void (*function)(void))
{
	JNINativeMethod method;

	/* JNI takes its strings without const, and a function as a data pointer. */
	memcpy(&method.name, &name, sizeof(name));
	memcpy(&method.signature, &signature, sizeof(signature));
	memcpy(&method.fnPtr, &function, sizeof(function));
	return method;
}

static bool register_natives(JNIEnv *jni, jclass class)
{
	return (*jni)->RegisterNatives(jni, class, defined->natives, defined->native_count) ==
	       JNI_OK;
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
		registered = register_natives(jni, class);
	(void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* Without malloc(): once the class exists, nothing of ours may fail. */
static jstring dotted_name(JNIEnv *jni, const char *internal)
{
	char dotted[NAME_MAX_BYTES];

	if (strlcpy(dotted, internal, sizeof(dotted)) >= sizeof(dotted))
		return NULL;
	for (char *at = strchr(dotted, '/'); at != NULL; at = strchr(at, '/'))
		*at = '.';
	return (*jni)->NewStringUTF(jni, dotted);
}

/* Class.forName() with the boot loader: initialises the class. */
static bool initialise(JNIEnv *jni, const char *internal)
{
	jclass class = (*jni)->FindClass(jni, "java/lang/Class");
	jstring name = dotted_name(jni, internal);
	jmethodID for_name = NULL;
	jobject initialised = NULL;

	if (class != NULL && name != NULL)
		for_name = (*jni)->GetStaticMethodID(
		        jni, class, "forName",
		        "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
	if (for_name != NULL)
		initialised =
		        (*jni)->CallStaticObjectMethod(jni, class, for_name, name, JNI_TRUE, NULL);
	if ((*jni)->ExceptionCheck(jni)) {
		(*jni)->ExceptionClear(jni);
		return false;
	}
	return initialised != NULL;
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
		(void)initialise(jni, defined->name);
	(void)(*jvmti)->DisposeEnvironment(jvmti);
}

/* Where the event does not come the VM takes native methods all the same, with a warning. */
static void define(struct profile *profile, JNIEnv *jni, const struct boot_class *class,
                   jclass found)
{
	defined = class;
	registered = false;
	initialise_with_natives(profile, jni);
	if (!registered)
		registered = register_natives(jni, found);
	defined = NULL;
}

jclass boot_class_define(struct profile *profile, JNIEnv *jni, const struct boot_class *class)
{
	jclass found = (*jni)->FindClass(jni, class->name);
	bool usable = found != NULL;

	(*jni)->ExceptionClear(jni);
	if (found == NULL) {
		found = (*jni)->DefineClass(jni, class->name, NULL, (const jbyte *)class->bytes,
		                            (jsize) class->length);
		if (found != NULL) {
			define(profile, jni, class, found);
			usable = registered;
		}
		(*jni)->ExceptionClear(jni);
	}
	return usable && initialise(jni, class->name) ? found : NULL;
}
