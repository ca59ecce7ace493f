/*
 * Tests of which loaded classes are retransformed to find their intrinsics. JVM TI is a
 * fake with a list of classes.
 */
#include "calls/intrinsic_classes.h"
#include "run_suite.h"

#include <string.h>

#define ANNOTATED "\x01\x00\x2cLjdk/internal/vm/annotation/IntrinsicCandidate;"
#define PLAIN "\x01\x00\x03()V"

enum { CLASSES = 4, RETRANSFORMED_MAX = 16 };

struct fake_class {
	const char *constants;
	bool has_loader;
	bool is_modifiable;
	bool fails; /* RetransformClasses, if the class is among the classes */
};

static struct fake_class fakes[CLASSES];
static struct fake_class *retransformed[RETRANSFORMED_MAX];
static unsigned retransformed_count;
static unsigned allocations;
static bool is_hook_enabled;
static int open_frames;
static jint frame_result;
static unsigned cleared_exceptions;

/* ---- the fake ----------------------------------------------------------- */

static struct fake_class *fake_of(jclass class)
{
	return (struct fake_class *)(void *)class;
}

static void *allocate(size_t size)
{
	void *memory = malloc(size);
	ck_assert_ptr_nonnull(memory);
	allocations++;
	return memory;
}

void profile_deallocate(struct profile *profile, void *memory)
{
	(void)profile;
	allocations -= memory != NULL;
	free(memory);
}

static jvmtiError JNICALL get_loaded_classes(jvmtiEnv *env, jint *count, jclass **classes)
{
	(void)env;
	*classes = allocate(sizeof(jclass) * CLASSES);
	for (int i = 0; i < CLASSES; i++)
		(*classes)[i] = (jclass)(void *)&fakes[i];
	*count = CLASSES;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_loader(jvmtiEnv *env, jclass class, jobject *loader)
{
	(void)env;
	*loader = fake_of(class)->has_loader ? (jobject)(void *)&fakes : NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL is_modifiable_class(jvmtiEnv *env, jclass class, jboolean *result)
{
	(void)env;
	*result = fake_of(class)->is_modifiable;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_constant_pool(jvmtiEnv *env, jclass class, jint *count, jint *length,
                                            unsigned char **bytes)
{
	const char *constants = fake_of(class)->constants;
	size_t size = 3 + strlen(constants + 3); /* tag and length, then the text */

	(void)env;
	*bytes = allocate(size + 1);
	memcpy(*bytes, constants, size);
	*count = 1;
	*length = (jint)size;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL enable_event(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event,
                                       jthread thread, ...)
{
	(void)env;
	ck_assert_ptr_null(thread);
	is_hook_enabled = mode == JVMTI_ENABLE && event == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL retransform_classes(jvmtiEnv *env, jint count, const jclass *classes)
{
	(void)env;
	ck_assert(is_hook_enabled);
	for (jint i = 0; i < count; i++) {
		if (fake_of(classes[i])->fails)
			return JVMTI_ERROR_INVALID_CLASS_FORMAT;
	}
	for (jint i = 0; i < count; i++) {
		ck_assert_uint_lt(retransformed_count, RETRANSFORMED_MAX);
		retransformed[retransformed_count++] = fake_of(classes[i]);
	}
	return JVMTI_ERROR_NONE;
}

static jint JNICALL push_frame(JNIEnv *env, jint capacity)
{
	(void)env;
	(void)capacity;
	open_frames += frame_result == JNI_OK;
	return frame_result;
}

static jobject JNICALL pop_frame(JNIEnv *env, jobject result)
{
	(void)env;
	open_frames--;
	return result;
}

static void JNICALL clear_exception(JNIEnv *env)
{
	(void)env;
	cleared_exceptions++;
}

/* ---- tests ---------------------------------------------------------------- */

static void set_up(void)
{
	for (int i = 0; i < CLASSES; i++)
		fakes[i] = (struct fake_class){.constants = PLAIN, .is_modifiable = true};
	retransformed_count = 0;
	allocations = 0;
	is_hook_enabled = false;
	open_frames = 0;
	frame_result = JNI_OK;
	cleared_exceptions = 0;
}

static void retransform(void)
{
	static struct jvmtiInterface_1_ jvmti_functions;
	static struct JNINativeInterface_ jni_functions;
	static jvmtiEnv jvmti = &jvmti_functions;
	static JNIEnv jni = &jni_functions;
	static struct profile profile = {.jvmti = &jvmti};

	jvmti_functions.GetLoadedClasses = get_loaded_classes;
	jvmti_functions.GetClassLoader = get_class_loader;
	jvmti_functions.IsModifiableClass = is_modifiable_class;
	jvmti_functions.GetConstantPool = get_constant_pool;
	jvmti_functions.SetEventNotificationMode = enable_event;
	jvmti_functions.RetransformClasses = retransform_classes;
	jni_functions.PushLocalFrame = push_frame;
	jni_functions.PopLocalFrame = pop_frame;
	jni_functions.ExceptionClear = clear_exception;
	intrinsic_classes_retransform(&profile, &jni);
	ck_assert_uint_eq(allocations, 0);
	ck_assert_int_eq(open_frames, 0);
}

START_TEST(classes_with_the_annotation_are_retransformed)
{
	fakes[1].constants = ANNOTATED;
	fakes[3].constants = ANNOTATED;
	retransform();
	ck_assert_uint_eq(retransformed_count, 2);
	ck_assert_ptr_eq(retransformed[0], &fakes[1]);
	ck_assert_ptr_eq(retransformed[1], &fakes[3]);
}
END_TEST

START_TEST(without_such_classes_the_hook_is_still_enabled)
{
	retransform();
	ck_assert_uint_eq(retransformed_count, 0);
	ck_assert(is_hook_enabled);
}
END_TEST

START_TEST(classes_of_other_loaders_are_not_retransformed)
{
	fakes[0].constants = ANNOTATED;
	fakes[0].has_loader = true;
	retransform();
	ck_assert_uint_eq(retransformed_count, 0);
}
END_TEST

START_TEST(classes_that_are_not_modifiable_are_not_retransformed)
{
	fakes[0].constants = ANNOTATED;
	fakes[0].is_modifiable = false;
	retransform();
	ck_assert_uint_eq(retransformed_count, 0);
}
END_TEST

START_TEST(if_one_class_fails_the_others_are_retransformed)
{
	for (int i = 0; i < CLASSES; i++)
		fakes[i].constants = ANNOTATED;
	fakes[2].fails = true;
	retransform();
	ck_assert_uint_eq(retransformed_count, 3);
	ck_assert_ptr_eq(retransformed[0], &fakes[0]);
	ck_assert_ptr_eq(retransformed[1], &fakes[1]);
	ck_assert_ptr_eq(retransformed[2], &fakes[3]);
}
END_TEST

START_TEST(without_memory_for_references_the_exception_is_cleared)
{
	frame_result = JNI_ENOMEM;
	fakes[0].constants = ANNOTATED;
	retransform();
	ck_assert_uint_eq(retransformed_count, 0);
	ck_assert_uint_eq(cleared_exceptions, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("intrinsic_classes");
	TCase *tests = tcase_create("intrinsic_classes");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, classes_with_the_annotation_are_retransformed);
	tcase_add_test(tests, without_such_classes_the_hook_is_still_enabled);
	tcase_add_test(tests, classes_of_other_loaders_are_not_retransformed);
	tcase_add_test(tests, classes_that_are_not_modifiable_are_not_retransformed);
	tcase_add_test(tests, if_one_class_fails_the_others_are_retransformed);
	tcase_add_test(tests, without_memory_for_references_the_exception_is_cleared);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
