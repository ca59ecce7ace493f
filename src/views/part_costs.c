/*
 * part_costs.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "report/method_table.h"
#include "report/section_names.h"

bool view_part_costs(struct text_view *view, enum section_kind kind)
{
	const uint32_t interval_ms = view->selected.profile.facts.interval_ms;
	struct method_costs costs;
	bool good =
	        selected_profile_costs(&view->selected, kind, &costs) || text_view_out_of_memory();

	if (good && costs.count > 0) {
		text_view_begin_part(view);
		method_costs_write_title(&costs, section_name_of_kind(kind)->title, interval_ms,
		                         view->output);
		good = method_costs_write(&costs, interval_ms,
		                          view->selected.request->selection.top, view->output);
	}
	method_costs_free(&costs);
	return good;
}
