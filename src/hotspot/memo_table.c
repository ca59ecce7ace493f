/*
 * memo_table.c: see memo_table.h. An open hash of pointers. The lock covers adding,
 * growing and values; readers see a slot filled or not. An outgrown table
 * is kept, since a reader may still use it: all outgrown ones together are no larger
 * than the current one.
 */
#include "hotspot/memo_table.h"

#include "os/os.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 12, NODE_ALIGNMENT = 64, BLOCK_NODES = 4096 };

_Static_assert(sizeof(struct memo_node) <= NODE_ALIGNMENT, "a node is to be one line");

/* Takes a line of its own, whatever the size of pointers. */
struct aligned_node {
	_Alignas(NODE_ALIGNMENT) struct memo_node node;
};

struct node_block {
	struct node_block *older;
	size_t used;
	struct aligned_node nodes[BLOCK_NODES];
};

/* A node's address, with bits of its hash in those that are 0 in all addresses. */
typedef _Atomic uintptr_t slot;

#define TAG_BITS ((uintptr_t)NODE_ALIGNMENT - 1)

struct slots {
	struct slots *older;
	size_t mask;
	slot nodes[];
};

struct memo_table {
	_Atomic(struct slots *) slots;
	struct os_mutex lock;
	struct node_block *blocks; /* the one in use first */
	size_t count;
	size_t nodes_max;
};

static struct slots *new_slots(size_t count)
{
	struct slots *slots = calloc(1, sizeof(*slots) + count * sizeof(slots->nodes[0]));
	if (slots != NULL)
		slots->mask = count - 1;
	return slots;
}

struct memo_table *memo_table_create(size_t nodes_max)
{
	struct memo_table *table = calloc(1, sizeof(*table));
	struct slots *slots = new_slots(FIRST_SLOTS);
	if (table == NULL || slots == NULL || os_mutex_init(&table->lock) != 0) {
		free(slots);
		free(table);
		return NULL;
	}
	atomic_init(&table->slots, slots);
	table->nodes_max = nodes_max;
	return table;
}

void memo_table_destroy(struct memo_table *table)
{
	if (table == NULL)
		return;
	struct slots *slots = atomic_load(&table->slots);
	while (slots != NULL) {
		struct slots *older = slots->older;
		free(slots);
		slots = older;
	}
	while (table->blocks != NULL) {
		struct node_block *older = table->blocks->older;
		os_pages_free(table->blocks, sizeof(*table->blocks));
		table->blocks = older;
	}
	os_mutex_destroy(&table->lock);
	free(table);
}

static size_t hash_of(const struct memo_node *parent, uintptr_t first, uintptr_t second)
{
	uint64_t hash = (uint64_t)(uintptr_t)parent * 0x9e3779b97f4a7c15u;
	hash = (hash ^ first) * 0xc2b2ae3d27d4eb4fu;
	hash = (hash ^ (hash >> 29) ^ second) * 0x165667b19e3779f9u;
	return (size_t)(hash ^ (hash >> 32));
}

static uintptr_t tag_of(size_t hash)
{
	return (hash >> 48) & TAG_BITS;
}

static struct memo_node *node_of(uintptr_t content)
{
	return (struct memo_node *)(content & ~TAG_BITS);
}

static bool is_it(const struct memo_node *node, const struct memo_node *parent, uintptr_t first,
                  uintptr_t second)
{
	return node->first == first && node->second == second && node->parent == parent &&
	       !atomic_load_explicit(&node->stale, memory_order_relaxed);
}

/* The node, or NULL and in *free_slot where it would be. */
static struct memo_node *probe(struct slots *slots, size_t hash, const struct memo_node *parent,
                               uintptr_t first, uintptr_t second, slot **free_slot)
{
	for (size_t at = hash;; at++) {
		slot *place = &slots->nodes[at & slots->mask];
		uintptr_t content = atomic_load_explicit(place, memory_order_acquire);
		if (content == 0) {
			*free_slot = place;
			return NULL;
		}
		if ((content & TAG_BITS) == tag_of(hash) &&
		    is_it(node_of(content), parent, first, second))
			return node_of(content);
	}
}

struct memo_node *memo_find(struct memo_table *table, const struct memo_node *parent,
                            uintptr_t first, uintptr_t second)
{
	slot *free_slot;
	return probe(atomic_load_explicit(&table->slots, memory_order_acquire),
	             hash_of(parent, first, second), parent, first, second, &free_slot);
}

/* Keeps the hash at most half full. */
static bool grow(struct memo_table *table)
{
	struct slots *old = atomic_load_explicit(&table->slots, memory_order_relaxed);
	if ((table->count + 1) * 2 <= old->mask + 1)
		return true;
	struct slots *slots = new_slots((old->mask + 1) * 2);
	if (slots == NULL)
		return false;
	for (size_t i = 0; i <= old->mask; i++) {
		uintptr_t content = atomic_load_explicit(&old->nodes[i], memory_order_relaxed);
		if (content == 0)
			continue;
		const struct memo_node *node = node_of(content);
		size_t at = hash_of(node->parent, node->first, node->second);
		while (atomic_load_explicit(&slots->nodes[at & slots->mask],
		                            memory_order_relaxed) != 0)
			at++;
		atomic_store_explicit(&slots->nodes[at & slots->mask], content,
		                      memory_order_relaxed);
	}
	slots->older = old;
	atomic_store_explicit(&table->slots, slots, memory_order_release);
	return true;
}

static struct memo_node *new_node(struct memo_table *table)
{
	struct node_block *block = table->blocks;

	if (block == NULL || block->used == BLOCK_NODES) {
		block = os_pages_alloc(sizeof(*block));
		if (block == NULL)
			return NULL;
		block->older = table->blocks;
		table->blocks = block;
	}
	return &block->nodes[block->used++].node;
}

static struct memo_node *add_locked(struct memo_table *table, const struct memo_node *parent,
                                    uintptr_t first, uintptr_t second,
                                    const struct code_place *code)
{
	slot *free_slot;

	if (table->count >= table->nodes_max || !grow(table))
		return NULL;
	size_t hash = hash_of(parent, first, second);
	struct slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
	struct memo_node *node = probe(slots, hash, parent, first, second, &free_slot);
	if (node != NULL)
		return node;
	node = new_node(table);
	if (node == NULL)
		return NULL;
	node->parent = parent;
	node->first = first;
	node->second = second;
	if (code != NULL)
		node->code = *code;
	table->count++;
	atomic_store_explicit(free_slot, (uintptr_t)node | tag_of(hash), memory_order_release);
	return node;
}

struct memo_node *memo_add(struct memo_table *table, const struct memo_node *parent,
                           uintptr_t first, uintptr_t second, const struct code_place *code)
{
	os_mutex_lock(&table->lock);
	struct memo_node *node = add_locked(table, parent, first, second, code);
	os_mutex_unlock(&table->lock);
	return node;
}

void memo_forget(struct memo_node *node)
{
	atomic_store_explicit(&node->stale, true, memory_order_relaxed);
}

const void *memo_value(const struct memo_node *node, uint32_t epoch)
{
	/* memo_set_value() takes the epoch away while it changes the value. */
	uint32_t before = atomic_load_explicit(&node->epoch, memory_order_acquire);
	if (before == 0 || (epoch != 0 && before != epoch))
		return NULL;
	const void *value = atomic_load_explicit(&node->value, memory_order_acquire);
	return atomic_load_explicit(&node->epoch, memory_order_relaxed) == before ? value : NULL;
}

static void set_value(struct memo_node *node, uint32_t epoch, const void *value)
{
	if (atomic_load_explicit(&node->value, memory_order_relaxed) != value) {
		atomic_store_explicit(&node->epoch, 0, memory_order_relaxed);
		atomic_store_explicit(&node->value, value, memory_order_release);
	}
	atomic_store_explicit(&node->epoch, epoch, memory_order_release);
}

/* Whether the node's epoch, 0 for none, is later than that one: the numbers may wrap around. A node
 * never goes back to an earlier one, so that a reader who finds the same epoch twice has read a
 * value of it (tests/model/memo_table.pml). */
static bool is_later(uint32_t set, uint32_t epoch)
{
	return set != 0 && (int32_t)(set - epoch) > 0;
}

void memo_set_value(struct memo_table *table, struct memo_node *node, uint32_t epoch,
                    const void *value)
{
	os_mutex_lock(&table->lock);
	if (!is_later(atomic_load_explicit(&node->epoch, memory_order_relaxed), epoch))
		set_value(node, epoch, value);
	os_mutex_unlock(&table->lock);
}

size_t memo_count(struct memo_table *table)
{
	os_mutex_lock(&table->lock);
	size_t count = table->count;
	os_mutex_unlock(&table->lock);
	return count;
}
