/*
 * text_view_parts.h: the parts of which the text views are made. Each prints to the output of a
 * profile that has been read; false after printing an error. One thread; no lock. Private to the
 * text views.
 */
#ifndef HPROF_VIEWS_TEXT_VIEW_PARTS_H
#define HPROF_VIEWS_TEXT_VIEW_PARTS_H

#include "console/output.h"
#include "views/selected_profile.h"

struct text_view {
	struct selected_profile selected;
	struct output *output;
	uint64_t sections; /* printed */
};

/* Of one kind of costs: the methods (or another group) with the most, and the tree of calls. */
bool view_part_costs(struct text_view *view, enum section_kind kind);
bool view_part_tree(struct text_view *view, enum section_kind kind);

/* All sections that are selected, as tables by trace, and the notes between them. */
bool view_part_tables(struct text_view *view);

/* The times of methods by state. */
bool view_part_states(struct text_view *view);

/* Begins a part, with an empty line after the one before. */
void text_view_begin_part(struct text_view *view);

/* Prints the error. False. */
bool text_view_out_of_memory(void);

#endif
