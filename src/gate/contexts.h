/*
 * contexts.h: calls and allocated bytes by context, of an old and a new profile. A context is a
 * stack of the program's own methods: frames of libraries are left out of it, lines and threads are
 * merged, and so are the lambdas of a method, whose numbers change with the source. An allocation
 * belongs to the innermost method of the program on its stack. One thread; no lock.
 *
 * One tree has all: the frames of a context, and below them "new CLASS" for its allocations.
 */
#ifndef HPROF_GATE_CONTEXTS_H
#define HPROF_GATE_CONTEXTS_H

#include "gate/pairs.h"
#include "gate/rules.h"
#include "report/report_profile.h"

enum measure { MEASURE_CALLS, MEASURE_BYTES, MEASURES };

struct measured {
	struct pairs values; /* by node of the tree */
	bool has[SIDES];     /* the profile has a section with it */
	uint64_t all[SIDES]; /* of the program's classes; with the next two complete after
	                      * contexts_finish() */
	uint64_t compared[SIDES];
	uint64_t *excluded; /* by rule, of the new profile */
};

struct contexts {
	const struct rules *rules;
	bool own_given;               /* the rules say which classes are the program's */
	struct string_table *strings; /* of the names in the tree */
	struct stack_tree tree;       /* its costs are not used */
	uint32_t *marks;              /* by node: 0, or 1 plus the index of a rule that excludes */
	size_t mark_count;            /* it and what it calls */
	struct measured measured[MEASURES];
};

/* rules must outlive the contexts. False when out of memory; contexts_free() must be called in
 * either case. */
bool contexts_init(struct contexts *contexts, const struct rules *rules);
void contexts_free(struct contexts *contexts);

/* Completes the sums after both sides have been read. False when out of memory. */
bool contexts_finish(struct contexts *contexts);

/* Whether the context is compared; after contexts_finish(). */
bool contexts_compares(const struct contexts *contexts, uint32_t node);

/* How a frame of the profile that is being read appears in a context. */
struct context_frame {
	const struct string *name; /* NULL: not looked up yet */
	size_t exclude;            /* index of a rule, SIZE_MAX: none: it and what it calls, */
	size_t exclude_callers;    /* its callers and what they call */
	bool through;              /* callers of it are callers of what it calls */
	bool own;
	bool root;    /* contexts begin at it */
	bool runtime; /* it and what it calls are not the program's */
};

/* How a class of allocated objects appears in a context. */
struct context_class {
	const struct string *name; /* "new CLASS"; NULL: not looked up yet */
	size_t exclude;            /* index of a rule, SIZE_MAX: none */
};

/* The context of a trace. */
struct context {
	uint32_t node;      /* of the innermost method of the program; 0: none */
	size_t exclude;     /* the rule that excludes it, found from the outermost frame on */
	bool any_own;       /* a method of the program is on the stack, */
	bool innermost_own; /* the innermost frame is one */
};

/* Reads one side. Every SITES section has all counts since the start: the last one is held until
 * reading ends. */
struct contexts_visitor {
	struct report_visitor base;
	struct contexts *contexts;
	enum side side;
	struct context_frame *frames; /* by id of the profile's string */
	size_t frame_count;
	struct context_class *classes; /* by id of the profile's string */
	size_t class_count;
	struct address_map traces; /* by number of a trace: index in known */
	struct context *known;
	size_t known_count;
	size_t known_capacity;
	struct report_section sites;
	bool has_sites;
	bool out_of_memory;
	bool sampled; /* a note reports that some allocations only were recorded */
	bool tracked; /* or that live objects were counted: allocations are not of bytecode alone */
	bool rest;    /* a section has a row of what the cutoff left out */
};

void contexts_visitor_init(struct contexts_visitor *visitor, struct contexts *contexts,
                           enum side side);
void contexts_visitor_free(struct contexts_visitor *visitor);

/* To be called when the profile has been read. False when out of memory. */
bool contexts_visitor_finish(struct contexts_visitor *visitor,
                             const struct report_profile *profile);

#endif
