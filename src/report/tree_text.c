/*
 * tree_text.c: see tree_text.h. No function is recursive: the depth of a stack in a hostile file
 * has no limit.
 */
#include "report/tree_text.h"

#include "report/cost_text.h"
#include "report/shares.h"
#include "report/shown_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	INDENT_MAX = 60, /* deeper lines are not indented further */
	COST_WIDTH = 14
};

/* A line to print: a node, or the sum of the children of a node that are too small. */
struct line {
	uint32_t node;
	uint32_t indent;
	uint32_t others; /* number of small children; 0: the line is of the node itself */
	uint64_t cost;
	bool is_branch;
};

struct printer {
	const struct stack_tree *tree;
	const struct tree_text *text;
	uint64_t least; /* cost of a line */
	struct line *stack;
	size_t height;
};

static int by_cost(const void *one, const void *other)
{
	const struct line *a = one;
	const struct line *b = other;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1; /* the last one is popped first */
	return (a->node < b->node) - (a->node > b->node);
}

/* Pushes the lines below a node. Each node is pushed once, and each has one line of others, so the
 * stack has room for all. */
static void push_children(struct printer *printer, const struct line *parent)
{
	const struct stack_node *nodes = printer->tree->nodes;
	struct line others = {.node = parent->node};
	size_t first = printer->height;

	for (uint32_t child = nodes[parent->node].first_child; child != 0;
	     child = nodes[child].sibling) {
		if (nodes[child].total == 0)
			continue;
		if (nodes[child].total >= printer->least) {
			printer->stack[printer->height++] =
			        (struct line){.node = child, .cost = nodes[child].total};
		} else {
			others.others++;
			others.cost += nodes[child].total;
		}
	}
	if (printer->height > first)
		qsort(printer->stack + first, printer->height - first, sizeof(*printer->stack),
		      by_cost);
	if (others.others > 0) {
		memmove(printer->stack + first + 1, printer->stack + first,
		        (printer->height - first) * sizeof(*printer->stack));
		printer->stack[first] = others;
		printer->height++;
	}
	bool is_branch = printer->height - first > 1;
	uint32_t indent = parent->indent + (is_branch && parent->indent < INDENT_MAX ? 2 : 0);
	for (size_t i = first; i < printer->height; i++) {
		printer->stack[i].is_branch = is_branch;
		printer->stack[i].indent = indent;
	}
}

static void add_line(const struct printer *printer, const struct line *line, struct output *output)
{
	struct byte_buffer *out = &output->text;
	const struct stack_node *node = &printer->tree->nodes[line->node];
	const uint64_t all = printer->tree->nodes[0].total;

	share_add_text(out, share_of(line->cost, all));
	/* Inverted, it would be the cost of a stack's outermost frame. */
	if (!printer->text->is_inverted)
		cost_add_own_share(output, share_of(line->others > 0 ? 0 : node->self, all));
	byte_buffer_add_u1(out, ' ');
	cost_add_text(out, printer->text->kind, line->cost, COST_WIDTH);
	/* The mark of a branch is at the indentation of its parent's name. */
	byte_buffer_printf(out, " %*s", (int)line->indent, line->is_branch ? "+ " : "");
	if (line->others > 0)
		byte_buffer_printf(out, "(%" PRIu32 " smaller)", line->others);
	else if (node->name == NULL)
		byte_buffer_add_text(out, "all");
	else
		shown_name_add(output, node->name, 0);
	byte_buffer_add_u1(out, '\n');
}

bool stack_tree_write_text(const struct stack_tree *tree, const struct tree_text *text,
                           struct output *output)
{
	struct printer printer = {
	        .tree = tree,
	        .text = text,
	        .least = (uint64_t)((double)tree->nodes[0].total * text->least_share),
	        .stack = malloc(2 * (size_t)tree->count * sizeof(*printer.stack)),
	};
	bool good = printer.stack != NULL;

	if (!good) {
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
		return false;
	}
	byte_buffer_printf(&output->text, "  total%s %*s stack\n",
	                   text->is_inverted ? "" : "    self", COST_WIDTH, cost_unit(text->kind));
	printer.stack[printer.height++] = (struct line){.node = 0, .cost = tree->nodes[0].total};
	while (printer.height > 0 && good) {
		const struct line line = printer.stack[--printer.height];
		add_line(&printer, &line, output);
		if (line.others == 0)
			push_children(&printer, &line);
		good = output_continue(output);
	}
	free(printer.stack);
	return good;
}
