/*
 * part_tables.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "report/facts.h"
#include "report/report_table.h"

/* Frames of a row in the tables after the summary. */
enum { FRAMES_SHOWN = 16 };

/* Facts are in the summary; in the tables alone they are notes like others. */
static bool is_in_summary(const struct text_view *view, const struct string *note)
{
	return view->selected.request->selection.view == VIEW_ALL &&
	       facts_has_note(note->text, note->length);
}

bool view_part_tables(struct text_view *view)
{
	struct table_visitor visitor;
	bool good = true;

	table_visitor_init(&visitor, view->output, view->selected.request->selection.top);
	visitor.frames_max = view->selected.request->selection.view == VIEW_ALL ? FRAMES_SHOWN : 0;
	if (view->sections > 0)
		byte_buffer_add_u1(&view->output->text, '\n');
	for (size_t i = 0; i < view->selected.content.count && good; i++) {
		const struct content_item *item = &view->selected.content.items[i];
		if (item->note != NULL && is_in_summary(view, item->note))
			continue;
		if (item->note != NULL)
			good = visitor.base.note(&visitor.base, item->note->text,
			                         item->note->length);
		else if (selected_profile_has(&view->selected, i))
			good = visitor.base.section(&visitor.base, &view->selected.profile,
			                            &item->section);
	}
	view->sections += visitor.sections;
	return good;
}
