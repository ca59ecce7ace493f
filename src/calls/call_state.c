/*
 * call_state.c: see call_state.h.
 */
#include "calls/call_state.h"

#include "os/os.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct call_state, open) == 0 &&
                       offsetof(struct call_state, wall_ns) == 8 &&
                       offsetof(struct call_state, until_ns) == 16 &&
                       offsetof(struct call_state, word) == 24 &&
                       offsetof(struct call_state, blocks) == 0x10000 &&
                       offsetof(struct call_state, calls) == 0x60000 &&
                       offsetof(struct call_state, cpu_ns) == 0x60000 + 8 * CALL_NODES_MAX &&
                       CALL_NODES_MAX == 1 << 23 && CALL_BLOCK_NODES == 1 << 9 &&
                       CALL_LINE_PLACES == 1 << 3 && sizeof(void *) == 8,
               "HprofTracker.java depends on these offsets and numbers");

_Static_assert(sizeof(struct call_state) ==
                       CALL_HEAD_BYTES + CALL_ARRAYS * (size_t)CALL_NODES_MAX * 8,
               "a state fills a range");

/* Of a state, what is not a cost. */
#define POSITION_BYTES (offsetof(struct call_state, has_states) + sizeof(bool))

static uint64_t get(const _Atomic uint64_t *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static void set(_Atomic uint64_t *value, uint64_t now)
{
	atomic_store_explicit(value, now, memory_order_relaxed);
}

static size_t off_cpu_bytes(const struct call_state *state)
{
	return state->has_states ? sizeof(struct off_cpu_block)
	                         : offsetof(struct off_cpu_block, states_ns);
}

static size_t collected_bytes(const struct call_state *state)
{
	return state->has_states ? sizeof(struct collected_block)
	                         : offsetof(struct collected_block, states_ns);
}

struct call_state *call_state_create(struct call_graph *graph, bool has_states)
{
	struct call_state *state = call_ranges_take(call_graph_ranges(graph));

	if (state == NULL)
		return NULL;
	memset(state->head, 0, POSITION_BYTES);
	state->graph = graph;
	state->has_states = has_states;
	state->root = call_graph_root(graph)->index;
	set(&state->open, call_state_open(state->root, state->root));
	return state;
}

void call_state_charge_only_breaks(struct call_state *state)
{
	state->only_breaks = true;
}

/* A block with memory is not empty. */
static void free_blocks(struct call_state *state)
{
	for (uint32_t i = 0; i < CALL_BLOCKS; i++) {
		if (atomic_load_explicit(&state->blocks[i], memory_order_relaxed) == BLOCK_IS_EMPTY)
			continue;
		os_pages_free(atomic_exchange(&state->off_cpu[i], NULL), off_cpu_bytes(state));
		os_pages_free(state->collected[i], collected_bytes(state));
		state->collected[i] = NULL;
	}
}

void call_state_discard(struct call_state *state)
{
	free_blocks(state);
	call_ranges_discard(call_graph_ranges(state->graph), state);
}

void call_state_free(struct call_state *state)
{
	if (state == NULL)
		return;
	free_blocks(state);
	call_ranges_give(call_graph_ranges(state->graph), state);
}

static void set_new(struct call_state *state, uint32_t index)
{
	atomic_store_explicit(&state->blocks[index / CALL_BLOCK_NODES], BLOCK_IS_NEW,
	                      memory_order_relaxed);
}

/* All that a state can have whose thread has not called it is CPU time of the root. */
static void move_costs(struct call_state *from, struct call_state *to)
{
	uint32_t root = from->root;
	uint32_t block = root / CALL_BLOCK_NODES;

	set(&to->cpu_ns[root], get(&from->cpu_ns[root]));
	to->collected[block] = from->collected[block];
	from->collected[block] = NULL;
	set_new(to, root);
}

struct call_state *call_state_take_over(struct call_state *state, struct call_state *earlier)
{
	if (earlier == NULL)
		return state;
	call_state_discard(earlier);
	memcpy(earlier->head, state->head, POSITION_BYTES);
	move_costs(state, earlier);
	call_state_free(state);
	return earlier;
}

static struct off_cpu_block *off_cpu_of(const struct call_state *state, uint32_t index)
{
	return atomic_load_explicit(&state->off_cpu[index / CALL_BLOCK_NODES],
	                            memory_order_acquire);
}

bool call_state_add_off_cpu(struct call_state *state, uint32_t index)
{
	if (off_cpu_of(state, index) != NULL)
		return true;
	struct off_cpu_block *block = os_pages_alloc(off_cpu_bytes(state));
	atomic_store_explicit(&state->off_cpu[index / CALL_BLOCK_NODES], block,
	                      memory_order_release);
	set_new(state, index);
	return block != NULL;
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
	add(&state->calls[index], 1);
	set_new(state, index);
}

/* Bit offsets of the nodes in a state's open word. */
enum { OPEN = 0, CHARGED = 32 };

#define NODE_MASK UINT32_C(0xFFFFFF)

_Static_assert((uint32_t)CALL_NODES_MAX <= NODE_MASK, "an index must fit the mask");

/* The node at that bit offset of an open word. */
static uint32_t open_node(const struct call_state *state, uint64_t open, unsigned shift)
{
	uint32_t index = (uint32_t)(open >> shift) & NODE_MASK;
	/* A frame entered during an earlier graph may have restored a node of that. */
	return index < state->root ? state->root : index;
}

static void add_cpu(struct call_state *state, uint32_t index, uint64_t ns)
{
	add(&state->cpu_ns[index], ns);
	/* After the time: a block that is handed over meanwhile has it, or is new. */
	atomic_signal_fence(memory_order_seq_cst);
	set_new(state, index);
}

void call_state_charge_cpu(struct call_state *state, uint64_t cpu_now_ns)
{
	uint32_t index = open_node(state, get(&state->open), OPEN);

	add_cpu(state, index, cpu_now_ns - get(&state->charged_cpu_ns));
	set(&state->charged_cpu_ns, cpu_now_ns);
}

static void charge_off_cpu(struct call_state *state, uint32_t index, uint64_t ns,
                           const uint64_t states_ns[OFF_CPU_STATES])
{
	struct off_cpu_block *block = off_cpu_of(state, index);
	uint32_t at = index % CALL_BLOCK_NODES;

	for (int i = 0; i < OFF_CPU_STATES; i++) {
		if (states_ns[i] > 0)
			add(&block->states_ns[at][i], states_ns[i]);
	}
	/* Last: where it has not changed, the states have not. */
	atomic_store_explicit(&block->ns[at], get(&block->ns[at]) + ns, memory_order_release);
	set_new(state, index);
}

/* Last of all that a charge writes: who sees it sees the rest. */
static void set_wall(struct call_state *state, uint64_t wall_now_ns)
{
	atomic_store_explicit(&state->wall_ns, wall_now_ns, memory_order_release);
}

/* The CPU clock as far as its time is charged, or left to the timer. */
static uint64_t cpu_charged_up_to(const struct call_state *state, uint64_t wall_ns)
{
	return get(&state->read_cpu_ns) + (wall_ns - get(&state->read_ns));
}

/* The node that the time of both clocks is charged to, by an open word. */
static uint32_t charged_node(const struct call_state *state, uint64_t open)
{
	return open_node(state, open, state->only_breaks ? OPEN : CHARGED);
}

bool call_state_charge_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns,
                            call_state_explain *explain, void *argument)
{
	uint32_t index = charged_node(state, get(&state->open));

	if (off_cpu_of(state, index) == NULL)
		return false;
	uint64_t charged_ns = cpu_charged_up_to(state, get(&state->wall_ns));
	bool is_exact = cpu_now_ns >= charged_ns;
	uint64_t wall_ns = wall_now_ns - get(&state->wall_ns);
	uint64_t cpu_ns = is_exact ? cpu_now_ns - charged_ns : 0;
	/* The clocks are not read at the same moment. What is beyond the time that has passed is
	 * charged next time; otherwise the charges would sum to more than that time. */
	if (cpu_ns > wall_ns)
		cpu_ns = wall_ns;
	if (!state->only_breaks)
		add_cpu(state, index, cpu_ns);
	if (wall_ns > cpu_ns) {
		uint64_t states_ns[OFF_CPU_STATES] = {0};
		if (state->has_states)
			explain(argument, wall_ns - cpu_ns, states_ns);
		charge_off_cpu(state, index, wall_ns - cpu_ns, states_ns);
	}
	set(&state->read_cpu_ns, charged_ns + cpu_ns);
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
	return charged_node(state, get(&state->open));
}

uint64_t call_state_charged_ns(const struct call_state *state)
{
	return atomic_load_explicit(&state->wall_ns, memory_order_acquire);
}

void call_state_set_position(struct call_state *state, uint64_t open)
{
	set(&state->open, open);
}

void call_state_charge_wait(struct call_state *state, uint32_t index, enum off_cpu_state off_cpu,
                            uint64_t ns)
{
	uint64_t states_ns[OFF_CPU_STATES] = {0};

	states_ns[off_cpu] = ns;
	charge_off_cpu(state, index, ns, states_ns);
}

bool call_state_uncharged(const struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns,
                          struct uncharged_time *time)
{
	uint64_t open = get(&state->open);
	uint64_t wall_ns = atomic_load_explicit(&state->wall_ns, memory_order_acquire);
	uint64_t charged_ns = cpu_charged_up_to(state, wall_ns);

	if (get(&state->wall_ns) != wall_ns || get(&state->open) != open || wall_now_ns < wall_ns)
		return false;
	time->node = charged_node(state, open);
	time->since_ns = wall_ns;
	uint64_t passed_ns = wall_now_ns - wall_ns;
	uint64_t used_ns = cpu_now_ns > charged_ns ? cpu_now_ns - charged_ns : 0;
	time->cpu_ns = used_ns < passed_ns ? used_ns : passed_ns;
	time->off_cpu_ns = passed_ns - time->cpu_ns;
	if (state->only_breaks)
		time->cpu_ns = 0;
	return true;
}

void call_state_charge_open(struct call_state *state)
{
	uint32_t node = (uint32_t)get(&state->open) & NODE_MASK;
	set(&state->open, call_state_open(node, node));
}

void call_state_skip_both(struct call_state *state, uint64_t cpu_now_ns, uint64_t wall_now_ns)
{
	set(&state->charged_cpu_ns, cpu_now_ns);
	set(&state->read_cpu_ns, cpu_now_ns);
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

/* The nodes of a block, as a collection sees them. */
struct block {
	struct call_state *state;
	uint32_t first;                      /* index */
	const struct off_cpu_block *off_cpu; /* NULL if there is none */
	struct collected_block *collected;
};

/* False without memory. */
static bool open_block(struct call_state *state, uint32_t number, struct block *block)
{
	block->state = state;
	block->first = number * CALL_BLOCK_NODES;
	block->off_cpu = off_cpu_of(state, block->first);
	if (state->collected[number] == NULL)
		state->collected[number] = os_pages_alloc(collected_bytes(state));
	block->collected = state->collected[number];
	return block->collected != NULL;
}

static void collect_node(const struct block *block, uint32_t at, uint64_t costs[COST_KINDS])
{
	const struct call_state *state = block->state;
	struct collected_block *collected = block->collected;

	costs[COST_CALLS] = collect_cost(&state->calls[block->first + at], &collected->calls[at]);
	costs[COST_CPU_NS] =
	        collect_cost(&state->cpu_ns[block->first + at], &collected->cpu_ns[at]);
	if (block->off_cpu == NULL)
		return;
	costs[COST_OFF_CPU_NS] = collect_cost(&block->off_cpu->ns[at], &collected->off_cpu_ns[at]);
	if (!state->has_states || costs[COST_OFF_CPU_NS] == 0)
		return;
	atomic_thread_fence(memory_order_acquire);
	for (int i = 0; i < OFF_CPU_STATES; i++)
		costs[COST_STATES_NS + i] = collect_cost(&block->off_cpu->states_ns[at][i],
		                                         &collected->states_ns[at][i]);
}

static bool has_new_costs(const struct block *block, uint32_t at)
{
	const struct call_state *state = block->state;
	const struct collected_block *collected = block->collected;

	return get(&state->calls[block->first + at]) != collected->calls[at] ||
	       get(&state->cpu_ns[block->first + at]) != collected->cpu_ns[at] ||
	       (block->off_cpu != NULL &&
	        get(&block->off_cpu->ns[at]) != collected->off_cpu_ns[at]);
}

/* Nodes that are compared at once. */
enum { NODES_AT_ONCE = 16 };

/* Costs read as they happen to be: the thread may write them. Not atomically, so that the compiler
 * uses vector instructions: what this misses or sees too much is found by the next collection, or
 * by has_new_costs(). */
typedef uint64_t __attribute__((may_alias)) any_cost;

__attribute__((no_sanitize("thread"))) static bool differ(const void *costs, const void *collected)
{
	const any_cost *now = costs;
	const any_cost *before = collected;
	uint64_t difference = 0;

	for (size_t i = 0; i < NODES_AT_ONCE; i++)
		difference |= now[i] ^ before[i];
	return difference != 0;
}

/* Hardly any have, when a virtual thread leaves its carrier: this decides what that costs. */
static bool have_new_costs(const struct block *block, uint32_t at)
{
	const struct call_state *state = block->state;

	return differ(&state->calls[block->first + at], &block->collected->calls[at]) ||
	       differ(&state->cpu_ns[block->first + at], &block->collected->cpu_ns[at]) ||
	       (block->off_cpu != NULL &&
	        differ(&block->off_cpu->ns[at], &block->collected->off_cpu_ns[at]));
}

static bool collect_nodes(const struct block *block, uint32_t from, call_state_visit_cost *visit,
                          void *argument)
{
	for (uint32_t at = from; at < from + NODES_AT_ONCE; at++) {
		uint64_t costs[COST_KINDS] = {0};
		if (!has_new_costs(block, at))
			continue;
		collect_node(block, at, costs);
		if (!visit(argument, block->first + at, costs))
			return false;
	}
	return true;
}

static bool collect_block(struct call_state *state, uint32_t number, call_state_visit_cost *visit,
                          void *argument)
{
	struct block block;

	if (!open_block(state, number, &block))
		return false;
	for (uint32_t at = 0; at < CALL_BLOCK_NODES; at += NODES_AT_ONCE) {
		if (have_new_costs(&block, at) && !collect_nodes(&block, at, visit, argument))
			return false;
	}
	return true;
}

static bool collect(struct call_state *state, bool hands_over, call_state_visit_cost *visit,
                    void *argument)
{
	uint32_t end = call_graph_end_index(state->graph);

	for (uint32_t i = state->root / CALL_BLOCK_NODES; i * CALL_BLOCK_NODES < end; i++) {
		if (atomic_load_explicit(&state->blocks[i], memory_order_relaxed) != BLOCK_IS_NEW)
			continue;
		if (hands_over) {
			/* Before the costs are read: the signal handler may add some. */
			atomic_store_explicit(&state->blocks[i], BLOCK_IS_HANDED_OVER,
			                      memory_order_relaxed);
			atomic_signal_fence(memory_order_seq_cst);
		}
		if (!collect_block(state, i, visit, argument))
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
