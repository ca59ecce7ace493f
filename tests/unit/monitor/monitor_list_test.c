/*
 * Tests of the list of monitors of a MONITOR DUMP.
 */
#include "monitor/monitor_list.h"
#include "monitor_vm.h"
#include "run_suite.h"

static const struct class_record lock_class = {.serial = 100001};
static struct vm_object first;
static struct vm_object second;
static struct vm_object thread_1;
static struct vm_object thread_2;
static struct vm_object hidden;
static struct monitor_list list;

static void set_up(void)
{
	monitor_vm_set_up();
	first = second = (struct vm_object){.class = &lock_class};
	thread_1 = (struct vm_object){.java_thread = {.serial = 200001}};
	thread_2 = (struct vm_object){.java_thread = {.serial = 200002}};
	hidden = (struct vm_object){.java_thread = {.serial = 0}};
	list = (struct monitor_list){.profile = &profile, .jni = vm_jni(), .tags = vm_jvmti()};
}

static void tear_down(void)
{
	monitor_list_free(&list);
	ck_assert_int_eq(first.tag, 0);
	ck_assert_int_eq(second.tag, 0);
	monitor_vm_tear_down();
}

START_TEST(an_object_is_listed_once)
{
	ck_assert_uint_eq(monitor_list_find(&list, vm_ref(&first)), MONITOR_NONE);
	ck_assert_uint_eq(monitor_list_add(&list, vm_ref(&first)), 0);
	ck_assert_uint_eq(monitor_list_add(&list, vm_ref(&second)), 1);
	ck_assert_uint_eq(monitor_list_add(&list, vm_ref(&first)), 0);
	ck_assert_uint_eq(monitor_list_find(&list, vm_ref(&second)), 1);
	ck_assert_uint_eq(list.count, 2);
	ck_assert(!list.failed);
}
END_TEST

START_TEST(a_list_grows_and_keeps_its_monitors)
{
	enum { OBJECTS = 200 };
	static struct vm_object objects[OBJECTS];

	for (size_t i = 0; i < OBJECTS; i++)
		ck_assert_uint_eq(monitor_list_add(&list, vm_ref(&objects[i])), i);
	for (size_t i = 0; i < OBJECTS; i++) {
		ck_assert_uint_eq(monitor_list_find(&list, vm_ref(&objects[i])), i);
		ck_assert_ptr_eq(list.objects[i], vm_ref(&objects[i]));
	}
	monitor_list_free(&list);
	for (size_t i = 0; i < OBJECTS; i++)
		ck_assert_int_eq(objects[i].tag, 0);
	list.count = 0;
	list.objects = NULL;
	list.monitors = NULL;
}
END_TEST

START_TEST(a_tag_that_is_no_index_is_not_listed)
{
	(void)monitor_list_add(&list, vm_ref(&first));
	second.tag = INT64_MAX;
	ck_assert_uint_eq(monitor_list_find(&list, vm_ref(&second)), MONITOR_NONE);
	second.tag = 2; /* the index after the last */
	ck_assert_uint_eq(monitor_list_find(&list, vm_ref(&second)), MONITOR_NONE);
	second.tag = -1;
	ck_assert_uint_eq(monitor_list_find(&list, vm_ref(&second)), MONITOR_NONE);
	second.tag = 0;
}
END_TEST

START_TEST(an_object_that_cannot_be_tagged_fails_the_list)
{
	vm.refuses_tags = true;
	ck_assert_uint_eq(monitor_list_add(&list, vm_ref(&first)), MONITOR_NONE);
	ck_assert(list.failed);
	ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(usage_has_the_owner_and_the_waiting_threads)
{
	first.owner = &thread_1;
	first.entry_count = 3;
	first.entering[0] = &thread_2;
	second.waiting[0] = &thread_1;
	second.waiting[1] = &thread_2;
	(void)monitor_list_add(&list, vm_ref(&first));
	(void)monitor_list_add(&list, vm_ref(&second));
	monitor_list_query(&list);

	ck_assert(!list.failed);
	ck_assert_ptr_eq(list.monitors[0].class, &lock_class);
	ck_assert(list.monitors[0].owned);
	ck_assert_uint_eq(list.monitors[0].owner_serial, 200001);
	ck_assert_uint_eq(list.monitors[0].entry_count, 3);
	ck_assert_uint_eq(list.monitors[0].entering.count, 1);
	ck_assert_uint_eq(list.monitors[0].entering.serials[0], 200002);
	ck_assert(!list.monitors[1].owned);
	ck_assert_uint_eq(list.monitors[1].waiting.count, 2);
	ck_assert_uint_eq(list.monitors[1].waiting.serials[1], 200002);
}
END_TEST

/* As VMs before JDK 23 report it. */
START_TEST(a_thread_waiting_to_be_notified_is_not_entering_too)
{
	first.entering[0] = &thread_1;
	first.entering[1] = &thread_2;
	first.waiting[0] = &thread_1;
	(void)monitor_list_add(&list, vm_ref(&first));
	monitor_list_query(&list);

	ck_assert_uint_eq(list.monitors[0].waiting.count, 1);
	ck_assert_uint_eq(list.monitors[0].waiting.serials[0], 200001);
	ck_assert_uint_eq(list.monitors[0].entering.count, 1);
	ck_assert_uint_eq(list.monitors[0].entering.serials[0], 200002);
}
END_TEST

START_TEST(each_unknown_thread_counts)
{
	struct vm_object other = hidden;
	first.waiting[0] = &hidden;
	first.entering[0] = &hidden;
	first.entering[1] = &other;
	(void)monitor_list_add(&list, vm_ref(&first));
	monitor_list_query(&list);

	ck_assert_uint_eq(list.monitors[0].waiting.count, 1);
	ck_assert_uint_eq(list.monitors[0].entering.count, 2);
}
END_TEST

START_TEST(a_monitor_without_usage_keeps_its_class)
{
	first.usage_error = JVMTI_ERROR_INVALID_OBJECT;
	(void)monitor_list_add(&list, vm_ref(&first));
	monitor_list_query(&list);
	ck_assert_ptr_eq(list.monitors[0].class, &lock_class);
	ck_assert(!list.monitors[0].owned);
	ck_assert(!list.failed);
}
END_TEST

START_TEST(a_monitor_without_a_class_fails_the_list)
{
	first.class = NULL;
	(void)monitor_list_add(&list, vm_ref(&first));
	monitor_list_query(&list);
	ck_assert(list.failed);
}
END_TEST

START_TEST(the_owner_of_the_usage_is_kept)
{
	first.owner = &thread_1;
	first.entry_count = 2;
	(void)monitor_list_add(&list, vm_ref(&first));
	(void)monitor_list_add(&list, vm_ref(&second));
	monitor_list_query(&list);
	monitor_list_set_owner(&list, 0, 200002);
	monitor_list_set_owner(&list, 1, 200002);

	ck_assert_uint_eq(list.monitors[0].owner_serial, 200001);
	ck_assert_uint_eq(list.monitors[0].entry_count, 2);
	ck_assert(list.monitors[1].owned);
	ck_assert_uint_eq(list.monitors[1].owner_serial, 200002);
	ck_assert_uint_eq(list.monitors[1].entry_count, 0); /* unknown */
}
END_TEST

START_TEST(a_thread_waits_once_and_not_for_what_it_owns)
{
	(void)monitor_list_add(&list, vm_ref(&first));
	monitor_list_set_owner(&list, 0, 200001);
	monitor_list_add_waiter(&list, 0, 200001, true);
	monitor_list_add_waiter(&list, 0, 200002, true);
	monitor_list_add_waiter(&list, 0, 200002, false);
	monitor_list_add_waiter(&list, 0, 200003, false);
	monitor_list_add_waiter(&list, 0, 200003, true);

	ck_assert_uint_eq(list.monitors[0].entering.count, 1);
	ck_assert_uint_eq(list.monitors[0].entering.serials[0], 200002);
	ck_assert_uint_eq(list.monitors[0].waiting.count, 1);
	ck_assert_uint_eq(list.monitors[0].waiting.serials[0], 200003);
}
END_TEST

START_TEST(a_monitor_that_threads_wait_for_lacks_an_owner)
{
	(void)monitor_list_add(&list, vm_ref(&first));
	ck_assert(!monitor_list_has_ownerless(&list)); /* no thread waits */
	monitor_list_add_waiter(&list, 0, 200002, true);
	ck_assert(monitor_list_has_ownerless(&list));
	monitor_list_set_owner(&list, 0, 200001);
	ck_assert(!monitor_list_has_ownerless(&list));
}
END_TEST

static Suite *monitor_list_suite(void)
{
	Suite *suite = suite_create("monitor_list");
	TCase *tests = tcase_create("list");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, an_object_is_listed_once);
	tcase_add_test(tests, a_list_grows_and_keeps_its_monitors);
	tcase_add_test(tests, a_tag_that_is_no_index_is_not_listed);
	tcase_add_test(tests, an_object_that_cannot_be_tagged_fails_the_list);
	tcase_add_test(tests, usage_has_the_owner_and_the_waiting_threads);
	tcase_add_test(tests, a_thread_waiting_to_be_notified_is_not_entering_too);
	tcase_add_test(tests, each_unknown_thread_counts);
	tcase_add_test(tests, a_monitor_without_usage_keeps_its_class);
	tcase_add_test(tests, a_monitor_without_a_class_fails_the_list);
	tcase_add_test(tests, the_owner_of_the_usage_is_kept);
	tcase_add_test(tests, a_thread_waits_once_and_not_for_what_it_owns);
	tcase_add_test(tests, a_monitor_that_threads_wait_for_lacks_an_owner);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_list_suite());
}
