/*
 * birth_marks.h: numbers that stand for allocation sites, to be stored as the identity hashes of
 * the objects that are allocated there. A mark is a legal hash of HotSpot, from 1 to 2^31 - 1, and
 * marks are as well spread as hashes that the VM chooses; their table leads back to the site.
 *
 * A range belongs to one owner at a time, and only its owner uses it; nothing else here has a
 * lock, and all functions but the first two may be called on any thread.
 *
 * A mark that is found proves nothing alone: the VM may have chosen the same number since as the
 * hash of another object. Compare its class with that of the site.
 */
#ifndef HPROF_ALLOC_BIRTH_MARKS_H
#define HPROF_ALLOC_BIRTH_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BIRTH_MARK_BITS = 31,
	BIRTH_BLOCK_BITS = 8,
	BIRTH_BLOCKS = 1 << (BIRTH_MARK_BITS - BIRTH_BLOCK_BITS),
	BIRTH_RANGE_BLOCKS_MAX = 1 << 12, /* 2^20 numbers */
	BIRTH_RANGE_BLOCKS_FEW = 1 << 6   /* 2^14 numbers */
};

#define BIRTH_MARK_MASK (((uint32_t)1 << BIRTH_MARK_BITS) - 1)

/* The space of numbers of one profile. Its blocks, of 256 consecutive numbers, belong to sites. */
struct birth_marks;

/* The numbers that one owner, such as a thread's counter of a site, hands out: all 0 at first.
 * Of one site only. */
struct birth_range {
	uint32_t next; /* 0: none is left up to stop, or none has been taken */
	uint32_t stop; /* the last one before a number that is left out, or last */
	uint32_t last;
	uint32_t first;
};

/* NULL without memory. The numbers begin where those of the last profile ended, or at 1 if less
 * than half of them would remain. One profile at a time. */
struct birth_marks *birth_marks_create(void);

/* No thread uses the marks any more. */
void birth_marks_destroy(struct birth_marks *marks);

/* Leaves out the marks that objects have already as hashes, which the VM or an earlier profile has
 * chosen: else these objects would count at the sites that get the marks. hashes, from malloc(), in
 * any order, is the marks' from then on. Before the first mark. */
void birth_marks_leave_out(struct birth_marks *marks, uint32_t *hashes, size_t count);

/* The mark of a number below 2^31, and the number of a mark: bijections, 0 to 0. Each step can be
 * undone: an odd number has an inverse modulo 2^31, and a shift leaves the uppermost bits as they
 * are, by which the others are restored. The last shift is not by 16 bits, which HashMap
 * would undo: it shifts a hash by 16 again. */
static inline uint32_t birth_mark_of_number(uint32_t number)
{
	number ^= number >> 16;
	number = number * 0x7feb352d & BIRTH_MARK_MASK;
	number ^= number >> 15;
	number = number * 0x046ca68b & BIRTH_MARK_MASK;
	return number ^ number >> 15;
}

static inline uint32_t birth_number_of_mark(uint32_t mark)
{
	mark ^= mark >> 15 ^ mark >> 30;
	mark = mark * 0x43021123 & BIRTH_MARK_MASK;
	mark ^= mark >> 15 ^ mark >> 30;
	mark = mark * 0x1d69e2a5 & BIRTH_MARK_MASK;
	return mark ^ mark >> 16;
}

/* Goes on after a number that is left out, gives the range more numbers of that site, or begins it
 * again, and returns the next one; 0 if there is none. For birth_marks_next(). */
uint32_t birth_marks_extend(struct birth_marks *marks, struct birth_range *range, uint32_t site);

/* The mark of the next object of that site; 0 if all numbers are used up and the range has
 * none. Marks need not be unique: a range begins again rather than use up the space. site is
 * below 2^31 - 1. On the owner of the range. */
static inline uint32_t birth_marks_next(struct birth_marks *marks, struct birth_range *range,
                                        uint32_t site)
{
	uint32_t number = range->next;

	if (number == 0)
		number = birth_marks_extend(marks, range, site);
	range->next = number == range->stop || number == 0 ? 0 : number + 1;
	return birth_mark_of_number(number);
}

/* The site whose mark that is; false if no site has it, whatever the number. Reads memory only:
 * for signal handlers and the VM's walks of the heap. */
bool birth_marks_site(const struct birth_marks *marks, uint32_t mark, uint32_t *site);

#endif
