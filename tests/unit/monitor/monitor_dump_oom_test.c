/*
 * Test of MONITOR DUMP when memory is short: a section is complete or is not written.
 */
#include "failing_allocation.h"
#include "monitor/monitor_dump.h"
#include "monitor_vm.h"
#include "run_suite.h"

#define BLOCKED (JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)

static const struct class_record lock_class = {.serial = 100001};
static const struct frame frame = {.id = 1, .line = 10};
static struct vm_object lock = {.class = &lock_class};
static struct vm_object other_lock = {.class = &lock_class};
static struct vm_object carrier = {.java_thread = {.serial = 200001}, .state = BLOCKED};
static struct vm_object thread = {.java_thread = {.serial = 200002}, .state = BLOCKED};
static struct vm_object mounted = {.java_thread = {.serial = 200003}, .state = 1};
static struct vm_object owner = {.java_thread = {.serial = 200004}, .state = 1};
static struct monitor_threads *threads;
static struct monitor_dump *dump;

/* All that a dump can have: platform threads, a mounted virtual thread, and one that is
 * found on the heap because it owns a monitor. */
static void set_up(void)
{
	monitor_vm_set_up();
	vm.has_virtual_threads = true;
	vm.platform_threads[0] = &carrier;
	vm.platform_threads[1] = &thread;
	vm.virtual_threads[0] = &owner;
	carrier.mounted = &mounted;
	carrier.contended = thread.contended = owner.owned[0] = &lock;
	carrier.stack[0].method = (jmethodID)(uintptr_t)&frame;
	carrier.depth = 1;
	mounted.owned[0] = &other_lock;
	other_lock.entering[0] = &thread;
	threads = monitor_threads_create(&profile);
	ck_assert_ptr_nonnull(threads);
	dump = monitor_dump_create(&profile, threads);
	ck_assert_ptr_nonnull(dump);
}

static void tear_down(void)
{
	monitor_dump_destroy(dump);
	monitor_threads_destroy(threads);
	monitor_vm_tear_down();
}

START_TEST(a_dump_short_of_memory_is_reported_and_not_written)
{
	unsigned reports = 0;
	bool failed = true;

	for (unsigned i = 1; failed; i++) {
		vm.dumps = 0;
		vm.out_of_memory = 0;
		atomic_store(&profile.stopped, false);
		fail_allocations(i, i);
		monitor_dump_write(dump, vm_jni());
		failed = stop_failing();
		/* A VM that is out of memory itself reports less, and the dump is written. */
		ck_assert_uint_eq(vm.dumps + vm.out_of_memory, 1);
		reports += vm.out_of_memory;
		ck_assert_int_eq(lock.tag, 0);
		ck_assert_int_eq(other_lock.tag, 0);
		ck_assert_int_eq(vm.local_frames, 0);
	}
	ck_assert_uint_ge(reports, 6);
	ck_assert_uint_eq(vm.dumps, 1); /* the last dump had all its memory */
	ck_assert_uint_eq(vm.thread_count, 4);
	ck_assert_uint_eq(vm.monitor_count, 2);
	ck_assert_int_eq(owner.tag, 0);
}
END_TEST

START_TEST(creation_short_of_memory_leaves_nothing)
{
	bool failed = true;

	for (unsigned i = 1; failed; i++) {
		fail_allocations(i, i);
		struct monitor_dump *other = monitor_dump_create(&profile, threads);
		failed = stop_failing();
		ck_assert_int_eq(other == NULL, failed);
		monitor_dump_destroy(other);
		ck_assert_int_eq(vm.environments, 1); /* that of the other dump */
	}
}
END_TEST

static Suite *monitor_dump_oom_suite(void)
{
	Suite *suite = suite_create("monitor_dump_oom");
	TCase *tests = tcase_create("memory");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_dump_short_of_memory_is_reported_and_not_written);
	tcase_add_test(tests, creation_short_of_memory_leaves_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_dump_oom_suite());
}
