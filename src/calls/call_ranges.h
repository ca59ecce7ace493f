/*
 * call_ranges.h: memory for threads' call states (call_state.h): a range of addresses for each, of
 * which only the parts that are in use have memory. It has a head and behind it arrays with 8 bytes
 * for each node of the call graph. Java code has the address of its thread's range and may use it
 * late, so ranges stay readable: the next thread gets the one of a thread that has ended.
 *
 * Any thread; one lock, within which no other is taken.
 */
#ifndef HPROF_CALLS_CALL_RANGES_H
#define HPROF_CALLS_CALL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct call_ranges;

enum {
	/* The head's parts, and the arrays, begin at multiples of this: of pages on each system. */
	CALL_PART_BYTES = 1 << 16,
	CALL_HEAD_BYTES = 6 * CALL_PART_BYTES,
	CALL_ARRAYS = 2
};

/* Of ranges for at most that many nodes. NULL without memory. */
struct call_ranges *call_ranges_create(uint32_t nodes_max);

/* Frees all ranges, when no Java code can have an address. NULL is fine. */
void call_ranges_destroy(struct call_ranges *ranges);

/* A range with memory for all nodes that there are. All is 0, except the first part of one that had
 * another thread. NULL without memory. */
void *call_ranges_take(struct call_ranges *ranges);

/* No native code uses the range any more. */
void call_ranges_give(struct call_ranges *ranges, void *range);

/* Returns the memory of a range to the system, except its first part: it is 0 then. What Java code
 * counts meanwhile may be lost. */
void call_ranges_discard(struct call_ranges *ranges, void *range);

/* Gives each range, those to come included, memory for counts of that many nodes; fewer than it
 * has change nothing. False without memory: then no such node may be added. */
bool call_ranges_make_room(struct call_ranges *ranges, uint32_t nodes);

#endif
