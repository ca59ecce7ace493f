/*
 * part_tree.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "report/cost_text.h"
#include "report/section_names.h"
#include "report/tree_text.h"

bool view_part_tree(struct text_view *view, enum section_kind kind)
{
	const struct profile_selection *selection = &view->selected.request->selection;
	const struct tree_text text = {.kind = kind,
	                               .is_inverted = selection->inverted,
	                               .least_share = selection->least_share};
	struct byte_buffer *out = &view->output->text;
	struct stack_tree tree;
	bool good =
	        selected_profile_tree(&view->selected, kind, &tree) || text_view_out_of_memory();

	if (good) {
		text_view_begin_part(view);
		output_title(view->output, section_name_of_kind(kind)->title);
		byte_buffer_add_text(out, ": ");
		cost_add_text(out, kind, tree.nodes[0].total, 0);
		byte_buffer_printf(out, " %s\n", cost_unit(kind));
		good = stack_tree_write_text(&tree, &text, view->output);
	}
	stack_tree_free(&tree);
	return good;
}
