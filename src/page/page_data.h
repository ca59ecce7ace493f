/*
 * page_data.h: what the page shows of a profile, collected while the profile is read: one tree of
 * all stacks, and for each kind of section the costs at its nodes. One thread; no lock.
 */
#ifndef HPROF_PAGE_PAGE_DATA_H
#define HPROF_PAGE_PAGE_DATA_H

#include "base/address_map.h"
#include "report/name_map.h"
#include "report/report_profile.h"
#include "report/section.h"
#include "report/stack_tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sections with stacks, in the order in which the page prefers them; the last ones are states
 * of TRACE MICROSTATES. The script has the same numbers. */
enum page_set_kind {
	PAGE_SAMPLES,
	PAGE_TIMES,
	PAGE_OFF_CPU,
	PAGE_SITES,
	PAGE_MONITORS,
	PAGE_USR, /* the first of the states */
	PAGE_LCK,
	PAGE_SLP,
	PAGE_IO,
	PAGE_LAT,
	PAGE_STW,
	PAGE_SETS
};

/* The profiles that a page compares. A page of one profile has the new one alone. */
enum page_side { PAGE_NEW, PAGE_OLD, PAGE_SIDES };

/* Values of an entry: samples; ns and calls; ns and times off the CPU; live bytes, live objects,
 * allocated bytes and allocated objects; ns and waits; ns in a state. */
enum { PAGE_VALUES_MAX = 4 };

/* Where a cost belongs. Entries are unique and sorted by it after page_data_finish(). */
struct page_place {
	uint32_t node;   /* of the tree; after page_data_finish() its place in the order */
	uint32_t thread; /* serial number, 0: none; after page_data_finish() its index, plus 1 */
	uint32_t line;   /* of the innermost frame, 0: unknown */
};

struct page_entry {
	struct page_place place;
	uint64_t values[PAGE_SIDES][PAGE_VALUES_MAX];
};

struct page_set {
	bool has[PAGE_SIDES]; /* the profile has such a section */
	bool exact;           /* costs are not computed from rounded shares */
	uint64_t total;       /* of the first value of the new profile */
	char title[SECTION_TITLE_MAX];
	struct page_entry *entries;
	size_t count;
	size_t capacity;
	size_t first; /* entry of the profile that is read */
};

/* Samples in one interval of time. */
struct page_moment {
	struct page_place place; /* unused until page_data_finish() */
	uint32_t trace;
	uint64_t ms; /* since 1970; after page_data_finish() the index of a bucket */
	uint64_t samples;
};

/* A line of a monitor dump, without its indentation; its stack, or node 0. */
struct page_line {
	const struct string *text;
	uint32_t node;
};

struct page_class {
	const struct string *name;
	uint64_t objects;
	uint64_t bytes;
};

/* A section copied as lines or classes. */
struct page_list {
	enum page_side side;
	char title[SECTION_TITLE_MAX];
	struct page_line *lines;    /* of a monitor dump, or NULL */
	struct page_class *classes; /* of a heap dump, or NULL */
	size_t count;
};

/* What of the profiles the page has. */
struct page_selection {
	bool kind_given; /* sections of that kind alone, and the times of samples */
	enum section_kind kind;
	bool last;    /* the last section of a kind, not the sum of all */
	bool threads; /* stacks begin with their thread */
	bool counts;  /* the page begins with calls or waits instead of costs */
};

struct page_data {
	struct page_selection selection;
	bool compares;
	enum page_side side;          /* of what is read now */
	struct string_table *strings; /* of the new profile: all names are of this table */
	struct name_map names;        /* of the names of the profile that is read */
	struct stack_tree tree;
	struct page_set sets[PAGE_SETS];
	struct address_map places; /* by serial number of a trace, plus 1: an index of stacks */
	struct page_place *stacks;
	size_t stack_count;
	size_t stack_capacity;
	struct address_map native; /* ids of the names of native methods */
	struct address_map
	        classes; /* ids of names of frames that are classes, of sites or monitors */
	struct page_moment *moments;
	size_t moment_count;
	size_t moment_capacity;
	uint64_t bucket_ms; /* 0: no times */
	uint64_t start_ms;
	uint64_t bucket_count;
	struct page_list *lists;
	size_t list_count;
	size_t list_capacity;
	struct section_thread *states; /* of the last THREAD MICROSTATES */
	size_t state_thread_count;
	const struct string *state_names[SECTION_STATES_MAX];
	size_t state_count;
	const struct string **notes;
	size_t note_count;
	size_t note_capacity;
	/* Set by page_data_finish(): */
	enum page_set_kind primary; /* the first set present */
	uint32_t *order;            /* nodes in preorder, the costliest children first */
	uint32_t node_count;
	uint64_t *self[PAGE_SIDES];  /* by place in the order: costs of the primary set, */
	uint64_t *total[PAGE_SIDES]; /* and including descendants */
	uint32_t *threads;           /* serial numbers, by index */
	size_t thread_count;
	size_t thread_capacity;
	size_t used_thread_count; /* the first ones: all but those that only a dump names */
};

/* strings is the table of the new profile. False when out of memory; page_data_free() must be
 * called in either case. */
bool page_data_init(struct page_data *data, struct string_table *strings,
                    const struct page_selection *selection);
void page_data_free(struct page_data *data);

/* What is added from now on is of that side: first the old one, then the new one. The page then
 * compares them by stack: timelines, states of threads and lines are left out. */
void page_data_compare(struct page_data *data, enum page_side side);

/* Add a section or a NOTE line. False when out of memory. */
bool page_data_add_section(struct page_data *data, const struct report_profile *profile,
                           const struct report_section *section);
bool page_data_add_note(struct page_data *data, const char *text, size_t length);

/* Sorts everything into the order in which it is written. To be called once, after the last
 * section. False when out of memory. */
bool page_data_finish(struct page_data *data);

/* Whether the page shows the sections of a kind, or the lists: if it compares, both profiles have
 * them. */
bool page_set_is_shown(const struct page_data *data, enum page_set_kind kind);
bool page_lists_are_shown(const struct page_data *data);

/* Whether a set is of one of the states of TRACE MICROSTATES. */
bool page_set_is_state(enum page_set_kind kind);

/* The number of values of an entry of that kind. */
unsigned page_set_values(enum page_set_kind kind);

#endif
