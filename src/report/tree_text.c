/*
 * tree_text.c: see tree_text.h.
 */
#include "report/tree_text.h"

#include "report/cost_text.h"
#include "report/shares.h"
#include "report/shown_name.h"
#include "report/tree_lines.h"

#include <inttypes.h>

enum { COST_WIDTH = 14 };

static void add_line(const struct stack_tree *tree, const struct tree_text *text,
                     const struct tree_line *line, struct output *output)
{
	struct byte_buffer *out = &output->text;
	const struct stack_node *node = &tree->nodes[line->node];
	const uint64_t all = tree->nodes[0].total;

	share_add_text(out, share_of(line->cost, all));
	/* Inverted, it would be the cost of a stack's outermost frame. */
	if (!text->is_inverted)
		cost_add_own_share(output, share_of(line->others > 0 ? 0 : node->self, all));
	byte_buffer_add_u1(out, ' ');
	cost_add_text(out, text->kind, line->cost, COST_WIDTH);
	/* The mark of a branch is at the indentation of its parent's name. */
	byte_buffer_printf(out, " %*s", (int)line->indent, line->is_branch ? "+ " : "");
	if (line->others > 0)
		byte_buffer_printf(out, "(%" PRIu32 " smaller)", line->others);
	else if (node->name == NULL)
		byte_buffer_add_text(out, "all");
	else
		shown_name_add(output, node->name, 0);
	byte_buffer_add_u1(out, '\n');
}

bool stack_tree_write_text(const struct stack_tree *tree, const struct tree_text *text,
                           struct output *output)
{
	struct tree_lines lines;
	struct tree_line line;
	bool good = tree_lines_begin(&lines, tree, text->least_share);

	if (!good)
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
	byte_buffer_printf(&output->text, "  total%s %*s stack\n",
	                   text->is_inverted ? "" : "    self", COST_WIDTH, cost_unit(text->kind));
	while (good && tree_lines_next(&lines, &line)) {
		add_line(tree, text, &line, output);
		good = output_continue(output);
	}
	tree_lines_free(&lines);
	return good;
}
