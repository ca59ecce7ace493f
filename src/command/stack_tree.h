/*
 * stack_tree.h: what stacks cost, those that begin alike in one place: a tree whose nodes
 * are calls, and the outputs that are made of it. One thread; no lock.
 */
#ifndef HPROF_COMMAND_STACK_TREE_H
#define HPROF_COMMAND_STACK_TREE_H

#include "command/output.h"
#include "command/report_profile.h"

#include <stdbool.h>
#include <stdint.h>

struct stack_node {
	const struct string *name; /* NULL: the root's */
	uint32_t parent;
	uint32_t first_child; /* 0: none, since the root is nobody's child */
	uint32_t sibling;     /* the next child of the parent, 0: none */
	uint32_t depth;       /* of the root 0 */
	uint64_t self;
	uint64_t total; /* with what is below it */
};

struct stack_tree {
	struct stack_node *nodes; /* the root first; a parent comes before its children */
	uint32_t count;
	uint32_t capacity;
	struct address_map children; /* by parent and id of the name */
};

/* A tree with a root; false without memory. stack_tree_free() is called all the same. */
bool stack_tree_init(struct stack_tree *tree);
void stack_tree_free(struct stack_tree *tree);

/* Forgets all but the root. */
void stack_tree_clear(struct stack_tree *tree);

/* The child of that name, made if it is new; 0 without memory. */
uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, const struct string *name);

/* Adds cost to a node and all above it. */
void stack_tree_add(struct stack_tree *tree, uint32_t node, uint64_t cost);

/* The nodes with costs in order: a node, then what is below each of its children, children
 * by name. *order, as many as *count, is freed by the caller. False without memory. */
bool stack_tree_order(const struct stack_tree *tree, uint32_t **order, uint32_t *count);

/* Appends a line for each node with a cost of its own: the names from the outermost on, with
 * semicolons between them, a blank, the cost. False when memory or the output fails. */
bool stack_tree_write_collapsed(const struct stack_tree *tree, struct output *output);

/* Appends an SVG picture: title above it, unit behind the costs. The same. */
bool stack_tree_write_flame(const struct stack_tree *tree, const char *title, const char *unit,
                            struct output *output);

/* A visitor that adds the sections of one kind to a tree. */
struct tree_visitor {
	struct report_visitor base;
	struct stack_tree *tree; /* the caller's */
	enum section_kind kind;
	bool any_kind; /* kind is that of the first section that has stacks */
	bool last;     /* a section takes the place of those before it */
	bool threads;  /* stacks begin with the thread, where it is known */
	bool out_of_memory;
	uint64_t sections;
	char title[SECTION_TITLE_MAX]; /* of the last section */
};

void tree_visitor_init(struct tree_visitor *visitor, struct stack_tree *tree);

#endif
