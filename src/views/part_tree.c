/*
 * part_tree.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "report/cost_text.h"
#include "report/section_names.h"
#include "report/stack_tree.h"
#include "report/tree_text.h"

bool view_part_tree(struct text_view *view, enum section_kind kind)
{
	const struct profile_selection *selection = &view->request->selection;
	struct stack_tree tree;
	struct tree_visitor visitor;
	bool good = stack_tree_init(&tree);

	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = false;
	visitor.kind = kind;
	visitor.last = selection->last;
	visitor.threads = selection->threads;
	visitor.inverted = selection->inverted;
	if (!good || !report_content_visit(&view->content, &visitor.base) ||
	    !tree_visitor_finish(&visitor, &view->profile)) {
		good = text_view_out_of_memory();
	} else {
		const struct tree_text text = {.kind = kind,
		                               .is_inverted = selection->inverted,
		                               .least_share = selection->least_share};
		struct byte_buffer *out = &view->output->text;
		text_view_begin_part(view);
		output_title(view->output, section_name_of_kind(kind)->title);
		byte_buffer_add_text(out, ": ");
		cost_add_text(out, kind, tree.nodes[0].total, 0);
		byte_buffer_printf(out, " %s\n", cost_unit(kind));
		good = stack_tree_write_text(&tree, &text, view->output);
	}
	tree_visitor_free(&visitor);
	stack_tree_free(&tree);
	return good;
}
