/*
 * Tests of looking up compiled code and its frames in the code cache of a made-up VM, which is
 * right at first and then says something wrong.
 */
#include "code_fixture.h"
#include "os.h"
#include "run_suite.h"

static struct code_place place_of(uintptr_t pc)
{
	struct code_place place;
	code_cache_look_up(&cache, pc, &place);
	return place;
}

static void check_unknown(void)
{
	ck_assert_int_eq(place_of(call_address()).kind, CODE_UNKNOWN);
}

START_TEST(a_call_has_its_frames)
{
	struct code_place place = place_of(call_address());
	struct code_frames frames;
	int64_t bci;

	ck_assert_int_eq(place.kind, CODE_COMPILED);
	ck_assert_uint_eq(place.java_frames, 2);
	ck_assert_uint_eq(place.frame_bytes, FRAME_WORDS * sizeof(void *));
	ck_assert_uint_eq(place.compile_id, COMPILE_ID);
	ck_assert(code_frames_begin(&cache, call_address(), &frames));
	ck_assert(code_frames_next(&frames, &bci));
	ck_assert_int_eq(bci, INNER_BCI);
	ck_assert(code_frames_next(&frames, &bci));
	ck_assert_int_eq(bci, OUTER_BCI);
	ck_assert(!code_frames_next(&frames, &bci));
	ck_assert_uint_eq(frames.scope, 0);
}
END_TEST

START_TEST(a_frame_that_calls_itself_has_no_end_and_is_none)
{
	struct code_frames frames;
	int64_t bci;

	describe(INNER, 0, INNER, INNER_BCI);
	check_unknown();
	ck_assert(code_frames_begin(&cache, call_address(), &frames));
	ck_assert(!code_frames_next(&frames, &bci));
	ck_assert_uint_ne(frames.scope, 0);
}
END_TEST

START_TEST(frames_that_call_each_other_are_none)
{
	describe(OUTER, 0, INNER, OUTER_BCI);
	check_unknown();
}
END_TEST

/* The offset of the caller of the outermost frame, 0, is encoded as 0 or as 1. */
START_TEST(frames_of_the_newer_encoding_have_an_end_in_the_older_one)
{
	describe_both(1);
	ck_assert_uint_le(place_of(call_address()).java_frames, 3);
}
END_TEST

START_TEST(frames_of_the_older_encoding_are_none_in_the_newer_one)
{
	cache.scope_byte_base = 1;
	check_unknown();
}
END_TEST

START_TEST(a_map_that_leads_back_one_by_one_is_given_up)
{
	memset(map, 1, SEGMENTS);
	map[0] = 0;
	check_unknown();
}
END_TEST

START_TEST(a_map_that_leads_before_the_heap_is_given_up)
{
	memset(map, 0xfe, SEGMENTS);
	check_unknown();
}
END_TEST

START_TEST(a_free_segment_has_no_code)
{
	map[(call_address() - (uintptr_t)memory) >> LOG2] = 0xff;
	check_unknown();
}
END_TEST

START_TEST(pointers_to_nothing_are_survived)
{
	void *const pointers[] = {&blob->name, &blob->scopes, &heap.segment_map.low, &list.heaps,
	                          &heaps[0]};
	/* In the half of the kernel: no process has memory there, nor has an emulator. */
	const uintptr_t nothing = 0xffff800000000000;
	uintptr_t kept;

	memcpy(&kept, pointers[_i], sizeof(kept));
	memcpy(pointers[_i], &nothing, sizeof(nothing));
	check_unknown();
	memcpy(pointers[_i], &kept, sizeof(kept));
	ck_assert_int_eq(place_of(call_address()).kind, CODE_COMPILED);
}
END_TEST

START_TEST(numbers_of_any_size_are_survived)
{
	static const int32_t wrong[] = {INT32_MIN, -1, 0, 1, 1 << 20, INT32_MAX};
	int32_t *const numbers[] = {&blob->size,    &blob->frame_words, &blob->code,
	                            &blob->pcs_end, &blob->pcs_begin,   &list.count,
	                            &heap.log2,     &blob->pcs[1].scope};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int32_t kept = *numbers[_i];
		*numbers[_i] = wrong[i];
		(void)place_of(call_address());
		*numbers[_i] = kept;
	}
	ck_assert_int_eq(place_of(call_address()).kind, CODE_COMPILED);
}
END_TEST

START_TEST(offsets_that_are_shifted_are_survived)
{
	uint64_t *offsets = (uint64_t *)(void *)&cache.at;
	uint64_t kept = offsets[_i];

	for (uint64_t by = 1; by <= 64; by++) {
		offsets[_i] = kept + by;
		(void)place_of(call_address());
		offsets[_i] = kept - by;
		(void)place_of(call_address());
	}
	offsets[_i] = kept;
	ck_assert_int_eq(place_of(call_address()).kind, CODE_COMPILED);
}
END_TEST

static Suite *code_cache_suite(void)
{
	Suite *suite = suite_create("code_cache");
	TCase *tc = tcase_create("a VM that is right");
	tcase_add_checked_fixture(tc, code_setup, code_teardown);
	tcase_add_test(tc, a_call_has_its_frames);
	suite_add_tcase(suite, tc);

	tc = tcase_create("one that is wrong");
	tcase_add_checked_fixture(tc, code_setup, code_teardown);
	tcase_add_test(tc, a_frame_that_calls_itself_has_no_end_and_is_none);
	tcase_add_test(tc, frames_that_call_each_other_are_none);
	tcase_add_test(tc, frames_of_the_newer_encoding_have_an_end_in_the_older_one);
	tcase_add_test(tc, frames_of_the_older_encoding_are_none_in_the_newer_one);
	tcase_add_test(tc, a_map_that_leads_back_one_by_one_is_given_up);
	tcase_add_test(tc, a_map_that_leads_before_the_heap_is_given_up);
	tcase_add_test(tc, a_free_segment_has_no_code);
	tcase_add_loop_test(tc, pointers_to_nothing_are_survived, 0, 5);
	tcase_add_loop_test(tc, numbers_of_any_size_are_survived, 0, 8);
	tcase_add_loop_test(tc, offsets_that_are_shifted_are_survived, 0,
	                    (int)(sizeof(cache.at) / sizeof(uint64_t)));
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(code_cache_suite());
}
