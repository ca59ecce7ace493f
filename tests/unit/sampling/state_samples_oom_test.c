/* marks: posix */
/*
 * Test of the sampled section TRACE MICROSTATES without memory: it is reported, and what was made
 * is given back.
 */
#include "failing_allocation.h"
#include "looked_fixture.h"
#include "sampling/state_samples.h"
#include "vm/frame_resolver.h"

enum { DEPTH = 4 };

static struct sample_traces traces;
static unsigned sections;

/* ---- fakes ------------------------------------------------------------- */

void writer_trace_states(struct record_writer *writer, const struct trace_states_record *record)
{
	(void)writer;
	(void)record;
	sections++;
}

void writer_note(struct record_writer *writer, const char *text)
{
	(void)writer;
	(void)text;
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	(void)jvmti;
	return NULL;
}

void virtual_threads_add_capability(jvmtiCapabilities *capabilities)
{
	(void)capabilities;
}

enum os_answer os_thread_running(os_thread id)
{
	(void)id;
	return OS_UNKNOWN;
}

enum os_answer os_thread_runnable(os_thread id)
{
	(void)id;
	return OS_UNKNOWN;
}

void os_sleep_until(uint64_t when_ns)
{
	(void)when_ns;
}

uint32_t java_threads_serial(struct java_threads *its_threads, JNIEnv *jni, jthread object)
{
	(void)its_threads;
	(void)jni;
	(void)object;
	return 0;
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

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci)
{
	(void)resolver;
	(void)jni;
	(void)method;
	(void)bci;
	return NULL;
}

void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count)
{
	(void)resolver;
	(void)jni;
	(void)methods;
	(void)count;
}

/* ---- tests ------------------------------------------------------------- */

static struct state_samples *states;
static struct mode_needs needs;

static void set_up(void)
{
	looked_set_up();
	settings.interval_ms = 10;
	sections = 0;
	ck_assert(sample_traces_init(&traces, &profile, DEPTH));
	states = state_samples_create(&profile, &needs, &traces, DEPTH, false);
	ck_assert_ptr_nonnull(states);
}

static void tear_down(void)
{
	state_samples_destroy(states, fake_jni());
	sample_traces_free(&traces);
	looked_tear_down();
}

START_TEST(samples_that_can_not_be_created_are_none)
{
	unsigned failing = 0;
	bool failed;

	do {
		struct mode_needs unused = {.garbage_collection = false};
		failing++;
		fail_allocations(failing, failing);
		struct state_samples *created =
		        state_samples_create(&profile, &unused, &traces, DEPTH, false);
		failed = stop_failing();
		ck_assert_int_eq(created == NULL, failed);
		ck_assert_int_eq(unused.garbage_collection, !failed);
		if (created != NULL)
			state_samples_destroy(created, fake_jni());
	} while (failed);
	/* Its own memory, the stack of a look, and the frames. */
	ck_assert_uint_eq(failing, 4);
}
END_TEST

START_TEST(a_cpu_sample_without_memory_is_reported)
{
	fail_allocations(1, 1);
	state_samples_add_cpu(states, trace_table_find(profile.model.traces, TRACE_SERIAL_EMPTY), 0,
	                      1);
	ck_assert(stop_failing());
	ck_assert_uint_eq(memory_errors, 1);
}
END_TEST

START_TEST(an_ended_thread_is_freed_without_memory_for_its_trace)
{
	unsigned failing = 0;
	bool failed;

	do {
		failing++;
		memory_errors = 0;
		system_threads[0].is_gone = false;
		add_thread(&states->threads, 0);
		pass(0, 100, 0);
		end_thread(&states->threads, 0);
		fail_allocations(failing, UINT32_MAX);
		state_samples_hooks.poll(states, fake_jni());
		failed = stop_failing();
		ck_assert_uint_eq(memory_errors, failed ? 1 : 0);
		ck_assert_uint_eq(states->threads.count, 0);
		ck_assert_int_eq(fake_counts.global_refs, 0);
	} while (failed);
	ck_assert_uint_gt(failing, 1);
}
END_TEST

START_TEST(an_ended_thread_is_freed_without_memory_for_its_time)
{
	add_thread(&states->threads, 0);
	struct looked_thread *thread = thread_of(&states->threads, 0);
	thread->trace = trace_table_find(profile.model.traces, TRACE_SERIAL_EMPTY);
	pass(0, 100, 0);
	end_thread(&states->threads, 0);
	fail_allocations(1, 1);
	state_samples_hooks.poll(states, fake_jni());
	ck_assert(stop_failing());
	ck_assert_uint_eq(memory_errors, 1);
	ck_assert_uint_eq(states->threads.count, 0);
}
END_TEST

START_TEST(a_section_without_memory_for_rows_is_not_written)
{
	state_samples_add_cpu(states, trace_table_find(profile.model.traces, TRACE_SERIAL_EMPTY), 0,
	                      1);
	fail_allocations(1, 1);
	state_samples_write(states);
	ck_assert(stop_failing());
	ck_assert_uint_eq(memory_errors, 1);
	ck_assert_uint_eq(sections, 0);
	state_samples_write(states);
	ck_assert_uint_eq(sections, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("state_samples_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, samples_that_can_not_be_created_are_none);
	tcase_add_test(tests, a_cpu_sample_without_memory_is_reported);
	tcase_add_test(tests, an_ended_thread_is_freed_without_memory_for_its_trace);
	tcase_add_test(tests, an_ended_thread_is_freed_without_memory_for_its_time);
	tcase_add_test(tests, a_section_without_memory_for_rows_is_not_written);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
