/*
 * Tests of what machine code is about to do with its frame.
 */
#include "hotspot/x86_64/machine_code.h"
#include "hotspot/read_cpu/machine_call.h"
#include "run_suite.h"

#include <string.h>

enum { AROUND = 64 };

/* Code with instructions before and after that mean nothing. */
static unsigned char code[2 * AROUND];

static uintptr_t put(const char *before, size_t before_length, const char *next, size_t length)
{
	memset(code, 0x90, sizeof(code));
	memcpy(code + AROUND - before_length, before, before_length);
	memcpy(code + AROUND, next, length);
	return (uintptr_t)(code + AROUND);
}

static enum code_frame frame(const char *before, size_t before_length, const char *next,
                             size_t length)
{
	return machine_code_frame(put(before, before_length, next, length));
}

#define FRAME(before, next) frame(before, sizeof(before) - 1, next, sizeof(next) - 1)

START_TEST(a_method_that_is_entered_has_no_frame_yet)
{
	ck_assert_int_eq(FRAME("", "\x89\x84\x24\x00\xc0\xfe\xff\x55\x48\x81\xec\x90\0\0\0"),
	                 CODE_FRAME_NONE_YET);
	ck_assert_int_eq(FRAME("", "\x55\x48\x83\xec\x20"), CODE_FRAME_NONE_YET);
	ck_assert_int_eq(FRAME("", "\x48\x81\xec\x18\0\0\0\x48\x89\x6c\x24\x10"),
	                 CODE_FRAME_NONE_YET);
	ck_assert_int_eq(FRAME("\x55", "\x48\x83\xec\x20"), CODE_FRAME_BEGUN);
	ck_assert_int_eq(FRAME("\x48\x81\xec\x18\0\0\0", "\x48\x89\x6c\x24\x10"),
	                 CODE_FRAME_UNSAVED);
}
END_TEST

START_TEST(a_method_that_is_left_has_no_frame_any_more)
{
	ck_assert_int_eq(FRAME("\x48\x83\xc4\x20", "\x5d\xc3"), CODE_FRAME_ENDING);
	ck_assert_int_eq(FRAME("\x5d", "\x49\x3b\xa7\x40\x03\0\0\x0f\x87\0\0\0\0\xc3"),
	                 CODE_FRAME_GONE);
	ck_assert_int_eq(FRAME("", "\x0f\x87\0\0\0\0\xc3"), CODE_FRAME_GONE);
	ck_assert_int_eq(FRAME("", "\x41\x85\x02\xc3"), CODE_FRAME_GONE);
	ck_assert_int_eq(FRAME("", "\xc3"), CODE_FRAME_GONE);
}
END_TEST

START_TEST(other_code_has_its_frame)
{
	ck_assert_int_eq(FRAME("\x55\x48\x83\xec\x20", "\x8b\x46\x0c"), CODE_FRAME_WHOLE);
	ck_assert_int_eq(FRAME("", "\x0f\x87\0\0\0\0\x90"), CODE_FRAME_WHOLE);
	ck_assert_int_eq(FRAME("", "\x48\x83\xc4\x20\x5d"), CODE_FRAME_WHOLE);
	ck_assert_int_eq(FRAME("", "\x48\x89\x6c\x24\x10"), CODE_FRAME_WHOLE);
}
END_TEST

START_TEST(functions_with_frame_pointers_are_reported_from_their_first_and_last_instructions)
{
	ck_assert_int_eq(machine_code_linked_frame(put("", 0, "\x55", 1)), CODE_FRAME_GONE);
	ck_assert_int_eq(machine_code_linked_frame(put("\x55", 1, "\x48\x89\xe5", 3)),
	                 CODE_FRAME_ENDING);
	ck_assert_int_eq(machine_code_linked_frame(put("", 0, "\x5d\xc3", 2)), CODE_FRAME_ENDING);
	ck_assert_int_eq(machine_code_linked_frame(put("", 0, "\x8b\x46\x0c", 3)),
	                 CODE_FRAME_WHOLE);
}
END_TEST

#define FRAME_BYTES(next) machine_code_frame_bytes(put("", 0, next, sizeof(next) - 1), AROUND)

START_TEST(the_prologue_shows_how_large_a_frame_is)
{
	ck_assert_uint_eq(FRAME_BYTES("\x48\x81\xec\x18\0\0\0\x48\x89\x6c\x24\x10"), 0x18 + 8);
	ck_assert_uint_eq(FRAME_BYTES("\x55\x48\x81\xec\x90\x01\0\0"), 0x190 + 16);
	ck_assert_uint_eq(FRAME_BYTES("\x89\x84\x24\x00\xc0\xfe\xff\x55\x48\x83\xec\x20"),
	                  0x20 + 16);
	ck_assert_uint_eq(FRAME_BYTES("\x55\x48\x8b\xec\x48\x83\xec\x30"), 0x30 + 16);
	ck_assert_uint_eq(FRAME_BYTES("\x55\x48\x89\xe5\x48\x83\xec\x30"), 0x30 + 16);
	ck_assert_uint_eq(FRAME_BYTES("\x8b\x46\x0c\xc3"), 0);
	ck_assert_uint_eq(machine_code_frame_bytes(put("", 0, "\x48\x83\xec\x20", 4), 4), 0);
}
END_TEST

START_TEST(return_addresses_follow_a_call)
{
	ck_assert(machine_code_follows_call(put("\xe8\1\2\3\4", 5, "", 0)));
	ck_assert(machine_code_follows_call(put("\x41\xff\xd2", 3, "", 0)));
	ck_assert(!machine_code_follows_call(put("\xe9\1\2\3\4", 5, "", 0)));
	ck_assert(!machine_code_follows_call(put("\xff\xe0", 2, "", 0)));
	ck_assert(!machine_code_follows_call(0));
}
END_TEST

START_TEST(the_target_of_a_call_is_read_from_it_or_from_the_load_before_it)
{
	uintptr_t target = 0;
	uintptr_t next = put("\xe8\x10\0\0\0", 5, "", 0);

	ck_assert(machine_code_call_target(next, &target));
	ck_assert_uint_eq(target, next + 0x10);
	ck_assert(machine_code_call_target(put("\xe8\xf0\xff\xff\xff", 5, "", 0), &target));
	ck_assert_uint_eq(target, next - 0x10);
	ck_assert(machine_code_call_target(put("\x49\xba\1\2\3\4\5\6\0\0\x41\xff\xd2", 13, "", 0),
	                                   &target));
	ck_assert_uint_eq(target, 0x060504030201);
	ck_assert(machine_code_call_target(put("\x48\xb8\1\0\0\0\0\0\0\0\xff\xd0", 12, "", 0),
	                                   &target));
	ck_assert_uint_eq(target, 1);
	ck_assert(!machine_code_call_target(put("\x48\xb9\1\0\0\0\0\0\0\0\xff\xd0", 12, "", 0),
	                                    &target));
	ck_assert(!machine_code_call_target(put("\x90\xff\xd0", 3, "", 0), &target));
	ck_assert(!machine_code_call_target(put("\xe9\1\2\3\4", 5, "", 0), &target));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machine_code");
	TCase *tests = tcase_create("frames");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, a_method_that_is_entered_has_no_frame_yet);
	tcase_add_test(tests, a_method_that_is_left_has_no_frame_any_more);
	tcase_add_test(tests, other_code_has_its_frame);
	tcase_add_test(
	        tests,
	        functions_with_frame_pointers_are_reported_from_their_first_and_last_instructions);
	tcase_add_test(tests, the_prologue_shows_how_large_a_frame_is);
	tcase_add_test(tests, return_addresses_follow_a_call);
	tcase_add_test(tests, the_target_of_a_call_is_read_from_it_or_from_the_load_before_it);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
