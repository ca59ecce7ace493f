/*
 * Test of frames of local references.
 */
#include "profile/jni_frame.h"
#include "run_suite.h"

enum { CAPACITY = 7 };

static struct {
	bool has_memory;
	bool thrown;
	jint asked;
	int depth;
} vm;

static jint JNICALL push_frame(JNIEnv *jni, jint capacity)
{
	(void)jni;
	vm.asked = capacity;
	vm.thrown = !vm.has_memory;
	vm.depth += vm.has_memory;
	return vm.has_memory ? JNI_OK : JNI_ENOMEM;
}

static jobject JNICALL pop_frame(JNIEnv *jni, jobject kept)
{
	(void)jni;
	ck_assert_ptr_null(kept);
	vm.depth--;
	return NULL;
}

static void JNICALL clear_exception(JNIEnv *jni)
{
	(void)jni;
	vm.thrown = false;
}

static struct JNINativeInterface_ functions = {.PushLocalFrame = push_frame,
                                               .PopLocalFrame = pop_frame,
                                               .ExceptionClear = clear_exception};
static JNIEnv jni = &functions;

START_TEST(a_frame_begins_with_its_capacity_and_ends)
{
	vm.has_memory = true;
	ck_assert(jni_frame_push(&jni, CAPACITY));
	ck_assert_int_eq(vm.asked, CAPACITY);
	ck_assert_int_eq(vm.depth, 1);
	jni_frame_pop(&jni);
	ck_assert_int_eq(vm.depth, 0);
}
END_TEST

START_TEST(without_memory_no_frame_begins_and_no_exception_is_pending)
{
	vm.has_memory = false;
	ck_assert(!jni_frame_push(&jni, CAPACITY));
	ck_assert_int_eq(vm.depth, 0);
	ck_assert(!vm.thrown);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jni_frame");
	TCase *tests = tcase_create("frames");

	tcase_add_test(tests, a_frame_begins_with_its_capacity_and_ends);
	tcase_add_test(tests, without_memory_no_frame_begins_and_no_exception_is_pending);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
