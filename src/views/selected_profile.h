/*
 * selected_profile.h: a profile that was read as a whole, and what of it a request selects: what
 * all views have in common. One thread; no lock.
 */
#ifndef HPROF_VIEWS_SELECTED_PROFILE_H
#define HPROF_VIEWS_SELECTED_PROFILE_H

#include "report/content.h"
#include "report/stack_tree.h"
#include "views/view_request.h"

struct selected_profile {
	const struct view_request *request; /* owned by the caller */
	struct report_profile profile;
	struct report_content content;
	bool is_whole; /* false: the content ends before an error of the input */
};

/* Reads the request's input, and prints its errors. False when out of memory;
 * selected_profile_free() must be called in either case. */
bool selected_profile_read(struct selected_profile *selected, const struct view_request *request);
void selected_profile_free(struct selected_profile *selected);

/* Whether an item of the content is a section that was selected. */
bool selected_profile_has(const struct selected_profile *selected, size_t item);

/* Whether a section of that kind was selected. */
bool selected_profile_has_kind(const struct selected_profile *selected, enum section_kind kind);

/* False after printing that the profile has no states by trace. */
bool selected_profile_has_states(const struct selected_profile *selected);

/* The costs of the sections of one kind with stacks, by the group that was selected; none if there
 * are none. False when out of memory; method_costs_free() must be called in either case. */
bool selected_profile_costs(const struct selected_profile *selected, enum section_kind kind,
                            struct method_costs *costs);

/* The same as a tree of calls; stack_tree_free() must be called in either case. */
bool selected_profile_tree(const struct selected_profile *selected, enum section_kind kind,
                           struct stack_tree *tree);

/* Prints that a view has nothing to show. False. */
bool view_nothing_to_show(const struct view_request *request);

#endif
