/*
 * Tests of MONITOR DUMP: which threads and monitors it has.
 */
#include "monitor/monitor_dump.h"
#include "monitor_vm.h"
#include "run_suite.h"

#define BLOCKED (JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)
#define IN_WAIT (JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_WAITING)

static const struct class_record lock_class = {.serial = 100001};
static const struct frame frames[2] = {{.id = 1, .line = 10}, {.id = 2, .line = 20}};
static struct vm_object lock;
static struct vm_object other_lock;
static struct vm_object thread_1;
static struct vm_object thread_2;
static struct vm_object virtual_3;
static struct monitor_threads *threads;
static struct monitor_dump *dump;

static jvmtiFrameInfo at(const struct frame *frame)
{
	jvmtiFrameInfo info = {.location = 0};
	info.method = (jmethodID)(uintptr_t)frame;
	return info;
}

static void create_dump(void)
{
	threads = monitor_threads_create(&profile);
	ck_assert_ptr_nonnull(threads);
	dump = monitor_dump_create(&profile, threads);
	ck_assert_ptr_nonnull(dump);
}

static void set_up(void)
{
	monitor_vm_set_up();
	lock = other_lock = (struct vm_object){.class = &lock_class};
	thread_1 = (struct vm_object){.java_thread = {.serial = 200001}, .state = 1};
	thread_2 = (struct vm_object){.java_thread = {.serial = 200002}, .state = 1};
	virtual_3 = (struct vm_object){.java_thread = {.serial = 200003, .is_virtual = true},
	                               .state = 1};
	virtual_3.java_thread.record = (struct thread_record *)(void *)&virtual_3;
	vm.platform_threads[0] = &thread_2; /* not sorted by serial */
	vm.platform_threads[1] = &thread_1;
}

static void tear_down(void)
{
	monitor_dump_destroy(dump);
	dump = NULL;
	monitor_threads_release(threads, vm_jni());
	monitor_threads_destroy(threads);
	ck_assert_int_eq(lock.tag, 0);
	ck_assert_int_eq(other_lock.tag, 0);
	ck_assert_int_eq(virtual_3.tag, 0);
	monitor_vm_tear_down();
}

static void write_dump(void)
{
	if (dump == NULL)
		create_dump();
	monitor_dump_write(dump, vm_jni());
	ck_assert_uint_eq(vm.dumps, 1);
	ck_assert_uint_eq(vm.out_of_memory, 0);
}

START_TEST(threads_are_sorted_and_have_their_states)
{
	thread_1.state = IN_WAIT | JVMTI_THREAD_STATE_INTERRUPTED;
	thread_2.state = BLOCKED | JVMTI_THREAD_STATE_SUSPENDED;
	vm.platform_threads[2] = &virtual_3; /* any thread: without the alive bit it has ended */
	virtual_3.state = 0;
	write_dump();

	ck_assert_uint_eq(vm.thread_count, 3);
	ck_assert_uint_eq(vm.threads[0].serial, 200001);
	ck_assert_int_eq(vm.threads[0].status, MONITOR_THREAD_WAITS);
	ck_assert(vm.threads[0].interrupted && !vm.threads[0].suspended);
	ck_assert_uint_eq(vm.threads[1].serial, 200002);
	ck_assert_int_eq(vm.threads[1].status, MONITOR_THREAD_ENTERS);
	ck_assert(vm.threads[1].suspended && !vm.threads[1].interrupted);
	ck_assert_int_eq(vm.threads[2].status, MONITOR_THREAD_ENDED);
	ck_assert_uint_eq(vm.monitor_count, 0);
}
END_TEST

START_TEST(a_trace_is_written_once)
{
	thread_1.stack[0] = thread_2.stack[0] = at(&frames[0]);
	thread_1.stack[1] = thread_2.stack[1] = at(&frames[1]);
	thread_1.depth = thread_2.depth = 2;
	write_dump();

	ck_assert_uint_eq(vm.traces, 1);
	ck_assert_ptr_eq(vm.threads[0].trace, vm.threads[1].trace);
	ck_assert_uint_eq(vm.threads[0].trace->depth, 2);
	ck_assert_ptr_eq(vm.threads[0].trace->frames[1], &frames[1]);
}
END_TEST

START_TEST(a_hidden_thread_is_left_out)
{
	thread_2.java_thread.serial = 0;
	write_dump();
	ck_assert_uint_eq(vm.thread_count, 1);
	ck_assert_uint_eq(vm.threads[0].serial, 200001);
}
END_TEST

/* Each of two threads owns what the other waits to enter. */
static void deadlock(void)
{
	thread_1.owned[0] = thread_2.contended = &lock;
	thread_2.owned[0] = thread_1.contended = &other_lock;
	lock.owner = other_lock.entering[0] = &thread_1;
	other_lock.owner = lock.entering[0] = &thread_2;
	lock.entry_count = other_lock.entry_count = 1;
	thread_1.state = thread_2.state = BLOCKED;
}

START_TEST(a_deadlock_is_reported_exactly)
{
	deadlock();
	write_dump();

	ck_assert_uint_eq(vm.monitor_count, 2);
	for (size_t i = 0; i < 2; i++) {
		uint32_t owner = vm.monitors[i].owner_serial;
		ck_assert(vm.monitors[i].owned);
		ck_assert_uint_eq(vm.monitors[i].entry_count, 1);
		ck_assert_uint_eq(vm.monitors[i].waiting.count, 0);
		ck_assert_uint_eq(vm.monitors[i].entering.count, 1);
		ck_assert_uint_eq(vm.monitors[i].entering.serials[0], 200001 + 200002 - owner);
	}
	ck_assert_uint_ne(vm.monitors[0].owner_serial, vm.monitors[1].owner_serial);
}
END_TEST

START_TEST(a_second_dump_starts_without_tags)
{
	deadlock();
	write_dump();
	ck_assert_int_eq(lock.tag, 0);
	vm.dumps = 0;
	write_dump();
	ck_assert_uint_eq(vm.monitor_count, 2);
}
END_TEST

START_TEST(a_monitor_released_meanwhile_is_left_out)
{
	thread_1.owned[0] = &lock; /* its usage has no owner any more */
	write_dump();
	ck_assert_uint_eq(vm.monitor_count, 0);
}
END_TEST

START_TEST(a_mounted_virtual_thread_owns_what_usage_leaves_out)
{
	vm.has_virtual_threads = true;
	thread_1.mounted = &virtual_3;
	virtual_3.owned[0] = &lock;
	thread_2.contended = &lock;
	thread_2.state = BLOCKED;
	write_dump();

	ck_assert_uint_eq(vm.thread_count, 3);
	ck_assert_uint_eq(vm.monitor_count, 1);
	ck_assert(vm.monitors[0].owned);
	ck_assert_uint_eq(vm.monitors[0].owner_serial, 200003);
	ck_assert_uint_eq(vm.monitors[0].entering.serials[0], 200002);
	ck_assert_uint_eq(vm.heap_iterations, 0);
}
END_TEST

/* Registers the virtual thread as one that waits to be notified by the lock. */
static void virtual_waits(void)
{
	create_dump();
	vm.current = &virtual_3;
	monitor_thread_set_waits_for(
	        monitor_threads_register(threads, vm_jni(), vm_ref(&virtual_3)), vm_jni(),
	        vm_ref(&lock));
}

START_TEST(an_unmounted_virtual_thread_waits_by_its_events)
{
	vm.has_virtual_threads = true;
	virtual_3.state = IN_WAIT;
	virtual_waits();
	write_dump();

	ck_assert_uint_eq(vm.thread_count, 3);
	ck_assert_uint_eq(vm.monitor_count, 1);
	ck_assert_uint_eq(vm.monitors[0].waiting.count, 1);
	ck_assert_uint_eq(vm.monitors[0].waiting.serials[0], 200003);
	ck_assert_uint_eq(vm.monitors[0].entering.count, 0);
}
END_TEST

START_TEST(an_unmounted_virtual_thread_that_runs_again_is_left_out)
{
	vm.has_virtual_threads = true;
	virtual_3.state = JVMTI_THREAD_STATE_ALIVE;
	virtual_waits();
	write_dump();
	ck_assert_uint_eq(vm.thread_count, 2);
	ck_assert_uint_eq(vm.monitor_count, 0);
}
END_TEST

START_TEST(an_unknown_owner_is_searched_for_on_the_heap)
{
	struct vm_object bystander = {.java_thread = {.serial = 200004}};
	struct vm_object unfinished = {.is_under_construction = true};
	vm.has_virtual_threads = true;
	vm.virtual_threads[0] = &bystander;
	vm.virtual_threads[1] = &unfinished;
	vm.virtual_threads[2] = &virtual_3;
	virtual_3.owned[0] = &lock;
	thread_2.contended = &lock;
	thread_2.state = BLOCKED;
	write_dump();

	ck_assert_uint_eq(vm.heap_iterations, 1);
	ck_assert_uint_eq(vm.thread_count, 3); /* without the others */
	ck_assert_uint_eq(vm.threads[2].serial, 200003);
	ck_assert_ptr_nonnull(vm.threads[2].trace);
	ck_assert_uint_eq(vm.monitors[0].owner_serial, 200003);
	ck_assert_int_eq(bystander.tag, 0);
	ck_assert_int_eq(unfinished.tag, 0);
	ck_assert_uint_eq(vm.misuses, 0);
}
END_TEST

static Suite *monitor_dump_suite(void)
{
	Suite *suite = suite_create("monitor_dump");
	TCase *tests = tcase_create("dump");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, threads_are_sorted_and_have_their_states);
	tcase_add_test(tests, a_trace_is_written_once);
	tcase_add_test(tests, a_hidden_thread_is_left_out);
	tcase_add_test(tests, a_deadlock_is_reported_exactly);
	tcase_add_test(tests, a_second_dump_starts_without_tags);
	tcase_add_test(tests, a_monitor_released_meanwhile_is_left_out);
	tcase_add_test(tests, a_mounted_virtual_thread_owns_what_usage_leaves_out);
	tcase_add_test(tests, an_unmounted_virtual_thread_waits_by_its_events);
	tcase_add_test(tests, an_unmounted_virtual_thread_that_runs_again_is_left_out);
	tcase_add_test(tests, an_unknown_owner_is_searched_for_on_the_heap);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(monitor_dump_suite());
}
