/*
 * Tests of the thread that runs on a platform thread, and of its serial: a virtual thread if one is
 * mounted there. The VM's extension function and the table of threads are fakes.
 */
#include "sampling/runner.h"
#include "run_suite.h"
#include "vm/java_thread_serials.h"

enum { OWN_SERIAL = 7, VIRTUAL_SERIAL = 8 };

static char carrier_memory;
static char virtual_memory;
#define CARRIER ((jthread)(void *)&carrier_memory)
#define VIRTUAL ((jthread)(void *)&virtual_memory)

static jvmtiEnv jvmti;
static struct JNINativeInterface_ jni_functions;
static JNIEnv jni = &jni_functions;
static struct profile profile = {.jvmti = &jvmti};

/* What the fakes answer, and how often they were asked. */
static jthread mounted;
static jvmtiError error;
static uint32_t serial;
static int questions;
static int serials;

/* ---- fakes ------------------------------------------------------------- */

static jvmtiError JNICALL find(jvmtiEnv *its_jvmti, ...)
{
	va_list arguments;

	ck_assert_ptr_eq(its_jvmti, &jvmti);
	va_start(arguments, its_jvmti);
	ck_assert_ptr_eq(va_arg(arguments, jthread), CARRIER);
	*va_arg(arguments, jthread *) = mounted;
	va_end(arguments);
	questions++;
	return error;
}

uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *its_jni, jthread object)
{
	ck_assert_ptr_eq(threads, profile.threads);
	ck_assert_ptr_eq(its_jni, &jni);
	ck_assert_ptr_eq(object, VIRTUAL);
	serials++;
	return serial;
}

/* ---- tests ------------------------------------------------------------- */

static void set_up(void)
{
	static char threads_memory;

	profile.threads = (struct java_threads *)(void *)&threads_memory;
	mounted = VIRTUAL;
	error = JVMTI_ERROR_NONE;
	serial = VIRTUAL_SERIAL;
	questions = 0;
	serials = 0;
}

START_TEST(the_runner_is_the_virtual_thread_that_is_mounted)
{
	ck_assert_ptr_eq(runner_of(&profile, find, CARRIER), VIRTUAL);
	ck_assert_int_eq(questions, 1);
}
END_TEST

START_TEST(without_a_virtual_thread_the_runner_is_the_thread_itself)
{
	mounted = NULL;
	ck_assert_ptr_eq(runner_of(&profile, find, CARRIER), CARRIER);
	ck_assert_int_eq(questions, 1);
}
END_TEST

START_TEST(after_an_error_the_runner_is_the_thread_itself)
{
	error = JVMTI_ERROR_THREAD_NOT_ALIVE;
	ck_assert_ptr_eq(runner_of(&profile, find, CARRIER), CARRIER);
	ck_assert_int_eq(questions, 1);
}
END_TEST

START_TEST(without_the_extension_function_the_runner_is_the_thread_itself)
{
	ck_assert_ptr_eq(runner_of(&profile, NULL, CARRIER), CARRIER);
}
END_TEST

static uint32_t serial_of(jthread runner, bool virtual_threads)
{
	return runner_serial(&profile, &jni, CARRIER, runner, virtual_threads, OWN_SERIAL);
}

START_TEST(a_virtual_thread_has_its_own_serial_with_the_option)
{
	ck_assert_uint_eq(serial_of(VIRTUAL, true), VIRTUAL_SERIAL);
	ck_assert_int_eq(serials, 1);
}
END_TEST

START_TEST(a_virtual_thread_has_the_serial_of_its_carrier_without_the_option)
{
	ck_assert_uint_eq(serial_of(VIRTUAL, false), OWN_SERIAL);
	ck_assert_int_eq(serials, 0);
}
END_TEST

START_TEST(a_virtual_thread_that_can_not_be_added_has_the_serial_of_its_carrier)
{
	serial = 0;
	ck_assert_uint_eq(serial_of(VIRTUAL, true), OWN_SERIAL);
	ck_assert_int_eq(serials, 1);
}
END_TEST

START_TEST(the_thread_itself_is_not_looked_up)
{
	ck_assert_uint_eq(serial_of(CARRIER, true), OWN_SERIAL);
	ck_assert_uint_eq(serial_of(CARRIER, false), OWN_SERIAL);
	ck_assert_int_eq(serials, 0);
}
END_TEST

static Suite *runner_suite(void)
{
	Suite *suite = suite_create("runner");
	TCase *tests = tcase_create("runner");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, the_runner_is_the_virtual_thread_that_is_mounted);
	tcase_add_test(tests, without_a_virtual_thread_the_runner_is_the_thread_itself);
	tcase_add_test(tests, after_an_error_the_runner_is_the_thread_itself);
	tcase_add_test(tests, without_the_extension_function_the_runner_is_the_thread_itself);
	tcase_add_test(tests, a_virtual_thread_has_its_own_serial_with_the_option);
	tcase_add_test(tests, a_virtual_thread_has_the_serial_of_its_carrier_without_the_option);
	tcase_add_test(tests, a_virtual_thread_that_can_not_be_added_has_the_serial_of_its_carrier);
	tcase_add_test(tests, the_thread_itself_is_not_looked_up);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(runner_suite());
}
