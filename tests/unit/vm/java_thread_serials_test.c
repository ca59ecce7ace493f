/*
 * Tests of the serials of virtual threads over the fake VM.
 */
#include "java_threads_fixture.h"
#include "vm/java_thread_serials.h"

START_TEST(mounted_thread_is_added_with_the_serial_of_its_samples)
{
	enum { SERIAL = 200100, LATER = 200101 };
	struct mounted_serial mounted = {SERIAL | MOUNTED_NEW};

	go_live();
	ck_assert_uint_eq(
	        java_threads_add_mounted(threads, fake_jni(), of(&first), &mounted, SERIAL),
	        SERIAL);
	ck_assert_uint_eq(written.threads_started, 1);
	ck_assert_uint_eq(written.started->serial, SERIAL);
	ck_assert_str_eq(written.started->name->text, "first");
	ck_assert_uint_eq(java_threads_serial_by_object_id(threads, written.started->object_id),
	                  SERIAL);
	/* It is known: another new serial is not its own. */
	atomic_store(&mounted.state, LATER | MOUNTED_NEW);
	ck_assert_uint_eq(
	        java_threads_add_mounted(threads, fake_jni(), of(&first), &mounted, LATER), SERIAL);
	ck_assert_uint_eq(written.threads_started, 1);
}
END_TEST

START_TEST(thread_that_is_mounted_no_more_is_not_added)
{
	enum { SERIAL = 200100 };
	struct mounted_serial mounted = {MOUNTED_NOTHING};

	go_live();
	ck_assert_uint_eq(
	        java_threads_add_mounted(threads, fake_jni(), of(&first), &mounted, SERIAL),
	        SERIAL);
	ck_assert_uint_eq(written.threads_started, 0);
}
END_TEST

START_TEST(ended_virtual_thread_stays_unknown)
{
	enum { SERIAL = 200100, LATER = 200101 };
	struct mounted_serial mounted = {SERIAL | MOUNTED_NEW};

	settings.virtual_threads = true;
	go_live();
	(void)java_threads_add_mounted(threads, fake_jni(), of(&first), &mounted, SERIAL);
	fake_attach(&first);
	java_threads_end(threads, fake_jni(), java_threads_current(threads));
	ck_assert_uint_eq(written.threads_ended, 1);
	atomic_store(&mounted.state, LATER | MOUNTED_NEW);
	ck_assert_uint_eq(
	        java_threads_add_mounted(threads, fake_jni(), of(&first), &mounted, LATER), 0);
	ck_assert_uint_eq(java_threads_serial(threads, fake_jni(), of(&first)), 0);
	ck_assert_uint_eq(written.threads_started, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("java_thread_serials");
	TCase *tests = tcase_create("serials");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, mounted_thread_is_added_with_the_serial_of_its_samples);
	tcase_add_test(tests, thread_that_is_mounted_no_more_is_not_added);
	tcase_add_test(tests, ended_virtual_thread_stays_unknown);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
