/*
 * Tests of which places of a stack a search tries: the walk itself is the test's own, and succeeds
 * from one address.
 */
#include "hotspot/walk_search.h"
#include "run_suite.h"

enum { WORDS = 8, CODE = 0x10000, CODE_BYTES = 0x100 };

static uintptr_t words[WORDS];
static struct walk_starter starter = {.code = {CODE, CODE + CODE_BYTES}};
static struct java_walk_start tried;
static int tries;

bool java_walk_try(struct java_walk *walk, const struct java_walk_start *start)
{
	(void)walk;
	tried = *start;
	tries++;
	return start->at.pc == CODE;
}

static struct walk_search search_of_stack(void)
{
	tries = 0;
	starter.walker.stack.layout.pushed_by_call = STACK_WORD;
	return (struct walk_search){.starter = &starter,
	                            .registers = {.stack_pointer = (uintptr_t)&words[1]},
	                            .base = (uintptr_t)&words[WORDS - 1],
	                            .method = 7,
	                            .bci = 3};
}

START_TEST(a_walk_starts_at_the_place_with_the_frameless_method)
{
	struct walk_search search = search_of_stack();

	ck_assert(walk_search_try(&search, CODE, (uintptr_t)&words[2], 5, JAVA_WALK_IN_VM));
	ck_assert_uint_eq(tried.at.pc, CODE);
	ck_assert_uint_eq(tried.at.sp, (uintptr_t)&words[2]);
	ck_assert_uint_eq(tried.at.fp, 5);
	ck_assert_uint_eq(tried.at.base, (uintptr_t)&words[WORDS - 1]);
	ck_assert_int_eq(tried.frame, JAVA_WALK_IN_VM);
	ck_assert_uint_eq(tried.method, 7);
	ck_assert_int_eq(tried.bci, 3);
}
END_TEST

START_TEST(nothing_is_tried_once_a_walk_has_succeeded)
{
	struct walk_search search = search_of_stack();

	ck_assert(!walk_search_try(&search, CODE + 1, 0, 0, JAVA_WALK_CALLING));
	ck_assert(!search.found);
	ck_assert(walk_search_try(&search, CODE, 0, 0, JAVA_WALK_CALLING));
	ck_assert(walk_search_try(&search, CODE + 1, 0, 0, JAVA_WALK_CALLING));
	ck_assert(search.found);
	ck_assert_int_eq(tries, 2);
}
END_TEST

START_TEST(a_caller_is_in_code_and_has_its_frame_on_the_stack)
{
	struct walk_search search = search_of_stack();
	uintptr_t sp = (uintptr_t)&words[2];

	ck_assert(!walk_search_try_caller(&search, CODE - 1, sp, 0, JAVA_WALK_CALLING));
	ck_assert(!walk_search_try_caller(&search, CODE + CODE_BYTES, sp, 0, JAVA_WALK_CALLING));
	ck_assert(
	        !walk_search_try_caller(&search, CODE, (uintptr_t)&words[1], 0, JAVA_WALK_CALLING));
	ck_assert(!walk_search_try_caller(&search, CODE, search.base, 0, JAVA_WALK_CALLING));
	ck_assert(!walk_search_try_caller(&search, CODE, sp + 1, 0, JAVA_WALK_CALLING));
	ck_assert_int_eq(tries, 0);
	ck_assert(walk_search_try_caller(&search, CODE, sp, 0, JAVA_WALK_CALLING));
	ck_assert_int_eq(tries, 1);
}
END_TEST

START_TEST(a_caller_has_the_same_stack_where_calls_push_nothing)
{
	struct walk_search search = search_of_stack();

	starter.walker.stack.layout.pushed_by_call = 0;
	ck_assert(
	        !walk_search_try_caller(&search, CODE, (uintptr_t)&words[0], 0, JAVA_WALK_CALLING));
	ck_assert_int_eq(tries, 0);
	ck_assert(
	        walk_search_try_caller(&search, CODE, (uintptr_t)&words[1], 0, JAVA_WALK_CALLING));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("walk_search");
	TCase *tests = tcase_create("places");

	tcase_add_test(tests, a_walk_starts_at_the_place_with_the_frameless_method);
	tcase_add_test(tests, nothing_is_tried_once_a_walk_has_succeeded);
	tcase_add_test(tests, a_caller_is_in_code_and_has_its_frame_on_the_stack);
	tcase_add_test(tests, a_caller_has_the_same_stack_where_calls_push_nothing);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
