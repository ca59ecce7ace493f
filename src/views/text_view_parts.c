/*
 * text_view_parts.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "console/messages.h"

bool text_view_out_of_memory(void)
{
	(void)console_failed("out of memory");
	return false;
}

bool text_view_selects(const struct text_view *view, size_t item)
{
	const struct profile_selection *selection = &view->request->selection;
	const struct content_item *items = view->content.items;

	return items[item].note == NULL &&
	       (!selection->kind_given || items[item].section.kind == selection->kind) &&
	       !(selection->last && report_content_is_replaced(&view->content, item, true));
}

bool text_view_has_kind(const struct text_view *view, enum section_kind kind)
{
	for (size_t i = 0; i < view->content.count; i++) {
		if (text_view_selects(view, i) && view->content.items[i].section.kind == kind)
			return true;
	}
	return false;
}

void text_view_begin_part(struct text_view *view)
{
	if (view->sections++ > 0 || view->output->text.length > 0)
		byte_buffer_add_u1(&view->output->text, '\n');
}
