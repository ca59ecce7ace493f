/*
 * part_states.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "console/messages.h"
#include "report/state_table.h"

bool view_part_states(struct text_view *view)
{
	const struct profile_selection *selection = &view->request->selection;
	bool no_memory;

	if (!text_view_has_kind(view, SECTION_STATES)) {
		(void)console_failed(
		        "%s has no TRACE MICROSTATES; msa=y writes them, with cpu=times or "
		        "cpu=samples",
		        console_shown(view->request->input_name).text);
		return false;
	}
	view->sections++;
	bool good = state_table_write(&view->content, selection->last, selection->top, view->output,
	                              &no_memory);
	return no_memory ? text_view_out_of_memory() : good;
}
