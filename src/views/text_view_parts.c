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

void text_view_begin_part(struct text_view *view)
{
	if (view->sections++ > 0 || view->output->text.length > 0)
		byte_buffer_add_u1(&view->output->text, '\n');
}
