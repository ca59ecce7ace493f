/*
 * call_state.c: see call_state.h.
 */
#include "calls/call_state.h"

#include "calls/tracker_words.h"
#include "os/os.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct call_state, open) == 0 && offsetof(struct call_state, chunks) == 8 &&
                       offsetof(struct call_state, wall_ns) == 16 &&
                       offsetof(struct call_state, until_ns) == 24 &&
                       offsetof(struct call_state, word) == 32 &&
                       offsetof(struct cost_chunk, cells) == 0 &&
                       offsetof(struct cost_cell, calls) == 0 &&
                       offsetof(struct cost_cell, cpu_ns) == 8 && sizeof(struct cost_cell) == 16 &&
                       sizeof(void *) == 8,
               "HprofTracker.java depends on these offsets");

/* Without states, a chunk ends before them. */
static size_t chunk_size(const struct call_state *state)
{
	return state->has_states ? sizeof(struct cost_chunk)
	                         : offsetof(struct cost_chunk, states_ns);
}

/* The chunk for a node, to which costs can be added then. NULL if it does not exist. Only the
 * state's thread or its signal handler changes the entry, or the charger under a lock. */
static struct cost_chunk *chunk_for_node(struct call_state *state, uint32_t index)
{
	_Atomic intptr_t *place = &state->chunks->at[index / COST_CHUNK_NODES];
	intptr_t entry = atomic_load_explicit(place, memory_order_acquire);
	if (entry < 0)
		atomic_store_explicit(place, -entry, memory_order_release);
	return chunk_of_entry(entry);
}

bool call_state_init(struct call_state *state, struct call_graph *graph, bool has_states)
{
	memset(state, 0, sizeof(*state));
	state->has_states = has_states;
	state->root = call_graph_root(graph)->index;
	atomic_init(&state->open, call_state_open(state->root, state->root));
	state->chunks = os_pages_alloc(sizeof(*state->chunks));
	if (state->chunks == NULL)
		return false;
	/* So that time can be charged to the root. */
	if (call_state_add_chunk(state, state->root) != NULL)
		return true;
	call_state_free(state);
	return false;
}

void call_state_free(struct call_state *state)
{
	if (state->chunks == NULL)
		return;
	for (size_t i = 0; i < COST_CHUNKS_MAX; i++)
		os_pages_free(chunk_of_entry(atomic_load_explicit(&state->chunks->at[i],
		                                                  memory_order_relaxed)),
		              chunk_size(state));
	os_pages_free(state->chunks, sizeof(*state->chunks));
	state->chunks = NULL;
}

void call_state_discard(struct call_state *state)
{
	for (size_t i = 0; i < COST_CHUNKS_MAX; i++)
		os_pages_discard(chunk_of_entry(atomic_load_explicit(&state->chunks->at[i],
		                                                     memory_order_relaxed)),
		                 chunk_size(state));
}

struct cost_chunk *call_state_add_chunk(struct call_state *state, uint32_t index)
{
	struct cost_chunk *chunk = chunk_for_node(state, index);
	uint32_t at = index / COST_CHUNK_NODES;

	if (chunk != NULL)
		return chunk;
	chunk = os_pages_alloc(chunk_size(state));
	atomic_store_explicit(&state->chunks->at[at], chunk_entry(chunk), memory_order_release);
	if (chunk != NULL && at >= atomic_load_explicit(&state->chunks_end, memory_order_relaxed))
		atomic_store_explicit(&state->chunks_end, at + 1, memory_order_release);
	return chunk;
}

/* Adds to a cost, which only its thread writes. The thread's signal handler may interrupt
 * this, but writes another cost than the code that it interrupts. */
static void add(_Atomic uint64_t *cost, uint64_t amount)
{
	uint64_t before = atomic_load_explicit(cost, memory_order_relaxed);
	atomic_store_explicit(cost, before + amount, memory_order_relaxed);
}

void call_state_count_call(struct call_state *state, uint32_t index)
{
	struct cost_chunk *chunk = chunk_for_node(state, index);
	add(&chunk->cells[index % COST_CHUNK_NODES].calls, 1);
}

/* Bit offsets of the nodes in a state's open word. */
enum { OPEN = 0, CHARGED = 32 };

#define NODE_MASK UINT32_C(0xFFFFFF)

_Static_assert((uint32_t)CALL_NODES_MAX <= NODE_MASK, "an index must fit the mask");

static uint64_t get(const _Atomic uint64_t *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static void set(_Atomic uint64_t *value, uint64_t now)
{
	atomic_store_explicit(value, now, memory_order_relaxed);
}

/* The node at that bit offset of an open word. */
static uint32_t open_node(const struct call_state *state, uint64_t open, unsigned shift)
{
	uint32_t index = (uint32_t)(open >> shift) & NODE_MASK;
	/* A frame entered during an earlier graph may have restored a node of that. */
	return index < state->root ? state->root : index;
}

/* The chunk and place of the node at that bit offset of the open word. NULL when the thread
 * has no such chunk: a virtual thread's call can be one that this carrier has not entered
 * itself. */
static struct cost_chunk *open_chunk(struct call_state *state, unsigned shift, uint32_t *at)
{
	uint32_t index = open_node(state, get(&state->open), shift);
	*at = index % COST_CHUNK_NODES;
	return chunk_for_node(state, index);
}

void call_state_charge_cpu(struct call_state *state, uint64_t cpu_now_ns)
{
	uint32_t at;
	struct cost_chunk *chunk = open_chunk(state, OPEN, &at);
	if (chunk == NULL)
		return;
	add(&chunk->cells[at].cpu_ns, cpu_now_ns - get(&state->cpu_ns));
	set(&state->cpu_ns, cpu_now_ns);
}

static void charge_off_cpu(struct cost_chunk *chunk, uint32_t at, uint64_t ns,
                           const uint64_t states_ns[OFF_CPU_STATES])
{
	for (int i = 0; i < OFF_CPU_STATES; i++) {
		if (states_ns[i] > 0)
			add(&chunk->states_ns[at][i], states_ns[i]);
	}
	/* Last: where it has not changed, the states have not. */
	atomic_store_explicit(&chunk->off_cpu_ns[at], get(&chunk->off_cpu_ns[at]) + ns,
	                      memory_order_release);
}

/* Last of all that a charge writes: who sees it sees the rest. */
static void set_wall(struct call_state *state, uint64_t wall_now_ns)
{
	atomic_store_explicit(&state->wall_ns, wall_now_ns, memory_order_release);
}

/* The CPU clock as far as its time is charged. */
static uint64_t charged_cpu_ns(const struct call_state *state, uint64_t wall_ns)
{
	return get(&state->cpu_ns) + (wall_ns - get(&state->read_ns));
}

bool call_state_charge_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns,
                            call_state_explain *explain, void *argument)
{
	uint32_t at;
	struct cost_chunk *chunk = open_chunk(state, CHARGED, &at);
	if (chunk == NULL)
		return false;
	uint64_t charged_ns = charged_cpu_ns(state, get(&state->wall_ns));
	bool is_exact = cpu_now_ns >= charged_ns;
	uint64_t cpu_ns = is_exact ? cpu_now_ns - charged_ns : 0;
	uint64_t wall_ns = wall_now_ns - get(&state->wall_ns);
	add(&chunk->cells[at].cpu_ns, cpu_ns);
	if (wall_ns > cpu_ns) {
		uint64_t states_ns[OFF_CPU_STATES] = {0};
		if (state->has_states)
			explain(argument, wall_ns - cpu_ns, states_ns);
		charge_off_cpu(chunk, at, wall_ns - cpu_ns, states_ns);
	}
	set(&state->cpu_ns, charged_ns + cpu_ns);
	set(&state->read_ns, wall_now_ns);
	set_wall(state, wall_now_ns);
	return is_exact;
}

uint32_t call_state_open_node(const struct call_state *state)
{
	return open_node(state, get(&state->open), OPEN);
}

uint32_t call_state_charged_node(const struct call_state *state)
{
	return open_node(state, get(&state->open), CHARGED);
}

uint64_t call_state_charged_ns(const struct call_state *state)
{
	return get(&state->wall_ns);
}

void call_state_set_position(struct call_state *state, uint64_t open)
{
	set(&state->open, open);
}

void call_state_charge_wait(struct call_state *state, uint32_t index, enum off_cpu_state off_cpu,
                            uint64_t ns)
{
	struct cost_chunk *chunk = chunk_for_node(state, index);
	uint64_t states_ns[OFF_CPU_STATES] = {0};

	states_ns[off_cpu] = ns;
	charge_off_cpu(chunk, index % COST_CHUNK_NODES, ns, states_ns);
}

bool call_state_uncharged(const struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns,
                          struct uncharged_time *time)
{
	uint64_t open = get(&state->open);
	uint64_t wall_ns = atomic_load_explicit(&state->wall_ns, memory_order_acquire);
	uint64_t charged_ns = charged_cpu_ns(state, wall_ns);

	if (get(&state->wall_ns) != wall_ns || get(&state->open) != open || wall_now_ns < wall_ns)
		return false;
	time->node = open_node(state, open, CHARGED);
	time->since_ns = wall_ns;
	uint64_t passed_ns = wall_now_ns - wall_ns;
	uint64_t used_ns = cpu_now_ns > charged_ns ? cpu_now_ns - charged_ns : 0;
	time->cpu_ns = used_ns < passed_ns ? used_ns : passed_ns;
	time->off_cpu_ns = passed_ns - time->cpu_ns;
	return true;
}

void call_state_charge_open(struct call_state *state)
{
	uint32_t node = (uint32_t)get(&state->open) & NODE_MASK;
	set(&state->open, call_state_open(node, node));
}

void call_state_skip_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns)
{
	set(&state->cpu_ns, cpu_now_ns);
	set(&state->read_ns, wall_now_ns);
	set_wall(state, wall_now_ns);
}

/* What was added to a cost since it was last collected. */
static uint64_t collect_cost(const _Atomic uint64_t *cost, uint64_t *collected)
{
	uint64_t now = get(cost);
	uint64_t added = now - *collected;
	/* Pages that were never written to need no memory. */
	if (added != 0)
		*collected = now;
	return added;
}

static void collect_node(const struct call_state *state, struct cost_chunk *chunk, uint32_t at,
                         uint64_t costs[COST_KINDS])
{
	costs[COST_CALLS] = collect_cost(&chunk->cells[at].calls, &chunk->collected[at].calls);
	costs[COST_CPU_NS] = collect_cost(&chunk->cells[at].cpu_ns, &chunk->collected[at].cpu_ns);
	costs[COST_OFF_CPU_NS] =
	        collect_cost(&chunk->off_cpu_ns[at], &chunk->collected_off_cpu_ns[at]);
	if (!state->has_states || costs[COST_OFF_CPU_NS] == 0)
		return;
	atomic_thread_fence(memory_order_acquire);
	for (int i = 0; i < OFF_CPU_STATES; i++)
		costs[COST_STATES_NS + i] =
		        collect_cost(&chunk->states_ns[at][i], &chunk->collected_ns[at][i]);
}

static bool has_new_costs(const struct cost_chunk *chunk, uint32_t at)
{
	return ((get(&chunk->cells[at].calls) ^ chunk->collected[at].calls) |
	        (get(&chunk->cells[at].cpu_ns) ^ chunk->collected[at].cpu_ns) |
	        (get(&chunk->off_cpu_ns[at]) ^ chunk->collected_off_cpu_ns[at])) != 0;
}

/* Nodes that are compared at once. */
enum { BLOCK_NODES = 16 };

/* Costs read as they happen to be: the thread may write them. Not atomically, so that the compiler
 * uses vector instructions: what this misses or sees too much is found by the next collection, or
 * by has_new_costs(). */
typedef uint64_t __attribute__((may_alias)) any_cost;

__attribute__((no_sanitize("thread"))) static bool differ(const void *costs, const void *collected,
                                                          size_t count)
{
	const any_cost *now = costs;
	const any_cost *before = collected;
	uint64_t difference = 0;

	for (size_t i = 0; i < count; i++)
		difference |= now[i] ^ before[i];
	return difference != 0;
}

/* Hardly any block has, when a virtual thread leaves its carrier: this decides what that costs. */
static bool block_has_new_costs(const struct cost_chunk *chunk, uint32_t at)
{
	return differ(&chunk->cells[at], &chunk->collected[at],
	              BLOCK_NODES * sizeof(chunk->cells[0]) / sizeof(uint64_t)) ||
	       differ(&chunk->off_cpu_ns[at], &chunk->collected_off_cpu_ns[at], BLOCK_NODES);
}

static bool collect_block(struct call_state *state, struct cost_chunk *chunk, uint32_t from,
                          uint32_t first_index, call_state_visit_cost *visit, void *argument)
{
	for (uint32_t at = from; at < from + BLOCK_NODES; at++) {
		uint64_t costs[COST_KINDS] = {0};
		if (!has_new_costs(chunk, at))
			continue;
		collect_node(state, chunk, at, costs);
		if (!visit(argument, first_index + at, costs))
			return false;
	}
	return true;
}

static bool collect_chunk(struct call_state *state, struct cost_chunk *chunk, uint32_t first_index,
                          call_state_visit_cost *visit, void *argument)
{
	for (uint32_t at = 0; at < COST_CHUNK_NODES; at += BLOCK_NODES) {
		if (block_has_new_costs(chunk, at) &&
		    !collect_block(state, chunk, at, first_index, visit, argument))
			return false;
	}
	return true;
}

/* Entries that are negative have nothing to collect. With rests, entries become so. */
static bool collect(struct call_state *state, bool rests, call_state_visit_cost *visit,
                    void *argument)
{
	uint32_t end = atomic_load_explicit(&state->chunks_end, memory_order_acquire);

	for (uint32_t i = state->root / COST_CHUNK_NODES; i < end; i++) {
		_Atomic intptr_t *place = &state->chunks->at[i];
		intptr_t entry = atomic_load_explicit(place, memory_order_acquire);
		if (entry <= 0)
			continue;
		if (rests) {
			/* Before the costs are read: the signal handler may add some. */
			atomic_store_explicit(place, -entry, memory_order_relaxed);
			atomic_signal_fence(memory_order_seq_cst);
		}
		if (!collect_chunk(state, chunk_of_entry(entry), i * COST_CHUNK_NODES, visit,
		                   argument))
			return false;
	}
	return true;
}

bool call_state_collect(struct call_state *state, call_state_visit_cost *visit, void *argument)
{
	return collect(state, false, visit, argument);
}

bool call_state_hand_over(struct call_state *state, call_state_visit_cost *visit, void *argument)
{
	return collect(state, true, visit, argument);
}
