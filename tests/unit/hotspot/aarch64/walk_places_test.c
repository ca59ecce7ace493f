/*
 * Tests of where a return address is searched for on the stack and by the registers: the walk
 * itself is the test's own, and succeeds from one address.
 */
#include "hotspot/aarch64/walk_places.h"
#include "hotspot/aarch64/machine_registers.h"
#include "run_suite.h"

#include <string.h>

enum { WORDS = 16, CODE = 0x10000, CODE_BYTES = 0x100, TOP = 2, SENDER = 8 };

static uintptr_t words[WORDS];
static const struct walk_starter starter = {
        .code = {CODE, CODE + CODE_BYTES},
        .walker.stack.layout.address_bits = UINTPTR_MAX >> 16};
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

START_TEST(the_address_is_in_its_register_with_a_signature_or_without)
{
	uintptr_t sp = search.registers.stack_pointer;

	ck_assert(!walk_places_try_link(&search, sp, JAVA_WALK_CALLING));
	search.registers.general[MACHINE_LR] = CODE | (uintptr_t)0x2a5 << 48;
	ck_assert(!walk_places_try_link(&search, sp - STACK_WORD, JAVA_WALK_CALLING));
	ck_assert(walk_places_try_link(&search, sp, JAVA_WALK_CALLING));
	check_tried(sp, 5);
}
END_TEST

START_TEST(the_address_is_after_the_frame_pointer_of_the_caller)
{
	words[TOP] = 6;
	ck_assert(!walk_places_try_below_frame_pointer(&search, JAVA_WALK_CALLING));
	words[TOP + 1] = CODE;
	ck_assert(walk_places_try_below_frame_pointer(&search, JAVA_WALK_CALLING));
	check_tried((uintptr_t)&words[TOP + 2], 6);
}
END_TEST

START_TEST(the_stack_of_the_caller_is_in_one_of_two_registers)
{
	static const enum machine_register senders[] = {MACHINE_X13, MACHINE_X19};

	for (int i = 0; i < 2; i++) {
		setup();
		search.registers.general[MACHINE_LR] = CODE;
		ck_assert(!walk_places_try_sender(&search));
		search.registers.general[senders[i]] = (uintptr_t)&words[SENDER];
		ck_assert_uint_eq(walk_places_sender(&search), (uintptr_t)&words[SENDER]);
		ck_assert(walk_places_try_sender(&search));
		check_tried((uintptr_t)&words[SENDER], 5);
	}
}
END_TEST

START_TEST(what_is_no_stack_pointer_is_no_sender)
{
	search.registers.general[MACHINE_X19] = (uintptr_t)&words[TOP - 1];
	ck_assert_uint_eq(walk_places_sender(&search), 0);
	search.registers.general[MACHINE_X19] = (uintptr_t)&words[SENDER] + 1;
	ck_assert_uint_eq(walk_places_sender(&search), 0);
	search.registers.general[MACHINE_X19] = (uintptr_t)&words[TOP] + (1 << 20);
	ck_assert_uint_eq(walk_places_sender(&search), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("walk_places");
	TCase *tests = tcase_create("places");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, the_address_is_in_its_register_with_a_signature_or_without);
	tcase_add_test(tests, the_address_is_after_the_frame_pointer_of_the_caller);
	tcase_add_test(tests, the_stack_of_the_caller_is_in_one_of_two_registers);
	tcase_add_test(tests, what_is_no_stack_pointer_is_no_sender);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
