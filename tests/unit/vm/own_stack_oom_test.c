/*
 * Test of the calling thread's stack, with memory and without.
 */
#include "failing_allocation.h"
#include "vm/own_stack.h"
#include "run_suite.h"

enum { DEEP = 1000 };

static struct {
	jint depth; /* of the stack */
	jint asked;
	jvmtiError error;
} vm;

static jvmtiError JNICALL get_stack_trace(jvmtiEnv *jvmti, jthread thread, jint start, jint most,
                                          jvmtiFrameInfo *frames, jint *count)
{
	(void)jvmti;
	vm.asked = thread == NULL && start == 0 ? most : -1;
	*count = most < vm.depth ? most : vm.depth;
	for (jint i = 0; i < *count; i++)
		frames[i] = (jvmtiFrameInfo){.location = i};
	return vm.error;
}

static struct jvmtiInterface_1_ functions = {.GetStackTrace = get_stack_trace};
static jvmtiEnv jvmti = &functions;

static void start(jint depth)
{
	vm.depth = depth;
	vm.asked = 0;
	vm.error = JVMTI_ERROR_NONE;
}

static void takes(uint32_t depth, jint count)
{
	struct own_stack stack;

	ck_assert(own_stack_take(&stack, &jvmti, depth));
	ck_assert_int_eq(vm.asked, depth);
	ck_assert_int_eq(stack.count, count);
	for (jint i = 0; i < count; i++)
		ck_assert_int_eq(stack.frames[i].location, i);
	own_stack_free(&stack);
}

START_TEST(the_innermost_frames_are_taken)
{
	start(DEEP);
	takes(0, 0);
	takes(1, 1);
	takes(OWN_STACK_FEW, OWN_STACK_FEW);
	takes(OWN_STACK_FEW + 1, OWN_STACK_FEW + 1);
	takes(DEEP + 1, DEEP);
	start(3);
	takes(OWN_STACK_FEW, 3);
	takes(DEEP, 3);
}
END_TEST

START_TEST(an_error_leaves_no_frames)
{
	static const uint32_t depths[] = {1, DEEP};
	struct own_stack stack;

	start(DEEP);
	vm.error = JVMTI_ERROR_WRONG_PHASE;
	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		ck_assert(own_stack_take(&stack, &jvmti, depths[i]));
		ck_assert_int_eq(stack.count, 0);
		own_stack_free(&stack);
	}
}
END_TEST

START_TEST(few_frames_need_no_memory_and_more_fail_without)
{
	struct own_stack stack;

	start(DEEP);
	fail_allocations(1, UINT32_MAX);
	bool few = own_stack_take(&stack, &jvmti, OWN_STACK_FEW);
	bool failed_for_few = stop_failing();
	own_stack_free(&stack);
	ck_assert(few);
	ck_assert(!failed_for_few);

	fail_allocations(1, UINT32_MAX);
	bool more = own_stack_take(&stack, &jvmti, OWN_STACK_FEW + 1);
	ck_assert(stop_failing());
	ck_assert(!more);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("own_stack_oom");
	TCase *tests = tcase_create("oom");

	tcase_add_test(tests, the_innermost_frames_are_taken);
	tcase_add_test(tests, an_error_leaves_no_frames);
	tcase_add_test(tests, few_frames_need_no_memory_and_more_fail_without);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
