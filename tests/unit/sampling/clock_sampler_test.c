/*
 * Tests of the list of threads that are sampled by their CPU clocks: a thread can be handed over
 * while it ends, and what it has used when it ends is known. The VM is a fake without
 * virtual threads, and no sample is taken.
 */
#include "os/os.h"
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

static void burn(uint64_t ns)
{
	uint64_t end_ns = os_self_cpu_ns() + ns;
	while (os_self_cpu_ns() < end_ns)
		continue;
}

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

/* A thread whose count has begun at that time of the calling thread's clock. */
static struct clocked_thread *own_thread(uint64_t origin_ns)
{
	threads[0].id = os_self_thread();
	threads[0].origin_ns = origin_ns;
	return &threads[0];
}

START_TEST(the_agents_own_work_is_not_counted)
{
	/* It has used some time when the sampler is created. */
	uint64_t origin_ns = os_self_cpu_ns();

	clock_sampler_destroy(sampler);
	burn(3 * INTERVAL_NS);
	sampler = clock_sampler_create(&profile, &sink);
	ck_assert_ptr_nonnull(sampler);
	uint64_t created_ns = os_self_cpu_ns();
	struct clocked_thread *thread = own_thread(origin_ns);

	clock_sampler_add(sampler, thread, 0);
	burn(4 * INTERVAL_NS);
	ck_assert(clock_sampler_is_own_work(sampler, thread));
	ck_assert(!clock_sampler_is_own_work(sampler, &threads[1]));
	clock_sampler_end_own_work(sampler, NULL);
	uint64_t ended_ns = os_self_cpu_ns();
	ck_assert(!clock_sampler_is_own_work(sampler, thread));
	/* What it had used before, and what passed between the two readings of its clock. */
	ck_assert_uint_ge(ended_ns - created_ns, 4 * INTERVAL_NS);
	ck_assert_uint_ge(ended_ns - thread->origin_ns, 3 * INTERVAL_NS);
	ck_assert_uint_lt(ended_ns - thread->origin_ns, created_ns - origin_ns + INTERVAL_NS);
}
END_TEST

START_TEST(a_thread_that_came_meanwhile_counts_from_the_end_of_that_work)
{
	burn(INTERVAL_NS);
	struct clocked_thread *thread = own_thread(os_self_cpu_ns() - INTERVAL_NS / 2);

	burn(4 * INTERVAL_NS);
	uint64_t before_ns = os_self_cpu_ns();
	clock_sampler_end_own_work(sampler, thread);
	ck_assert_uint_ge(thread->origin_ns, before_ns);
	ck_assert_uint_le(thread->origin_ns, os_self_cpu_ns());
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
	tcase_add_test(tests, the_agents_own_work_is_not_counted);
	tcase_add_test(tests, a_thread_that_came_meanwhile_counts_from_the_end_of_that_work);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
