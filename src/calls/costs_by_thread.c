/*
 * costs_by_thread.c: see costs_by_thread.h.
 */
#include "calls/costs_by_thread.h"

#include "calls/cost_rows.h"
#include "os/os.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* Enough that threads seldom meet at a lock. A power of 2. */
enum { PARTS = 64 };

/* A part searches its ended threads' rows for some below the cutoff when it has as many, and then
 * when it has twice what was left. */
enum { FIRST_LIMIT = 256 };

/* The kinds that tables are sorted by and cut off. */
static const enum cost_kind shown[] = {COST_CPU_NS, COST_OFF_CPU_NS, COST_WALL_NS};
enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };

struct thread_costs {
	uint32_t serial;
	struct cost_rows rows;
	struct thread_costs *prev;
	struct thread_costs *next;
};

struct part {
	struct os_mutex lock;
	struct thread_costs *threads; /* those that live */
	struct call_costs *ended;
	size_t limit; /* of ended */
};

struct costs_by_thread {
	double cutoff;
	unsigned kinds; /* that are stored */
	/* Of threads that have ended since the last dump: at most the totals of the next. */
	_Atomic uint64_t ended_totals[COST_KINDS];
	struct part parts[PARTS];
};

static struct part *part_of(struct costs_by_thread *all, uint32_t serial)
{
	return &all->parts[serial % PARTS];
}

static void free_thread(struct part *part, struct thread_costs *thread)
{
	DL_DELETE(part->threads, thread);
	cost_rows_clear(&thread->rows);
	free(thread);
}

static void end_part(struct part *part)
{
	struct thread_costs *thread;
	struct thread_costs *next;

	DL_FOREACH_SAFE(part->threads, thread, next)
	free_thread(part, thread);
	call_costs_destroy(part->ended);
	os_mutex_destroy(&part->lock);
}

static bool start_part(struct part *part)
{
	part->limit = FIRST_LIMIT;
	part->ended = call_costs_create();
	if (part->ended != NULL && os_mutex_init(&part->lock) == 0)
		return true;
	call_costs_destroy(part->ended);
	return false;
}

struct costs_by_thread *costs_by_thread_create(bool both_clocks, double cutoff)
{
	struct costs_by_thread *all = calloc(1, sizeof(*all));

	if (all == NULL)
		return NULL;
	all->cutoff = cutoff;
	all->kinds = both_clocks ? COST_KINDS : COST_CPU_NS + 1;
	for (int i = 0; i < PARTS; i++) {
		if (start_part(&all->parts[i]))
			continue;
		while (--i >= 0)
			end_part(&all->parts[i]);
		free(all);
		return NULL;
	}
	return all;
}

void costs_by_thread_destroy(struct costs_by_thread *all)
{
	if (all == NULL)
		return;
	for (int i = 0; i < PARTS; i++)
		end_part(&all->parts[i]);
	free(all);
}

/* ---- adding -------------------------------------------------------------- */

bool costs_by_thread_lock(struct costs_by_thread *all, struct cost_owner *owner)
{
	struct part *part = part_of(all, owner->serial);

	os_mutex_lock(&part->lock);
	if (owner->costs != NULL)
		return true;
	owner->costs = calloc(1, sizeof(*owner->costs));
	if (owner->costs == NULL) {
		os_mutex_unlock(&part->lock);
		return false;
	}
	owner->costs->serial = owner->serial;
	DL_APPEND(part->threads, owner->costs);
	return true;
}

bool costs_by_thread_add(struct costs_by_thread *all, const struct cost_owner *owner, uint32_t node,
                         const uint64_t amounts[COST_KINDS])
{
	return cost_rows_add(&owner->costs->rows, all->kinds, node, amounts);
}

void costs_by_thread_unlock(struct costs_by_thread *all, const struct cost_owner *owner)
{
	os_mutex_unlock(&part_of(all, owner->serial)->lock);
}

/* ---- the cutoff ------------------------------------------------------------ */

/* What a row must have to be shown: that much of one of the kinds. */
struct limits {
	double least[SHOWN];
};

/* Costs can be negative, modulo 2^64 (call_costs_settle()). */
static double positive(uint64_t total)
{
	return total > INT64_MAX ? 0 : (double)total;
}

static void set_limits(struct limits *limits, const struct costs_by_thread *all,
                       const uint64_t totals[COST_KINDS])
{
	for (int i = 0; i < SHOWN; i++)
		limits->least[i] =
		        shown[i] < all->kinds ? all->cutoff * positive(totals[shown[i]]) : DBL_MAX;
}

/* Rows with negative costs are kept, since they are to be settled. */
static bool can_be_shown(void *argument, const uint64_t costs[COST_KINDS])
{
	const struct limits *limits = argument;

	for (int i = 0; i < SHOWN; i++) {
		if ((double)costs[shown[i]] >= limits->least[i])
			return true;
	}
	return false;
}

/* Adds a thread's costs to a table: its rows, or, where they can't be shown, to the totals. The
 * part is locked. False without memory. */
static bool show(const struct costs_by_thread *all, const struct thread_costs *thread,
                 struct limits *limits, struct call_costs *to)
{
	for (size_t i = 0; i < thread->rows.count; i++) {
		uint64_t costs[COST_KINDS] = {0};
		uint32_t node;
		const uint64_t *row = cost_rows_at(&thread->rows, all->kinds, i, &node);

		memcpy(costs, row, all->kinds * sizeof(*row));
		if (!can_be_shown(limits, costs))
			call_costs_add_to_totals(to, costs);
		else if (!call_costs_add(to, node, thread->serial, costs))
			return false;
	}
	return true;
}

static void sum(const struct costs_by_thread *all, const struct thread_costs *thread,
                uint64_t totals[COST_KINDS])
{
	for (size_t i = 0; i < thread->rows.count; i++) {
		uint32_t node;
		const uint64_t *row = cost_rows_at(&thread->rows, all->kinds, i, &node);
		for (unsigned kind = 0; kind < all->kinds; kind++)
			totals[kind] += row[kind];
	}
}

/* ---- the end of a thread ----------------------------------------------------- */

/* Adds a thread's costs, under the part's lock, to those of threads that have ended; the totals of
 * those limit what is kept. */
static void count_ended(struct costs_by_thread *all, const struct thread_costs *thread,
                        struct limits *limits)
{
	uint64_t costs[COST_KINDS] = {0};
	uint64_t totals[COST_KINDS] = {0};

	sum(all, thread, costs);
	for (int i = 0; i < SHOWN && shown[i] < all->kinds; i++)
		totals[shown[i]] = costs[shown[i]] +
		                   atomic_fetch_add(&all->ended_totals[shown[i]], costs[shown[i]]);
	set_limits(limits, all, totals);
}

static void drop_small(struct part *part, struct limits *limits)
{
	if (call_costs_rows(part->ended) < part->limit)
		return;
	call_costs_keep(part->ended, can_be_shown, limits);
	size_t left = call_costs_rows(part->ended);
	part->limit = left * 2 > FIRST_LIMIT ? left * 2 : FIRST_LIMIT;
}

bool costs_by_thread_end(struct costs_by_thread *all, struct cost_owner *owner)
{
	struct part *part = part_of(all, owner->serial);
	struct limits limits;

	if (owner->costs == NULL)
		return true;
	os_mutex_lock(&part->lock);
	count_ended(all, owner->costs, &limits);
	bool shows = show(all, owner->costs, &limits, part->ended);
	drop_small(part, &limits);
	free_thread(part, owner->costs);
	os_mutex_unlock(&part->lock);
	owner->costs = NULL;
	return shows;
}

/* ---- a dump -------------------------------------------------------------------- */

static void sum_part(struct costs_by_thread *all, struct part *part, uint64_t totals[COST_KINDS])
{
	const struct thread_costs *thread;

	os_mutex_lock(&part->lock);
	DL_FOREACH(part->threads, thread)
	sum(all, thread, totals);
	for (unsigned kind = 0; kind < all->kinds; kind++)
		totals[kind] += call_costs_total(part->ended, (enum cost_kind)kind);
	os_mutex_unlock(&part->lock);
}

static bool move_part(struct costs_by_thread *all, struct part *part, struct limits *limits,
                      struct call_costs *to)
{
	struct thread_costs *thread;

	os_mutex_lock(&part->lock);
	bool moved = call_costs_move(to, part->ended);
	DL_FOREACH(part->threads, thread)
	{
		moved = moved && show(all, thread, limits, to);
		cost_rows_clear(&thread->rows);
	}
	part->limit = FIRST_LIMIT;
	os_mutex_unlock(&part->lock);
	return moved;
}

bool costs_by_thread_move(struct costs_by_thread *all, struct call_costs *to)
{
	uint64_t totals[COST_KINDS];
	struct limits limits;
	bool moved = true;

	for (int kind = 0; kind < COST_KINDS; kind++)
		totals[kind] = call_costs_total(to, (enum cost_kind)kind);
	for (int i = 0; i < PARTS; i++)
		sum_part(all, &all->parts[i], totals);
	set_limits(&limits, all, totals);
	for (int i = 0; i < PARTS && moved; i++)
		moved = move_part(all, &all->parts[i], &limits, to);
	/* Last: what ends in a part that is not moved yet belongs to this dump. */
	for (int i = 0; i < SHOWN; i++)
		atomic_store(&all->ended_totals[shown[i]], 0);
	return moved;
}

void costs_by_thread_settle(struct costs_by_thread *all)
{
	/* Only what is shown before it is charged is corrected, with both clocks. */
	if (all->kinds < COST_KINDS)
		return;
	for (int i = 0; i < PARTS; i++) {
		struct part *part = &all->parts[i];
		const struct thread_costs *thread;

		os_mutex_lock(&part->lock);
		call_costs_settle(part->ended);
		DL_FOREACH(part->threads, thread)
		{
			uint32_t node;
			for (size_t row = 0; row < thread->rows.count; row++)
				call_cost_settle(
				        cost_rows_at(&thread->rows, all->kinds, row, &node));
		}
		os_mutex_unlock(&part->lock);
	}
}
