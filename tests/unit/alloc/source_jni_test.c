/* marks: tsan */
/*
 * Tests of the functions in front of the VM's JNI functions, against a table and a JVM TI
 * environment of our own: each object is told once, and calls reach the VM as they were
 * made.
 */
#include "alloc/source_jni.h"
#include "run_suite.h"

#include "os/os.h"
#include "vm/active_callbacks.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- a VM -------------------------------------------------------------- */

/* What the VM gives out: the addresses of these stand for references. */
static char the_class, the_object, the_string, the_value, the_array, the_element, the_exception;
static char the_constructor, the_field;

#define REFERENCE(marker) ((jobject)(void *)&(marker))
#define CONSTRUCTOR ((jmethodID)(void *)&the_constructor)

static struct JNINativeInterface_ vm_table;
static JNIEnv the_env = &vm_table;
static JNIEnv *const jni = &the_env;

static bool fails;        /* the VM makes no objects */
static bool no_field;     /* strings have no array */
static bool empty_field;  /* it is NULL */
static jobject pending;   /* the exception */
static int calls;         /* of the VM's functions that make objects */
static int deleted;       /* references to arrays of strings */
static jsize last_length; /* the arguments of the last one */
static const void *last_pointer;
static jint last_int;
static jlong last_long;
static jdouble last_double;

/* Hands out an object, as one of the VM's functions. */
static jobject give(JNIEnv *env, jobject object)
{
	ck_assert_ptr_eq(env, jni);
	calls++;
	return fails ? NULL : object;
}

static jobject JNICALL vm_alloc_object(JNIEnv *env, jclass class)
{
	ck_assert_ptr_eq(class, REFERENCE(the_class));
	return give(env, REFERENCE(the_object));
}

/* The constructor takes an int, a long and a double. */
static jobject JNICALL vm_new_object_v(JNIEnv *env, jclass class, jmethodID constructor,
                                       va_list arguments)
{
	ck_assert_ptr_eq(class, REFERENCE(the_class));
	ck_assert_ptr_eq(constructor, CONSTRUCTOR);
	last_int = va_arg(arguments, jint);
	last_long = va_arg(arguments, jlong);
	last_double = va_arg(arguments, jdouble);
	return give(env, REFERENCE(the_object));
}

static jobject JNICALL vm_new_object(JNIEnv *env, jclass class, jmethodID constructor, ...)
{
	va_list arguments;

	va_start(arguments, constructor);
	jobject object = vm_new_object_v(env, class, constructor, arguments);
	va_end(arguments);
	return object;
}

static jobject JNICALL vm_new_object_a(JNIEnv *env, jclass class, jmethodID constructor,
                                       const jvalue *arguments)
{
	ck_assert_ptr_eq(class, REFERENCE(the_class));
	ck_assert_ptr_eq(constructor, CONSTRUCTOR);
	last_pointer = arguments;
	return give(env, REFERENCE(the_object));
}

static jstring JNICALL vm_new_string(JNIEnv *env, const jchar *characters, jsize length)
{
	last_pointer = characters;
	last_length = length;
	return give(env, REFERENCE(the_string));
}

static jstring JNICALL vm_new_string_utf(JNIEnv *env, const char *bytes)
{
	last_pointer = bytes;
	return give(env, REFERENCE(the_string));
}

static jobjectArray JNICALL vm_new_object_array(JNIEnv *env, jsize length, jclass class,
                                                jobject first)
{
	ck_assert_ptr_eq(class, REFERENCE(the_class));
	ck_assert_ptr_eq(first, REFERENCE(the_element));
	last_length = length;
	return give(env, REFERENCE(the_array));
}

/* The types of elements, and what tells their arrays apart. */
#define ELEMENTS(X)            \
	X(Boolean, boolean, 0) \
	X(Byte, byte, 1)       \
	X(Char, char, 2)       \
	X(Short, short, 3)     \
	X(Int, int, 4)         \
	X(Long, long, 5)       \
	X(Float, float, 6)     \
	X(Double, double, 7)

enum { ELEMENT_TYPES = 8 };

static char the_arrays[ELEMENT_TYPES];

#define VM_NEW_ARRAY(Name, name, index)                                                \
	static j##name##Array JNICALL vm_new_##name##_array(JNIEnv *env, jsize length) \
	{                                                                              \
		last_length = length;                                                  \
		return give(env, REFERENCE(the_arrays[index]));                        \
	}

ELEMENTS(VM_NEW_ARRAY)

static jclass JNICALL vm_find_class(JNIEnv *env, const char *name)
{
	(void)env;
	ck_assert_str_eq(name, "java/lang/String");
	return REFERENCE(the_class);
}

static jfieldID JNICALL vm_get_field_id(JNIEnv *env, jclass class, const char *name,
                                        const char *signature)
{
	(void)env;
	ck_assert_ptr_eq(class, REFERENCE(the_class));
	ck_assert_str_eq(name, "value");
	ck_assert_str_eq(signature, "[B");
	if (!no_field)
		return (jfieldID)(void *)&the_field;
	pending = REFERENCE(the_exception);
	return NULL;
}

static jobject JNICALL vm_get_object_field(JNIEnv *env, jobject object, jfieldID field)
{
	(void)env;
	ck_assert_ptr_eq(object, REFERENCE(the_string));
	ck_assert_ptr_eq(field, (void *)&the_field);
	return empty_field ? NULL : REFERENCE(the_value);
}

static void JNICALL vm_delete_local_ref(JNIEnv *env, jobject object)
{
	(void)env;
	if (object == REFERENCE(the_value))
		deleted++;
}

static jthrowable JNICALL vm_exception_occurred(JNIEnv *env)
{
	(void)env;
	return pending;
}

static void JNICALL vm_exception_clear(JNIEnv *env)
{
	(void)env;
	pending = NULL;
}

static jint JNICALL vm_throw(JNIEnv *env, jthrowable exception)
{
	(void)env;
	pending = exception;
	return JNI_OK;
}

static char another_class;
static bool throws_another; /* the constructor throws an exception itself */

static jint JNICALL vm_throw_new(JNIEnv *env, jclass class, const char *message)
{
	(void)env;
	ck_assert_ptr_eq(class, REFERENCE(the_class));
	last_pointer = message;
	calls++;
	if (fails)
		return JNI_ERR;
	pending = REFERENCE(the_exception);
	return JNI_OK;
}

static jclass JNICALL vm_get_object_class(JNIEnv *env, jobject object)
{
	(void)env;
	ck_assert_ptr_eq(object, REFERENCE(the_exception));
	return throws_another ? REFERENCE(another_class) : REFERENCE(the_class);
}

static jboolean JNICALL vm_is_same_object(JNIEnv *env, jobject one, jobject other)
{
	(void)env;
	return one == other;
}

#define SET_NEW_ARRAY(Name, name, index) vm_table.New##Name##Array = vm_new_##name##_array;

static void fill_table(void)
{
	memset(&vm_table, 0, sizeof(vm_table));
	vm_table.AllocObject = vm_alloc_object;
	vm_table.NewObject = vm_new_object;
	vm_table.NewObjectV = vm_new_object_v;
	vm_table.NewObjectA = vm_new_object_a;
	vm_table.NewString = vm_new_string;
	vm_table.NewStringUTF = vm_new_string_utf;
	vm_table.NewObjectArray = vm_new_object_array;
	vm_table.FindClass = vm_find_class;
	vm_table.GetFieldID = vm_get_field_id;
	vm_table.GetObjectField = vm_get_object_field;
	vm_table.DeleteLocalRef = vm_delete_local_ref;
	vm_table.ExceptionOccurred = vm_exception_occurred;
	vm_table.ExceptionClear = vm_exception_clear;
	vm_table.Throw = vm_throw;
	vm_table.ThrowNew = vm_throw_new;
	vm_table.GetObjectClass = vm_get_object_class;
	vm_table.IsSameObject = vm_is_same_object;
	ELEMENTS(SET_NEW_ARRAY)
}

/* ---- its JVM TI -------------------------------------------------------- */

static bool gives_no_table, takes_no_table;
static int tables_set;
static int held; /* copies of the table that were given out and not taken back */

static jvmtiError JNICALL get_table(jvmtiEnv *env, jniNativeInterface **table)
{
	(void)env;
	if (gives_no_table)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*table = malloc(sizeof(vm_table));
	ck_assert_ptr_nonnull(*table);
	memcpy(*table, &vm_table, sizeof(vm_table));
	held++;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_table(jvmtiEnv *env, const jniNativeInterface *table)
{
	(void)env;
	if (takes_no_table)
		return JVMTI_ERROR_WRONG_PHASE;
	memcpy(&vm_table, table, sizeof(vm_table));
	tables_set++;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL take_back(jvmtiEnv *env, unsigned char *memory)
{
	(void)env;
	ck_assert_ptr_nonnull(memory);
	held--;
	free(memory);
	return JVMTI_ERROR_NONE;
}

static const struct jvmtiInterface_1_ jvmti_functions = {.SetJNIFunctionTable = set_table,
                                                         .GetJNIFunctionTable = get_table,
                                                         .Deallocate = take_back};

/* ---- who listens ------------------------------------------------------- */

enum { TOLD_MAX = 8 };

static jobject told[TOLD_MAX];
static int reported_count;
static jobject pending_when_told;

static void listen(void *argument, JNIEnv *env, jobject object)
{
	ck_assert_ptr_eq(argument, &reported_count);
	ck_assert_ptr_eq(env, jni);
	ck_assert_int_lt(reported_count, TOLD_MAX);
	ck_assert(!active_callbacks_wait(0));
	told[reported_count++] = object;
	pending_when_told = pending;
}

static const struct source_jni_listener listener = {listen, &reported_count};
static const struct source_jni_listener another_listener = {listen, &reported_count};

static bool begin_with(const struct source_jni_listener *who)
{
	jvmtiEnv jvmti = &jvmti_functions;
	bool begun = source_jni_begin(&jvmti, jni, who);
	ck_assert_int_eq(held, 0);
	return begun;
}

static void begin(void)
{
	ck_assert(begin_with(&listener));
}

/* That these were told since the last time, and no more; second may be NULL. */
static void assert_reported(jobject first, jobject second)
{
	ck_assert_int_eq(reported_count, second != NULL ? 2 : 1);
	ck_assert_ptr_eq(told[0], first);
	if (second != NULL)
		ck_assert_ptr_eq(told[1], second);
	reported_count = 0;
}

static jobject make_object(void)
{
	return (*jni)->AllocObject(jni, REFERENCE(the_class));
}

static jobject construct(jint small, jlong large, jdouble real)
{
	return (*jni)->NewObject(jni, REFERENCE(the_class), CONSTRUCTOR, small, large, real);
}

static jobject construct_by_list(int unused, ...)
{
	va_list arguments;

	va_start(arguments, unused);
	jobject object = (*jni)->NewObjectV(jni, REFERENCE(the_class), CONSTRUCTOR, arguments);
	va_end(arguments);
	return object;
}

static jobject construct_by_values(const jvalue *values)
{
	return (*jni)->NewObjectA(jni, REFERENCE(the_class), CONSTRUCTOR, values);
}

static jobject make_array(void)
{
	return (*jni)->NewObjectArray(jni, 5, REFERENCE(the_class), REFERENCE(the_element));
}

#define MAKE_ARRAY(Name, name, index) (*jni)->New##Name##Array(jni, 10 + (index)),

/* Calls each of the functions that make objects once. */
enum { FUNCTIONS = 15 };

static void make_all(jobject made[FUNCTIONS])
{
	const jobject all[FUNCTIONS] = {make_object(),
	                                construct(1, 2, 3),
	                                construct_by_list(0, 1, (jlong)2, (jdouble)3),
	                                construct_by_values(NULL),
	                                (*jni)->NewString(jni, NULL, 0),
	                                (*jni)->NewStringUTF(jni, ""),
	                                make_array(),
	                                ELEMENTS(MAKE_ARRAY)};
	memcpy(made, all, sizeof(all));
}

/* ---- tests ------------------------------------------------------------- */

START_TEST(objects_are_reported)
{
	jvalue values[3];

	begin();
	ck_assert_ptr_eq(make_object(), REFERENCE(the_object));
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_ptr_eq(construct_by_values(values), REFERENCE(the_object));
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_ptr_eq(last_pointer, values);
	ck_assert_int_eq(calls, 2);
}
END_TEST

START_TEST(arguments_of_constructors_arrive)
{
	const jlong large = (jlong)1 << 40;

	begin();
	ck_assert_ptr_eq(construct(7, large, 0.5), REFERENCE(the_object));
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_int_eq(last_int, 7);
	ck_assert(last_long == large && last_double == 0.5);
	ck_assert_ptr_eq(construct_by_list(0, 8, -large, -0.5), REFERENCE(the_object));
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_int_eq(last_int, 8);
	ck_assert(last_long == -large && last_double == -0.5);
	ck_assert_int_eq(calls, 2);
}
END_TEST

START_TEST(arrays_are_reported)
{
	begin();
	ck_assert_ptr_eq(make_array(), REFERENCE(the_array));
	assert_reported(REFERENCE(the_array), NULL);
	ck_assert_int_eq(last_length, 5);
}
END_TEST

#define CHECK_ARRAY(Name, name, index)                                \
	ck_assert_ptr_eq((*jni)->New##Name##Array(jni, 10 + (index)), \
	                 REFERENCE(the_arrays[index]));               \
	assert_reported(REFERENCE(the_arrays[index]), NULL);              \
	ck_assert_int_eq(last_length, 10 + (index));

START_TEST(arrays_of_each_primitive_type_are_reported)
{
	begin();
	ELEMENTS(CHECK_ARRAY)
	ck_assert_int_eq(calls, ELEMENT_TYPES);
}
END_TEST

START_TEST(strings_are_reported_with_their_arrays)
{
	static const jchar characters[] = {'a', 'b'};
	static const char bytes[] = "ab";

	begin();
	ck_assert_ptr_eq((*jni)->NewString(jni, characters, 2), REFERENCE(the_string));
	assert_reported(REFERENCE(the_string), REFERENCE(the_value));
	ck_assert_ptr_eq(last_pointer, characters);
	ck_assert_int_eq(last_length, 2);
	ck_assert_ptr_eq((*jni)->NewStringUTF(jni, bytes), REFERENCE(the_string));
	assert_reported(REFERENCE(the_string), REFERENCE(the_value));
	ck_assert_ptr_eq(last_pointer, bytes);
	ck_assert_int_eq(calls, 2);
	ck_assert_int_eq(deleted, 2);
}
END_TEST

START_TEST(strings_without_an_array_are_reported_alone)
{
	no_field = true;
	begin();
	ck_assert_ptr_null(pending);
	ck_assert_ptr_eq((*jni)->NewStringUTF(jni, ""), REFERENCE(the_string));
	assert_reported(REFERENCE(the_string), NULL);
}
END_TEST

START_TEST(strings_with_an_empty_field_are_reported_alone)
{
	empty_field = true;
	begin();
	ck_assert_ptr_eq((*jni)->NewStringUTF(jni, ""), REFERENCE(the_string));
	assert_reported(REFERENCE(the_string), NULL);
	ck_assert_int_eq(deleted, 0);
}
END_TEST

START_TEST(what_was_not_made_is_not_reported)
{
	jobject made[FUNCTIONS];

	begin();
	fails = true;
	make_all(made);
	for (int i = 0; i < FUNCTIONS; i++)
		ck_assert_ptr_null(made[i]);
	ck_assert_int_eq(calls, FUNCTIONS);
	ck_assert_int_eq(reported_count, 0);
}
END_TEST

START_TEST(an_exception_from_before_is_put_aside)
{
	begin();
	pending = REFERENCE(the_exception);
	ck_assert_ptr_eq(make_object(), REFERENCE(the_object));
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_ptr_null(pending_when_told);
	ck_assert_ptr_eq(pending, REFERENCE(the_exception));
}
END_TEST

START_TEST(an_exception_that_is_thrown_is_reported)
{
	begin();
	ck_assert_int_eq((*jni)->ThrowNew(jni, REFERENCE(the_class), "why"), JNI_OK);
	ck_assert_str_eq(last_pointer, "why");
	assert_reported(REFERENCE(the_exception), NULL);
	ck_assert_ptr_null(pending_when_told);
	ck_assert_ptr_eq(pending, REFERENCE(the_exception));
}
END_TEST

START_TEST(an_exception_that_another_made_is_not_told_again)
{
	begin();
	throws_another = true;
	ck_assert_int_eq((*jni)->ThrowNew(jni, REFERENCE(the_class), NULL), JNI_OK);
	throws_another = false;
	pending = NULL;
	fails = true;
	ck_assert_int_eq((*jni)->ThrowNew(jni, REFERENCE(the_class), NULL), JNI_ERR);
	ck_assert_int_eq(reported_count, 0);
}
END_TEST

START_TEST(nothing_is_reported_after_the_end)
{
	jobject made[FUNCTIONS];

	begin();
	source_jni_end(&listener);
	make_all(made);
	ck_assert_int_eq(calls, FUNCTIONS);
	ck_assert_int_eq(reported_count, 0);
	for (int i = 0; i < FUNCTIONS; i++)
		ck_assert_ptr_nonnull(made[i]);
	ck_assert(active_callbacks_wait(0));
}
END_TEST

START_TEST(a_second_beginning_puts_nothing_in_front_of_the_first)
{
	begin();
	begin();
	ck_assert_int_eq(tables_set, 1);
	make_object();
	assert_reported(REFERENCE(the_object), NULL);
	source_jni_end(&listener);
	ck_assert(begin_with(&another_listener));
	ck_assert_int_eq(tables_set, 1);
	construct(1, 2, 3);
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_int_eq(calls, 2);
}
END_TEST

START_TEST(the_end_of_one_listener_is_not_that_of_another)
{
	begin();
	source_jni_end(&listener);
	ck_assert(begin_with(&another_listener));
	source_jni_end(&listener);
	make_object();
	assert_reported(REFERENCE(the_object), NULL);
}
END_TEST

static atomic_long told_elsewhere;
static atomic_bool enough;

static void count(void *argument, JNIEnv *env, jobject object)
{
	(void)argument;
	(void)env;
	(void)object;
	atomic_fetch_add(&told_elsewhere, 1);
}

static void make_many(void *argument)
{
	(void)argument;
	while (!atomic_load(&enough))
		make_object();
}

START_TEST(who_has_been_waited_for_tells_no_more)
{
	const struct source_jni_listener counter = {count, NULL};
	struct os_thread_handle thread;

	ck_assert(begin_with(&counter));
	ck_assert_int_eq(os_thread_start(&thread, make_many, NULL), 0);
	while (atomic_load(&told_elsewhere) < 1000)
		os_sleep_until(os_monotonic_ns() + 100000);
	source_jni_end(&counter);
	bool left = active_callbacks_wait(10000);
	long before = atomic_load(&told_elsewhere);
	os_sleep_until(os_monotonic_ns() + 1000000);
	long after = atomic_load(&told_elsewhere);
	atomic_store(&enough, true);
	os_thread_join(&thread);
	ck_assert(left);
	ck_assert_int_eq(before, after);
}
END_TEST

/* Another agent's, in front of ours. */
static jobject(JNICALL *behind)(JNIEnv *, jclass);
static int passed;

static jobject JNICALL pass_on(JNIEnv *env, jclass class)
{
	passed++;
	return behind(env, class);
}

START_TEST(another_agent_in_front_stays_there)
{
	begin();
	behind = vm_table.AllocObject;
	vm_table.AllocObject = pass_on;
	source_jni_end(&listener);
	begin();
	make_object();
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_int_eq(passed, 1);
	ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(a_table_that_was_put_back_is_changed_again)
{
	begin();
	source_jni_end(&listener);
	fill_table();
	begin();
	make_object();
	assert_reported(REFERENCE(the_object), NULL);
	ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(a_vm_that_gives_or_takes_no_table_is_left_alone)
{
	const struct JNINativeInterface_ before = vm_table;

	gives_no_table = true;
	ck_assert(!begin_with(&listener));
	gives_no_table = false;
	takes_no_table = true;
	ck_assert(!begin_with(&listener));
	ck_assert_int_eq(memcmp(&before, &vm_table, sizeof(before)), 0);
	takes_no_table = false;
	begin();
	make_object();
	assert_reported(REFERENCE(the_object), NULL);
}
END_TEST

START_TEST(other_functions_stay_the_vm_s)
{
	begin();
	ck_assert(vm_table.FindClass == vm_find_class);
	ck_assert(vm_table.GetObjectField == vm_get_object_field);
	ck_assert(vm_table.GetVersion == NULL);
	ck_assert(vm_table.NewDirectByteBuffer == NULL);
}
END_TEST

/* The VM as it is at first. Where tests share a process, ours have been in its table, and
 * the field of strings is known once it was found. */
static void set_up(void)
{
	fill_table();
	fails = no_field = empty_field = gives_no_table = takes_no_table = false;
	pending = pending_when_told = NULL;
	calls = deleted = tables_set = held = reported_count = passed = 0;
	source_jni_end(&listener);
	source_jni_end(&another_listener);
}

/* The first: see set_up(). */
static TCase *without_the_field(void)
{
	TCase *tests = tcase_create("without the field");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, strings_without_an_array_are_reported_alone);
	return tests;
}

static TCase *telling(void)
{
	TCase *tests = tcase_create("telling");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, objects_are_reported);
	tcase_add_test(tests, arguments_of_constructors_arrive);
	tcase_add_test(tests, arrays_are_reported);
	tcase_add_test(tests, arrays_of_each_primitive_type_are_reported);
	tcase_add_test(tests, strings_are_reported_with_their_arrays);
	tcase_add_test(tests, strings_with_an_empty_field_are_reported_alone);
	tcase_add_test(tests, what_was_not_made_is_not_reported);
	tcase_add_test(tests, an_exception_from_before_is_put_aside);
	tcase_add_test(tests, an_exception_that_is_thrown_is_reported);
	tcase_add_test(tests, an_exception_that_another_made_is_not_told_again);
	return tests;
}

static TCase *the_table(void)
{
	TCase *tests = tcase_create("the table");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, nothing_is_reported_after_the_end);
	tcase_add_test(tests, who_has_been_waited_for_tells_no_more);
	tcase_add_test(tests, a_second_beginning_puts_nothing_in_front_of_the_first);
	tcase_add_test(tests, the_end_of_one_listener_is_not_that_of_another);
	tcase_add_test(tests, another_agent_in_front_stays_there);
	tcase_add_test(tests, a_table_that_was_put_back_is_changed_again);
	tcase_add_test(tests, a_vm_that_gives_or_takes_no_table_is_left_alone);
	tcase_add_test(tests, other_functions_stay_the_vm_s);
	return tests;
}

int main(void)
{
	Suite *suite = suite_create("jni_allocations");

	suite_add_tcase(suite, without_the_field());
	suite_add_tcase(suite, telling());
	suite_add_tcase(suite, the_table());
	return run_suite(suite);
}
