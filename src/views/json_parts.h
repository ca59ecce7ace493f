/*
 * json_parts.h: the parts of a report as JSON, each an array or an object of the document. Errors
 * are those of the document's output. One thread; no lock. Private to the JSON views.
 */
#ifndef HPROF_VIEWS_JSON_PARTS_H
#define HPROF_VIEWS_JSON_PARTS_H

#include "views/json_frames.h"
#include "views/selected_profile.h"

struct json_view {
	struct selected_profile selected;
	struct json_stream json;
	uint64_t sections; /* written */
};

/* Of one kind of costs: the methods (or another group) with the most, and the tree of calls. Each
 * adds an object to an array. */
void json_part_costs(struct json_view *view, enum section_kind kind);
void json_part_tree(struct json_view *view, enum section_kind kind);

/* "tables" and "notes": all sections that are selected, with rows by trace, and the notes. */
void json_part_tables(struct json_view *view);

/* "states": the times of methods by state. False after printing that there are none. */
bool json_part_states(struct json_view *view);

/* Adds to an open object what costs by method have: totals, "rows", of which there are at most
 * rows_max or all if that is 0, and "rest". */
void json_add_method_costs(struct json_stream *json, const struct method_costs *costs,
                           size_t rows_max);

#endif
