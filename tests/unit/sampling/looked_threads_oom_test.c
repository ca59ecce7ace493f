/* marks: posix */
/*
 * Test of the list of threads that the sampler of states looks at without memory: the thread is not
 * listed, and what was made for it is given back.
 */
#include "failing_allocation.h"
#include "looked_fixture.h"

static struct looked_threads threads;

START_TEST(a_thread_that_can_not_be_listed_leaves_nothing)
{
	unsigned failing = 0;
	bool failed;

	looked_set_up();
	do {
		ck_assert(looked_threads_init(&threads, &profile, &pauses));
		memory_errors = 0;
		failing++;
		fail_allocations(failing, failing);
		add_thread(&threads, 0);
		failed = stop_failing();
		unsigned listed = failed ? 0 : 1;
		ck_assert_uint_eq(memory_errors, 1 - listed);
		ck_assert_uint_eq(threads.count, listed);
		ck_assert_uint_eq(threads.queues, listed);
		ck_assert_uint_eq(open_queues, listed);
		ck_assert_int_eq(fake_counts.global_refs, listed);
		ck_assert_int_eq(threads.list != NULL, listed);
		ck_assert_int_eq(looked_threads_find(&threads, SERIAL_FIRST) != NULL, listed);
		looked_threads_free(&threads, fake_jni());
	} while (failed);
	/* The thread's own memory, and the hash with its buckets. */
	ck_assert_uint_eq(failing, 4);
	looked_tear_down();
}
END_TEST

static jobject JNICALL no_reference(JNIEnv *jni, jobject object)
{
	(void)jni;
	(void)object;
	return NULL;
}

/* To JVM TI, NULL is the calling thread. */
START_TEST(a_thread_without_a_reference_is_not_listed)
{
	struct JNINativeInterface_ functions = **fake_jni();
	JNIEnv jni = &functions;

	looked_set_up();
	functions.NewGlobalRef = no_reference;
	ck_assert(looked_threads_init(&threads, &profile, &pauses));
	looked_threads_add(&threads, &jni, (jthread)(void *)&objects[0], &java_threads[0]);
	ck_assert_uint_eq(memory_errors, 1);
	ck_assert_uint_eq(threads.count, 0);
	ck_assert_uint_eq(threads.queues, 0);
	looked_threads_free(&threads, fake_jni());
	looked_tear_down();
}
END_TEST

START_TEST(the_threads_before_stay_listed)
{
	enum { FIRST_THREADS = 40 };
	struct java_thread thread = {.id = ID_FIRST};
	uint32_t count = 0;

	looked_set_up();
	system_threads[0].queue_error = OS_UNSUPPORTED;
	ck_assert(looked_threads_init(&threads, &profile, &pauses));
	/* The second allocation of a thread is that of more buckets. */
	for (; memory_errors == 0; count++) {
		ck_assert_uint_lt(count, 10000);
		thread.serial = count;
		fail_allocations(count < FIRST_THREADS ? UINT32_MAX : 2, UINT32_MAX);
		looked_threads_add(&threads, fake_jni(), (jthread)(void *)&objects[0], &thread);
		(void)stop_failing();
	}
	count--;
	ck_assert_uint_eq(threads.count, count);
	ck_assert_int_eq(fake_counts.global_refs, count);
	for (uint32_t i = 0; i <= count; i++)
		ck_assert_int_eq(looked_threads_find(&threads, i) != NULL, i < count);

	thread.serial = count;
	looked_threads_add(&threads, fake_jni(), (jthread)(void *)&objects[0], &thread);
	ck_assert_ptr_nonnull(looked_threads_find(&threads, count));
	looked_threads_free(&threads, fake_jni());
	looked_tear_down();
}
END_TEST

START_TEST(a_flush_without_memory_fails)
{
	static const struct trace trace = {.serial = TRACE_SERIAL_EMPTY + 1};
	struct state_counts counts = {.charges = NULL};
	struct looked_thread thread = {.trace = &trace};

	fail_allocations(1, 1);
	bool failing = looked_thread_flush(&thread, &counts);
	ck_assert(stop_failing());
	ck_assert(!failing);
	ck_assert(looked_thread_flush(&thread, &counts));
	state_counts_free(&counts);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("looked_threads_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, a_thread_that_can_not_be_listed_leaves_nothing);
	tcase_add_test(tests, a_thread_without_a_reference_is_not_listed);
	tcase_add_test(tests, the_threads_before_stay_listed);
	tcase_add_test(tests, a_flush_without_memory_fails);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
