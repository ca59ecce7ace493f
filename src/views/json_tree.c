/*
 * json_tree.c: see json_parts.h. Nodes are a list with their depths: the depth of a stack in a
 * hostile file has no limit, but readers of JSON have one for nested values.
 */
#include "views/json_parts.h"

#include "report/section_names.h"
#include "report/shares.h"
#include "report/tree_lines.h"

static void add_line(struct json_stream *json, const struct stack_tree *tree,
                     const struct tree_line *line)
{
	const struct stack_node *node = &tree->nodes[line->node];
	const uint64_t all = tree->nodes[0].total;

	json_stream_open_object(json, NULL);
	json_stream_add_number(json, "depth", node->depth + (line->others > 0));
	if (line->others > 0)
		json_stream_add_number(json, "smaller", line->others);
	else if (node->name == NULL)
		json_stream_add_words(json, "name", "all");
	else
		json_stream_add_string(json, "name", node->name);
	if (line->others == 0)
		json_stream_add_number(json, "self", node->self);
	json_stream_add_number(json, "total", line->cost);
	if (line->others == 0)
		json_add_percent(json, "self_percent", share_of(node->self, all));
	json_add_percent(json, "total_percent", share_of(line->cost, all));
	json_stream_close(json);
}

static void add_tree(struct json_view *view, const struct stack_tree *tree,
                     const struct section_name *name)
{
	const struct profile_selection *selection = &view->selected.request->selection;
	struct json_stream *json = &view->json;
	struct tree_lines lines;
	struct tree_line line;

	view->sections++;
	json_stream_open_object(json, NULL);
	json_stream_add_words(json, "of", name->word);
	json_stream_add_words(json, "title", name->title);
	json_stream_add_words(json, "unit", name->unit);
	json_stream_add_number(json, "total", tree->nodes[0].total);
	json_stream_add(json, "inverted", json_boolean(selection->inverted));
	json_stream_open_array(json, "rows");
	if (!tree_lines_begin(&lines, tree, selection->least_share))
		byte_buffer_fail(&json->output->text, BYTES_NO_MEMORY);
	while (json_stream_is_good(json) && tree_lines_next(&lines, &line))
		add_line(json, tree, &line);
	tree_lines_free(&lines);
	json_stream_close(json);
	json_stream_close(json);
}

void json_part_tree(struct json_view *view, enum section_kind kind)
{
	struct stack_tree tree;

	if (selected_profile_tree(&view->selected, kind, &tree))
		add_tree(view, &tree, section_name_of_kind(kind));
	else
		byte_buffer_fail(&view->json.output->text, BYTES_NO_MEMORY);
	stack_tree_free(&tree);
}
