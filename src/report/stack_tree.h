/*
 * stack_tree.h: the costs of stacks as a tree of calls, in which stacks share their common outer
 * frames, or inverted as a tree of callers, in which they share their inner ones. One thread; no
 * lock.
 */
#ifndef HPROF_REPORT_STACK_TREE_H
#define HPROF_REPORT_STACK_TREE_H

#include "report/name_matcher.h"
#include "report/report_profile.h"

#include <stdbool.h>
#include <stdint.h>

struct stack_node {
	const struct string *name; /* NULL: the root's */
	uint32_t parent;
	uint32_t first_child; /* 0: none; the root is never a child */
	uint32_t sibling;     /* the next child of the parent, 0: none */
	uint32_t depth;       /* the root has 0 */
	uint64_t self;
	uint64_t total; /* including its descendants; set by stack_tree_sum() */
};

struct stack_tree {
	struct stack_node *nodes; /* the root first; parents before children */
	uint32_t count;
	size_t capacity;
	struct address_map children; /* by parent and name id */
};

/* Initializes a tree with a root. False when out of memory; stack_tree_free() must be called in
 * either case. */
bool stack_tree_init(struct stack_tree *tree);
void stack_tree_free(struct stack_tree *tree);

/* Removes all nodes except the root. */
void stack_tree_clear(struct stack_tree *tree);

/* The child with that name, created if needed; 0 when out of memory. */
uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, const struct string *name);

/* Adds cost to a node. */
void stack_tree_add(struct stack_tree *tree, uint32_t node, uint64_t cost);

/* Computes the totals of all nodes from what was added to each. */
void stack_tree_sum(struct stack_tree *tree);

/* The nodes with costs in depth-first order, children by name. The caller frees *order, which
 * has *count entries. False when out of memory. */
bool stack_tree_order(const struct stack_tree *tree, uint32_t **order, uint32_t *count);

/* Adds the sections of one kind to a tree. The cost of a stack is that of its last node, which is
 * its innermost frame or, inverted, its outermost one. A section that a later one can replace is
 * held until that one comes or reading ends. */
struct tree_visitor {
	struct report_visitor base;
	struct stack_tree *tree; /* owned by the caller */
	enum section_kind kind;
	bool any_kind; /* not chosen yet: kind becomes that of the first section with stacks */
	bool last;     /* each section replaces those before it */
	bool counts;   /* count calls or waits instead of costs */
	bool threads;  /* the thread is the outermost frame, if known */
	bool inverted; /* the root's children are innermost frames, and each has its callers */
	/* With an expression, which the caller sets: a stack begins with its outermost method that
	 * matches, and one without such a method is SECTION_FILTERED_NAME. */
	struct name_matcher below;
	bool out_of_memory;
	struct address_map nodes;        /* by node of a top and number of a trace: its last node */
	struct address_map thread_nodes; /* by serial number of a thread */
	uint32_t filtered_node;          /* of stacks without a match; 0: none yet */
	struct report_section held;
	bool holds;
	uint64_t sections;
	char title[SECTION_TITLE_MAX]; /* of the last section */
};

/* tree_visitor_free() must be called. */
void tree_visitor_init(struct tree_visitor *visitor, struct stack_tree *tree);
void tree_visitor_free(struct tree_visitor *visitor);

/* To be called after the last section: adds the one that is held, and computes the totals. False
 * when out of memory. */
bool tree_visitor_finish(struct tree_visitor *visitor, const struct report_profile *profile);

#endif
