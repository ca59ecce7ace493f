/*
 * cost_collector.c: see cost_collector.h.
 */
#include "calls/cost_collector.h"

#include "os/time_units.h"

#include <string.h>

bool cost_collector_init(struct cost_collector *collector, struct profile *profile)
{
	const struct settings *settings = profile->settings;

	if (os_mutex_init(&collector->lock) != 0)
		return false;
	collector->profile = profile;
	collector->costs = call_costs_create();
	collector->handed_over = call_costs_create();
	if (settings->thread)
		collector->by_thread = costs_by_thread_create(
		        settings->msa, settings->costs ? 0.0 : settings->cutoff);
	if (collector->costs != NULL && collector->handed_over != NULL &&
	    (collector->by_thread != NULL || !settings->thread))
		return true;
	cost_collector_end(collector);
	return false;
}

void cost_collector_end(struct cost_collector *collector)
{
	call_costs_destroy(collector->costs);
	call_costs_destroy(collector->handed_over);
	costs_by_thread_destroy(collector->by_thread);
	os_mutex_destroy(&collector->lock);
}

/* ---- the costs of one thread ------------------------------------------------ */

/* Less time than this is left to the next section. */
#define UNCHARGED_LEAST_NS NS_PER_MS

/* Costs are added to those of their owner, with per-thread traces, or else to a table. */
struct collection {
	struct cost_collector *collector;
	struct tracked_thread *thread;
	struct cost_owner *owner; /* as long as it is open */
	struct call_costs *costs;
};

/* So that costs can be added. False without memory. */
static bool open_collection(struct collection *collection, struct cost_owner *owner)
{
	if (collection->collector->by_thread == NULL)
		return true;
	collection->owner = owner;
	return costs_by_thread_lock(collection->collector->by_thread, owner);
}

static void close_collection(const struct collection *collection)
{
	if (collection->owner != NULL)
		costs_by_thread_unlock(collection->collector->by_thread, collection->owner);
}

static bool add_cost(const struct collection *collection, uint32_t index,
                     const uint64_t costs[COST_KINDS])
{
	/* A frame of an earlier profile may have restored a node of that. */
	struct call_graph *graph = collection->collector->graph;
	if (call_graph_node(graph, index) == NULL)
		return true;
	uint32_t root = call_graph_root(graph)->index;
	/* With depth=0 all costs are of the trace without frames. */
	bool no_frames = index == root || collection->collector->profile->settings->depth == 0;
	uint32_t node = no_frames ? root : index;
	if (collection->owner == NULL)
		return call_costs_add(collection->costs, node, 0, costs);
	return costs_by_thread_add(collection->collector->by_thread, collection->owner, node,
	                           costs);
}

/* Completes the costs that a thread's state has no count of. */
static void add_wall(const struct tracked_thread *thread, uint64_t costs[COST_KINDS])
{
	costs[COST_WALL_NS] = costs[COST_USR_NS];
	for (int i = 0; i < OFF_CPU_STATES; i++)
		costs[COST_WALL_NS] += costs[COST_STATES_NS + i];
	costs[COST_UNQUEUED_NS] = thread->breaks.has_queue ? 0 : costs[COST_WALL_NS];
}

static bool collect_cost(void *argument, uint32_t index, const uint64_t charged[COST_KINDS])
{
	struct collection *collection = argument;
	uint64_t costs[COST_KINDS];

	if (!collection->collector->profile->settings->msa)
		return add_cost(collection, index, charged);
	memcpy(costs, charged, sizeof(costs));
	costs[COST_USR_NS] = costs[COST_CPU_NS];
	uncharged_costs_subtract(&collection->thread->shown, collection->collector->section, index,
	                         costs);
	add_wall(collection->thread, costs);
	return add_cost(collection, index, costs);
}

/* Adds costs that are shown before they are charged, or taken back, if there are any. */
static bool add_shown(const struct collection *collection, uint32_t node,
                      uint64_t costs[COST_KINDS])
{
	add_wall(collection->thread, costs);
	return costs[COST_WALL_NS] == 0 || add_cost(collection, node, costs);
}

static bool add_uncharged(const struct collection *collection, const struct uncharged_time *time)
{
	struct tracked_thread *thread = collection->thread;
	uint64_t costs[COST_KINDS];

	uncharged_costs_show(&thread->shown, collection->collector->section, time,
	                     thread_breaks_cause(&thread->breaks, time->node), costs);
	return add_shown(collection, time->node, costs);
}

/* If the thread had charged what is shown when it had charged time up to charged_ns, before what it
 * charged was collected. */
static bool end_uncharged(const struct collection *collection, uint64_t charged_ns)
{
	struct uncharged_costs *shown = &collection->thread->shown;
	uint32_t node = shown->node;
	uint64_t costs[COST_KINDS];

	if (shown->since_ns == 0 || shown->since_ns == charged_ns)
		return true;
	uncharged_costs_end(shown, collection->collector->section, costs);
	return add_shown(collection, node, costs);
}

/* Whether the thread has not charged time for long: it waits, or computes without calls. */
static bool has_uncharged(const struct collection *collection, struct uncharged_time *time)
{
	return collection->collector->profile->settings->msa &&
	       tracker_uncharged(collection->thread, time) &&
	       time->cpu_ns + time->off_cpu_ns >= UNCHARGED_LEAST_NS;
}

/* With msa=y including the time that the thread has not charged yet: without it, a wait that takes
 * long, or never ends, would be missing. */
static bool collect_state(struct collection *collection)
{
	struct uncharged_time before;
	struct uncharged_time time;
	bool shows_uncharged = has_uncharged(collection, &before);
	uint64_t charged_ns = call_state_charged_ns(collection->thread->state);

	if (!call_state_collect(collection->thread->state, collect_cost, collection) ||
	    !end_uncharged(collection, charged_ns))
		return false;
	/* If the thread has not charged since, all that it had charged has been collected. */
	return !shows_uncharged || !has_uncharged(collection, &time) ||
	       time.since_ns != before.since_ns || add_uncharged(collection, &time);
}

/* ---- the end of a thread's part ------------------------------------------------ */

static bool hand_over(struct collection *collection, struct cost_owner *owner)
{
	struct tracked_thread *thread = collection->thread;
	struct costs_by_thread *by_thread = collection->collector->by_thread;

	if (!open_collection(collection, owner))
		return false;
	uint64_t charged_ns = call_state_charged_ns(thread->state);
	bool collected = call_state_hand_over(thread->state, collect_cost, collection) &&
	                 end_uncharged(collection, charged_ns);
	close_collection(collection);
	return collected &&
	       (by_thread == NULL || !thread->has_ended || costs_by_thread_end(by_thread, owner));
}

/* What would be shown here of time that is not charged yet could not be corrected. */
void cost_collector_hand_over(void *argument, struct tracked_thread *thread)
{
	struct cost_collector *collector = argument;
	struct collection collection = {
	        .collector = collector, .thread = thread, .costs = collector->handed_over};
	bool is_shared = collector->by_thread == NULL;

	if (is_shared)
		os_mutex_lock(&collector->lock);
	bool collected = hand_over(&collection, tracked_thread_owner(thread));
	if (is_shared)
		os_mutex_unlock(&collector->lock);
	if (!collected)
		profile_out_of_memory(collector->profile);
}

/* ---- a dump -------------------------------------------------------------------- */

/* Called under the tracker's lock and the thread's. */
static void collect_thread(void *argument, struct tracked_thread *thread)
{
	struct cost_collector *collector = argument;
	struct collection collection = {
	        .collector = collector, .thread = thread, .costs = collector->costs};
	bool collected = open_collection(&collection, tracked_thread_owner(thread));

	if (collected) {
		collected = collect_state(&collection);
		close_collection(&collection);
	}
	if (!collected)
		profile_out_of_memory(collector->profile);
}

/* Called under a lock of the parked threads. */
static void collect_parked(void *argument, const struct parked_time *time)
{
	struct cost_collector *collector = argument;
	struct collection collection = {.collector = collector, .costs = collector->costs};
	uint64_t costs[COST_KINDS] = {0};

	costs[COST_OFF_CPU_NS] = time->ns;
	costs[COST_STATES_NS + (int)wait_cause_state(time->cause)] = time->ns;
	costs[COST_WALL_NS] = time->ns;
	bool collected = open_collection(&collection, time->owner);
	if (collected) {
		collected = add_cost(&collection, time->node, costs);
		close_collection(&collection);
	}
	if (!collected)
		profile_out_of_memory(collector->profile);
}

void cost_collector_collect(struct cost_collector *collector, struct tracker *tracker,
                            struct virtual_calls *virtual_calls)
{
	tracker_charge_rest(tracker);
	tracker_each_thread(tracker, collect_thread, collector);
	if (virtual_calls != NULL && collector->profile->settings->msa)
		virtual_calls_charge_parked(virtual_calls, collect_parked, collector);
	os_mutex_lock(&collector->lock);
	bool moved = call_costs_move(collector->costs, collector->handed_over);
	os_mutex_unlock(&collector->lock);
	if (collector->by_thread != NULL)
		moved = moved && costs_by_thread_move(collector->by_thread, collector->costs);
	if (!moved)
		profile_out_of_memory(collector->profile);
}

void cost_collector_reset(struct cost_collector *collector)
{
	call_costs_clear(collector->costs);
	os_mutex_lock(&collector->lock);
	collector->section++;
	/* Since the section was collected. */
	call_costs_settle(collector->handed_over);
	os_mutex_unlock(&collector->lock);
	if (collector->by_thread != NULL)
		costs_by_thread_settle(collector->by_thread);
}
