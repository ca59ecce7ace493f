/*
 * collapsed.c: writes a stack tree as collapsed stacks, one line each, a format that many
 * programs read.
 */
#include "export/collapsed.h"

#include "hprof/text_parts.h"

#include <inttypes.h>
#include <stdlib.h>

/* A semicolon separates frames; in a name it becomes a comma. */
static void add_frame(struct byte_buffer *out, const struct string *name)
{
	size_t start = out->length;
	text_add_name(out, name);
	for (size_t i = start; i < out->length; i++) {
		if (out->bytes[i] == ';')
			out->bytes[i] = ',';
	}
}

/* A number at the end of the last name, after a blank, would be read as another cost: the blank
 * becomes an underscore. */
static void keep_number_in_name(struct byte_buffer *out, size_t start)
{
	size_t at = out->length;
	while (at > start && ((out->bytes[at - 1] >= '0' && out->bytes[at - 1] <= '9') ||
	                      out->bytes[at - 1] == '.'))
		at--;
	if (at > start && at < out->length && out->bytes[at - 1] == ' ')
		out->bytes[at - 1] = '_';
}

bool collapsed_add_stack(struct output *output, const struct stack_tree *tree, uint32_t node,
                         uint32_t *path)
{
	struct byte_buffer *out = &output->text;
	uint32_t depth = tree->nodes[node].depth;
	for (uint32_t i = depth; i > 0; i--) {
		path[i - 1] = node;
		node = tree->nodes[node].parent;
	}
	for (uint32_t i = 0; i < depth; i++) {
		if (i > 0)
			byte_buffer_add_u1(out, ';');
		size_t start = out->length;
		add_frame(out, tree->nodes[path[i]].name);
		if (i == depth - 1)
			keep_number_in_name(out, start);
		if (!output_continue(output))
			return false;
	}
	return true;
}

uint32_t collapsed_path_length(const struct stack_tree *tree)
{
	uint32_t depth = 1;
	for (uint32_t i = 0; i < tree->count; i++) {
		if (tree->nodes[i].depth > depth)
			depth = tree->nodes[i].depth;
	}
	return depth;
}

bool stack_tree_write_collapsed(const struct stack_tree *tree, struct output *output)
{
	uint32_t *order = NULL;
	uint32_t count = 0;
	uint32_t *path = malloc((size_t)collapsed_path_length(tree) * sizeof(*path));
	bool good = path != NULL && stack_tree_order(tree, &order, &count);

	if (!good)
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
	for (uint32_t i = 0; i < count && good; i++) {
		const struct stack_node *node = &tree->nodes[order[i]];
		if (node->self == 0)
			continue;
		good = collapsed_add_stack(output, tree, order[i], path);
		byte_buffer_printf(&output->text, " %" PRIu64 "\n", node->self);
		good = good && output_continue(output);
	}
	free(order);
	free(path);
	return good;
}
