/*
 * Tests of the live threads over the fake VM: names, serials, and what remains after a thread has
 * ended.
 */
#include "java_threads_fixture.h"
#include "vm/java_thread_serials.h"
#include "vm/java_thread_visits.h"

START_TEST(thread_has_its_names)
{
	go_live();
	struct java_thread *thread = start(&first);
	ck_assert_ptr_nonnull(thread);
	ck_assert_uint_eq(written.threads_started, 1);
	ck_assert_ptr_eq(written.started, thread->record);
	ck_assert_str_eq(thread->record->name->text, "first");
	ck_assert_str_eq(thread->record->group->text, "main");
	ck_assert_str_eq(thread->record->parent_group->text, "system");
	ck_assert_ptr_eq(java_threads_current(threads), thread);
	ck_assert_uint_eq(java_threads_serial(threads, fake_jni(), of(&first)), thread->serial);
	ck_assert_uint_eq(java_threads_serial_by_object_id(threads, thread->record->object_id),
	                  thread->serial);
}
END_TEST

START_TEST(early_thread_gets_its_record_in_the_live_phase)
{
	struct java_thread *thread = start(&first);
	ck_assert_ptr_nonnull(thread);
	ck_assert_ptr_null(thread->record);
	ck_assert_uint_eq(java_threads_serial(threads, fake_jni(), of(&first)), 0);
	ck_assert_uint_eq(written.threads_started, 0);

	go_live();
	ck_assert_ptr_eq(written.started, thread->record);
	ck_assert_uint_eq(java_threads_serial(threads, fake_jni(), of(&first)), thread->serial);
}
END_TEST

START_TEST(thread_starts_once)
{
	go_live();
	ck_assert_ptr_nonnull(start(&first));
	ck_assert_ptr_null(java_threads_start(threads, fake_jni(), of(&first)));
	ck_assert_uint_eq(written.threads_started, 1);
}
END_TEST

START_TEST(ended_thread_stays_unknown)
{
	go_live();
	struct java_thread *thread = start(&first);
	atomic_store(&thread->is_notifying, false);
	ck_assert_ptr_eq(java_threads_mark_ending(threads), thread);
	java_threads_end(threads, fake_jni(), thread);
	ck_assert_uint_eq(written.threads_ended, 1);
	ck_assert_ptr_null(java_threads_current(threads));
	ck_assert_uint_eq(java_threads_serial(threads, fake_jni(), of(&first)), 0);
	/* The VM still lists it for a while. */
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 0);
}
END_TEST

static const struct JNINativeInterface_ *functions_before;

/* Meanwhile another thread of the agent starts. */
static jobject JNICALL hide_second(JNIEnv *jni, jobject object)
{
	*jni = functions_before;
	ck_assert(java_threads_hide(threads, jni, of(&second)));
	return (*jni)->NewGlobalRef(jni, object);
}

START_TEST(threads_that_start_at_a_time_are_all_hidden)
{
	JNIEnv *jni = fake_jni();
	struct JNINativeInterface_ functions = **jni;

	functions_before = *jni;
	functions.NewGlobalRef = hide_second;
	*jni = &functions;
	ck_assert(java_threads_hide(threads, jni, of(&first)));
	ck_assert(java_threads_is_hidden(threads, jni, of(&first)));
	ck_assert(java_threads_is_hidden(threads, jni, of(&second)));
}
END_TEST

START_TEST(too_many_are_not_hidden)
{
	while (java_threads_hide(threads, fake_jni(), of(&first)))
		ck_assert_int_lt(atomic_load(&fake_counts.global_refs), 100);
	ck_assert(!java_threads_is_hidden(threads, fake_jni(), of(&second)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("java_threads");
	TCase *tests = tcase_create("threads");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, thread_has_its_names);
	tcase_add_test(tests, early_thread_gets_its_record_in_the_live_phase);
	tcase_add_test(tests, thread_starts_once);
	tcase_add_test(tests, ended_thread_stays_unknown);
	tcase_add_test(tests, threads_that_start_at_a_time_are_all_hidden);
	tcase_add_test(tests, too_many_are_not_hidden);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
