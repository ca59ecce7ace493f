/* marks: tsan, loops */
/*
 * Tests of the numbers that stand for allocation sites: that they lead back to their sites, how
 * ranges of them grow, begin again and use up the space, and how well they are spread in the tables
 * of programs that use identity hashes; and that numbers which are left out are no marks.
 */
#include "alloc/birth_marks.h"

#include "os/os.h"
#include "quick_check.h"
#include "run_suite.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << BIRTH_BLOCK_BITS, SITE = 7 };

static struct birth_marks *marks;

static void set_up(void)
{
	marks = birth_marks_create();
	ck_assert_ptr_nonnull(marks);
}

static void tear_down(void)
{
	birth_marks_destroy(marks);
}

static uint32_t next_number(struct birth_range *range, uint32_t site)
{
	return birth_number_of_mark(birth_marks_next(marks, range, site));
}

/* As if all numbers of the range had been handed out. */
static void use_up(struct birth_range *range)
{
	range->next = 0;
}

static uint32_t blocks_of(const struct birth_range *range)
{
	return (range->last >> BIRTH_BLOCK_BITS) - (range->first >> BIRTH_BLOCK_BITS) + 1;
}

/* Takes the next numbers of the range. False if there are none, or it begins again. */
static bool grow(struct birth_range *range, uint32_t site)
{
	uint32_t first = range->first;

	use_up(range);
	return birth_marks_next(marks, range, site) != 0 && range->first != first;
}

/* Lets other sites take numbers until this many blocks remain, or fewer. The number of the last
 * site. */
static uint32_t use_space_until(uint32_t remaining)
{
	for (uint32_t site = SITE + 1;; site++) {
		struct birth_range range = {0};
		while (grow(&range, site))
			if (BIRTH_BLOCKS - (range.last >> BIRTH_BLOCK_BITS) - 1 <= remaining)
				return site;
		if (range.last == 0)
			return site;
	}
}

/* The profile after one that has used more than half of the space begins at 1. */
static void begin_at_1(void)
{
	use_space_until(BIRTH_BLOCKS / 2 - 1);
	tear_down();
	set_up();
}

/* Most of the space remains. Not at 1 always: to use up the space is slow under the thread
 * sanitizer. */
static void begin_low(void)
{
	struct birth_range probe = {0};

	if (next_number(&probe, SITE + 1) > BIRTH_BLOCKS)
		begin_at_1();
}

/* ---- the bijection ----------------------------------------------------- */

static void check_bijection(uint32_t number)
{
	uint32_t mark = birth_mark_of_number(number);

	QUICK_CHECK(mark <= BIRTH_MARK_MASK, "mark %x of %x", mark, number);
	QUICK_CHECK((mark == 0) == (number == 0), "mark %x of %x", mark, number);
	QUICK_CHECK(birth_number_of_mark(mark) == number, "%x is not the number of mark %x of %x",
	            birth_number_of_mark(mark), mark, number);
	uint32_t of_mark = birth_number_of_mark(number);
	QUICK_CHECK(of_mark <= BIRTH_MARK_MASK, "number %x of %x", of_mark, number);
	QUICK_CHECK(birth_mark_of_number(of_mark) == number, "%x is not the mark of %x", number,
	            of_mark);
}

START_TEST(each_number_has_its_mark)
{
	enum { NEAR = 1000, STEP = 997 };

	for (uint32_t bit = 0; bit < BIRTH_MARK_BITS; bit++)
		for (uint32_t i = 0; i <= 2 * NEAR; i++)
			check_bijection((((uint32_t)1 << bit) + i - NEAR) & BIRTH_MARK_MASK);
	for (uint32_t number = 0; number <= BIRTH_MARK_MASK; number += STEP)
		check_bijection(number);
	for (uint32_t i = 0; i < NEAR; i++)
		check_bijection(BIRTH_MARK_MASK - i);
}
END_TEST

/* ---- sites ------------------------------------------------------------- */

static void check_site(uint32_t mark, uint32_t site)
{
	uint32_t found = ~site;

	QUICK_CHECK(mark > 0 && mark <= BIRTH_MARK_MASK, "mark %x", mark);
	QUICK_CHECK(birth_marks_site(marks, mark, &found) && found == site,
	            "mark %x of site %u is of %u", mark, site, found);
}

START_TEST(marks_lead_to_their_sites)
{
	enum { SITES = 50, OBJECTS = 5000 };
	static uint32_t seen[OBJECTS][SITES];
	struct birth_range ranges[SITES] = {{0}};

	for (uint32_t i = 0; i < OBJECTS; i++)
		for (uint32_t site = 0; site < SITES; site++)
			seen[i][site] = birth_marks_next(marks, &ranges[site], site);
	for (uint32_t i = 0; i < OBJECTS; i++)
		for (uint32_t site = 0; site < SITES; site++)
			check_site(seen[i][site], site);
}
END_TEST

START_TEST(the_greatest_site_is_found)
{
	struct birth_range range = {0};

	check_site(birth_marks_next(marks, &range, INT32_MAX - 1), INT32_MAX - 1);
}
END_TEST

START_TEST(other_numbers_are_of_no_site)
{
	static const uint32_t none[] = {0, (uint32_t)1 << 31, UINT32_MAX};
	struct birth_range range = {0};
	uint32_t site = SITE;
	uint32_t number = next_number(&range, 1);

	for (int i = 0; i < 3; i++)
		ck_assert(!birth_marks_site(marks, none[i], &site));
	uint32_t mark = birth_mark_of_number(number);
	ck_assert(!birth_marks_site(marks, mark | (uint32_t)1 << 31, &site));
	for (uint32_t other = range.last + 1; other <= BIRTH_MARK_MASK; other += 16 * BLOCK - 1)
		QUICK_CHECK(!birth_marks_site(marks, birth_mark_of_number(other), &site),
		            "number %x has a site", other);
	ck_assert_uint_eq(site, SITE);
}
END_TEST

/* ---- ranges ------------------------------------------------------------ */

START_TEST(the_first_number_is_1)
{
	struct birth_range range = {0};

	begin_at_1();
	for (uint32_t number = 1; number < 3 * BLOCK; number++)
		QUICK_CHECK(next_number(&range, SITE) == number, "not number %u", number);
	ck_assert_uint_eq(range.first, BLOCK);
	ck_assert_uint_eq(range.last, 3 * BLOCK - 1);
	ck_assert_uint_eq(range.next, 0);
}
END_TEST

START_TEST(ranges_grow_and_begin_again)
{
	struct birth_range range = {0};

	begin_low();
	for (uint32_t blocks = 1; blocks <= BIRTH_RANGE_BLOCKS_MAX; blocks *= 2) {
		ck_assert(grow(&range, SITE));
		ck_assert_uint_eq(blocks_of(&range), blocks);
		for (uint32_t number = range.first + 1; number <= range.last; number++)
			QUICK_CHECK(next_number(&range, SITE) == number, "not number %u", number);
	}
	struct birth_range largest = range;
	ck_assert_uint_eq(largest.next, 0);
	for (int again = 0; again < 2; again++) {
		for (uint32_t number = largest.first; number <= largest.last; number++)
			QUICK_CHECK(next_number(&range, SITE) == number, "not number %u", number);
		ck_assert(memcmp(&range, &largest, sizeof(range)) == 0);
	}
}
END_TEST

/* Below a quarter of the space, 2^14 numbers are enough. */
START_TEST(ranges_begin_again_earlier_when_little_remains)
{
	enum { LARGE = 4 * BIRTH_RANGE_BLOCKS_FEW };
	struct birth_range small = {0}, large = {0}, late = {0};

	while (blocks_of(&small) < BIRTH_RANGE_BLOCKS_FEW / 2)
		ck_assert(grow(&small, SITE));
	while (blocks_of(&large) < LARGE)
		ck_assert(grow(&large, SITE));
	use_space_until(BIRTH_BLOCKS / 4 - 1);
	ck_assert(!grow(&large, SITE));
	ck_assert_uint_eq(blocks_of(&large), LARGE);
	ck_assert(grow(&small, SITE));
	ck_assert_uint_eq(blocks_of(&small), BIRTH_RANGE_BLOCKS_FEW);
	ck_assert(!grow(&small, SITE));
	while (grow(&late, SITE))
		;
	ck_assert_uint_eq(blocks_of(&late), BIRTH_RANGE_BLOCKS_FEW);
}
END_TEST

/* None takes more than its share of what remains, and none is replaced by a smaller one. */
START_TEST(ranges_are_small_at_the_end_of_the_space)
{
	enum { SHARE = 1024, SIZE = 20 };
	struct birth_range early = {0}, late = {0}, last = {0};

	while (blocks_of(&early) < BIRTH_RANGE_BLOCKS_FEW / 2)
		ck_assert(grow(&early, SITE));
	use_space_until(SIZE * SHARE + SHARE / 2);
	ck_assert(!grow(&early, SITE));
	while (grow(&late, SITE))
		;
	ck_assert_uint_eq(blocks_of(&late), SIZE);
	use_space_until(SHARE);
	ck_assert(grow(&last, SITE));
	ck_assert(!grow(&last, SITE));
	ck_assert_uint_eq(blocks_of(&last), 1);
}
END_TEST

START_TEST(all_numbers_are_used_up)
{
	struct birth_range range = {0}, none = {0};
	uint32_t site;

	begin_low();
	uint32_t first = next_number(&range, SITE);
	uint32_t sites = use_space_until(0);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(birth_marks_next(marks, &none, SITE + 1), 0);
		ck_assert_uint_eq(none.next + none.last + none.first, 0);
	}
	ck_assert(!grow(&range, SITE));
	ck_assert_uint_eq(range.first, first);
	for (uint32_t i = 0; i < 2 * BLOCK; i++)
		check_site(birth_marks_next(marks, &range, SITE), SITE);
	for (uint32_t block = (first >> BIRTH_BLOCK_BITS) + 1; block < BIRTH_BLOCKS; block++)
		QUICK_CHECK(birth_marks_site(marks, birth_mark_of_number(block << BIRTH_BLOCK_BITS),
		                             &site) &&
		                    site > SITE && site <= sites,
		            "block %u", block);
}
END_TEST

/* ---- profiles ---------------------------------------------------------- */

START_TEST(a_later_profile_has_other_numbers)
{
	struct birth_range range = {0}, later = {0};
	uint32_t site;

	begin_low();
	for (int i = 0; i < 4; i++)
		ck_assert(grow(&range, SITE));
	tear_down();
	set_up();
	ck_assert_uint_eq(next_number(&later, SITE), range.last + 1);
	for (uint32_t number = range.first; number <= range.last; number++)
		QUICK_CHECK(!birth_marks_site(marks, birth_mark_of_number(number), &site),
		            "number %u is of site %u", number, site);
}
END_TEST

START_TEST(a_profile_begins_with_half_of_the_space_or_more)
{
	struct birth_range range = {0}, later = {0}, again = {0};

	begin_low();
	use_space_until(BIRTH_BLOCKS / 2 + BIRTH_RANGE_BLOCKS_MAX);
	ck_assert(grow(&range, SITE));
	tear_down();
	set_up();
	ck_assert_uint_eq(next_number(&later, SITE), range.last + 1);
	use_space_until(BIRTH_BLOCKS / 2 - 1);
	tear_down();
	set_up();
	ck_assert_uint_eq(next_number(&again, SITE), 1);
}
END_TEST

/* ---- spread ------------------------------------------------------------ */

enum { OBJECTS_MAX = 1000000, SLOTS_MAX = 1 << 21 };

struct spread {
	uint64_t collisions; /* objects whose slot is another's, too */
	uint64_t probes;     /* of linear probing */
	uint64_t most_probes;
	uint64_t largest_bucket;
};

/* java.util.IdentityHashMap.hash(): keys are in the even slots of an array. */
static uint32_t identity_map_slot(uint32_t hash, uint32_t slots)
{
	return (((hash << 1) - (hash << 8)) & (2 * slots - 1)) / 2;
}

/* java.util.HashMap.hash(), and that of ConcurrentHashMap. */
static uint32_t hash_map_slot(uint32_t hash, uint32_t slots)
{
	return (hash ^ hash >> 16) & (slots - 1);
}

static uint32_t first_slot(uint32_t hash, uint32_t slots)
{
	return hash & (slots - 1);
}

static uint32_t last_slot(uint32_t hash, uint32_t slots)
{
	return (uint32_t)((uint64_t)hash * slots >> BIRTH_MARK_BITS);
}

typedef uint32_t slot_function(uint32_t hash, uint32_t slots);

/* Adds how the hashes are spread in a table by the function. */
static void add_spread(struct spread *spread, const uint32_t *hashes, uint32_t count,
                       uint32_t slots, slot_function *slot_of)
{
	static uint32_t buckets[SLOTS_MAX];
	static bool used[SLOTS_MAX];

	memset(buckets, 0, slots * sizeof(*buckets));
	memset(used, 0, slots);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = slot_of(hashes[i], slots);
		uint64_t probes = 1;
		QUICK_CHECK(slot < slots, "slot %u", slot);
		spread->collisions += buckets[slot] != 0;
		if (++buckets[slot] > spread->largest_bucket)
			spread->largest_bucket = buckets[slot];
		for (; used[slot]; slot = (slot + 1) & (slots - 1))
			probes++;
		used[slot] = true;
		spread->probes += probes;
		if (probes > spread->most_probes)
			spread->most_probes = probes;
	}
}

/* A generator with a fixed seed: xorshift*. */
static uint32_t random_hash(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)(state * 2685821657736338717U >> 33);
}

/* Of tables of that many objects, by marks from starts all over the space. Sums differ little, the
 * greatest values of few tables more. */
static void check_spread(uint32_t count, uint32_t slots, uint32_t starts, slot_function *slot_of)
{
	static uint32_t hashes[OBJECTS_MAX];
	struct spread by_marks = {0}, random = {0};

	for (uint32_t start = 0; start < starts; start++) {
		uint32_t first = start * (BIRTH_BLOCKS / starts) * BLOCK + 1;
		for (uint32_t i = 0; i < count; i++)
			hashes[i] = birth_mark_of_number(first + i);
		add_spread(&by_marks, hashes, count, slots, slot_of);
		for (uint32_t i = 0; i < count; i++)
			hashes[i] = random_hash();
		add_spread(&random, hashes, count, slots, slot_of);
	}
	ck_assert_uint_le(by_marks.collisions * 100, random.collisions * 105);
	ck_assert_uint_le(by_marks.probes * 100, random.probes * 105);
	ck_assert_uint_le(by_marks.most_probes * 2, random.most_probes * 3);
	ck_assert_uint_le(by_marks.largest_bucket * 2, random.largest_bucket * 3);
}

static slot_function *const slot_functions[] = {identity_map_slot, hash_map_slot, first_slot,
                                                last_slot};

START_TEST(marks_are_spread_like_random_numbers)
{
	slot_function *slot_of = slot_functions[_i];

	check_spread(OBJECTS_MAX, SLOTS_MAX, 2, slot_of);
	check_spread(30000, 1 << 16, 20, slot_of);
	check_spread(1000, 1 << 11, 500, slot_of);
	check_spread(BLOCK, 1 << 9, 2000, slot_of);
}
END_TEST

/* ---- numbers that are left out ------------------------------------------ */

/* The blocks of one range that grows four times. */
enum { BLOCKS = 1 + 2 + 4 + 8, NUMBERS = BLOCKS * BLOCK };

/* By number from the first one on that is handed out next. */
static bool left_out[NUMBERS];

/* Begins at a block whose first number is returned. */
static uint32_t begin_at_block(void)
{
	struct birth_range probe = {0};

	begin_low();
	ck_assert(grow(&probe, SITE));
	tear_down();
	set_up();
	memset(left_out, 0, sizeof(left_out));
	return probe.last + 1;
}

static void leave_out_from(uint32_t number, uint32_t count)
{
	memset(left_out + number, true, count);
}

/* Leaves out what is in left_out, each number that often, in no order, and more that is no range's
 * here. */
static void leave_out(uint32_t first, uint32_t times)
{
	uint32_t *hashes = calloc((size_t)NUMBERS * times + 2, sizeof(*hashes));
	size_t count = 0;

	ck_assert_ptr_nonnull(hashes);
	for (uint32_t i = 0; i < times; i++)
		for (uint32_t at = 0; at < NUMBERS; at++) {
			uint32_t number = (at * 7 + i) % NUMBERS;
			if (left_out[number])
				hashes[count++] = birth_mark_of_number(first + number);
		}
	hashes[count++] = birth_mark_of_number(first - 1);
	hashes[count++] = birth_mark_of_number(first + NUMBERS);
	birth_marks_leave_out(marks, hashes, count);
}

/* One range has all the other numbers, in turn. */
static void check_handed_out(uint32_t first)
{
	struct birth_range range = {0};
	uint32_t site;

	for (uint32_t i = 0; i < NUMBERS; i++) {
		if (left_out[i])
			continue;
		uint32_t number = next_number(&range, SITE);
		QUICK_CHECK(number == first + i, "number %u, not %u, from %u on", number, first + i,
		            first);
	}
	/* All blocks are taken now, at least. */
	(void)birth_marks_next(marks, &range, SITE);
	for (uint32_t i = 0; i < NUMBERS; i++) {
		uint32_t mark = birth_mark_of_number(first + i);
		if (!left_out[i])
			check_site(mark, SITE);
		else
			QUICK_CHECK(!birth_marks_site(marks, mark, &site), "number %u has a site",
			            i);
	}
}

static void leave_out_none(void)
{
}

static void leave_out_the_first_and_last_of_blocks(void)
{
	for (uint32_t block = 0; block < BLOCKS; block++)
		left_out[block * BLOCK] = left_out[block * BLOCK + BLOCK - 1] = true;
}

static void leave_out_single_numbers(void)
{
	for (uint32_t number = 1; number < NUMBERS; number += 1 + number / 3)
		left_out[number] = true;
}

static void leave_out_runs(void)
{
	leave_out_from(3, 20);
	leave_out_from(24, 2);
	leave_out_from(BLOCK - 5, 9);             /* from a range to the next, */
	leave_out_from(2 * BLOCK - 5, 9);         /* to the next block, */
	leave_out_from(5 * BLOCK - 9, 9);         /* up to a block's end, */
	leave_out_from(6 * BLOCK, 9);             /* from a block's start, */
	leave_out_from(8 * BLOCK - 3, 3 * BLOCK); /* and more than a block */
}

static void leave_out_the_first_block(void)
{
	leave_out_from(0, BLOCK);
}

static void leave_out_a_block(void)
{
	leave_out_from(4 * BLOCK, BLOCK);
}

static void leave_out_the_last_block_of_a_range(void)
{
	leave_out_from(6 * BLOCK, BLOCK);
}

static void leave_out_a_range(void)
{
	leave_out_from(BLOCK, 2 * BLOCK);
}

static void leave_out_three_ranges(void)
{
	leave_out_from(0, 7 * BLOCK);
}

static void leave_out_every_other(void)
{
	for (uint32_t number = 1; number < NUMBERS; number += 2)
		left_out[number] = true;
}

static void leave_out_all_but_few(void)
{
	leave_out_from(0, NUMBERS);
	for (uint32_t number = 100; number < NUMBERS; number += 1000)
		left_out[number] = false;
}

static void leave_out_random_ones(void)
{
	for (int i = 0; i < NUMBERS / 4; i++)
		left_out[random_hash() % NUMBERS] = true;
}

static void (*const left_out_cases[])(void) = {
        leave_out_none,
        leave_out_the_first_and_last_of_blocks,
        leave_out_single_numbers,
        leave_out_runs,
        leave_out_the_first_block,
        leave_out_a_block,
        leave_out_the_last_block_of_a_range,
        leave_out_a_range,
        leave_out_three_ranges,
        leave_out_every_other,
        leave_out_all_but_few,
        leave_out_random_ones,
};

START_TEST(numbers_that_are_left_out_are_no_marks)
{
	for (uint32_t times = 1; times <= 3; times += 2) {
		uint32_t first = begin_at_block();
		left_out_cases[_i]();
		leave_out(first, times);
		check_handed_out(first);
	}
}
END_TEST

/* The first and the last number of the largest range, and some in between. */
static bool is_left_out_of_largest(uint32_t number, uint32_t last)
{
	return number < 2 || number == last || (number >= 3 * BLOCK && number < 5 * BLOCK + 7) ||
	       number % 1009 == 5;
}

START_TEST(a_range_that_begins_again_skips_them_again)
{
	enum { LARGEST = BIRTH_RANGE_BLOCKS_MAX * BLOCK };
	uint32_t first = begin_at_block() + (BIRTH_RANGE_BLOCKS_MAX - 1) * BLOCK;
	uint32_t *hashes = calloc(LARGEST, sizeof(*hashes));
	struct birth_range range = {0};
	size_t count = 0;

	ck_assert_ptr_nonnull(hashes);
	for (uint32_t i = 0; i < LARGEST; i++)
		if (is_left_out_of_largest(i, LARGEST - 1))
			hashes[count++] = birth_mark_of_number(first + i);
	birth_marks_leave_out(marks, hashes, count);
	for (uint32_t blocks = 1; blocks < BIRTH_RANGE_BLOCKS_MAX; blocks *= 2)
		ck_assert(grow(&range, SITE));
	use_up(&range);
	for (int again = 0; again < 3; again++) {
		for (uint32_t i = 0; i < LARGEST; i++) {
			if (is_left_out_of_largest(i, LARGEST - 1))
				continue;
			uint32_t number = next_number(&range, SITE);
			QUICK_CHECK(number == first + i, "number %u, not %u", number, first + i);
		}
	}
	ck_assert_uint_eq(blocks_of(&range), BIRTH_RANGE_BLOCKS_MAX);
}
END_TEST

/* The last block of all. */
START_TEST(a_range_of_which_all_is_left_out_has_no_number)
{
	uint32_t *hashes = calloc(BLOCK, sizeof(*hashes));
	struct birth_range range = {0};
	uint32_t site;

	ck_assert_ptr_nonnull(hashes);
	begin_low();
	for (uint32_t i = 0; i < BLOCK; i++)
		hashes[i] = birth_mark_of_number(BIRTH_MARK_MASK - i);
	birth_marks_leave_out(marks, hashes, BLOCK);
	use_space_until(1);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(birth_marks_next(marks, &range, SITE), 0);
	ck_assert_uint_eq(range.last, BIRTH_MARK_MASK);
	for (uint32_t i = 0; i < BLOCK; i++)
		QUICK_CHECK(
		        !birth_marks_site(marks, birth_mark_of_number(BIRTH_MARK_MASK - i), &site),
		        "number %u from the end has a site", i);
}
END_TEST

/* ---- threads ----------------------------------------------------------- */

enum { THREADS = 2, RANGES = 2000, GROWN = 6, LONG = 300000 };

struct owner {
	struct os_thread_handle thread;
	uint32_t site;
	struct birth_range ranges[RANGES][GROWN];
	uint32_t marks[LONG];
};

static struct owner owners[THREADS];
static atomic_uint ready;

/* Takes many ranges, to compete for blocks, and hands out many numbers of one. */
static void take(void *argument)
{
	struct owner *owner = argument;
	struct birth_range range;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) < THREADS)
		;
	for (int i = 0; i < RANGES; i++) {
		memset(&range, 0, sizeof(range));
		for (int size = 0; size < GROWN; size++) {
			QUICK_CHECK(grow(&range, owner->site), "no numbers");
			owner->ranges[i][size] = range;
		}
	}
	memset(&range, 0, sizeof(range));
	for (int i = 0; i < LONG; i++)
		owner->marks[i] = birth_marks_next(marks, &range, owner->site);
}

/* By block, 1 and the index of the range that has it. */
static uint32_t takers[BIRTH_BLOCKS];

static void check_taken_range(const struct birth_range *range, uint32_t site, uint32_t taker)
{
	for (uint32_t i = range->first >> BIRTH_BLOCK_BITS; i <= range->last >> BIRTH_BLOCK_BITS;
	     i++) {
		QUICK_CHECK(takers[i] == 0, "block %u is taken twice", i);
		takers[i] = taker;
		check_site(birth_mark_of_number(i * BLOCK + BLOCK - 1), site);
	}
}

/* Numbers go up: the range has not begun again. */
static void check_taken_marks(const struct owner *owner, uint32_t taker)
{
	uint32_t before = 0;

	for (int i = 0; i < LONG; i++) {
		uint32_t number = birth_number_of_mark(owner->marks[i]);
		QUICK_CHECK(number > before, "number %u after %u", number, before);
		before = number;
		check_site(owner->marks[i], owner->site);
		uint32_t *its_taker = &takers[number >> BIRTH_BLOCK_BITS];
		QUICK_CHECK(*its_taker == 0 || *its_taker == taker, "number %u is taken twice",
		            number);
		*its_taker = taker;
	}
}

START_TEST(threads_never_share_a_number)
{
	uint32_t taker = 1;

	begin_low();
	for (uint32_t i = 0; i < THREADS; i++) {
		owners[i].site = SITE + i;
		ck_assert_int_eq(os_thread_start(&owners[i].thread, take, &owners[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		os_thread_join(&owners[i].thread);
	for (int t = 0; t < THREADS; t++) {
		for (int i = 0; i < RANGES * GROWN; i++)
			check_taken_range(&owners[t].ranges[i / GROWN][i % GROWN], owners[t].site,
			                  taker++);
		check_taken_marks(&owners[t], taker++);
	}
}
END_TEST

static Suite *birth_marks_suite(void)
{
	Suite *suite = suite_create("birth_marks");
	TCase *tests = tcase_create("birth_marks");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, each_number_has_its_mark);
	tcase_add_test(tests, marks_lead_to_their_sites);
	tcase_add_test(tests, the_greatest_site_is_found);
	tcase_add_test(tests, other_numbers_are_of_no_site);
	tcase_add_test(tests, the_first_number_is_1);
	tcase_add_test(tests, ranges_grow_and_begin_again);
	tcase_add_test(tests, ranges_begin_again_earlier_when_little_remains);
	tcase_add_test(tests, ranges_are_small_at_the_end_of_the_space);
	tcase_add_test(tests, all_numbers_are_used_up);
	tcase_add_test(tests, a_later_profile_has_other_numbers);
	tcase_add_test(tests, a_profile_begins_with_half_of_the_space_or_more);
	tcase_add_loop_test(tests, marks_are_spread_like_random_numbers, 0,
	                    (int)(sizeof(slot_functions) / sizeof(*slot_functions)));
	tcase_add_loop_test(tests, numbers_that_are_left_out_are_no_marks, 0,
	                    (int)(sizeof(left_out_cases) / sizeof(*left_out_cases)));
	tcase_add_test(tests, a_range_that_begins_again_skips_them_again);
	tcase_add_test(tests, a_range_of_which_all_is_left_out_has_no_number);
	tcase_add_test(tests, threads_never_share_a_number);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(birth_marks_suite());
}
