/*
 * source_jni.c: see source_jni.h.
 *
 * The functions that were in the table before ours are written before ours are set, and
 * never after: so who comes through one of ours may read them without a lock. The listener
 * is read from inside (active_callbacks.h).
 */
#include "alloc/source_jni.h"

#include "vm/active_callbacks.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

/* The functions that make objects, and ours in front of them. */
#define MAKING_FUNCTIONS(X)                   \
	X(AllocObject, alloc_object)          \
	X(NewObject, new_object)              \
	X(NewObjectV, new_object_v)           \
	X(NewObjectA, new_object_a)           \
	X(NewString, new_string)              \
	X(NewStringUTF, new_string_utf)       \
	X(NewObjectArray, new_object_array)   \
	X(NewBooleanArray, new_boolean_array) \
	X(NewByteArray, new_byte_array)       \
	X(NewCharArray, new_char_array)       \
	X(NewShortArray, new_short_array)     \
	X(NewIntArray, new_int_array)         \
	X(NewLongArray, new_long_array)       \
	X(NewFloatArray, new_float_array)     \
	X(NewDoubleArray, new_double_array)   \
	X(ThrowNew, throw_new)

/* What was in the table before: of these functions alone, and of those that are called
 * here, so that another agent that counts calls does not see ours. */
static struct JNINativeInterface_ originals;
static bool has_originals;

/* The array in a String; NULL when strings have no such field. Once found it stays. */
static _Atomic(jfieldID) string_value;

/* NULL when nobody is told. */
static _Atomic(const struct source_jni_listener *) the_listener;

/* ---- telling ----------------------------------------------------------- */

typedef void tell_kind(const struct source_jni_listener *listener, JNIEnv *jni, jobject object);

static void tell_one(const struct source_jni_listener *listener, JNIEnv *jni, jobject object)
{
	listener->made(listener->argument, jni, object);
}

/* A string and its array, which the VM makes for each string anew. */
static void tell_string(const struct source_jni_listener *listener, JNIEnv *jni, jobject string)
{
	jfieldID field = atomic_load(&string_value);

	tell_one(listener, jni, string);
	if (field == NULL)
		return;
	jobject value = originals.GetObjectField(jni, string, field);
	if (value == NULL)
		return;
	tell_one(listener, jni, value);
	originals.DeleteLocalRef(jni, value);
}

/* Code that makes objects with an exception pending breaks the rules of JNI, but HotSpot
 * lets it. The listener does not see the exception; the program still has it after. */
static void tell_without_exception(const struct source_jni_listener *listener, JNIEnv *jni,
                                   jobject object, tell_kind *tell)
{
	jthrowable pending = originals.ExceptionOccurred(jni);
	if (pending != NULL)
		originals.ExceptionClear(jni);
	tell(listener, jni, object);
	if (pending == NULL)
		return;
	(void)originals.Throw(jni, pending);
	originals.DeleteLocalRef(jni, pending);
}

static void tell_from_inside(JNIEnv *jni, jobject object, tell_kind *tell)
{
	active_callbacks_enter(jni);
	const struct source_jni_listener *listener = atomic_load(&the_listener);
	if (listener != NULL)
		tell_without_exception(listener, jni, object, tell);
	active_callbacks_leave(jni);
}

/* Each of our functions but the last ends with one of these two. Nobody listening is the fast way:
 * the listener is looked at again from inside. */
static jobject told(JNIEnv *jni, jobject object)
{
	if (object != NULL && atomic_load_explicit(&the_listener, memory_order_relaxed) != NULL)
		tell_from_inside(jni, object, tell_one);
	return object;
}

static jstring told_string(JNIEnv *jni, jstring string)
{
	if (string != NULL && atomic_load_explicit(&the_listener, memory_order_relaxed) != NULL)
		tell_from_inside(jni, string, tell_string);
	return string;
}

/* ---- our functions ----------------------------------------------------- */

static jobject JNICALL alloc_object(JNIEnv *jni, jclass class)
{
	return told(jni, originals.AllocObject(jni, class));
}

/* Arguments can be passed on as a list alone. */
static jobject JNICALL new_object(JNIEnv *jni, jclass class, jmethodID constructor, ...)
{
	va_list arguments;

	va_start(arguments, constructor);
	jobject object = originals.NewObjectV(jni, class, constructor, arguments);
	va_end(arguments);
	return told(jni, object);
}

static jobject JNICALL new_object_v(JNIEnv *jni, jclass class, jmethodID constructor,
                                    va_list arguments)
{
	return told(jni, originals.NewObjectV(jni, class, constructor, arguments));
}

static jobject JNICALL new_object_a(JNIEnv *jni, jclass class, jmethodID constructor,
                                    const jvalue *arguments)
{
	return told(jni, originals.NewObjectA(jni, class, constructor, arguments));
}

static jstring JNICALL new_string(JNIEnv *jni, const jchar *characters, jsize length)
{
	return told_string(jni, originals.NewString(jni, characters, length));
}

static jstring JNICALL new_string_utf(JNIEnv *jni, const char *bytes)
{
	return told_string(jni, originals.NewStringUTF(jni, bytes));
}

static jobjectArray JNICALL new_object_array(JNIEnv *jni, jsize length, jclass class, jobject first)
{
	return told(jni, originals.NewObjectArray(jni, length, class, first));
}

#define NEW_ARRAY(array_type, function, ours)                      \
	static array_type JNICALL ours(JNIEnv *jni, jsize length)  \
	{                                                          \
		return told(jni, originals.function(jni, length)); \
	}

NEW_ARRAY(jbooleanArray, NewBooleanArray, new_boolean_array)
NEW_ARRAY(jbyteArray, NewByteArray, new_byte_array)
NEW_ARRAY(jcharArray, NewCharArray, new_char_array)
NEW_ARRAY(jshortArray, NewShortArray, new_short_array)
NEW_ARRAY(jintArray, NewIntArray, new_int_array)
NEW_ARRAY(jlongArray, NewLongArray, new_long_array)
NEW_ARRAY(jfloatArray, NewFloatArray, new_float_array)
NEW_ARRAY(jdoubleArray, NewDoubleArray, new_double_array)

/* The exception that ThrowNew has made and thrown; that of a constructor which threw another
 * one is not it. */
static void tell_thrown(JNIEnv *jni, jclass class)
{
	jthrowable exception = originals.ExceptionOccurred(jni);
	if (exception == NULL)
		return;
	jclass its_class = originals.GetObjectClass(jni, exception);
	if (originals.IsSameObject(jni, its_class, class))
		tell_from_inside(jni, exception, tell_one);
	originals.DeleteLocalRef(jni, its_class);
	originals.DeleteLocalRef(jni, exception);
}

static jint JNICALL throw_new(JNIEnv *jni, jclass class, const char *message)
{
	jint result = originals.ThrowNew(jni, class, message);
	if (result == JNI_OK && atomic_load_explicit(&the_listener, memory_order_relaxed) != NULL)
		tell_thrown(jni, class);
	return result;
}

/* ---- the table --------------------------------------------------------- */

/* Function by function: the VM's table has its own length, which may be that of a version
 * older or newer than our headers. */
static void keep_originals(const jniNativeInterface *table)
{
#define KEEP(function, ours) originals.function = table->function;
	MAKING_FUNCTIONS(KEEP)
#undef KEEP
	originals.GetObjectField = table->GetObjectField;
	originals.DeleteLocalRef = table->DeleteLocalRef;
	originals.ExceptionOccurred = table->ExceptionOccurred;
	originals.ExceptionClear = table->ExceptionClear;
	originals.Throw = table->Throw;
	originals.GetObjectClass = table->GetObjectClass;
	originals.IsSameObject = table->IsSameObject;
}

/* Puts ours where the originals are. Elsewhere ours are already, or another agent's, which
 * may lead to ours: in front of them, ours would tell twice. True when there was one to be
 * put. */
static bool put_in_front(jniNativeInterface *table)
{
	bool changed = false;
#define PUT(function, ours)                          \
	if (table->function == originals.function) { \
		table->function = ours;              \
		changed = true;                      \
	}
	MAKING_FUNCTIONS(PUT)
#undef PUT
	return changed;
}

static jfieldID find_string_value(JNIEnv *jni)
{
	jfieldID value = NULL;
	jclass string = (*jni)->FindClass(jni, "java/lang/String");

	if (string != NULL)
		value = (*jni)->GetFieldID(jni, string, "value", "[B");
	if (value == NULL)
		(*jni)->ExceptionClear(jni);
	if (string != NULL)
		(*jni)->DeleteLocalRef(jni, string);
	return value;
}

/* The VM's copy of its table is changed and given back to it, since it has the VM's length. */
static bool set_functions(jvmtiEnv *jvmti, jniNativeInterface *table)
{
	if (!has_originals)
		keep_originals(table);
	if (put_in_front(table) && (*jvmti)->SetJNIFunctionTable(jvmti, table) != JVMTI_ERROR_NONE)
		return false;
	has_originals = true;
	return true;
}

bool source_jni_begin(jvmtiEnv *jvmti, JNIEnv *jni, const struct source_jni_listener *listener)
{
	jniNativeInterface *table = NULL;

	if (atomic_load(&string_value) == NULL)
		atomic_store(&string_value, find_string_value(jni));
	if ((*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE)
		return false;
	bool set = set_functions(jvmti, table);
	(void)(*jvmti)->Deallocate(jvmti, (unsigned char *)table);
	if (set)
		atomic_store(&the_listener, listener);
	return set;
}

void source_jni_end(const struct source_jni_listener *listener)
{
	const struct source_jni_listener *expected = listener;
	(void)atomic_compare_exchange_strong(&the_listener, &expected, NULL);
}
