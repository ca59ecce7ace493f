/*
 * Tests of visits to the threads of the fake VM: those that exist, and those that are known.
 */
#include "java_threads_fixture.h"
#include "vm/java_thread_visits.h"

START_TEST(existing_threads_are_added_once)
{
	go_live();
	ck_assert_ptr_nonnull(start(&first));
	fake_attach(&second);
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 1);
	ck_assert_str_eq(last_notified->record->name->text, "second");
	ck_assert_uint_eq(last_notified->vm_address, 4711);
	ck_assert(!atomic_load(&last_notified->is_notifying));
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 1);
	ck_assert_ptr_null(java_threads_start(threads, fake_jni(), of(&second)));
}
END_TEST

START_TEST(existing_threads_that_the_vm_hides_are_counted)
{
	go_live();
	vm_finds_threads = false;
	fake_attach(&first);
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 1);
	ck_assert_uint_eq(notified, 0);
	ck_assert_uint_eq(written.threads_started, 0);
}
END_TEST

START_TEST(terminated_thread_is_not_added)
{
	go_live();
	fake_attach(&first);
	first.has_ended = true;
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 0);
}
END_TEST

START_TEST(agent_thread_is_hidden)
{
	go_live();
	ck_assert(java_threads_hide(threads, fake_jni(), of(&first)));
	ck_assert_ptr_null(start(&first));
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 0);
	ck_assert_uint_eq(written.threads_started, 0);
}
END_TEST

START_TEST(unknown_thread_that_ends_is_not_added)
{
	go_live();
	fake_attach(&first);
	ck_assert_ptr_null(java_threads_mark_ending(threads));
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 0);
}
END_TEST

START_TEST(known_threads_are_notified_unless_they_end)
{
	go_live();
	atomic_store(&start(&first)->is_notifying, false);
	struct java_thread *ending = start(&second);
	atomic_store(&ending->is_notifying, false);
	ck_assert_ptr_eq(java_threads_mark_ending(threads), ending);
	ck_assert_uint_eq(java_threads_notify_known(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 1);
	ck_assert_str_eq(last_notified->record->name->text, "first");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("java_thread_visits");
	TCase *tests = tcase_create("visits");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, existing_threads_are_added_once);
	tcase_add_test(tests, existing_threads_that_the_vm_hides_are_counted);
	tcase_add_test(tests, terminated_thread_is_not_added);
	tcase_add_test(tests, agent_thread_is_hidden);
	tcase_add_test(tests, unknown_thread_that_ends_is_not_added);
	tcase_add_test(tests, known_threads_are_notified_unless_they_end);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
