/*
 * Tests of how a sampled stack is matched with the stack that the VM returns later. A
 * letter is a method; stacks are written innermost frame first.
 */
#include "sampling/virtual_callers.h"
#include "run_suite.h"

#include <string.h>

#define FRAMES_MAX 32

static void *method(char name)
{
	return (void *)(uintptr_t)(unsigned char)name;
}

/* The callers that are appended to the sampled frames. */
static const char *callers_of(const char *sampled, const char *stack)
{
	struct raw_frame sampled_frames[FRAMES_MAX];
	jvmtiFrameInfo stack_frames[FRAMES_MAX];
	uint32_t sampled_count = (uint32_t)strlen(sampled);
	uint32_t stack_count = (uint32_t)strlen(stack);

	memset(sampled_frames, 0, sizeof(sampled_frames));
	memset(stack_frames, 0, sizeof(stack_frames));
	for (uint32_t i = 0; i < sampled_count; i++)
		sampled_frames[i].method = method(sampled[i]);
	for (uint32_t i = 0; i < stack_count; i++)
		stack_frames[i].method = (jmethodID)method(stack[i]);
	uint32_t place =
	        virtual_callers_match(sampled_frames, sampled_count, stack_frames, stack_count);
	return place == 0 ? "none" : stack + place;
}

static const struct {
	const char *sampled;
	const char *stack;
	const char *callers;
} cases[] = {
        {"ab", "abcd", "cd"},     /* unchanged */
        {"ab", "xybcd", "cd"},    /* b has made other calls since */
        {"ab", "bcd", "cd"},      /* b's callee has returned */
        {"ab", "xyz", "none"},    /* another thread's stack */
        {"ab", "acd", "none"},    /* b itself has returned */
        {"ab", "ab", ""},         /* no callers */
        {"ab", "", "none"},       /* the VM returned no frames */
        {"sr", "srrrm", "rrm"},   /* recursion of the same depth */
        {"srr", "srrrm", "rm"},   /* the callees match there only */
        {"sr", "tsrrrm", "rrm"},  /* the same under a newer callee */
        {"abc", "xbcyabcz", "z"}, /* more callees match further out */
        {"c", "cxcy", "xcy"},     /* no callees to compare: innermost */
        {"abcdef", "def", ""},    /* the stack is shorter than the sample */
        {"ab", "ababm", "abm"},   /* two equal matches: innermost */
};

START_TEST(callers_follow_the_best_match)
{
	ck_assert_str_eq(callers_of(cases[_i].sampled, cases[_i].stack), cases[_i].callers);
}
END_TEST

START_TEST(without_virtual_threads_there_is_no_gap)
{
	struct raw_frame frames[2] = {{.method = method('a')}, {.method = NULL}};
	ck_assert_uint_eq(virtual_callers_find_gap(NULL, frames, 2), 0);
	virtual_callers_invalidate(NULL);
	virtual_callers_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("virtual_callers");
	TCase *tests = tcase_create("virtual callers");

	tcase_add_loop_test(tests, callers_follow_the_best_match, 0,
	                    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tests, without_virtual_threads_there_is_no_gap);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
