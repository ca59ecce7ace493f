/*
 * call_state.c: see call_state.h.
 */
#include "calls/call_state.h"

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

bool call_state_init(struct call_state *state, struct call_graph *graph)
{
	memset(state, 0, sizeof(*state));
	state->root = call_graph_root(graph)->index;
	atomic_init(&state->open, call_state_open(state->root, state->root));
	state->chunks = os_pages_alloc(sizeof(*state->chunks));
	if (state->chunks == NULL)
		return false;
	/* So that time can be charged to the root. */
	if (call_state_add_chunk(state, state->root))
		return true;
	call_state_free(state);
	return false;
}

void call_state_free(struct call_state *state)
{
	if (state->chunks == NULL)
		return;
	for (size_t i = 0; i < COST_CHUNKS_MAX; i++)
		os_pages_free(atomic_load_explicit(&state->chunks->at[i], memory_order_relaxed),
		              sizeof(struct cost_chunk));
	os_pages_free(state->chunks, sizeof(*state->chunks));
	state->chunks = NULL;
}

void call_state_discard(struct call_state *state)
{
	for (size_t i = 0; i < COST_CHUNKS_MAX; i++)
		os_pages_discard(atomic_load_explicit(&state->chunks->at[i], memory_order_relaxed),
		                 sizeof(struct cost_chunk));
}

bool call_state_add_chunk(struct call_state *state, uint32_t index)
{
	_Atomic(struct cost_chunk *) *place = &state->chunks->at[index / COST_CHUNK_NODES];
	if (atomic_load_explicit(place, memory_order_relaxed) != NULL)
		return true;
	struct cost_chunk *chunk = os_pages_alloc(sizeof(*chunk));
	atomic_store_explicit(place, chunk, memory_order_release);
	return chunk != NULL;
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
	struct cost_chunk *chunk = atomic_load_explicit(
	        &state->chunks->at[index / COST_CHUNK_NODES], memory_order_relaxed);
	add(&chunk->cells[index % COST_CHUNK_NODES].calls, 1);
}

/* Bit offsets of the nodes in a state's open word. */
enum { OPEN = 0, CHARGED = 32 };

#define NODE_MASK UINT32_C(0xFFFFFF)

_Static_assert((uint32_t)CALL_NODES_MAX <= NODE_MASK, "an index must fit the mask");

/* The chunk and place of the node at that bit offset of the open word. NULL when the thread
 * has no such chunk: a virtual thread's call can be one that this carrier has not entered
 * itself. */
static struct cost_chunk *open_chunk(struct call_state *state, unsigned shift, uint32_t *at)
{
	uint64_t open = atomic_load_explicit(&state->open, memory_order_relaxed);
	uint32_t index = (uint32_t)(open >> shift) & NODE_MASK;
	/* A frame entered during an earlier graph may have restored a node of that. */
	if (index < state->root)
		index = state->root;
	*at = index % COST_CHUNK_NODES;
	return atomic_load_explicit(&state->chunks->at[index / COST_CHUNK_NODES],
	                            memory_order_acquire);
}

void call_state_charge_cpu(struct call_state *state, uint64_t cpu_now_ns)
{
	uint32_t at;
	struct cost_chunk *chunk = open_chunk(state, OPEN, &at);
	if (chunk == NULL)
		return;
	add(&chunk->cells[at].cpu_ns, cpu_now_ns - state->cpu_ns);
	state->cpu_ns = cpu_now_ns;
}

bool call_state_charge_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns)
{
	uint32_t at;
	struct cost_chunk *chunk = open_chunk(state, CHARGED, &at);
	if (chunk == NULL)
		return false;
	uint64_t charged_ns = state->cpu_ns + (state->wall_ns - state->read_ns);
	bool is_exact = cpu_now_ns >= charged_ns;
	uint64_t cpu_ns = is_exact ? cpu_now_ns - charged_ns : 0;
	uint64_t wall_ns = wall_now_ns - state->wall_ns;
	add(&chunk->cells[at].cpu_ns, cpu_ns);
	add(&chunk->off_cpu_ns[at], wall_ns > cpu_ns ? wall_ns - cpu_ns : 0);
	state->cpu_ns = charged_ns + cpu_ns;
	state->wall_ns = wall_now_ns;
	state->read_ns = wall_now_ns;
	return is_exact;
}

void call_state_charge_open(struct call_state *state)
{
	uint32_t node =
	        (uint32_t)atomic_load_explicit(&state->open, memory_order_relaxed) & NODE_MASK;
	atomic_store_explicit(&state->open, call_state_open(node, node), memory_order_relaxed);
}

void call_state_skip_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns)
{
	state->cpu_ns = cpu_now_ns;
	state->wall_ns = wall_now_ns;
	state->read_ns = wall_now_ns;
}

static uint64_t cost_of(struct cost_chunk *chunk, int kind, uint32_t at)
{
	_Atomic uint64_t *costs[COST_KINDS] = {
	        [COST_CALLS] = &chunk->cells[at].calls,
	        [COST_CPU_NS] = &chunk->cells[at].cpu_ns,
	        [COST_OFF_CPU_NS] = &chunk->off_cpu_ns[at],
	};
	return atomic_load_explicit(costs[kind], memory_order_relaxed);
}

static bool collect_chunk(struct cost_chunk *chunk, uint32_t first_index,
                          call_state_visit_cost *visit, void *argument)
{
	for (uint32_t at = 0; at < COST_CHUNK_NODES; at++) {
		uint64_t costs[COST_KINDS];
		uint64_t any = 0;
		for (int kind = 0; kind < COST_KINDS; kind++) {
			uint64_t now = cost_of(chunk, kind, at);
			costs[kind] = now - chunk->collected[kind][at];
			chunk->collected[kind][at] = now;
			any |= costs[kind];
		}
		if (any != 0 && !visit(argument, first_index + at, costs))
			return false;
	}
	return true;
}

bool call_state_collect(struct call_state *state, call_state_visit_cost *visit, void *argument)
{
	for (uint32_t i = 0; i < COST_CHUNKS_MAX; i++) {
		struct cost_chunk *chunk =
		        atomic_load_explicit(&state->chunks->at[i], memory_order_acquire);
		if (chunk != NULL && !collect_chunk(chunk, i * COST_CHUNK_NODES, visit, argument))
			return false;
	}
	return true;
}
