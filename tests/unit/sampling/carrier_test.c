/*
 * Tests of the thread that a carrier's samples count for. The test is the carrier, its signal
 * handler and the consumer by turns; the table of threads and the VM are stand-ins.
 */
#include "sampling/carrier.h"
#include "vm/java_thread_serials.h"
#include "vm/java_threads.h"
#include "run_suite.h"

#include <string.h>

static struct settings settings;
static struct profile profile;
static struct carriers carriers;
static struct carrier carrier;

/* The virtual thread of the tests, its record, and whether the VM has it on the carrier. */
static char thread_memory;
static struct thread_record record;
static struct java_thread thread;
static bool is_mounted;
static bool can_be_added;
static unsigned added;
/* Called while the VM looks which virtual thread is mounted. */
static void (*meanwhile)(void);

#define VIRTUAL ((jthread)(void *)&thread_memory)
#define CARRIER ((jthread)(void *)&carrier)

/* ---- stand-ins ----------------------------------------------------------- */

static void JNICALL delete_reference(JNIEnv *env, jobject object)
{
	(void)env;
	ck_assert_ptr_eq(object, VIRTUAL);
}

static struct JNINativeInterface_ jni_functions = {.DeleteLocalRef = delete_reference};
static JNIEnv jni = &jni_functions;

static jvmtiError JNICALL find_mounted(jvmtiEnv *jvmti, ...)
{
	va_list arguments;

	va_start(arguments, jvmti);
	ck_assert_ptr_eq(va_arg(arguments, jthread), CARRIER);
	*va_arg(arguments, jthread *) = is_mounted ? VIRTUAL : NULL;
	va_end(arguments);
	if (meanwhile != NULL)
		meanwhile();
	return JVMTI_ERROR_NONE;
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	(void)jvmti;
	return find_mounted;
}

static void make_record(uint32_t serial)
{
	thread = (struct java_thread){.serial = serial, .is_virtual = true, .record = &record};
	added++;
}

uint32_t java_threads_add_mounted(struct java_threads *threads, JNIEnv *env, jthread object,
                                  const struct mounted_serial *mounted, uint32_t serial)
{
	(void)threads;
	(void)env;
	ck_assert_ptr_eq(object, VIRTUAL);
	if (!mounted_serial_is_new(mounted, serial))
		return serial;
	if (thread.serial == 0 && can_be_added)
		make_record(serial);
	return thread.serial;
}

struct java_thread *java_threads_current(struct java_threads *threads)
{
	(void)threads;
	return thread.serial == 0 ? NULL : &thread;
}

void profile_out_of_memory(struct profile *its_profile)
{
	(void)its_profile;
	ck_abort_msg("out of memory");
}

static void set_up(void)
{
	memset(&carrier, 0, sizeof(carrier));
	memset(&thread, 0, sizeof(thread));
	is_mounted = false;
	can_be_added = true;
	added = 0;
	meanwhile = NULL;
	profile.settings = &settings;
	ck_assert(model_init(&profile.model));
	ck_assert(carriers_init(&carriers, &profile, true));
}

static void tear_down(void)
{
	carrier_free(&carrier);
	carriers_destroy(&carriers);
	model_destroy(&profile.model);
}

static void mount(void)
{
	is_mounted = true;
	carrier_mounted(&carriers, &carrier);
}

static void unmount(void)
{
	carrier_unmounted(&carriers, &carrier, &jni, VIRTUAL);
	is_mounted = false;
}

static uint32_t sample(void)
{
	return mounted_serial_sample(&carrier.mounted, profile.model.threads);
}

static uint32_t resolve(uint32_t sampled)
{
	return carrier_resolve(&carriers, &carrier, &jni, CARRIER, sampled);
}

/* ---- tests --------------------------------------------------------------- */

START_TEST(carrier_has_its_own_samples)
{
	ck_assert_uint_eq(sample(), 0);
	mount();
	unmount();
	ck_assert_uint_eq(sample(), 0);
	ck_assert_uint_eq(resolve(0), 0);
	ck_assert_uint_eq(added, 0);
}
END_TEST

START_TEST(unmounted_thread_has_the_record_of_its_samples)
{
	mount();
	uint32_t sampled = sample();
	ck_assert_uint_eq(sample(), sampled);
	unmount();
	ck_assert_uint_eq(added, 1);
	ck_assert_uint_eq(resolve(sampled), thread.serial);
	mount();
	ck_assert_uint_eq(sample(), thread.serial);
	unmount();
	ck_assert_uint_eq(added, 1);
}
END_TEST

START_TEST(mounted_thread_gets_its_record_from_the_consumer)
{
	mount();
	uint32_t sampled = sample();
	ck_assert_uint_eq(resolve(sampled), sampled & ~MOUNTED_NEW);
	ck_assert_uint_eq(added, 1);
	ck_assert_uint_eq(sample(), thread.serial);
	unmount();
	ck_assert_uint_eq(added, 1);
}
END_TEST

START_TEST(thread_that_leaves_while_the_consumer_looks_has_one_record)
{
	mount();
	uint32_t sampled = sample();
	meanwhile = unmount;
	ck_assert_uint_eq(resolve(sampled), sampled & ~MOUNTED_NEW);
	ck_assert_uint_eq(added, 1);
	ck_assert_uint_eq(thread.serial, sampled & ~MOUNTED_NEW);
}
END_TEST

START_TEST(record_of_another_mode_takes_the_samples)
{
	enum { OTHER = 4711 };

	mount();
	uint32_t sampled = sample();
	make_record(OTHER);
	ck_assert_uint_eq(resolve(sampled), OTHER);
	ck_assert_uint_eq(resolve(sample()), OTHER);
	unmount();
	ck_assert_uint_eq(resolve(sampled), OTHER);
	mount();
	ck_assert_uint_eq(sample(), OTHER);
}
END_TEST

START_TEST(alias_lasts_until_the_samples_before_it_are_drained)
{
	enum { OTHER = 4711 };

	mount();
	uint32_t sampled = sample();
	make_record(OTHER);
	struct carrier_mark mark = carrier_begin_drain(&carriers, &carrier);
	unmount();
	carrier_end_drain(&carriers, &carrier, &mark);
	ck_assert_uint_eq(resolve(sampled), OTHER);
	mark = carrier_begin_drain(&carriers, &carrier);
	ck_assert_uint_eq(resolve(sampled), OTHER);
	carrier_end_drain(&carriers, &carrier, &mark);
	ck_assert_uint_eq(carrier.alias_count, 0);
}
END_TEST

START_TEST(alias_of_a_mounted_thread_stays)
{
	enum { OTHER = 4711 };

	mount();
	uint32_t sampled = sample();
	make_record(OTHER);
	for (int i = 0; i < 3; i++) {
		struct carrier_mark mark = carrier_begin_drain(&carriers, &carrier);
		ck_assert_uint_eq(resolve(sampled), OTHER);
		carrier_end_drain(&carriers, &carrier, &mark);
	}
	ck_assert_uint_eq(carrier.alias_count, 1);
}
END_TEST

START_TEST(thread_that_can_not_be_added_counts_for_its_carrier)
{
	can_be_added = false;
	mount();
	uint32_t sampled = sample();
	unmount();
	ck_assert_uint_eq(resolve(sampled), 0);
}
END_TEST

START_TEST(existing_carrier_is_looked_at)
{
	atomic_store(&carrier.mounted.state, MOUNTED_UNKNOWN);
	ck_assert_uint_eq(sample(), 0);
	is_mounted = true;
	carrier_look(&carriers, &carrier, &jni, CARRIER);
	uint32_t sampled = sample();
	ck_assert_uint_ne(sampled, 0);
	unmount();
	ck_assert_uint_eq(resolve(sampled), thread.serial);
}
END_TEST

START_TEST(event_is_newer_than_the_look)
{
	atomic_store(&carrier.mounted.state, MOUNTED_UNKNOWN);
	is_mounted = true;
	meanwhile = unmount;
	carrier_look(&carriers, &carrier, &jni, CARRIER);
	ck_assert_uint_eq(sample(), 0);
}
END_TEST

/* The event of the unmount came before the carrier was known, the unmount itself after the look. */
START_TEST(thread_that_left_unseen_has_no_samples)
{
	atomic_store(&carrier.mounted.state, MOUNTED_UNKNOWN);
	is_mounted = true;
	carrier_look(&carriers, &carrier, &jni, CARRIER);
	is_mounted = false;
	uint32_t sampled = sample();
	ck_assert_uint_eq(resolve(sampled), 0);
	mount();
	uint32_t next = sample();
	ck_assert_uint_ne(next, sampled);
	ck_assert_uint_eq(resolve(sampled), 0);
	unmount();
	ck_assert_uint_eq(resolve(next), thread.serial);
	ck_assert_uint_eq(resolve(sampled), 0);
	ck_assert_uint_eq(added, 1);
}
END_TEST

START_TEST(thread_that_left_unseen_is_found_by_the_next_mount)
{
	atomic_store(&carrier.mounted.state, MOUNTED_UNKNOWN);
	is_mounted = true;
	carrier_look(&carriers, &carrier, &jni, CARRIER);
	uint32_t sampled = sample();
	mount();
	ck_assert_uint_eq(resolve(sampled), 0);
	unmount();
	ck_assert_uint_eq(added, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("carrier");
	TCase *tests = tcase_create("samples of a carrier");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, carrier_has_its_own_samples);
	tcase_add_test(tests, unmounted_thread_has_the_record_of_its_samples);
	tcase_add_test(tests, mounted_thread_gets_its_record_from_the_consumer);
	tcase_add_test(tests, thread_that_leaves_while_the_consumer_looks_has_one_record);
	tcase_add_test(tests, record_of_another_mode_takes_the_samples);
	tcase_add_test(tests, alias_lasts_until_the_samples_before_it_are_drained);
	tcase_add_test(tests, alias_of_a_mounted_thread_stays);
	tcase_add_test(tests, thread_that_can_not_be_added_counts_for_its_carrier);
	tcase_add_test(tests, existing_carrier_is_looked_at);
	tcase_add_test(tests, event_is_newer_than_the_look);
	tcase_add_test(tests, thread_that_left_unseen_has_no_samples);
	tcase_add_test(tests, thread_that_left_unseen_is_found_by_the_next_mount);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
