/*
 * birth_marks.c: see birth_marks.h. Blocks are taken from the space one after another by
 * compare-and-exchange, and stay with their site. A block's entry is written before any number of
 * the block is handed out: whoever finds an object's mark finds its site, and all of the site
 * that was written before.
 *
 * A range takes one block at first, then contiguous blocks, twice as many as before, up to
 * BIRTH_RANGE_BLOCKS_MAX: a site that is rarely used takes few numbers, and one that is often used
 * rarely comes here. None takes more than a 1024th of what remains, or one block. A range that is
 * used up is begun again from its first number
 * - if it would not be replaced by a larger one: it has its greatest size, or little remains, or
 *   nothing;
 * - if less than a quarter of the space remains and it has BIRTH_RANGE_BLOCKS_FEW or more: the
 *   rest is for new sites.
 */
#include "alloc/birth_marks.h"

#include "base/ordered_numbers.h"
#include "os/os.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { SHARE = 1024, TABLE_BYTES = BIRTH_BLOCKS * sizeof(uint32_t) };

struct birth_marks {
	_Atomic uint32_t next_block; /* all from here on are free */
	/* By block, the site and 1; 0: none. Pages are touched in turn. */
	_Atomic uint32_t *sites;
	uint32_t *left_out; /* numbers, in order; constant once marks are handed out */
	size_t left_out_count;
};

/* In the entry of a block: some of its numbers are left out. */
#define HAS_LEFT_OUT ((uint32_t)1 << 31)

/* The first block of the next profile. */
static _Atomic uint32_t next_profile;

struct birth_marks *birth_marks_create(void)
{
	struct birth_marks *marks = calloc(1, sizeof(*marks));
	if (marks == NULL)
		return NULL;
	marks->sites = os_pages_alloc(TABLE_BYTES);
	if (marks->sites == NULL) {
		free(marks);
		return NULL;
	}
	uint32_t block = atomic_load(&next_profile);
	atomic_init(&marks->next_block, block <= BIRTH_BLOCKS / 2 ? block : 0);
	return marks;
}

void birth_marks_destroy(struct birth_marks *marks)
{
	if (marks == NULL)
		return;
	atomic_store(&next_profile, atomic_load(&marks->next_block));
	os_pages_free(marks->sites, TABLE_BYTES);
	free(marks->left_out);
	free(marks);
}

static uint32_t block_of(uint32_t number)
{
	return number >> BIRTH_BLOCK_BITS;
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

void birth_marks_leave_out(struct birth_marks *marks, uint32_t *hashes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		hashes[i] = birth_number_of_mark(hashes[i] & BIRTH_MARK_MASK);
	qsort(hashes, count, sizeof(*hashes), by_number);
	free(marks->left_out);
	marks->left_out = hashes;
	marks->left_out_count = count;
}

static bool is_left_out(const struct birth_marks *marks, uint32_t number)
{
	size_t at = ordered_numbers_find(marks->left_out, marks->left_out_count, number);
	return at < marks->left_out_count && marks->left_out[at] == number;
}

/* The entry of a block. */
static uint32_t entry_of(const struct birth_marks *marks, uint32_t block, uint32_t site)
{
	size_t at = ordered_numbers_find(marks->left_out, marks->left_out_count,
	                                 block << BIRTH_BLOCK_BITS);
	bool has_left_out = at < marks->left_out_count && block_of(marks->left_out[at]) == block;
	return (site + 1) | (has_left_out ? HAS_LEFT_OUT : 0);
}

/* The first number of the range from that one on that is not left out; sets stop. 0 if there is
 * none. */
static uint32_t go_on(const struct birth_marks *marks, struct birth_range *range, uint32_t number)
{
	size_t at = ordered_numbers_find(marks->left_out, marks->left_out_count, number);

	for (; at < marks->left_out_count && marks->left_out[at] <= number; at++)
		number += marks->left_out[at] == number;
	range->stop = range->last;
	if (at < marks->left_out_count && marks->left_out[at] <= range->last)
		range->stop = marks->left_out[at] - 1;
	return number <= range->last ? number : 0;
}

/* The blocks of the range. */
static uint32_t size_of(const struct birth_range *range)
{
	return range->last == 0 ? 0 : block_of(range->last) - block_of(range->first) + 1;
}

/* The number of blocks that replace those of a range, if that many remain; 0: it begins again. */
static uint32_t next_size(uint32_t size, uint32_t remaining)
{
	uint32_t most = remaining < SHARE ? 1 : remaining / SHARE;
	uint32_t next = size == 0 ? 1 : 2 * size;

	if (remaining == 0 || (remaining < BIRTH_BLOCKS / 4 && size >= BIRTH_RANGE_BLOCKS_FEW))
		return 0;
	if (most > BIRTH_RANGE_BLOCKS_MAX)
		most = BIRTH_RANGE_BLOCKS_MAX;
	if (next > most)
		next = most;
	return next > size ? next : 0;
}

/* Takes new blocks. False if the range begins again. */
static bool take_blocks(struct birth_marks *marks, struct birth_range *range, uint32_t site)
{
	uint32_t block = atomic_load_explicit(&marks->next_block, memory_order_relaxed);
	uint32_t size;

	do {
		size = next_size(size_of(range), BIRTH_BLOCKS - block);
		if (size == 0)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&marks->next_block, &block, block + size,
	                                                memory_order_relaxed,
	                                                memory_order_relaxed));
	for (uint32_t i = block; i < block + size; i++)
		atomic_store_explicit(&marks->sites[i], entry_of(marks, i, site),
		                      memory_order_release);
	range->first = block == 0 ? 1 : block << BIRTH_BLOCK_BITS; /* 0 is no mark */
	range->last = ((block + size) << BIRTH_BLOCK_BITS) - 1;
	return true;
}

uint32_t birth_marks_extend(struct birth_marks *marks, struct birth_range *range, uint32_t site)
{
	uint32_t number = range->stop < range->last ? go_on(marks, range, range->stop + 1) : 0;

	while (number == 0 && take_blocks(marks, range, site))
		number = go_on(marks, range, range->first);
	if (number == 0 && range->last != 0)
		number = go_on(marks, range, range->first);
	if (number == 0)
		range->stop = range->last;
	return number;
}

bool birth_marks_site(const struct birth_marks *marks, uint32_t mark, uint32_t *site)
{
	if (mark == 0 || mark > BIRTH_MARK_MASK)
		return false;
	uint32_t number = birth_number_of_mark(mark);
	uint32_t entry =
	        atomic_load_explicit(&marks->sites[block_of(number)], memory_order_acquire);
	if (entry == 0 || ((entry & HAS_LEFT_OUT) != 0 && is_left_out(marks, number)))
		return false;
	*site = (entry & ~HAS_LEFT_OUT) - 1;
	return true;
}
