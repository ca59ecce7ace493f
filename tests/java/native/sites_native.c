/*
 * sites_native.c: the native methods of SitesNative.java, each of which makes so many
 * objects in one of JNI's ways and keeps them in an array, and what JVM TI says of sizes.
 * Called on the program's main thread.
 */
#include <jvmti.h>
#include <stddef.h>

static jclass element_class(JNIEnv *jni, const char *name)
{
	return (*jni)->FindClass(jni, name);
}

/* Keeps one that was made; its local reference goes. */
static void keep(JNIEnv *jni, jobjectArray kept, jint at, jobject made)
{
	(*jni)->SetObjectArrayElement(jni, kept, at, made);
	(*jni)->DeleteLocalRef(jni, made);
}

JNIEXPORT void JNICALL Java_SitesNative_byAllocObject(JNIEnv *jni, jclass self, jobjectArray kept,
                                                      jint count)
{
	jclass class = element_class(jni, "SitesNative$ByAllocObject");
	(void)self;
	for (jint i = 0; i < count; i++)
		keep(jni, kept, i, (*jni)->AllocObject(jni, class));
}

JNIEXPORT void JNICALL Java_SitesNative_byNewObject(JNIEnv *jni, jclass self, jobjectArray kept,
                                                    jint count)
{
	jclass class = element_class(jni, "SitesNative$ByNewObject");
	jmethodID make = (*jni)->GetMethodID(jni, class, "<init>", "(I)V");
	(void)self;
	for (jint i = 0; i < count; i++)
		keep(jni, kept, i, (*jni)->NewObject(jni, class, make, i));
}

JNIEXPORT void JNICALL Java_SitesNative_byThrowNew(JNIEnv *jni, jclass self, jobjectArray kept,
                                                   jint count)
{
	jclass class = element_class(jni, "SitesNative$ByThrowNew");
	(void)self;
	for (jint i = 0; i < count; i++) {
		(void)(*jni)->ThrowNew(jni, class, "thrown");
		jthrowable thrown = (*jni)->ExceptionOccurred(jni);
		(*jni)->ExceptionClear(jni);
		keep(jni, kept, i, thrown);
	}
}

JNIEXPORT void JNICALL Java_SitesNative_byNewString(JNIEnv *jni, jclass self, jobjectArray kept,
                                                    jint count)
{
	(void)self;
	for (jint i = 0; i < count; i++)
		keep(jni, kept, i, (*jni)->NewStringUTF(jni, "thirteen byte"));
}

JNIEXPORT void JNICALL Java_SitesNative_byNewObjectArray(JNIEnv *jni, jclass self,
                                                         jobjectArray kept, jint count)
{
	jclass class = element_class(jni, "SitesNative$Element");
	(void)self;
	for (jint i = 0; i < count; i++)
		keep(jni, kept, i, (*jni)->NewObjectArray(jni, 5, class, NULL));
}

/* One array of each primitive type, in turn. */
JNIEXPORT void JNICALL Java_SitesNative_byNewArrays(JNIEnv *jni, jclass self, jobjectArray kept,
                                                    jint count)
{
	(void)self;
	for (jint i = 0; i < count;) {
		keep(jni, kept, i++, (*jni)->NewBooleanArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewByteArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewCharArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewShortArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewIntArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewLongArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewFloatArray(jni, 9));
		keep(jni, kept, i++, (*jni)->NewDoubleArray(jni, 9));
	}
}

/* JVM TI's GetObjectSize, -1 when it fails. */
JNIEXPORT jlong JNICALL Java_SitesNative_size(JNIEnv *jni, jclass self, jobject object)
{
	JavaVM *vm = NULL;
	jvmtiEnv *jvmti = NULL;
	jlong size = -1;
	(void)self;

	if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK ||
	    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return -1;
	if ((*jvmti)->GetObjectSize(jvmti, object, &size) != JVMTI_ERROR_NONE)
		size = -1;
	(void)(*jvmti)->DisposeEnvironment(jvmti);
	return size;
}
