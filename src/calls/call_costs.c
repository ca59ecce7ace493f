/*
 * call_costs.c: rows in a hash by node and thread. Ranking copies rows to an array and
 * sorts that.
 */
#include "calls/call_costs.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct cost_key {
	uint32_t node;
	uint32_t thread_serial;
};

struct cost_entry {
	struct call_cost row;
	struct cost_key key;
	bool hash_failed;
	UT_hash_handle hh;
};

struct call_costs {
	struct cost_entry *entries;
	uint64_t totals[COST_KINDS];
	uint64_t without_rows[COST_KINDS]; /* a part of the totals */
	struct call_cost *ranked;
	size_t ranked_capacity;
};

struct call_costs *call_costs_create(void)
{
	return calloc(1, sizeof(struct call_costs));
}

void call_costs_destroy(struct call_costs *costs)
{
	if (costs == NULL)
		return;
	call_costs_clear(costs);
	free(costs->ranked);
	free(costs);
}

void call_costs_clear(struct call_costs *costs)
{
	HASH_FREE_ALL(costs->entries);
	memset(costs->totals, 0, sizeof(costs->totals));
	memset(costs->without_rows, 0, sizeof(costs->without_rows));
}

static struct cost_entry *add_entry(struct call_costs *costs, const struct cost_key *key)
{
	struct cost_entry *entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return NULL;
	entry->key = *key;
	entry->row.node = key->node;
	entry->row.thread_serial = key->thread_serial;
	HASH_ADD(hh, costs->entries, key, sizeof(entry->key), entry);
	if (!entry->hash_failed)
		return entry;
	free(entry);
	return NULL;
}

bool call_costs_add(struct call_costs *costs, uint32_t node, uint32_t thread_serial,
                    const uint64_t amounts[COST_KINDS])
{
	struct cost_key key = {.node = node, .thread_serial = thread_serial};
	struct cost_entry *entry;

	HASH_FIND(hh, costs->entries, &key, sizeof(key), entry);
	if (entry == NULL)
		entry = add_entry(costs, &key);
	if (entry == NULL)
		return false;
	for (int kind = 0; kind < COST_KINDS; kind++) {
		entry->row.costs[kind] += amounts[kind];
		costs->totals[kind] += amounts[kind];
	}
	return true;
}

void call_costs_add_to_totals(struct call_costs *costs, const uint64_t amounts[COST_KINDS])
{
	for (int kind = 0; kind < COST_KINDS; kind++) {
		costs->without_rows[kind] += amounts[kind];
		costs->totals[kind] += amounts[kind];
	}
}

size_t call_costs_rows(const struct call_costs *costs)
{
	return HASH_COUNT(costs->entries);
}

void call_costs_keep(struct call_costs *costs,
                     bool (*are_kept)(void *argument, const uint64_t costs[COST_KINDS]),
                     void *argument)
{
	struct cost_entry *entry;
	struct cost_entry *next;

	HASH_ITER(hh, costs->entries, entry, next)
	{
		if (are_kept(argument, entry->row.costs))
			continue;
		for (int kind = 0; kind < COST_KINDS; kind++)
			costs->without_rows[kind] += entry->row.costs[kind];
		HASH_DEL(costs->entries, entry);
		free(entry);
	}
}

bool call_costs_move(struct call_costs *costs, struct call_costs *from)
{
	const struct cost_entry *entry;

	for (entry = from->entries; entry != NULL; entry = entry->hh.next) {
		if (!call_costs_add(costs, entry->key.node, entry->key.thread_serial,
		                    entry->row.costs))
			return false;
	}
	call_costs_add_to_totals(costs, from->without_rows);
	call_costs_clear(from);
	return true;
}

/* The states: their sum is COST_WALL_NS. */
static const enum cost_kind states[] = {
        COST_USR_NS,
        COST_STATES_NS + OFF_TFL,
        COST_STATES_NS + OFF_DFL,
        COST_STATES_NS + OFF_LAT,
        COST_STATES_NS + OFF_STW,
        COST_STATES_NS + OFF_SLP,
        COST_STATES_NS + OFF_LCK,
        COST_STATES_NS + OFF_IO,
};
enum { STATES = sizeof(states) / sizeof(states[0]) };

void call_cost_settle(uint64_t row[COST_KINDS])
{
	uint64_t owed_ns = 0;

	for (int i = 0; i < STATES; i++) {
		uint64_t *ns = &row[states[i]];
		if (*ns > INT64_MAX) {
			owed_ns -= *ns;
			*ns = 0;
		}
	}
	row[COST_WALL_NS] = 0;
	for (int i = 0; i < STATES; i++) {
		uint64_t *ns = &row[states[i]];
		uint64_t taken_ns = *ns < owed_ns ? *ns : owed_ns;
		*ns -= taken_ns;
		owed_ns -= taken_ns;
		row[COST_WALL_NS] += *ns;
	}
}

void call_costs_settle(struct call_costs *costs)
{
	struct cost_entry *entry;

	memcpy(costs->totals, costs->without_rows, sizeof(costs->totals));
	for (entry = costs->entries; entry != NULL; entry = entry->hh.next) {
		call_cost_settle(entry->row.costs);
		for (int kind = 0; kind < COST_KINDS; kind++)
			costs->totals[kind] += entry->row.costs[kind];
	}
}

static int compare(const struct call_cost *a, const struct call_cost *b, enum cost_kind kind)
{
	if (a->costs[kind] != b->costs[kind])
		return a->costs[kind] < b->costs[kind] ? 1 : -1;
	if (a->costs[COST_CALLS] != b->costs[COST_CALLS])
		return a->costs[COST_CALLS] < b->costs[COST_CALLS] ? 1 : -1;
	if (a->node != b->node)
		return a->node > b->node ? 1 : -1;
	return (a->thread_serial > b->thread_serial) - (a->thread_serial < b->thread_serial);
}

static int by_calls(const void *left, const void *right)
{
	return compare(left, right, COST_CALLS);
}

static int by_cpu(const void *left, const void *right)
{
	return compare(left, right, COST_CPU_NS);
}

static int by_off_cpu(const void *left, const void *right)
{
	return compare(left, right, COST_OFF_CPU_NS);
}

static int by_wall(const void *left, const void *right)
{
	return compare(left, right, COST_WALL_NS);
}

/* Of the kinds that rows are ranked by. */
static int (*const comparers[COST_KINDS])(const void *, const void *) = {
        [COST_CALLS] = by_calls,
        [COST_CPU_NS] = by_cpu,
        [COST_OFF_CPU_NS] = by_off_cpu,
        [COST_WALL_NS] = by_wall,
};

static bool ensure_capacity(struct call_costs *costs, size_t count)
{
	if (count <= costs->ranked_capacity)
		return true;
	struct call_cost *grown = realloc(costs->ranked, count * sizeof(*grown));
	if (grown == NULL)
		return false;
	costs->ranked = grown;
	costs->ranked_capacity = count;
	return true;
}

/* A row can have costs of other kinds only: those of a wait that has not ended, say. */
static bool is_ranked(const struct call_cost *row, enum cost_kind kind)
{
	return row->costs[kind] > 0 || row->costs[COST_CALLS] > 0;
}

/* Where a state is negative, what it corrects was below the cutoff when it was shown, and is in the
 * totals alone (call_costs_add_to_totals()). With it the state is 0. */
static void complete(struct call_cost *row)
{
	for (int i = 0; i < STATES; i++) {
		uint64_t *ns = &row->costs[states[i]];
		if (*ns > INT64_MAX) {
			row->costs[COST_WALL_NS] -= *ns;
			*ns = 0;
		}
	}
}

const struct call_cost *call_costs_rank(struct call_costs *costs, enum cost_kind kind,
                                        double cutoff, size_t *count)
{
	size_t entries = HASH_COUNT(costs->entries);
	double least = cutoff * (double)costs->totals[kind];
	const struct cost_entry *entry;
	size_t at = 0;

	*count = 0;
	if (!ensure_capacity(costs, entries > 0 ? entries : 1))
		return NULL;
	/* Rows below the cutoff are not copied: sorting them would take most of the time. */
	for (entry = costs->entries; entry != NULL; entry = entry->hh.next) {
		if ((double)entry->row.costs[kind] < least || !is_ranked(&entry->row, kind))
			continue;
		struct call_cost *row = &costs->ranked[at];
		*row = entry->row;
		complete(row);
		if ((double)row->costs[kind] >= least)
			at++;
	}
	qsort(costs->ranked, at, sizeof(costs->ranked[0]), comparers[kind]);
	*count = at;
	return costs->ranked;
}

uint64_t call_costs_total(const struct call_costs *costs, enum cost_kind kind)
{
	return costs->totals[kind];
}
