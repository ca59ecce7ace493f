/*
 * Tests of the list of threads that are sampled by their CPU clocks: a thread can be handed over
 * while it ends, and what it has used when it ends is known. The VM is a fake without
 * virtual threads, and no sample is taken.
 */
#include "run_suite.h"
#include "sampling/clock_sampler.h"
#include "vm/agent_thread.h"
#include "vm/frame_resolver.h"
#include "vm/java_thread_serials.h"
#include "vm/virtual_threads.h"

#include <string.h>

enum { INTERVAL_NS = 10000000 };

static struct settings settings = {.interval_ms = 10};
static struct profile profile = {.settings = &settings};
static struct sample_sink sink = {.depth = 4};
static struct clock_sampler *sampler;
static struct clocked_thread threads[2];

/* ---- fakes ------------------------------------------------------------- */

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	(void)jvmti;
	return NULL;
}

bool agent_thread_start(struct profile *its_profile, JNIEnv *jni, const char *name,
                        jvmtiStartFunction run, void *argument)
{
	(void)its_profile;
	(void)jni;
	(void)name;
	(void)run;
	(void)argument;
	return false;
}

void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count)
{
	(void)resolver;
	(void)jni;
	(void)methods;
	(void)count;
}

uint32_t java_threads_serial(struct java_threads *its_threads, JNIEnv *jni, jthread object)
{
	(void)its_threads;
	(void)jni;
	(void)object;
	return 0;
}

/* ---- tests --------------------------------------------------------------- */

static void set_up(void)
{
	memset(threads, 0, sizeof(threads));
	sampler = clock_sampler_create(&profile, &sink);
	ck_assert_ptr_nonnull(sampler);
}

static void tear_down(void)
{
	while (clock_sampler_remove_any(sampler) != NULL)
		continue;
	clock_sampler_destroy(sampler);
}

START_TEST(a_thread_is_in_once)
{
	clock_sampler_add(sampler, &threads[0], 3);
	clock_sampler_add(sampler, &threads[0], 5);
	ck_assert_uint_eq(threads[0].delivered, 3);
	ck_assert(clock_sampler_remove(sampler, &threads[0]));
	ck_assert(!clock_sampler_remove(sampler, &threads[0]));
}
END_TEST

START_TEST(a_thread_that_has_ended_is_not_added)
{
	ck_assert(!clock_sampler_remove(sampler, &threads[0]));
	clock_sampler_add(sampler, &threads[0], 0);
	ck_assert_ptr_null(clock_sampler_remove_any(sampler));
}
END_TEST

START_TEST(all_threads_can_be_removed)
{
	clock_sampler_add(sampler, &threads[0], 0);
	clock_sampler_add(sampler, &threads[1], 0);
	struct clocked_thread *first = clock_sampler_remove_any(sampler);
	struct clocked_thread *second = clock_sampler_remove_any(sampler);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_nonnull(second);
	ck_assert_ptr_ne(first, second);
	ck_assert_ptr_null(clock_sampler_remove_any(sampler));
}
END_TEST

START_TEST(whole_intervals_that_have_not_been_counted_are_due)
{
	threads[0].origin_ns = 7;
	clock_sampler_add(sampler, &threads[0], 2);
	ck_assert_uint_eq(clock_sampler_due(sampler, &threads[0], 7), 0);
	ck_assert_uint_eq(clock_sampler_due(sampler, &threads[0], 7 + 3 * INTERVAL_NS - 1), 0);
	ck_assert_uint_eq(clock_sampler_due(sampler, &threads[0], 7 + 3 * INTERVAL_NS), 1);
	ck_assert_uint_eq(clock_sampler_due(sampler, &threads[0], 7 + 10 * INTERVAL_NS), 8);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock_sampler");
	TCase *tests = tcase_create("clock_sampler");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_thread_is_in_once);
	tcase_add_test(tests, a_thread_that_has_ended_is_not_added);
	tcase_add_test(tests, all_threads_can_be_removed);
	tcase_add_test(tests, whole_intervals_that_have_not_been_counted_are_due);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
