/* Tests of the lengths and operands of instructions. */
#include "hotspot/x86_64/x86_instruction.h"
#include "run_suite.h"

#include <string.h>

static unsigned char code[32];

static bool read_bytes(struct x86_instruction *instruction, const char *bytes, size_t length)
{
	memset(code, 0x90, sizeof(code));
	memcpy(code, bytes, length);
	return x86_instruction_read(instruction, (uintptr_t)code);
}

/* Checks that all of the bytes, and no more, are one instruction. */
static void check_length(const char *bytes, size_t length)
{
	struct x86_instruction instruction;

	ck_assert(read_bytes(&instruction, bytes, length));
	ck_assert_uint_eq(instruction.next - (uintptr_t)code, length);
}

#define ONE(bytes) check_length(bytes, sizeof(bytes) - 1)

START_TEST(instructions_have_their_lengths)
{
	ONE("\xc3");
	ONE("\x48\x89\xe5");
	ONE("\x48\x83\xec\x20");
	ONE("\x66\x81\xc1\x01\x02");
	ONE("\x48\x81\xec\x90\0\0\0");
	ONE("\x49\xba\1\2\3\4\5\6\7\x08");
	ONE("\xb8\1\0\0\0");
	ONE("\x89\x84\x24\x00\xc0\xfe\xff");
	ONE("\x4f\x8d\x9c\xda\xe8\x01\0\0");
	ONE("\x8b\x05\1\2\3\4");
	ONE("\x8b\x04\x25\1\2\3\4");
	ONE("\xf6\x45\x08\x01");
	ONE("\xf7\xd8");
	ONE("\x0f\x84\x22\0\0\0");
	ONE("\x66\x0f\x1f\x84\0\0\0\0\0");
	ONE("\x66\x0f\x3a\x61\x06\x19");
	ONE("\xf2\x0f\x38\xf1\xc1");
	ONE("\xc5\xf8\x77");
	ONE("\xc4\xe3\x79\x61\x46\x10\x18");
	ONE("\xc4\xe2\xfb\xf6\xc1");
	ONE("\x62\xf1\x7c\x48\x28\x44\x24\x01");
	ONE("\x62\xf3\xfd\x48\x44\xc1\x11");
}
END_TEST

START_TEST(operands_are_read)
{
	struct x86_instruction instruction;

	/* mov r12, [rsp+r9*8-8] */
	ck_assert(read_bytes(&instruction, "\x4e\x8b\x64\xcc\xf8", 5));
	ck_assert(instruction.wide && instruction.in_memory && instruction.has_index);
	ck_assert_uint_eq(instruction.reg, 12);
	ck_assert_uint_eq(instruction.base, 4);
	ck_assert_int_eq(instruction.displacement, -8);
	/* mov rsp, [rbp-24] */
	ck_assert(read_bytes(&instruction, "\x48\x8b\x65\xe8", 4));
	ck_assert(!instruction.has_index);
	ck_assert_uint_eq(instruction.base, 5);
	/* add r13, -1 */
	ck_assert(read_bytes(&instruction, "\x49\x83\xc5\xff", 4));
	ck_assert(!instruction.in_memory);
	ck_assert_uint_eq(instruction.rm, 13);
	ck_assert_uint_eq(instruction.immediate, UINT64_MAX);
	/* mulx rax, r11, rcx */
	ck_assert(read_bytes(&instruction, "\xc4\xe2\xa3\xf6\xc1", 5));
	ck_assert_uint_eq(instruction.other, 11);
}
END_TEST

START_TEST(what_is_no_instruction_here_is_refused)
{
	struct x86_instruction instruction;

	ck_assert(!read_bytes(&instruction, "\x06", 1));
	ck_assert(!read_bytes(&instruction, "\x0f\x04", 2));
	ck_assert(!read_bytes(&instruction,
	                      "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66"
	                      "\x66\x90",
	                      16));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("x86_instruction");
	TCase *tests = tcase_create("instructions");

	tcase_add_test(tests, instructions_have_their_lengths);
	tcase_add_test(tests, operands_are_read);
	tcase_add_test(tests, what_is_no_instruction_here_is_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
