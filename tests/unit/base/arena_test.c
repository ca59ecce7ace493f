/*
 * Tests of the arena: its pieces are zeroed, aligned and do not overlap.
 */
#include "base/arena.h"
#include "run_suite.h"

#include <stdint.h>
#include <string.h>

enum { PIECES = 3000, LARGE = 300 * 1024 };

static struct arena arena;

static void tear_down(void)
{
	arena_free(&arena);
}

static size_t size_of(size_t i)
{
	return i % 97 == 0 ? LARGE + i : 1 + i * 7 % 700;
}

static void check_filled(const unsigned char *piece, size_t size, unsigned char with)
{
	for (size_t i = 0; i < size; i++) {
		if (piece[i] != with)
			ck_abort_msg("byte %zu of %zu is %u, not %u", i, size, piece[i], with);
	}
}

START_TEST(pieces_are_zeroed_aligned_and_apart)
{
	unsigned char *pieces[PIECES];

	for (size_t i = 0; i < PIECES; i++) {
		pieces[i] = arena_allocate(&arena, size_of(i));
		ck_assert_ptr_nonnull(pieces[i]);
		ck_assert_uint_eq((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		check_filled(pieces[i], size_of(i), 0);
		memset(pieces[i], (int)(i % 255 + 1), size_of(i));
	}
	for (size_t i = 0; i < PIECES; i++)
		check_filled(pieces[i], size_of(i), (unsigned char)(i % 255 + 1));
}
END_TEST

START_TEST(a_large_piece_may_come_first_and_leaves_room_for_small_ones)
{
	unsigned char *large = arena_allocate(&arena, LARGE);
	unsigned char *small = arena_allocate(&arena, 16);

	ck_assert_ptr_nonnull(large);
	ck_assert_ptr_nonnull(small);
	ck_assert(small + 16 <= large || small >= large + LARGE);
	memset(large, 1, LARGE);
	check_filled(small, 16, 0);
}
END_TEST

START_TEST(small_pieces_lie_side_by_side_around_a_large_one)
{
	const unsigned char *first = arena_allocate(&arena, 32);
	ck_assert_ptr_nonnull(arena_allocate(&arena, LARGE));
	const unsigned char *second = arena_allocate(&arena, 32);

	ck_assert_ptr_eq(second, first + 32);
}
END_TEST

START_TEST(a_piece_of_no_bytes_does_no_harm)
{
	ck_assert_ptr_nonnull(arena_allocate(&arena, 0));
	ck_assert_ptr_nonnull(arena_allocate(&arena, 1));
}
END_TEST

START_TEST(a_size_too_large_for_memory_is_rejected)
{
	ck_assert_ptr_null(arena_allocate(&arena, SIZE_MAX));
	ck_assert_ptr_null(arena_allocate(&arena, SIZE_MAX - 8));
	ck_assert_ptr_nonnull(arena_allocate(&arena, 64));
}
END_TEST

START_TEST(an_arena_can_be_used_again_after_it_was_freed)
{
	ck_assert_ptr_nonnull(arena_allocate(&arena, 100));
	arena_free(&arena);
	arena_free(&arena);
	unsigned char *piece = arena_allocate(&arena, 100);
	ck_assert_ptr_nonnull(piece);
	check_filled(piece, 100, 0);
}
END_TEST

START_TEST(pieces_read_as_0_after_the_arena_was_discarded)
{
	unsigned char *small = arena_allocate(&arena, 100);
	unsigned char *large = arena_allocate(&arena, 1 << 20);
	memset(small, 0xff, 100);
	memset(large, 0xff, 1 << 20);
	arena_discard(&arena);
	check_filled(small, 100, 0);
	check_filled(large, 1 << 20, 0);
	small[0] = 1;
	unsigned char *piece = arena_allocate(&arena, 100);
	ck_assert(piece != small);
	check_filled(piece, 100, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arena");
	TCase *tests = tcase_create("arena");

	tcase_add_checked_fixture(tests, NULL, tear_down);
	tcase_add_test(tests, pieces_are_zeroed_aligned_and_apart);
	tcase_add_test(tests, a_large_piece_may_come_first_and_leaves_room_for_small_ones);
	tcase_add_test(tests, small_pieces_lie_side_by_side_around_a_large_one);
	tcase_add_test(tests, a_piece_of_no_bytes_does_no_harm);
	tcase_add_test(tests, a_size_too_large_for_memory_is_rejected);
	tcase_add_test(tests, an_arena_can_be_used_again_after_it_was_freed);
	tcase_add_test(tests, pieces_read_as_0_after_the_arena_was_discarded);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
