/* Frames of HotSpot on x86-64 and aarch64, laid out in an array. */
#include "hotspot/stack_position.h"

#include "run_suite.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#endif

enum {
	WORDS = 64,
	FRAME = 20,           /* the frame pointer's word */
	CALLER_FRAME = 40,    /* of the caller */
	CALLER_STACK = 30,    /* its stack pointer */
	OVERLAPPED_STACK = 16 /* the same, below the frame */
};

static const uintptr_t RETURN_ADDRESS = 0x7f1234567890;
static const uintptr_t METHOD = 0x7f0000001000;
static const uintptr_t BYTECODE = 0x7f0000002004;
static const uintptr_t SIGNATURE = (uintptr_t)0x2a5 << 48;

static uintptr_t words[WORDS];

static uintptr_t word_at(int at)
{
	return (uintptr_t)&words[at];
}

static struct stack_walker walker_of(enum os_cpu cpu)
{
	return (struct stack_walker){.layout = *frame_layout_of(cpu)};
}

static struct stack_position position(void)
{
	return (struct stack_position){
	        .sp = word_at(1), .fp = word_at(FRAME), .base = word_at(WORDS - 1)};
}

/* An interpreted frame with the bytecode in that slot. */
static void lay_interpreted(int bytecode_slot, int caller_stack, uintptr_t return_address)
{
	memset(words, 0, sizeof(words));
	words[FRAME] = word_at(CALLER_FRAME);
	words[FRAME + 1] = return_address;
	words[FRAME - 1] = word_at(caller_stack);
	words[FRAME - 3] = METHOD;
	words[FRAME + bytecode_slot] = BYTECODE;
}

static void check_left(struct stack_walker *walker, uintptr_t sp)
{
	struct stack_position at = position();
	uintptr_t method = 0;
	uintptr_t bytecode = 0;

	ck_assert(stack_leave_interpreted(walker, &at, &method, &bytecode));
	ck_assert_uint_eq(method, METHOD);
	ck_assert_uint_eq(bytecode, BYTECODE);
	ck_assert_uint_eq(at.pc, RETURN_ADDRESS);
	ck_assert_uint_eq(at.fp, word_at(CALLER_FRAME));
	ck_assert_uint_eq(at.sp, sp);
}

START_TEST(interpreted_frames_are_left_on_x86_64)
{
	struct stack_walker walker = walker_of(OS_CPU_X86_64);
	lay_interpreted(-8, CALLER_STACK, RETURN_ADDRESS);
	check_left(&walker, word_at(CALLER_STACK));
}
END_TEST

/* Around the variables of our own frames, and of some that have returned. Fails under the address
 * sanitizer alone. */
START_TEST(a_walk_reads_what_the_sanitizer_guards)
{
	struct stack_walker walker = walker_of(OS_CPU_X86_64);
	lay_interpreted(-8, CALLER_STACK, RETURN_ADDRESS);
	ASAN_POISON_MEMORY_REGION(words, sizeof(words));
	check_left(&walker, word_at(CALLER_STACK));
	ASAN_UNPOISON_MEMORY_REGION(words, sizeof(words));
}
END_TEST

START_TEST(a_caller_below_its_callee_is_no_stack_of_x86_64)
{
	struct stack_walker walker = walker_of(OS_CPU_X86_64);
	struct stack_position at = position();
	uintptr_t method;
	uintptr_t bytecode;

	lay_interpreted(-8, OVERLAPPED_STACK, RETURN_ADDRESS);
	ck_assert(!stack_leave_interpreted(&walker, &at, &method, &bytecode));
}
END_TEST

START_TEST(interpreted_frames_are_left_on_aarch64)
{
	struct stack_walker walker = walker_of(OS_CPU_AARCH64);
	lay_interpreted(-9, CALLER_STACK, RETURN_ADDRESS);
	check_left(&walker, word_at(CALLER_STACK));
}
END_TEST

START_TEST(interpreted_frames_may_overlap_their_callers_on_aarch64)
{
	struct stack_walker walker = walker_of(OS_CPU_AARCH64);
	lay_interpreted(-9, OVERLAPPED_STACK, RETURN_ADDRESS);
	check_left(&walker, word_at(FRAME + 2));
}
END_TEST

START_TEST(return_addresses_lose_their_signature_on_aarch64)
{
	struct stack_walker walker = walker_of(OS_CPU_AARCH64);
	lay_interpreted(-9, CALLER_STACK, RETURN_ADDRESS | SIGNATURE);
	check_left(&walker, word_at(CALLER_STACK));

	struct stack_position at = position();
	words[10] = word_at(CALLER_FRAME);
	words[11] = RETURN_ADDRESS | SIGNATURE;
	ck_assert(stack_leave(&walker, &at, 11 * STACK_WORD));
	ck_assert_uint_eq(at.sp, word_at(12));
	ck_assert_uint_eq(at.pc, RETURN_ADDRESS);
	ck_assert_uint_eq(at.fp, word_at(CALLER_FRAME));
}
END_TEST

START_TEST(frames_of_other_cpus_are_unknown)
{
	ck_assert_ptr_null(frame_layout_of(OS_CPU_OTHER));
}
END_TEST

static Suite *stack_position_suite(void)
{
	Suite *suite = suite_create("stack_position");
	TCase *tests = tcase_create("frames");

	tcase_add_test(tests, interpreted_frames_are_left_on_x86_64);
	tcase_add_test(tests, a_walk_reads_what_the_sanitizer_guards);
	tcase_add_test(tests, a_caller_below_its_callee_is_no_stack_of_x86_64);
	tcase_add_test(tests, interpreted_frames_are_left_on_aarch64);
	tcase_add_test(tests, interpreted_frames_may_overlap_their_callers_on_aarch64);
	tcase_add_test(tests, return_addresses_lose_their_signature_on_aarch64);
	tcase_add_test(tests, frames_of_other_cpus_are_unknown);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(stack_position_suite());
}
