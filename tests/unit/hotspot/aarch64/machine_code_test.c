/*
 * Tests of where the frame of a method is, by its machine code.
 */
#include "hotspot/aarch64/machine_code.h"
#include "machine_code_lines.h"
#include "hotspot/read_cpu/machine_call.h"
#include "run_suite.h"

enum { LENGTH = 200 };

/* Methods as HotSpot's compilers write them: 0 to 2 check the stack. */
CODE(small, "sub x9, sp, #20, lsl #12; str xzr, [x9]; nop;"     /* 0 */
            "sub sp, sp, #48; stp x29, x30, [sp, #32];"         /* 3 */
            "ldr w0, [x1, #12]; nop; nop; nop; nop; nop; nop;"  /* 5 */
            "ldp x29, x30, [sp, #32]; add sp, sp, #48;"         /* 12 */
            "ldr x8, [x28, #952]; cmp sp, x8; b.hi .+64; ret"); /* 14 */
CODE(large, "sub x9, sp, #20, lsl #12; str xzr, [x9]; nop;"     /* 0 */
            "stp x29, x30, [sp, #-16]!; mov x29, sp;"           /* 3 */
            "mov x8, #0x2000; sub sp, sp, x8;"                  /* 5 */
            "nop; nop; nop; nop; nop;"                          /* 7 */
            "mov x8, #0x2000; add sp, sp, x8;"                  /* 12 */
            "ldp x29, x30, [sp], #16; autia x30, x29; ret");    /* 14 */
CODE(other, "add x0, x0, x0; nop; ret");

static enum code_frame frame(const uint32_t *code, int at, bool is_entered)
{
	bool entered;
	enum code_frame frame =
	        machine_code_frame((uintptr_t)code, (uintptr_t)(code + at), &entered);

	ck_assert(entered == is_entered);
	return frame;
}

START_TEST(a_method_that_is_entered_has_no_frame_yet)
{
	ck_assert_int_eq(frame(small, 0, true), CODE_FRAME_NONE);
	ck_assert_int_eq(frame(small, 3, true), CODE_FRAME_NONE);
	ck_assert_int_eq(frame(small, 4, true), CODE_FRAME_TAKEN);
	ck_assert_int_eq(frame(small, 5, false), CODE_FRAME_WHOLE);
	ck_assert_int_eq(frame(large, 3, true), CODE_FRAME_NONE);
	for (int at = 4; at <= 6; at++)
		ck_assert_int_eq(frame(large, at, true), CODE_FRAME_ON_TOP);
	ck_assert_int_eq(frame(large, 7, false), CODE_FRAME_WHOLE);
}
END_TEST

START_TEST(a_method_that_is_left_has_no_frame_any_more)
{
	ck_assert_int_eq(frame(small, 12, false), CODE_FRAME_WHOLE);
	ck_assert_int_eq(frame(small, 13, false), CODE_FRAME_TAKEN);
	for (int at = 14; at <= 17; at++)
		ck_assert_int_eq(frame(small, at, false), CODE_FRAME_NONE);
	ck_assert_int_eq(frame(large, 13, false), CODE_FRAME_WHOLE);
	ck_assert_int_eq(frame(large, 14, false), CODE_FRAME_ON_TOP);
	ck_assert_int_eq(frame(large, 15, false), CODE_FRAME_NONE);
	ck_assert_int_eq(frame(large, 16, false), CODE_FRAME_NONE);
}
END_TEST

START_TEST(code_that_makes_no_frame_is_not_entered)
{
	ck_assert_int_eq(frame(other, 0, false), CODE_FRAME_WHOLE);
	ck_assert_int_eq(frame(other, 2, false), CODE_FRAME_NONE);
}
END_TEST

CODE(middle, "stp x29, x30, [sp, #-16]!; sub sp, sp, #1008; nop");
CODE(huge, "stp x29, x30, [sp, #-16]!; mov x8, #0x10; movk x8, #2, lsl #16; sub sp, sp, x8");

START_TEST(the_prologue_shows_how_large_a_frame_is)
{
	ck_assert_uint_eq(machine_code_frame_bytes((uintptr_t)small, LENGTH), 48);
	ck_assert_uint_eq(machine_code_frame_bytes((uintptr_t)middle, LENGTH), 1024);
	ck_assert_uint_eq(machine_code_frame_bytes((uintptr_t)large, LENGTH), 0x2000 + 16);
	ck_assert_uint_eq(machine_code_frame_bytes((uintptr_t)huge, LENGTH), 0x20010 + 16);
	ck_assert_uint_eq(machine_code_frame_bytes((uintptr_t)other, LENGTH), 0);
	ck_assert_uint_eq(machine_code_frame_bytes((uintptr_t)small, 12), 0);
}
END_TEST

/* Where the interpreter enters a method, with its arguments; and leaves one; and a bytecode. */
CODE(enters, "adrp x8, .; add x8, x8, #16; br x8; stp xzr, x12, [sp, #48];" /* 0 */
             "stp x29, x30, [sp, #80]; add x29, sp, #80;"                    /* 4 */
             "nop; stp xzr, x19, [sp, #64]; nop; br x9");                    /* 6 */
CODE(enters_before_20, "stp x29, x30, [sp, #80]; add x29, sp, #80; stp xzr, x13, [sp, #64]; br x9");
CODE(leaves, "ldr x9, [x29, #-8]; mov sp, x29; ldp x29, x30, [sp], #16;" /* 0 */
             "mov x20, x9; and sp, x20, #-16; ret");                     /* 3 */
CODE(adds, "ldr w1, [x20], #8; add w0, w1, w0; ldr x9, [x21, w9, uxtw #3]; br x9;"
           "stp x29, x30, [sp, #80]");

CODE(invokes, "ldr x12, [x0]; ldr x8, [x12, #64]; br x8; stp x29, x30, [sp, #80]");

static int interpreted(const uint32_t *code, int at)
{
	return (int)machine_code_interpreted_frame((uintptr_t)(code + at));
}

START_TEST(interpreted_code_shows_whether_its_frame_is_whole)
{
	ck_assert_int_eq(interpreted(enters, 0), INTERPRETED_NONE_YET);
	ck_assert_int_eq(interpreted(enters, 5), INTERPRETED_NONE_YET);
	ck_assert_int_eq(interpreted(enters, 6), INTERPRETED_BEGUN);
	ck_assert_int_eq(interpreted(enters, 7), INTERPRETED_BEGUN);
	ck_assert_int_eq(interpreted(enters, 8), INTERPRETED_WHOLE);
	ck_assert_int_eq(interpreted(enters_before_20, 2), INTERPRETED_BEGUN);
	ck_assert_int_eq(interpreted(leaves, 0), INTERPRETED_WHOLE);
	ck_assert_int_eq(interpreted(leaves, 1), INTERPRETED_WHOLE);
	for (int at = 2; at <= 5; at++)
		ck_assert_int_eq(interpreted(leaves, at), INTERPRETED_LEAVING);
	ck_assert_int_eq(interpreted(adds, 0), INTERPRETED_WHOLE);
	ck_assert_int_eq(interpreted(invokes, 0), INTERPRETED_WHOLE);
}
END_TEST

CODE(calls, "bl 1f; nop; blr x8; nop; bl .+4096; b .; 1: ldr x8, .+8; br x8; .quad 0x123456789a");

START_TEST(return_addresses_follow_a_call)
{
	ck_assert(machine_code_follows_call((uintptr_t)&calls[1]));
	ck_assert(!machine_code_follows_call((uintptr_t)&calls[2]));
	ck_assert(machine_code_follows_call((uintptr_t)&calls[3]));
	ck_assert(!machine_code_follows_call((uintptr_t)&calls[6]));
	ck_assert(!machine_code_follows_call((uintptr_t)&calls[1] + 1));
	ck_assert(!machine_code_follows_call(0));
}
END_TEST

START_TEST(the_target_of_a_call_is_read_from_it_or_from_where_it_leads)
{
	uintptr_t target;

	ck_assert(machine_code_call_target((uintptr_t)&calls[1], &target));
	ck_assert_uint_eq(target, 0x123456789a);
	ck_assert(!machine_code_call_target((uintptr_t)&calls[2], &target));
	ck_assert(!machine_code_call_target((uintptr_t)&calls[3], &target));
}
END_TEST

CODE(calls_near, "bl .+32; nop");

START_TEST(the_target_of_a_near_call_is_in_it)
{
	uintptr_t target;

	ck_assert(machine_code_call_target((uintptr_t)&calls_near[1], &target));
	ck_assert_uint_eq(target, (uintptr_t)&calls_near[8]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machine_code");
	TCase *tests = tcase_create("frames");

	tcase_add_test(tests, a_method_that_is_entered_has_no_frame_yet);
	tcase_add_test(tests, a_method_that_is_left_has_no_frame_any_more);
	tcase_add_test(tests, code_that_makes_no_frame_is_not_entered);
	tcase_add_test(tests, the_prologue_shows_how_large_a_frame_is);
	tcase_add_test(tests, interpreted_code_shows_whether_its_frame_is_whole);
	tcase_add_test(tests, return_addresses_follow_a_call);
	tcase_add_test(tests, the_target_of_a_call_is_read_from_it_or_from_where_it_leads);
	tcase_add_test(tests, the_target_of_a_near_call_is_in_it);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
