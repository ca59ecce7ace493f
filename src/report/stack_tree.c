/*
 * stack_tree.c: see stack_tree.h. No function is recursive: the depth of a stack in a hostile
 * file has no limit.
 */
#include "report/stack_tree.h"

#include "base/array.h"
#include "report/frame_names.h"
#include "report/row_top.h"
#include "report/section_filter.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MAX (UINT32_C(1) << 31)

/* ---- the tree --------------------------------------------------------------- */

static bool add_node(struct stack_tree *tree, const struct stack_node *node)
{
	if (tree->count >= NODES_MAX ||
	    !array_grow(&tree->nodes, &tree->capacity, tree->count, sizeof(*tree->nodes)))
		return false;
	tree->nodes[tree->count++] = *node;
	return true;
}

bool stack_tree_init(struct stack_tree *tree)
{
	const struct stack_node root = {.name = NULL};
	*tree = (struct stack_tree){.nodes = NULL};
	address_map_init(&tree->children);
	return add_node(tree, &root);
}

void stack_tree_free(struct stack_tree *tree)
{
	free(tree->nodes);
	address_map_free(&tree->children);
}

void stack_tree_clear(struct stack_tree *tree)
{
	address_map_free(&tree->children);
	tree->count = 1;
	tree->nodes[0] = (struct stack_node){.name = NULL};
}

uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, const struct string *name)
{
	uint64_t key = (uint64_t)parent << 32 | name->id;
	const uint64_t *found = address_map_find(&tree->children, key);

	if (found != NULL)
		return (uint32_t)*found;
	const struct stack_node node = {.name = name,
	                                .parent = parent,
	                                .sibling = tree->nodes[parent].first_child,
	                                .depth = tree->nodes[parent].depth + 1};
	uint32_t place = tree->count;
	if (!add_node(tree, &node) || !address_map_set(&tree->children, key, place))
		return 0;
	tree->nodes[parent].first_child = place;
	return place;
}

void stack_tree_add(struct stack_tree *tree, uint32_t node, uint64_t cost)
{
	tree->nodes[node].self = report_sum(tree->nodes[node].self, cost);
}

void stack_tree_sum(struct stack_tree *tree)
{
	struct stack_node *nodes = tree->nodes;

	for (uint32_t node = 0; node < tree->count; node++)
		nodes[node].total = nodes[node].self;
	/* Parents come before their children. */
	for (uint32_t node = tree->count; node-- > 1;) {
		uint64_t *parent = &nodes[nodes[node].parent].total;
		*parent = report_sum(*parent, nodes[node].total);
	}
}

/* ---- order ------------------------------------------------------------------ */

struct named {
	const struct string *name;
	uint32_t node;
};

/* In reverse order: the last one pushed is the first one popped. */
static int by_name(const void *one, const void *other)
{
	const struct named *a = one;
	const struct named *b = other;
	int order = strcmp(b->name->text, a->name->text);
	if (order != 0)
		return order;
	return a->name->id < b->name->id ? 1 : -1;
}

/* Pushes the children of a node. Each node is pushed once, so the stack has room for all. */
static uint32_t push_children(const struct stack_tree *tree, uint32_t parent, struct named *stack,
                              uint32_t height)
{
	uint32_t first = height;
	for (uint32_t child = tree->nodes[parent].first_child; child != 0;
	     child = tree->nodes[child].sibling) {
		if (tree->nodes[child].total > 0)
			stack[height++] = (struct named){tree->nodes[child].name, child};
	}
	if (height > first)
		qsort(stack + first, height - first, sizeof(*stack), by_name);
	return height;
}

bool stack_tree_order(const struct stack_tree *tree, uint32_t **order, uint32_t *count)
{
	struct named *stack = malloc((size_t)tree->count * sizeof(*stack));
	uint32_t *nodes = malloc((size_t)tree->count * sizeof(*nodes));
	uint32_t height = 0;

	*order = nodes;
	*count = 0;
	if (stack == NULL || nodes == NULL) {
		free(stack);
		free(nodes);
		*order = NULL;
		return false;
	}
	nodes[(*count)++] = 0;
	height = push_children(tree, 0, stack, height);
	while (height > 0) {
		uint32_t node = stack[--height].node;
		nodes[(*count)++] = node;
		height = push_children(tree, node, stack, height);
	}
	free(stack);
	return true;
}

/* ---- sections ---------------------------------------------------------------- */

/* Goes from a node to its child of that name. False when out of memory. */
static bool descend(struct stack_tree *tree, uint32_t *node, const struct string *name)
{
	*node = name == NULL ? 0 : stack_tree_child(tree, *node, name);
	return *node != 0;
}

/* The node of a thread, which its stacks begin with. 0 when out of memory. */
static uint32_t thread_node(struct tree_visitor *visitor, const struct report_profile *profile,
                            uint32_t thread)
{
	const uint64_t *known = address_map_find(&visitor->thread_nodes, thread);
	uint32_t node = 0;

	if (known != NULL)
		return (uint32_t)*known;
	return descend(visitor->tree, &node, frame_thread(profile, thread)) &&
	                       address_map_set(&visitor->thread_nodes, thread, node)
	               ? node
	               : 0;
}

/* The number of a trace's frames from the innermost one to that with which its stack begins. */
static uint32_t shown_depth(struct tree_visitor *visitor, const struct report_trace *trace)
{
	uint32_t depth = trace->depth;

	if (visitor->below.regex == NULL)
		return depth;
	while (depth > 0 && !name_matcher_matches(&visitor->below, trace->frames[depth - 1].method))
		depth--;
	return depth;
}

/* Adds the innermost frames of a trace, the outermost of them first. False when out of memory. */
static bool add_callees(struct tree_visitor *visitor, const struct report_profile *profile,
                        const struct report_trace *trace, uint32_t depth, uint32_t *node)
{
	if (visitor->threads && trace->thread != 0) {
		*node = thread_node(visitor, profile, trace->thread);
		if (*node == 0)
			return false;
	}
	for (uint32_t i = depth; i > 0; i--) {
		if (!descend(visitor->tree, node, trace->frames[i - 1].method))
			return false;
	}
	return depth > 0 || descend(visitor->tree, node, report_no_frames(profile));
}

/* The same, the innermost first. */
static bool add_callers(struct tree_visitor *visitor, const struct report_profile *profile,
                        const struct report_trace *trace, uint32_t depth, uint32_t *node)
{
	if (depth == 0 && !descend(visitor->tree, node, report_no_frames(profile)))
		return false;
	for (uint32_t i = 0; i < depth; i++) {
		if (!descend(visitor->tree, node, trace->frames[i].method))
			return false;
	}
	return !visitor->threads || trace->thread == 0 ||
	       descend(visitor->tree, node, frame_thread(profile, trace->thread));
}

/* Goes to the node of stacks that are not shown. False when out of memory. */
static bool leave_out(struct tree_visitor *visitor, const struct report_profile *profile,
                      uint32_t *node)
{
	static const char name[] = SECTION_FILTERED_NAME;

	*node = 0;
	bool good = descend(visitor->tree, node,
	                    string_table_intern(profile->strings, name, strlen(name)));
	visitor->filtered_node = *node;
	return good;
}

static bool add_trace(struct tree_visitor *visitor, const struct report_profile *profile,
                      const struct report_trace *trace, uint32_t *node)
{
	uint32_t depth = shown_depth(visitor, trace);

	if (depth == 0 && visitor->below.regex != NULL)
		return leave_out(visitor, profile, node);
	return visitor->inverted ? add_callers(visitor, profile, trace, depth, node)
	                         : add_callees(visitor, profile, trace, depth, node);
}

/* Goes from a node, which is 0 or a top, to the last one of a trace. Many rows can have one trace:
 * its frames are followed once. False when out of memory. */
static bool follow_trace(struct tree_visitor *visitor, const struct report_profile *profile,
                         uint32_t serial, uint32_t *node)
{
	const struct report_trace *trace = report_find_trace(profile, serial);

	if (trace == NULL && visitor->below.regex != NULL)
		return leave_out(visitor, profile, node);
	if (trace == NULL)
		return descend(visitor->tree, node, report_no_frames(profile));
	uint64_t key = (uint64_t)*node << 32 | trace->number;
	const uint64_t *known = address_map_find(&visitor->nodes, key);
	if (known != NULL) {
		*node = (uint32_t)*known;
		return true;
	}
	return add_trace(visitor, profile, trace, node) &&
	       address_map_set(&visitor->nodes, key, *node);
}

/* The allocated class, or the monitor, is on top of the stack. False when out of memory. */
static bool add_top(struct tree_visitor *visitor, const struct report_profile *profile,
                    const struct section_row *row, uint32_t *node)
{
	return !section_has_tops(visitor->kind) ||
	       descend(visitor->tree, node, report_row_top(profile, visitor->kind, row));
}

/* The last node of the row's stack; 0 when out of memory. */
static uint32_t find_node(struct tree_visitor *visitor, const struct report_profile *profile,
                          const struct section_row *row)
{
	uint32_t node = 0;
	bool good;

	if (row->is_rest)
		good = descend(visitor->tree, &node, row->name);
	else if (visitor->inverted)
		good = add_top(visitor, profile, row, &node) &&
		       follow_trace(visitor, profile, row->trace, &node);
	else
		good = follow_trace(visitor, profile, row->trace, &node) &&
		       (node == visitor->filtered_node || add_top(visitor, profile, row, &node));
	return good && !visitor->below.out_of_memory ? node : 0;
}

/* False when out of memory. */
static bool add_rows(struct tree_visitor *visitor, const struct report_profile *profile,
                     const struct report_section *section)
{
	for (size_t i = 0; i < section->row_count; i++) {
		const struct section_row *row = &section->rows[i];
		uint64_t cost = visitor->counts ? row->count : row->cost;
		if (cost == 0)
			continue;
		uint32_t node = find_node(visitor, profile, row);
		if (node == 0)
			return false;
		stack_tree_add(visitor->tree, node, cost);
	}
	return true;
}

static void drop_held(struct tree_visitor *visitor)
{
	if (visitor->holds)
		section_free(&visitor->held);
	visitor->holds = false;
}

static bool hold(struct tree_visitor *visitor, const struct report_section *section)
{
	drop_held(visitor);
	visitor->holds = section_copy(&visitor->held, section);
	return visitor->holds;
}

static bool add_section(struct report_visitor *base, const struct report_profile *profile,
                        const struct report_section *section)
{
	struct tree_visitor *visitor = (struct tree_visitor *)base;

	if (visitor->any_kind && section_has_stacks(section->kind)) {
		visitor->kind = section->kind;
		visitor->any_kind = false;
	}
	if (section->kind != visitor->kind || visitor->any_kind)
		return true;
	visitor->sections++;
	memcpy(visitor->title, section->title, sizeof(visitor->title));
	visitor->out_of_memory = section_replaces(section->kind, visitor->last)
	                                 ? !hold(visitor, section)
	                                 : !add_rows(visitor, profile, section);
	return !visitor->out_of_memory;
}

void tree_visitor_init(struct tree_visitor *visitor, struct stack_tree *tree)
{
	*visitor =
	        (struct tree_visitor){.base = {.section = add_section, .note = report_ignore_note},
	                              .tree = tree,
	                              .any_kind = true};
	name_matcher_init(&visitor->below, NULL);
	address_map_init(&visitor->nodes);
	address_map_init(&visitor->thread_nodes);
}

void tree_visitor_free(struct tree_visitor *visitor)
{
	drop_held(visitor);
	name_matcher_free(&visitor->below);
	address_map_free(&visitor->nodes);
	address_map_free(&visitor->thread_nodes);
}

bool tree_visitor_finish(struct tree_visitor *visitor, const struct report_profile *profile)
{
	bool good = !visitor->holds || add_rows(visitor, profile, &visitor->held);

	drop_held(visitor);
	stack_tree_sum(visitor->tree);
	visitor->out_of_memory = visitor->out_of_memory || !good;
	return good;
}
