/*
 * difference_export.c: see difference_export.h.
 */
#include "gate/difference_export.h"

#include "export/collapsed.h"
#include "export/flame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TITLE_MAX = 160 };

bool difference_write_collapsed(struct difference_part *part, struct output *output)
{
	uint32_t *order = NULL;
	uint32_t count = 0;

	difference_set_costs(part, true);
	uint32_t *path = malloc((size_t)collapsed_path_length(&part->tree) * sizeof(*path));
	bool good = path != NULL && stack_tree_order(&part->tree, &order, &count);
	if (!good)
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
	for (uint32_t i = 0; i < count && good; i++) {
		struct pair pair = pairs_get(&part->values, order[i]);
		if (pair.of[SIDE_OLD] == 0 && pair.of[SIDE_NEW] == 0)
			continue;
		good = collapsed_add_stack(output, &part->tree, order[i], path);
		byte_buffer_printf(&output->text, " %" PRIu64 " %" PRIu64 "\n", pair.of[SIDE_OLD],
		                   pair.of[SIDE_NEW]);
		good = good && output_continue(output);
	}
	free(order);
	free(path);
	return good;
}

/* Old totals by node, with those of descendants; the caller frees them. NULL when out of memory. */
static uint64_t *old_totals(const struct difference_part *part)
{
	const struct stack_tree *tree = &part->tree;
	uint64_t *totals = calloc(tree->count, sizeof(*totals));

	/* Children come after their parents. */
	for (uint32_t node = tree->count; totals != NULL && node-- > 1;) {
		uint64_t *parent = &totals[tree->nodes[node].parent];
		totals[node] =
		        report_sum(totals[node], pairs_get(&part->values, node).of[SIDE_OLD]);
		*parent = report_sum(*parent, totals[node]);
	}
	return totals;
}

bool difference_write_flame(struct difference_part *part, const struct difference_name *name,
                            struct output *output)
{
	char title[TITLE_MAX];
	uint64_t *totals = old_totals(part);

	if (totals == NULL) {
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
		return false;
	}
	(void)snprintf(title, sizeof(title),
	               "%s: from %" PRIu64 " to %" PRIu64 " %s; red grew, blue shrank", name->title,
	               part->total[SIDE_OLD], part->total[SIDE_NEW], name->unit);
	difference_set_costs(part, false);
	bool good = stack_tree_write_flame(&part->tree, totals, title, name->unit, output);
	free(totals);
	return good;
}
