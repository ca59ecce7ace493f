/*
 * Tests of the entries of threads that wait for monitors.
 */
#include "monitor/monitor_threads.h"
#include "monitor_vm.h"
#include "run_suite.h"

static struct vm_object lock;
static struct vm_object other_lock;
static struct vm_object platform_thread;
static struct vm_object virtual_thread;
static struct monitor_threads *threads;

static void set_up(void)
{
	monitor_vm_set_up();
	platform_thread = (struct vm_object){.java_thread = {.serial = 200001}};
	virtual_thread = (struct vm_object){.java_thread = {.serial = 200002, .is_virtual = true}};
	platform_thread.java_thread.record = (struct thread_record *)(void *)&platform_thread;
	virtual_thread.java_thread.record = (struct thread_record *)(void *)&virtual_thread;
	threads = monitor_threads_create(&profile);
	ck_assert_ptr_nonnull(threads);
}

static void tear_down(void)
{
	monitor_threads_release(threads, vm_jni());
	monitor_threads_destroy(threads);
	monitor_vm_tear_down();
}

/* The entry of that thread, as the thread itself gets it. */
static struct monitor_thread *registered(struct vm_object *thread)
{
	vm.current = thread;
	return monitor_threads_register(threads, vm_jni(), vm_ref(thread));
}

static struct monitor_thread_view *view(size_t expected)
{
	size_t count = SIZE_MAX;
	struct monitor_thread_view *views = monitor_threads_view(threads, vm_jni(), &count);
	ck_assert_ptr_nonnull(views);
	ck_assert_uint_eq(count, expected);
	return views;
}

START_TEST(a_thread_has_one_entry_from_its_first_wait)
{
	vm.current = &platform_thread;
	ck_assert_ptr_null(monitor_threads_current(threads));
	struct monitor_thread *entry = registered(&platform_thread);
	ck_assert_ptr_nonnull(entry);
	ck_assert_uint_eq(entry->serial, 200001);
	ck_assert_ptr_eq(registered(&platform_thread), entry);
	ck_assert_ptr_eq(monitor_threads_current(threads), entry);
	ck_assert_ptr_ne(registered(&virtual_thread), entry);
	free(view(2));
}
END_TEST

START_TEST(a_thread_outside_the_profile_has_no_entry)
{
	struct vm_object hidden = {.java_thread = {.serial = 0}};
	struct vm_object unnamed = {.java_thread = {.serial = 200003}}; /* no record yet */

	ck_assert_ptr_null(registered(&hidden));
	ck_assert_ptr_null(registered(&unnamed));
	vm.current = NULL;
	ck_assert_ptr_null(monitor_threads_current(threads));
	free(view(0));
	ck_assert_uint_eq(vm.out_of_memory, 0);
}
END_TEST

START_TEST(a_view_shows_what_a_thread_waits_for_now)
{
	struct monitor_thread *entry = registered(&platform_thread);

	monitor_thread_set_waits_for(entry, vm_jni(), vm_ref(&lock));
	monitor_thread_set_waits_for(entry, vm_jni(), vm_ref(&other_lock));
	struct monitor_thread_view *views = view(1);
	ck_assert_uint_eq(views[0].serial, 200001);
	ck_assert_ptr_eq(views[0].waits_for, vm_ref(&other_lock));
	free(views);
	ck_assert_int_eq(vm.global_refs, 1);

	monitor_thread_set_waits_for(entry, vm_jni(), NULL);
	views = view(1);
	ck_assert_ptr_null(views[0].waits_for);
	free(views);
	ck_assert_int_eq(vm.global_refs, 0);
}
END_TEST

START_TEST(only_virtual_threads_are_referenced)
{
	(void)registered(&platform_thread);
	(void)registered(&virtual_thread);
	ck_assert_int_eq(vm.weak_refs, 1);
	struct monitor_thread_view *views = view(2);
	ck_assert_ptr_null(views[0].object);
	ck_assert_ptr_eq(views[1].object, vm_ref(&virtual_thread));
	free(views);
}
END_TEST

START_TEST(a_thread_that_ends_leaves_nothing)
{
	struct monitor_thread *entry = registered(&virtual_thread);

	(void)registered(&platform_thread);
	monitor_thread_set_waits_for(entry, vm_jni(), vm_ref(&lock));
	monitor_threads_end(threads, vm_jni(), &virtual_thread.java_thread);
	ck_assert_ptr_null(virtual_thread.java_thread.monitoring);
	ck_assert_int_eq(vm.global_refs, 0);
	ck_assert_int_eq(vm.weak_refs, 0);
	struct monitor_thread_view *views = view(1);
	ck_assert_uint_eq(views[0].serial, 200001);
	free(views);
	monitor_threads_end(threads, vm_jni(), &virtual_thread.java_thread); /* has no entry */
	free(view(1));
}
END_TEST

START_TEST(release_deletes_all_references)
{
	monitor_thread_set_waits_for(registered(&platform_thread), vm_jni(), vm_ref(&lock));
	monitor_thread_set_waits_for(registered(&virtual_thread), vm_jni(), vm_ref(&lock));
	monitor_threads_release(threads, vm_jni());
	ck_assert_int_eq(vm.global_refs, 0);
	ck_assert_int_eq(vm.weak_refs, 0);
}
END_TEST

static Suite *monitor_threads_suite(void)
{
	Suite *suite = suite_create("monitor_threads");
	TCase *tests = tcase_create("threads");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_thread_has_one_entry_from_its_first_wait);
	tcase_add_test(tests, a_thread_outside_the_profile_has_no_entry);
	tcase_add_test(tests, a_view_shows_what_a_thread_waits_for_now);
	tcase_add_test(tests, only_virtual_threads_are_referenced);
	tcase_add_test(tests, a_thread_that_ends_leaves_nothing);
	tcase_add_test(tests, release_deletes_all_references);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_threads_suite());
}
