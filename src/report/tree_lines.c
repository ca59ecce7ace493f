/*
 * tree_lines.c: see tree_lines.h. No function is recursive: the depth of a stack in a hostile file
 * has no limit.
 */
#include "report/tree_lines.h"

#include <stdlib.h>
#include <string.h>

/* Deeper lines are not indented further. */
enum { INDENT_MAX = 60 };

static int by_cost(const void *one, const void *other)
{
	const struct tree_line *a = one;
	const struct tree_line *b = other;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1; /* the last one is popped first */
	return (a->node < b->node) - (a->node > b->node);
}

/* Pushes the lines below a node. Each node is pushed once, and each has one line of others, so the
 * stack has room for all. */
static void push_children(struct tree_lines *lines, const struct tree_line *parent)
{
	const struct stack_node *nodes = lines->tree->nodes;
	struct tree_line others = {.node = parent->node};
	size_t first = lines->height;

	for (uint32_t child = nodes[parent->node].first_child; child != 0;
	     child = nodes[child].sibling) {
		if (nodes[child].total == 0)
			continue;
		if (nodes[child].total >= lines->least) {
			lines->stack[lines->height++] =
			        (struct tree_line){.node = child, .cost = nodes[child].total};
		} else {
			others.others++;
			others.cost += nodes[child].total;
		}
	}
	if (lines->height > first)
		qsort(lines->stack + first, lines->height - first, sizeof(*lines->stack), by_cost);
	if (others.others > 0) {
		memmove(lines->stack + first + 1, lines->stack + first,
		        (lines->height - first) * sizeof(*lines->stack));
		lines->stack[first] = others;
		lines->height++;
	}
	bool is_branch = lines->height - first > 1;
	uint32_t indent = parent->indent + (is_branch && parent->indent < INDENT_MAX ? 2 : 0);
	for (size_t i = first; i < lines->height; i++) {
		lines->stack[i].is_branch = is_branch;
		lines->stack[i].indent = indent;
	}
}

bool tree_lines_begin(struct tree_lines *lines, const struct stack_tree *tree, double share)
{
	*lines = (struct tree_lines){
	        .tree = tree,
	        .least = (uint64_t)((double)tree->nodes[0].total * share),
	        .stack = malloc(2 * (size_t)tree->count * sizeof(*lines->stack)),
	};
	if (lines->stack == NULL)
		return false;
	lines->stack[lines->height++] = (struct tree_line){.cost = tree->nodes[0].total};
	return true;
}

void tree_lines_free(struct tree_lines *lines)
{
	free(lines->stack);
}

bool tree_lines_next(struct tree_lines *lines, struct tree_line *line)
{
	if (lines->height == 0)
		return false;
	*line = lines->stack[--lines->height];
	if (line->others == 0)
		push_children(lines, line);
	return true;
}
