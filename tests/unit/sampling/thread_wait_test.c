/*
 * Tests of what a thread waits for: by its state in the VM, by the system's answer whether it can
 * run, by the native method that it is in, and by what it parks for. The VM, the system's answer,
 * the resolver and the cause of a park are fakes.
 */
#include "sampling/thread_wait.h"
#include "vm/frame_resolver.h"
#include "run_suite.h"

#include <string.h>

enum {
	DEPTH = 4,
	ID = 77,
	ALIVE = JVMTI_THREAD_STATE_ALIVE,
	RUNNABLE = ALIVE | JVMTI_THREAD_STATE_RUNNABLE,
	IN_NATIVE = RUNNABLE | JVMTI_THREAD_STATE_IN_NATIVE,
	WAITING = ALIVE | JVMTI_THREAD_STATE_WAITING
};

static char thread_memory;
#define THREAD ((jthread)(void *)&thread_memory)

static struct profile profile;
static struct wait_finder finder;
static struct raw_frame frames[DEPTH];
static struct thread_wait found;

/* What the fakes answer. */
static jint state;
static jvmtiError state_error;
static jvmtiError stack_error;
static jint stack_depth;
static enum os_answer runnable;
static enum wait_cause parks_for;
static bool has_frame; /* false: the resolver is out of memory */

/* What was asked. */
static int stacks;
static int runnable_questions;
static int park_questions;
static int unlearnt; /* methods of the last stack that nobody has learnt yet */

/* The innermost method. */
static struct string class_signature;
static struct string method_name;
static struct class_record class = {.signature = &class_signature};
static struct method method = {.class = &class, .name = &method_name};
static struct frame innermost = {.method = &method};
static char method_memory[DEPTH];

/* ---- fakes ------------------------------------------------------------- */

static jvmtiError JNICALL get_thread_state(jvmtiEnv *env, jthread thread, jint *its_state)
{
	(void)env;
	ck_assert_ptr_eq(thread, THREAD);
	*its_state = state;
	return state_error;
}

static jvmtiError JNICALL get_stack_trace(jvmtiEnv *env, jthread thread, jint start, jint most,
                                          jvmtiFrameInfo *stack, jint *count)
{
	(void)env;
	ck_assert_ptr_eq(thread, THREAD);
	ck_assert_int_eq(start, 0);
	ck_assert_int_eq(most, DEPTH);
	stacks++;
	if (stack_error != JVMTI_ERROR_NONE)
		return stack_error;
	for (jint i = 0; i < stack_depth; i++) {
		stack[i].method = (jmethodID)(void *)&method_memory[i];
		stack[i].location = i == 0 ? -1 : 10 * i;
	}
	*count = stack_depth;
	unlearnt = stack_depth;
	return JVMTI_ERROR_NONE;
}

enum os_answer os_thread_runnable(os_thread thread)
{
	ck_assert_uint_eq(thread, ID);
	runnable_questions++;
	return runnable;
}

void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count)
{
	(void)resolver;
	(void)jni;
	for (jint i = 0; i < count; i++)
		ck_assert_ptr_eq(methods[i], &method_memory[stack_depth - unlearnt--]);
}

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni, jmethodID id,
                                        int64_t bci)
{
	(void)resolver;
	(void)jni;
	ck_assert_int_eq(unlearnt, 0);
	ck_assert_ptr_eq(id, &method_memory[0]);
	ck_assert_int_eq(bci, -1);
	return has_frame ? &innermost : NULL;
}

void park_fields_find(struct park_fields *fields, JNIEnv *jni)
{
	(void)jni;
	fields->synchronizer = (jclass)(void *)&thread_memory;
}

enum wait_cause park_cause(const struct park_fields *fields, jvmtiEnv *jvmti, JNIEnv *jni,
                           jthread thread)
{
	(void)jni;
	ck_assert_int_eq(unlearnt, 0);
	ck_assert_ptr_eq(fields->synchronizer, &thread_memory);
	ck_assert_ptr_eq(jvmti, profile.jvmti);
	ck_assert_ptr_eq(thread, THREAD);
	park_questions++;
	return parks_for;
}

static const struct jvmtiInterface_1_ functions = {
        .GetThreadState = get_thread_state,
        .GetStackTrace = get_stack_trace,
};

/* ---- tests ------------------------------------------------------------- */

static void in_method(const char *signature, const char *name, bool native)
{
	class_signature.text = signature;
	method_name.text = name;
	method.native = native;
}

/* A runnable thread in a method of the program, of which the system knows nothing. */
static void set_up(void)
{
	static jvmtiEnv jvmti = &functions;

	profile.jvmti = &jvmti;
	state = RUNNABLE;
	state_error = JVMTI_ERROR_NONE;
	stack_error = JVMTI_ERROR_NONE;
	stack_depth = 3;
	runnable = OS_UNKNOWN;
	parks_for = WAIT_SLEEP;
	has_frame = true;
	stacks = 0;
	runnable_questions = 0;
	park_questions = 0;
	unlearnt = 0;
	in_method("Ldemo/Work;", "work", true);
	ck_assert(wait_finder_init(&finder, &profile, DEPTH));
	wait_finder_live(&finder, NULL);
}

static void tear_down(void)
{
	wait_finder_free(&finder);
}

/* Looks, and checks that all methods have been learnt. */
static void look(void)
{
	memset(frames, 0, sizeof(frames));
	found = (struct thread_wait){
	        .waits = true, .state = TRACE_STATES, .frames = frames, .frame_count = 99};
	wait_finder_find(&finder, NULL, THREAD, ID, &found);
	ck_assert_int_eq(unlearnt, 0);
}

static void stack_is_there(void)
{
	ck_assert_uint_eq(found.frame_count, (uint32_t)stack_depth);
	for (jint i = 0; i < stack_depth; i++) {
		ck_assert_ptr_eq(frames[i].method, &method_memory[i]);
		ck_assert_int_eq(frames[i].bci, i == 0 ? -1 : 10 * i);
	}
}

static void waits_in(enum trace_state expected)
{
	look();
	ck_assert(found.waits);
	ck_assert_int_eq(found.state, expected);
	stack_is_there();
	ck_assert_int_eq(stacks, 1);
}

static void does_not_wait(void)
{
	look();
	ck_assert(!found.waits);
}

START_TEST(blocked_on_a_monitor_is_lck)
{
	state = ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
	runnable = OS_YES;
	waits_in(TRACE_LCK);
	ck_assert_int_eq(runnable_questions, 0);
}
END_TEST

START_TEST(parked_is_what_the_park_is_for)
{
	state = WAITING | JVMTI_THREAD_STATE_WAITING_INDEFINITELY | JVMTI_THREAD_STATE_PARKED;
	parks_for = WAIT_LOCK;
	waits_in(TRACE_LCK);
	parks_for = WAIT_SLEEP;
	stacks = 0;
	waits_in(TRACE_SLP);
	ck_assert_int_eq(park_questions, 2);
	ck_assert_int_eq(runnable_questions, 0);
}
END_TEST

START_TEST(waiting_and_sleeping_are_slp)
{
	static const jint states[] = {
	        WAITING | JVMTI_THREAD_STATE_WAITING_INDEFINITELY |
	                JVMTI_THREAD_STATE_IN_OBJECT_WAIT,
	        WAITING | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT |
	                JVMTI_THREAD_STATE_IN_OBJECT_WAIT,
	        ALIVE | JVMTI_THREAD_STATE_SLEEPING,
	};
	/* What it waits for is not asked of its method. */
	in_method("Ljava/io/FileInputStream;", "readBytes", true);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		state = states[i];
		stacks = 0;
		waits_in(TRACE_SLP);
	}
	ck_assert_int_eq(runnable_questions, 0);
	ck_assert_int_eq(park_questions, 0);
}
END_TEST

START_TEST(no_stack_is_taken_of_a_thread_that_can_run)
{
	runnable = OS_YES;
	in_method("Ljava/io/FileInputStream;", "readBytes", true);
	for (int native = 0; native < 2; native++) {
		state = native != 0 ? IN_NATIVE : RUNNABLE;
		does_not_wait();
		ck_assert_uint_eq(found.frame_count, 0);
	}
	ck_assert_int_eq(stacks, 0);
	ck_assert_int_eq(runnable_questions, 2);
}
END_TEST

static const struct {
	const char *class_signature;
	const char *name;
	enum trace_state state;
} natives[] = {
        {"Ljava/io/FileInputStream;", "readBytes", TRACE_IO},
        {"Lsun/nio/ch/SocketDispatcher;", "read0", TRACE_IO},
        {"Ljava/lang/Runtime;", "gc", TRACE_STW},
        {"Lsun/nio/ch/EPoll;", "wait", TRACE_SLP},
        {"Ljava/lang/Thread;", "sleep0", TRACE_SLP},
};

START_TEST(a_native_method_that_is_known_to_wait_gives_the_state)
{
	in_method(natives[_i].class_signature, natives[_i].name, true);
	state = IN_NATIVE;
	runnable = OS_NO;
	waits_in(natives[_i].state);
	stacks = 0;
	runnable = OS_UNKNOWN;
	waits_in(natives[_i].state);
	/* The answer of the system counts, whatever the VM says. */
	stacks = 0;
	state = RUNNABLE;
	runnable = OS_NO;
	waits_in(natives[_i].state);
}
END_TEST

START_TEST(a_park_in_native_code_is_what_it_is_for)
{
	in_method("Ljdk/internal/misc/Unsafe;", "park", true);
	state = IN_NATIVE;
	parks_for = WAIT_LOCK;
	waits_in(TRACE_LCK);
	stacks = 0;
	runnable = OS_NO;
	parks_for = WAIT_SLEEP;
	waits_in(TRACE_SLP);
	ck_assert_int_eq(park_questions, 2);
}
END_TEST

static const struct {
	const char *class_signature;
	const char *name;
	bool native;
} others[] = {
        {"Ldemo/Work;", "work", true},
        {"Ljava/io/FileInputStream;", "readBytes", false},
        {"Ljava/io/FileInputStream;", "skip0", true},
        {"Ldemo/FileInputStream;", "readBytes", true},
        {"[Ljava/io/FileInputStream;", "readBytes", true},
        {"L", "readBytes", true},
        {"", "readBytes", true},
};

START_TEST(other_code_waits_only_if_the_system_says_so)
{
	in_method(others[_i].class_signature, others[_i].name, others[_i].native);
	state = IN_NATIVE;
	runnable = OS_NO;
	waits_in(TRACE_SLP);
	runnable = OS_UNKNOWN;
	does_not_wait();
}
END_TEST

START_TEST(a_method_that_can_not_be_found_waits_only_if_the_system_says_so)
{
	in_method("Ljava/io/FileInputStream;", "readBytes", true);
	has_frame = false;
	state = IN_NATIVE;
	does_not_wait();
	stacks = 0;
	runnable = OS_NO;
	waits_in(TRACE_SLP);
}
END_TEST

START_TEST(without_an_answer_only_native_code_may_wait)
{
	in_method("Ljava/io/FileInputStream;", "readBytes", true);
	does_not_wait();
	ck_assert_int_eq(stacks, 0);
	ck_assert_uint_eq(found.frame_count, 0);
}
END_TEST

START_TEST(a_thread_without_frames_waits_only_if_the_system_says_so)
{
	stack_depth = 0;
	state = IN_NATIVE;
	runnable = OS_NO;
	waits_in(TRACE_SLP);
	runnable = OS_UNKNOWN;
	does_not_wait();
	state = WAITING;
	stacks = 0;
	waits_in(TRACE_SLP);
}
END_TEST

START_TEST(a_stack_may_be_as_deep_as_the_buffer)
{
	stack_depth = DEPTH;
	state = WAITING;
	waits_in(TRACE_SLP);
}
END_TEST

START_TEST(a_thread_that_is_not_alive_does_not_wait)
{
	static const jint states[] = {
	        0,
	        JVMTI_THREAD_STATE_TERMINATED,
	        JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER,
	};
	runnable = OS_NO;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		state = states[i];
		does_not_wait();
		ck_assert_uint_eq(found.frame_count, 0);
	}
	ck_assert_int_eq(stacks, 0);
}
END_TEST

START_TEST(a_thread_whose_state_the_vm_does_not_tell_does_not_wait)
{
	state = WAITING;
	state_error = JVMTI_ERROR_THREAD_NOT_ALIVE;
	does_not_wait();
	ck_assert_uint_eq(found.frame_count, 0);
	ck_assert_int_eq(stacks, 0);
}
END_TEST

START_TEST(a_thread_whose_stack_the_vm_does_not_give_does_not_wait)
{
	static const jint states[] = {
	        WAITING,
	        ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER,
	        RUNNABLE,
	        IN_NATIVE,
	};
	stack_error = JVMTI_ERROR_THREAD_NOT_ALIVE;
	runnable = OS_NO;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		state = states[i];
		does_not_wait();
		ck_assert_uint_eq(found.frame_count, 0);
	}
	ck_assert_int_eq(stacks, 4);
}
END_TEST

START_TEST(a_stack_can_be_taken_whatever_the_thread_does)
{
	found = (struct thread_wait){.frames = frames};
	runnable = OS_YES;
	ck_assert(wait_finder_stack(&finder, NULL, THREAD, &found));
	ck_assert_int_eq(unlearnt, 0);
	stack_is_there();
	ck_assert_int_eq(runnable_questions, 0);
	stack_error = JVMTI_ERROR_THREAD_NOT_ALIVE;
	ck_assert(!wait_finder_stack(&finder, NULL, THREAD, &found));
}
END_TEST

static TCase *state_tests(void)
{
	TCase *tests = tcase_create("states");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, blocked_on_a_monitor_is_lck);
	tcase_add_test(tests, parked_is_what_the_park_is_for);
	tcase_add_test(tests, waiting_and_sleeping_are_slp);
	tcase_add_test(tests, a_thread_that_is_not_alive_does_not_wait);
	tcase_add_test(tests, a_thread_whose_state_the_vm_does_not_tell_does_not_wait);
	tcase_add_test(tests, a_thread_whose_stack_the_vm_does_not_give_does_not_wait);
	tcase_add_test(tests, a_stack_can_be_taken_whatever_the_thread_does);
	tcase_add_test(tests, a_stack_may_be_as_deep_as_the_buffer);
	return tests;
}

static TCase *runnable_tests(void)
{
	TCase *tests = tcase_create("runnable");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, no_stack_is_taken_of_a_thread_that_can_run);
	tcase_add_loop_test(tests, a_native_method_that_is_known_to_wait_gives_the_state, 0,
	                    sizeof(natives) / sizeof(natives[0]));
	tcase_add_test(tests, a_park_in_native_code_is_what_it_is_for);
	tcase_add_loop_test(tests, other_code_waits_only_if_the_system_says_so, 0,
	                    sizeof(others) / sizeof(others[0]));
	tcase_add_test(tests, a_method_that_can_not_be_found_waits_only_if_the_system_says_so);
	tcase_add_test(tests, without_an_answer_only_native_code_may_wait);
	tcase_add_test(tests, a_thread_without_frames_waits_only_if_the_system_says_so);
	return tests;
}

int main(void)
{
	Suite *suite = suite_create("thread_wait");

	suite_add_tcase(suite, state_tests());
	suite_add_tcase(suite, runnable_tests());
	return run_suite(suite);
}
