/*
 * Tests of where a return address is searched for on the stack and by the registers: the walk
 * itself is the test's own, and succeeds from one address.
 */
#include "hotspot/x86_64/walk_places.h"
#include "hotspot/x86_64/machine_registers.h"
#include "run_suite.h"

enum { WORDS = 16, CODE = 0x10000, CODE_BYTES = 0x100, TOP = 2, SENDER = 8 };

static uintptr_t words[WORDS];
static const struct walk_starter starter = {.code = {CODE, CODE + CODE_BYTES}};
static struct walk_search search;
static struct stack_position tried;

bool java_walk_try(struct java_walk *walk, const struct java_walk_start *start)
{
	(void)walk;
	tried = start->at;
	return start->at.pc == CODE;
}

static void setup(void)
{
	memset(words, 0, sizeof(words));
	search = (struct walk_search){
	        .starter = &starter,
	        .registers = {.stack_pointer = (uintptr_t)&words[TOP], .frame_pointer = 5},
	        .base = (uintptr_t)&words[WORDS - 1]};
}

static void check_tried(uintptr_t sp, uintptr_t fp)
{
	ck_assert_uint_eq(tried.pc, CODE);
	ck_assert_uint_eq(tried.sp, sp);
	ck_assert_uint_eq(tried.fp, fp);
}

START_TEST(the_address_is_on_top_of_the_stack)
{
	ck_assert(!walk_places_try_top(&search, JAVA_WALK_CALLING));
	words[TOP] = CODE;
	ck_assert(walk_places_try_top(&search, JAVA_WALK_CALLING));
	check_tried((uintptr_t)&words[TOP + 1], 5);
}
END_TEST

START_TEST(the_address_is_after_the_frame_pointer_of_the_caller)
{
	words[TOP] = 6;
	words[TOP + 1] = CODE;
	ck_assert(walk_places_try_below_frame_pointer(&search, JAVA_WALK_CALLING));
	check_tried((uintptr_t)&words[TOP + 2], 6);
}
END_TEST

/* On top of the stack, in rax, and under the stack of the caller. */
START_TEST(the_stack_of_the_caller_is_in_r13)
{
	uintptr_t sender = (uintptr_t)&words[SENDER];

	if (_i == 0)
		words[TOP] = CODE;
	else if (_i == 1)
		search.registers.general[MACHINE_RAX] = CODE;
	else
		words[SENDER - 1] = CODE;
	ck_assert(!walk_places_try_sender(&search));
	search.registers.general[MACHINE_R13] = sender;
	ck_assert(walk_places_try_sender(&search));
	check_tried(sender, 5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("walk_places");
	TCase *tests = tcase_create("places");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, the_address_is_on_top_of_the_stack);
	tcase_add_test(tests, the_address_is_after_the_frame_pointer_of_the_caller);
	tcase_add_loop_test(tests, the_stack_of_the_caller_is_in_r13, 0, 3);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
