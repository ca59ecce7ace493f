/*
 * part_states.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "report/state_table.h"

bool view_part_states(struct text_view *view)
{
	const struct profile_selection *selection = &view->selected.request->selection;
	bool no_memory;

	if (!selected_profile_has_states(&view->selected))
		return false;
	view->sections++;
	bool good = state_table_write(&view->selected.content, selection->last, selection->top,
	                              view->output, &no_memory);
	return no_memory ? text_view_out_of_memory() : good;
}
