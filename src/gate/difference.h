/*
 * difference.h: the costs of an old and a new profile by stack, for each kind of section. One
 * thread; no lock.
 */
#ifndef HPROF_GATE_DIFFERENCE_H
#define HPROF_GATE_DIFFERENCE_H

#include "gate/pairs.h"
#include "report/name_map.h"
#include "report/report_profile.h"
#include "report/stack_tree.h"
#include "report/state_sections.h"

#include <stdbool.h>

enum difference_kind {
	DIFFERENCE_SAMPLES,
	DIFFERENCE_TIMES,
	DIFFERENCE_CALLS, /* of the sections of times */
	DIFFERENCE_OFF_CPU,
	DIFFERENCE_SITES,
	DIFFERENCE_MONITORS,
	DIFFERENCE_STATES, /* the time of calls; the innermost name is the state */
	DIFFERENCE_HEAP,   /* bytes by class: stacks of one name */
	DIFFERENCE_USR,    /* the time of calls in one state */
	DIFFERENCE_SYS,
	DIFFERENCE_TFL,
	DIFFERENCE_DFL,
	DIFFERENCE_LCK,
	DIFFERENCE_SLP,
	DIFFERENCE_IO,
	DIFFERENCE_LAT,
	DIFFERENCE_STW,
	DIFFERENCE_KINDS
};

/* How the parts of a difference are called. */
struct difference_name {
	const char *word; /* on the command line */
	const char *title;
	const char *unit;
	const char *top;           /* what the innermost names are */
	enum section_kind section; /* which the costs are from */
	bool has_stacks;
	bool is_chosen_only; /* it is no part of a difference of all kinds */
};
extern const struct difference_name difference_names[DIFFERENCE_KINDS];

struct difference_part {
	struct stack_tree tree; /* of both; without costs until difference_set_costs() */
	struct pairs values;    /* by node, its own */
	bool has[SIDES];        /* the profile has such a section */
	uint64_t total[SIDES];
};

struct difference {
	struct string_table *strings;
	struct difference_part parts[DIFFERENCE_KINDS];
	uint64_t bytes; /* of the files of both profiles */
};

/* False when out of memory; difference_free() must be called in either case. */
bool difference_init(struct difference *difference);
void difference_free(struct difference *difference);

/* Reads one profile, as the visitor states.base; afterwards difference_add() adds it. */
struct difference_reader {
	struct report_visitor base;   /* gets the sections from states */
	struct state_sections states; /* makes sections of the single states */
	bool out_of_memory;
	bool last;
	uint64_t states_rest_ns; /* time of no stack and so of no state, as below the cutoff */
	bool has[DIFFERENCE_KINDS];
	struct stack_tree trees[DIFFERENCE_KINDS];
	struct tree_visitor visitors[DIFFERENCE_KINDS];
	struct name_map names;
};

/* last: the last section of a kind counts, not the sum of all. threads: stacks begin with their
 * thread. False when out of memory; difference_reader_free() must be called in either case, before
 * the profile is freed. */
bool difference_reader_init(struct difference_reader *reader, bool last, bool threads);
void difference_reader_free(struct difference_reader *reader);

/* Adds what was read of the profile as a side. False when out of memory. */
bool difference_add(struct difference *difference, enum side side, struct difference_reader *reader,
                    const struct report_profile *profile);

/* Scales the old values of each part so that both totals are equal. */
void difference_normalize(struct difference *difference);

/* Whether both profiles have a kind, and a difference of the chosen one has it as a part;
 * DIFFERENCE_KINDS: of all. */
bool difference_shows(const struct difference *difference, enum difference_kind chosen,
                      enum difference_kind kind);

/* Whether only one profile has a kind that is reported as missing: calls are among the sections of
 * times, and single states among states. */
bool difference_lacks(const struct difference *difference, enum difference_kind kind);

/* The part of that kind if both profiles have it, or the first such part if kind is
 * DIFFERENCE_KINDS; NULL if there is none. */
struct difference_part *difference_find(struct difference *difference, enum difference_kind kind,
                                        enum difference_kind *found);

/* Sets the costs of the tree to the new values, or to the sums of both. */
void difference_set_costs(struct difference_part *part, bool both);

#endif
