/*
 * source_jni.c: see source_jni.h.
 *
 * The functions that were in the table before ours are stored before ours are set, and
 * never change after that: our functions read them without a lock. The listener
 * is read as a callback in flight (active_callbacks.h).
 */
#include "alloc/source_jni.h"

#include "vm/active_callbacks.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

/* The functions that allocate objects, and ours that wrap them. */
#define ALLOCATING_FUNCTIONS(X)               \
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

/* The table's earlier functions: these, and those that are called
 * here, so that another agent that counts calls does not see ours. */
static struct JNINativeInterface_ originals;
static bool has_originals;

/* The array in a String; NULL when strings have no such field. Once found it stays. */
static _Atomic(jfieldID) string_value;

/* NULL without a listener. */
static _Atomic(const struct source_jni_listener *) the_listener;

/* ---- reports ----------------------------------------------------------- */

typedef void report_function(const struct source_jni_listener *listener, JNIEnv *jni,
                             jobject object);

static void report_one(const struct source_jni_listener *listener, JNIEnv *jni, jobject object)
{
	listener->allocated(listener->argument, jni, object);
}

/* A string and its array, which the VM allocates for each string. */
static void report_string(const struct source_jni_listener *listener, JNIEnv *jni, jobject string)
{
	jfieldID field = atomic_load(&string_value);

	report_one(listener, jni, string);
	if (field == NULL)
		return;
	jobject value = originals.GetObjectField(jni, string, field);
	if (value == NULL)
		return;
	report_one(listener, jni, value);
	originals.DeleteLocalRef(jni, value);
}

/* Code that allocates with a pending exception breaks the rules of JNI, but HotSpot
 * permits it. The listener does not see the exception; the program does after it. */
static void report_without_exception(const struct source_jni_listener *listener, JNIEnv *jni,
                                     jobject object, report_function *report)
{
	jthrowable pending = originals.ExceptionOccurred(jni);
	if (pending != NULL)
		originals.ExceptionClear(jni);
	report(listener, jni, object);
	if (pending == NULL)
		return;
	(void)originals.Throw(jni, pending);
	originals.DeleteLocalRef(jni, pending);
}

static void report_in_flight(JNIEnv *jni, jobject object, report_function *report)
{
	active_callbacks_enter(jni);
	const struct source_jni_listener *listener = atomic_load(&the_listener);
	if (listener != NULL)
		report_without_exception(listener, jni, object, report);
	active_callbacks_leave(jni);
}

/* Each of our functions except the last ends with one of these two. Without a listener this is
 * the fast path; the callback in flight reads the listener again. */
static jobject reported(JNIEnv *jni, jobject object)
{
	if (object != NULL && atomic_load_explicit(&the_listener, memory_order_relaxed) != NULL)
		report_in_flight(jni, object, report_one);
	return object;
}

static jstring reported_string(JNIEnv *jni, jstring string)
{
	if (string != NULL && atomic_load_explicit(&the_listener, memory_order_relaxed) != NULL)
		report_in_flight(jni, string, report_string);
	return string;
}

/* ---- our functions ----------------------------------------------------- */

/* The originals, at the beginning of each. The program has come here by a plain load from the VM's
 * table, which got our functions after the originals were kept: without the fence a CPU with weakly
 * ordered memory may have read these before. */
static const struct JNINativeInterface_ *kept(void)
{
	atomic_thread_fence(memory_order_acquire);
	return &originals;
}

static jobject JNICALL alloc_object(JNIEnv *jni, jclass class)
{
	return reported(jni, kept()->AllocObject(jni, class));
}

/* Variable arguments can only be passed on as a list. */
static jobject JNICALL new_object(JNIEnv *jni, jclass class, jmethodID constructor, ...)
{
	va_list arguments;

	va_start(arguments, constructor);
	jobject object = kept()->NewObjectV(jni, class, constructor, arguments);
	va_end(arguments);
	return reported(jni, object);
}

static jobject JNICALL new_object_v(JNIEnv *jni, jclass class, jmethodID constructor,
                                    va_list arguments)
{
	return reported(jni, kept()->NewObjectV(jni, class, constructor, arguments));
}

static jobject JNICALL new_object_a(JNIEnv *jni, jclass class, jmethodID constructor,
                                    const jvalue *arguments)
{
	return reported(jni, kept()->NewObjectA(jni, class, constructor, arguments));
}

static jstring JNICALL new_string(JNIEnv *jni, const jchar *characters, jsize length)
{
	return reported_string(jni, kept()->NewString(jni, characters, length));
}

static jstring JNICALL new_string_utf(JNIEnv *jni, const char *bytes)
{
	return reported_string(jni, kept()->NewStringUTF(jni, bytes));
}

static jobjectArray JNICALL new_object_array(JNIEnv *jni, jsize length, jclass class, jobject first)
{
	return reported(jni, kept()->NewObjectArray(jni, length, class, first));
}

#define NEW_ARRAY(array_type, function, ours)                        \
	static array_type JNICALL ours(JNIEnv *jni, jsize length)    \
	{                                                            \
		return reported(jni, kept()->function(jni, length)); \
	}

NEW_ARRAY(jbooleanArray, NewBooleanArray, new_boolean_array)
NEW_ARRAY(jbyteArray, NewByteArray, new_byte_array)
NEW_ARRAY(jcharArray, NewCharArray, new_char_array)
NEW_ARRAY(jshortArray, NewShortArray, new_short_array)
NEW_ARRAY(jintArray, NewIntArray, new_int_array)
NEW_ARRAY(jlongArray, NewLongArray, new_long_array)
NEW_ARRAY(jfloatArray, NewFloatArray, new_float_array)
NEW_ARRAY(jdoubleArray, NewDoubleArray, new_double_array)

/* The exception that ThrowNew has created and thrown, unless its constructor threw another
 * one. */
static void report_thrown(JNIEnv *jni, jclass class)
{
	jthrowable exception = originals.ExceptionOccurred(jni);
	if (exception == NULL)
		return;
	jclass its_class = originals.GetObjectClass(jni, exception);
	if (originals.IsSameObject(jni, its_class, class))
		report_in_flight(jni, exception, report_one);
	originals.DeleteLocalRef(jni, its_class);
	originals.DeleteLocalRef(jni, exception);
}

static jint JNICALL throw_new(JNIEnv *jni, jclass class, const char *message)
{
	jint result = kept()->ThrowNew(jni, class, message);
	if (result == JNI_OK && atomic_load_explicit(&the_listener, memory_order_relaxed) != NULL)
		report_thrown(jni, class);
	return result;
}

/* ---- the table --------------------------------------------------------- */

/* Function by function: the VM's table has its own length, which may be that of a version
 * older or newer than our headers. */
static void keep_originals(const jniNativeInterface *table)
{
#define KEEP(function, ours) originals.function = table->function;
	ALLOCATING_FUNCTIONS(KEEP)
#undef KEEP
	originals.GetObjectField = table->GetObjectField;
	originals.DeleteLocalRef = table->DeleteLocalRef;
	originals.ExceptionOccurred = table->ExceptionOccurred;
	originals.ExceptionClear = table->ExceptionClear;
	originals.Throw = table->Throw;
	originals.GetObjectClass = table->GetObjectClass;
	originals.IsSameObject = table->IsSameObject;
}

/* Replaces the originals by ours. Other entries are ours already, or another agent's, which may
 * call ours: replacing those would report twice. True if an entry was replaced. */
static bool replace_originals(jniNativeInterface *table)
{
	bool changed = false;
#define REPLACE(function, ours)                      \
	if (table->function == originals.function) { \
		table->function = ours;              \
		changed = true;                      \
	}
	ALLOCATING_FUNCTIONS(REPLACE)
#undef REPLACE
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

/* Changes the VM's copy of its table and passes it back, since it has the VM's length. */
static bool set_functions(jvmtiEnv *jvmti, jniNativeInterface *table)
{
	if (!has_originals)
		keep_originals(table);
	if (replace_originals(table) &&
	    (*jvmti)->SetJNIFunctionTable(jvmti, table) != JVMTI_ERROR_NONE)
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
