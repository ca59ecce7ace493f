/*
 * tree_lines.h: the lines of a stack tree as a report has them: nodes above their children, the
 * most expensive first, and one line for those that are too small. One thread; no lock.
 */
#ifndef HPROF_REPORT_TREE_LINES_H
#define HPROF_REPORT_TREE_LINES_H

#include "report/stack_tree.h"

/* A node, or the sum of the children of a node that are too small. */
struct tree_line {
	uint32_t node;
	uint32_t indent;
	uint32_t others; /* number of small children; 0: the line is of the node itself */
	uint64_t cost;
	bool is_branch; /* one of several children */
};

struct tree_lines {
	const struct stack_tree *tree;
	uint64_t least; /* cost of a line */
	struct tree_line *stack;
	size_t height;
};

/* Begins with the root. The nodes with at least share of the total (from 0 to 1) have lines; the
 * tree must outlive them. False when out of memory; tree_lines_free() must be called in either
 * case. */
bool tree_lines_begin(struct tree_lines *lines, const struct stack_tree *tree, double share);
void tree_lines_free(struct tree_lines *lines);

/* Gives the next line. False when there is none. */
bool tree_lines_next(struct tree_lines *lines, struct tree_line *line);

#endif
