/*
 * Tests of finding where code returns to, on made-up code and stacks.
 */
#include "hotspot/read_cpu/code_return.h"
#include "hotspot/aarch64/machine_registers.h"
#include "machine_code_lines.h"
#include "run_suite.h"

#include <string.h>

enum { CODE_BYTES = 256, CALLER = 0x7000, OTHER = 0x8000, WORDS = 64, TOP = 16, STEPS = 200 };

static uintptr_t words[WORDS];
static uint32_t steps;

static void setup(void)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = OTHER;
	steps = STEPS;
}

static struct machine_state state_at(const uint32_t *code)
{
	struct os_registers registers = {.program_counter = (uintptr_t)code};
	struct machine_state state;

	registers.general[MACHINE_SP] = (uintptr_t)&words[TOP];
	registers.general[MACHINE_FP] = 29;
	registers.general[MACHINE_LR] = CALLER;
	machine_state_begin(&state, &registers);
	return state;
}

static bool find(const uint32_t *code, struct machine_state *state)
{
	struct os_code_range range = {(uintptr_t)code, (uintptr_t)code + CODE_BYTES};
	struct code_return search = {.code = range,
	                             .calls = range,
	                             .stack_low = machine_state_sp(state),
	                             .stack_base = (uintptr_t)&words[WORDS],
	                             .steps = steps};
	bool found = code_return_find(&search, state);

	steps = search.steps;
	return found;
}

/* The words that the code takes off the stack before it returns to its caller; -1: it is not known
 * to return there. */
static long takes(const uint32_t *code)
{
	struct machine_state state = state_at(code);

	setup();
	if (!find(code, &state) || state.pc != CALLER)
		return -1;
	return (long)(machine_state_sp(&state) - (uintptr_t)&words[TOP]) / (long)sizeof(long);
}

CODE(returns, "ret");
CODE(gives, "add sp, sp, #32; ret");
CODE(pops_pairs, "ldp x19, x20, [sp], #32; ldr x8, [sp], #16; ret");
CODE(pops_vectors, "ldp q0, q1, [sp], #32; ld1 {v0.16b-v3.16b}, [sp], #64; ret");
CODE(pops_few_vectors, "ld1 {v0.8b, v1.8b}, [sp], #16; st1 {v0.8b}, [sp], #8; ret");
CODE(calls_with_frame, "stp x29, x30, [sp, #-16]!; mov x29, sp; sub sp, sp, #64; bl .-4096;"
                       "mov sp, x29; ldp x29, x30, [sp], #16; ret");
CODE(takes_by_register,
     "mov x8, #0x5000; movk x8, #1, lsl #16; sub sp, sp, x8; add sp, sp, x8; ret");
CODE(aligns, "mov x9, sp; sub x10, sp, #48; and sp, x10, #-16; mov sp, x9; ret");
CODE(saves_link, "str x30, [sp, #-16]!; mov x30, #0; ldr x30, [sp], #16; ret");
CODE(signs, "paciasp; pacia x30, x29; autia x30, x29; autiasp; ret");
CODE(authenticates, "retaa");
CODE(leaves_to_another, "br x16");

START_TEST(what_code_takes_off_the_stack_is_counted)
{
	ck_assert_int_eq(takes(returns), 0);
	ck_assert_int_eq(takes(gives), 4);
	ck_assert_int_eq(takes(pops_pairs), 6);
	ck_assert_int_eq(takes(pops_vectors), 12);
	ck_assert_int_eq(takes(pops_few_vectors), 3);
	ck_assert_int_eq(takes(calls_with_frame), 0);
	ck_assert_int_eq(takes(takes_by_register), 0);
	ck_assert_int_eq(takes(aligns), 0);
	ck_assert_int_eq(takes(saves_link), 0);
	ck_assert_int_eq(takes(signs), 0);
	ck_assert_int_eq(takes(authenticates), 0);
	ck_assert_int_eq(takes(leaves_to_another), 0);
}
END_TEST

START_TEST(the_signature_of_a_return_address_is_left_out)
{
	struct machine_state state = state_at(returns);

	state.registers[MACHINE_LR] |= (uintptr_t)0x2a5 << 48;
	ck_assert(find(returns, &state));
	ck_assert_uint_eq(state.pc, CALLER);
}
END_TEST

CODE(loads_stack, "ldr x9, [x0]; mov sp, x9; ret");
CODE(returns_after_call, "bl .+64; ret");
CODE(stack_after_call, "str x30, [sp, #8]; bl .+64; mov sp, x19; ldr x30, [sp, #8]; ret");
CODE(link_from_vector, "fmov x30, d0; ret");
CODE(link_from_exclusive, "ldxr x30, [x1]; ret");
CODE(link_from_exchange, "swp x1, x30, [x2]; ret");
CODE(link_from_half, "ldr w30, [sp]; ret");
CODE(link_from_shift, "lsl x30, x30, #1; ret");
CODE(stack_from_product, "madd x9, x9, x9, x9; mov sp, x9; ret");

START_TEST(what_is_not_known_is_not_used)
{
	ck_assert_int_eq(takes(loads_stack), -1);
	ck_assert_int_eq(takes(returns_after_call), -1);
	ck_assert_int_eq(takes(stack_after_call), -1);
	ck_assert_int_eq(takes(link_from_vector), -1);
	ck_assert_int_eq(takes(link_from_exclusive), -1);
	ck_assert_int_eq(takes(link_from_exchange), -1);
	ck_assert_int_eq(takes(link_from_half), -1);
	ck_assert_int_eq(takes(link_from_shift), -1);
	ck_assert_int_eq(takes(stack_from_product), -1);
}
END_TEST

CODE(keeps_link, "str x30, [sp, #8]; bl .+64; ldr x30, [sp, #8]; ret");
CODE(keeps_in_register, "mov x19, x30; bl .-4096; mov x30, x19; ret");
CODE(writes_others, "ldr x0, [x1]; cmp x0, x2; csel x3, x4, x5, eq; mul x6, x7, x8; mrs x9, nzcv;"
                    "ldaddal x10, x11, [x12]; stlr x13, [x14]; dmb ish; fadd d29, d30, d31;"
                    "ldr q30, [x15]; ret");
CODE(compares_with_zero, "cmp sp, x8; cmn x0, #1; tst x0, #1; ret");

START_TEST(other_instructions_leave_the_stack_and_the_return_address)
{
	ck_assert_int_eq(takes(keeps_link), 0);
	ck_assert_int_eq(takes(keeps_in_register), 0);
	ck_assert_int_eq(takes(writes_others), 0);
	ck_assert_int_eq(takes(compares_with_zero), 0);
}
END_TEST

CODE(loops, "1: cbz x0, 2f; b 1b; 2: add sp, sp, #16; ret");
CODE(branches, "b.ne 1f; brk #0; 1: ret");
CODE(tests_bit, "tbz x0, #3, 1f; sub sp, sp, #16; br x0; 1: ret");
CODE(counts, "1: subs x0, x0, #1; cbnz x0, 1b; add sp, sp, #16; ret");

START_TEST(one_way_through_branches_and_loops_is_enough)
{
	ck_assert_int_eq(takes(loops), 2);
	ck_assert_int_eq(takes(branches), 0);
	ck_assert_int_eq(takes(tests_bit), 0);
	ck_assert_int_eq(takes(counts), 2);
}
END_TEST

CODE(endless, "b .");
CODE(out_of_code, "b .+4096");
CODE(undefined, ".inst 0");

START_TEST(code_without_an_end_is_given_up)
{
	ck_assert_int_eq(takes(endless), -1);
	ck_assert_uint_eq(steps, 0);
	ck_assert_int_eq(takes(out_of_code), -1);
	ck_assert_int_eq(takes(undefined), -1);
	ck_assert_uint_gt(steps, 0);
}
END_TEST

CODE(reads_beyond, "add sp, sp, #4095, lsl #12; ldr x30, [sp]; ret");

START_TEST(nothing_is_read_beyond_the_stack)
{
	ck_assert_int_eq(takes(reads_beyond), -1);
}
END_TEST

/* Of the interpreter: mathematical functions keep the return address in x19, and go back to the
 * stack of the caller. */
CODE(intrinsic, "mov x19, x30; bl .-4096; mov sp, x20; br x19; .space 32; bl .; nop");

START_TEST(code_may_jump_to_its_return_address)
{
	struct machine_state state = state_at(intrinsic);

	state.registers[MACHINE_LR] = (uintptr_t)&intrinsic[13];
	state.registers[MACHINE_X19 + 1] = (uintptr_t)&words[TOP + 9];
	ck_assert(find(intrinsic, &state));
	ck_assert_uint_eq(state.pc, (uintptr_t)&intrinsic[13]);
	ck_assert_uint_eq(machine_state_sp(&state), (uintptr_t)&words[TOP + 9]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("code_return");
	TCase *tests = tcase_create("code");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, what_code_takes_off_the_stack_is_counted);
	tcase_add_test(tests, the_signature_of_a_return_address_is_left_out);
	tcase_add_test(tests, what_is_not_known_is_not_used);
	tcase_add_test(tests, other_instructions_leave_the_stack_and_the_return_address);
	tcase_add_test(tests, one_way_through_branches_and_loops_is_enough);
	tcase_add_test(tests, code_without_an_end_is_given_up);
	tcase_add_test(tests, nothing_is_read_beyond_the_stack);
	tcase_add_test(tests, code_may_jump_to_its_return_address);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
