/*
 * uncharged_costs.c: see uncharged_costs.h.
 */
#include "calls/uncharged_costs.h"

#include <string.h>

/* Those first in which time that was shown in another is most likely charged. */
static const enum cost_kind kinds[] = {
        COST_STATES_NS + OFF_TFL, COST_STATES_NS + OFF_DFL,
        COST_STATES_NS + OFF_LAT, COST_STATES_NS + OFF_STW,
        COST_STATES_NS + OFF_SLP, COST_STATES_NS + OFF_LCK,
        COST_STATES_NS + OFF_IO,  COST_USR_NS,
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void take(uint64_t *shown, uint64_t *cost)
{
	uint64_t taken = *shown < *cost ? *shown : *cost;
	*shown -= taken;
	*cost -= taken;
}

static void begin_section(struct uncharged_costs *shown, uint64_t section)
{
	if (shown->section == section)
		return;
	shown->section = section;
	memset(shown->own, 0, sizeof(shown->own));
}

void uncharged_costs_subtract(struct uncharged_costs *shown, uint64_t section, uint32_t node,
                              uint64_t costs[COST_KINDS])
{
	uint64_t wrong[COST_KINDS] = {0};

	if (node != shown->node)
		return;
	begin_section(shown, section);
	/* What this section shows in another state than it was charged to is corrected: the thread
	 * waited for a CPU, say. */
	for (int i = 0; i < KINDS; i++) {
		enum cost_kind kind = kinds[i];
		take(&shown->ns[kind], &costs[kind]);
		wrong[kind] = shown->own[kind];
		take(&wrong[kind], &shown->ns[kind]);
		wrong[kind] = shown->own[kind] - wrong[kind];
		shown->own[kind] = 0;
	}
	/* Earlier sections can't be: this one has so much less in any state. */
	for (int i = 0; i < KINDS; i++) {
		for (int j = 0; j < KINDS && shown->ns[kinds[i]] > 0; j++)
			take(&shown->ns[kinds[i]], &costs[kinds[j]]);
	}
	for (int i = 0; i < KINDS; i++)
		costs[kinds[i]] -= wrong[kinds[i]];
}

void uncharged_costs_end(struct uncharged_costs *shown, uint64_t section,
                         uint64_t costs[COST_KINDS])
{
	begin_section(shown, section);
	for (int kind = 0; kind < COST_KINDS; kind++)
		costs[kind] = -shown->own[kind];
	memset(shown, 0, sizeof(*shown));
}

void uncharged_costs_show(struct uncharged_costs *shown, uint64_t section,
                          const struct uncharged_time *time, enum wait_cause cause,
                          uint64_t costs[COST_KINDS])
{
	uint64_t now_ns[COST_KINDS] = {0};

	/* What was shown has been charged, even if some of it to another node. */
	if (time->since_ns != shown->since_ns)
		memset(shown, 0, sizeof(*shown));
	begin_section(shown, section);
	shown->node = time->node;
	shown->since_ns = time->since_ns;
	now_ns[COST_USR_NS] = time->cpu_ns;
	now_ns[COST_STATES_NS + (int)wait_cause_state(cause)] = time->off_cpu_ns;
	for (int kind = 0; kind < COST_KINDS; kind++) {
		costs[kind] = now_ns[kind] > shown->ns[kind] ? now_ns[kind] - shown->ns[kind] : 0;
		shown->ns[kind] += costs[kind];
		shown->own[kind] += costs[kind];
	}
}
