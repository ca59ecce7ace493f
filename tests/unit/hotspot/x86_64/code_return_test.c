/*
 * Tests of finding where code returns to, on made-up code and stacks with words that look like
 * return addresses but are none.
 */
#include "hotspot/read_cpu/code_return.h"
#include "hotspot/x86_64/machine_registers.h"
#include "run_suite.h"

#include <string.h>

enum { CODE_BYTES = 256, CALLER = 200, WORDS = 64, TOP = 16, STEPS = 200 };

/* Code, with a call that returns to CALLER in it. */
static unsigned char code[CODE_BYTES];
static uintptr_t words[WORDS];
static uint32_t steps;

static void setup(void)
{
	memset(code, 0xf4, sizeof(code)); /* hlt */
	memcpy(code + CALLER - 5, "\xe8\0\0\0\0", 5);
	for (int i = 0; i < WORDS; i++) /* stale, all of them */
		words[i] = (uintptr_t)code + CALLER;
	steps = STEPS;
}

static struct machine_state state_at(int top)
{
	struct machine_state state = {.pc = (uintptr_t)code,
	                              .known = UINT32_MAX};
	state.registers[MACHINE_RSP] = (uintptr_t)&words[top];
	return state;
}

static bool find(struct machine_state *state)
{
	struct os_code_range range = {(uintptr_t)code, (uintptr_t)code + sizeof(code)};
	struct code_return search = {.code = range,
	                             .calls = range,
	                             .stack_low = state->registers[MACHINE_RSP],
	                             .stack_base = (uintptr_t)&words[WORDS],
	                             .steps = steps};
	bool found = code_return_find(&search, state);

	steps = search.steps;
	return found;
}

#define PUT(bytes) memcpy(code, bytes, sizeof(bytes) - 1)

/* The word above the return address that is found by code with its frame at TOP. */
#define RETURNS_ABOVE(bytes) (PUT(bytes), returns_above())

static long returns_above(void)
{
	struct machine_state state = state_at(TOP);

	if (!find(&state))
		return -1;
	ck_assert_uint_eq(state.pc, (uintptr_t)code + CALLER);
	return (long)(state.registers[MACHINE_RSP] - (uintptr_t)&words[TOP]) / (long)sizeof(long);
}

START_TEST(what_code_pushes_and_takes_is_counted)
{
	ck_assert_int_eq(RETURNS_ABOVE("\xc3"), 1);
	ck_assert_int_eq(RETURNS_ABOVE("\x58\x41\x5c\xc3"), 3);            /* pop, pop */
	ck_assert_int_eq(RETURNS_ABOVE("\x53\x90\x5b\xc3"), 1);            /* push, pop */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x83\xc4\x40\x5b\xc3"), 10);   /* add rsp, 64; pop */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x81\xc4\x80\0\0\0\xc3"), 17); /* add rsp, 128 */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x8d\x64\x24\x18\xc3"), 4);    /* lea rsp, [rsp+24] */
	ck_assert_int_eq(RETURNS_ABOVE("\x9c\x48\x83\xec\x10\x48\x83\xc4\x10\x9d\xc3"), 1);
	ck_assert_int_eq(RETURNS_ABOVE("\xc5\xf8\x77\xc4\xe3\x79\x61\x06\x19\x58\xc3"), 2);
	ck_assert_int_eq(RETURNS_ABOVE("\x62\xf1\x7c\x48\x28\x64\x24\x01\x58\xc3"), 2);
}
END_TEST

START_TEST(a_stack_pointer_that_was_kept_is_found_again)
{
	words[TOP + 2] = (uintptr_t)&words[TOP + 20];

	/* mov rsp, [rsp+16]: of a stack that was aligned */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x8b\x64\x24\x10\xc3"), 21);
	/* mov rax, rsp; push; push; mov rsp, rax */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x89\xe0\x53\x53\x48\x89\xc4\xc3"), 1);
	/* mov rax, rsp; and rsp, -64; mov [rsp+8], rax; mov eax, 1; mov rsp, [rsp+8] */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x89\xe0\x48\x83\xe4\xc0\x48\x89\x44\x24\x08"
	                               "\xb8\x01\0\0\0\x48\x8b\x64\x24\x08\xc3"),
	                 1);
	/* push rbp; mov rbp, rsp; sub rsp, 32; leave */
	ck_assert_int_eq(RETURNS_ABOVE("\x55\x48\x8b\xec\x48\x83\xec\x20\xc9\xc3"), 1);
}
END_TEST

START_TEST(a_stack_pointer_from_what_is_not_known_is_not_used)
{
	ck_assert_int_eq(RETURNS_ABOVE("\x48\x8b\x20\xc3"), -1);             /* mov rsp, [rax] */
	ck_assert_int_eq(RETURNS_ABOVE("\x0f\xb6\xc0\x48\x89\xc4\xc3"), -1); /* movzx eax */
	ck_assert_int_eq(RETURNS_ABOVE("\xe8\0\0\0\0\x48\x89\xc4\xc3"), -1); /* after a call */
	ck_assert_int_eq(RETURNS_ABOVE("\x6a\x01\xc3"), -1); /* returns to a number */
}
END_TEST

START_TEST(one_way_through_branches_and_loops_is_enough)
{
	/* loop: dec rcx; jnz loop; pop; ret */
	ck_assert_int_eq(RETURNS_ABOVE("\x48\xff\xc9\x75\xfb\x58\xc3"), 2);
	/* loop: jz end; jmp loop; end: pop; ret */
	ck_assert_int_eq(RETURNS_ABOVE("\x74\x02\xeb\xfc\x58\xc3"), 2);
	/* jz end; hlt; end: ret */
	ck_assert_int_eq(RETURNS_ABOVE("\x0f\x84\x01\0\0\0\xf4\xc3"), 1);
	/* jz other; push; jmp nowhere; other: pop, ret */
	ck_assert_int_eq(RETURNS_ABOVE("\x74\x03\x53\xff\xe0\x58\xc3"), 2);
}
END_TEST

START_TEST(code_without_an_end_is_given_up)
{
	ck_assert_int_eq(RETURNS_ABOVE("\xeb\xfe"), -1);
	ck_assert_uint_eq(steps, 0);
	ck_assert_int_eq(RETURNS_ABOVE("\xc3"), -1);
	steps = STEPS;
	ck_assert_int_eq(RETURNS_ABOVE("\xe9\0\0\x10\0"), -1); /* out of the code */
	ck_assert_int_eq(RETURNS_ABOVE("\x06"), -1);
	ck_assert_uint_gt(steps, 0);
}
END_TEST

/* Intrinsics of the interpreter: pop rdi; mov rsp, r13; jmp rdi. */
START_TEST(code_may_jump_to_its_return_address)
{
	PUT("\x5f\x4c\x89\xec\xff\xe7");
	struct machine_state state = state_at(TOP);
	state.registers[MACHINE_R13] = (uintptr_t)&words[TOP + 9];

	ck_assert(find(&state));
	ck_assert_uint_eq(state.pc, (uintptr_t)code + CALLER);
	ck_assert_uint_eq(state.registers[MACHINE_RSP], (uintptr_t)&words[TOP + 9]);
}
END_TEST

START_TEST(nothing_is_read_beyond_the_stack)
{
	PUT("\x48\x81\xc4\0\x10\0\0\xc3"); /* add rsp, 4096 */
	struct machine_state state = state_at(TOP);

	ck_assert(!find(&state));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("code_return");
	TCase *tests = tcase_create("code");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, what_code_pushes_and_takes_is_counted);
	tcase_add_test(tests, a_stack_pointer_that_was_kept_is_found_again);
	tcase_add_test(tests, a_stack_pointer_from_what_is_not_known_is_not_used);
	tcase_add_test(tests, one_way_through_branches_and_loops_is_enough);
	tcase_add_test(tests, code_without_an_end_is_given_up);
	tcase_add_test(tests, code_may_jump_to_its_return_address);
	tcase_add_test(tests, nothing_is_read_beyond_the_stack);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
