/*
 * Tests of the table of threads over the fake VM: names, serials, threads of the agent,
 * existing threads, and what remains after a thread has ended.
 */
#include "vm/java_threads.h"

#include "hotspot/vm_threads.h"
#include "profile_fixture.h"
#include "run_suite.h"

static struct java_threads *threads;
static struct fake_object root = {.name = "system"};
static struct fake_object group = {.name = "main", .group = &root};
static struct fake_object first, second;
static bool vm_finds_threads;
static unsigned notified;
static struct java_thread *last_notified;

/* ---- stand-ins --------------------------------------------------------- */

void vm_threads_find(struct vm_threads *vm, jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	(void)jni;
	memset(vm, 0, sizeof(*vm));
}

bool vm_threads_look(const struct vm_threads *vm, JNIEnv *jni, jthread object,
                     struct vm_thread *found)
{
	(void)vm;
	(void)object;
	found->jni = jni;
	found->address = 4711;
	return vm_finds_threads;
}

static void notify(void *argument, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	ck_assert_ptr_eq(argument, &notified);
	ck_assert_ptr_nonnull(jni);
	ck_assert_ptr_nonnull(object);
	ck_assert(atomic_load(&thread->is_notifying));
	ck_assert_ptr_nonnull(thread->record);
	last_notified = thread;
	notified++;
}

/* ---- tests ------------------------------------------------------------- */

static void set_up(void)
{
	profile_set_up();
	first = (struct fake_object){.name = "first", .group = &group};
	second = (struct fake_object){.name = "second", .group = &group};
	vm_finds_threads = true;
	notified = 0;
	last_notified = NULL;
	threads = java_threads_create(&profile);
	ck_assert_ptr_nonnull(threads);
}

static void tear_down(void)
{
	java_threads_destroy(threads, fake_jni());
	profile_tear_down();
	ck_assert_int_eq(atomic_load(&fake_counts.allocated), 0);
	ck_assert_int_eq(atomic_load(&fake_counts.global_refs), 0);
}

static jthread of(struct fake_object *object)
{
	return (jthread)(void *)object;
}

static struct java_thread *start(struct fake_object *object)
{
	fake_attach(object);
	return java_threads_start(threads, fake_jni(), of(object));
}

/* Enters the live phase. */
static void go_live(void)
{
	fake_set_phase(JVMTI_PHASE_LIVE);
	java_threads_live(threads, fake_jni());
}

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

START_TEST(unknown_thread_that_ends_is_not_added)
{
	go_live();
	fake_attach(&first);
	ck_assert_ptr_null(java_threads_mark_ending(threads));
	ck_assert_uint_eq(java_threads_add_existing(threads, fake_jni(), notify, &notified), 0);
	ck_assert_uint_eq(notified, 0);
}
END_TEST

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

static Suite *java_threads_suite(void)
{
	Suite *suite = suite_create("java_threads");
	TCase *tests = tcase_create("threads");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, thread_has_its_names);
	tcase_add_test(tests, early_thread_gets_its_record_in_the_live_phase);
	tcase_add_test(tests, thread_starts_once);
	tcase_add_test(tests, agent_thread_is_hidden);
	tcase_add_test(tests, existing_threads_are_added_once);
	tcase_add_test(tests, existing_threads_that_the_vm_hides_are_counted);
	tcase_add_test(tests, terminated_thread_is_not_added);
	tcase_add_test(tests, known_threads_are_notified_unless_they_end);
	tcase_add_test(tests, ended_thread_stays_unknown);
	tcase_add_test(tests, unknown_thread_that_ends_is_not_added);
	tcase_add_test(tests, mounted_thread_is_added_with_the_serial_of_its_samples);
	tcase_add_test(tests, thread_that_is_mounted_no_more_is_not_added);
	tcase_add_test(tests, ended_virtual_thread_stays_unknown);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(java_threads_suite());
}
