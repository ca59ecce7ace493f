/*
 * difference_rows.c: see difference_rows.h.
 */
#include "gate/difference_rows.h"

#include <stdlib.h>
#include <string.h>

static int by_change(const void *one, const void *other)
{
	const struct difference_row *a = one;
	const struct difference_row *b = other;
	uint64_t a_change = pair_change(a->pair);
	uint64_t b_change = pair_change(b->pair);
	if (a_change != b_change)
		return a_change > b_change ? -1 : 1;
	int order = strcmp(a->name->text, b->name->text);
	return order != 0 ? order : a->node < b->node ? -1 : a->node > b->node;
}

static bool has_value(struct pair pair)
{
	return pair.of[SIDE_OLD] > 0 || pair.of[SIDE_NEW] > 0;
}

/* A row for each stack with a value. */
static bool collect_stacks(const struct difference_part *part, struct difference_rows *rows)
{
	const struct stack_tree *tree = &part->tree;

	rows->count = 0;
	rows->rows = malloc((size_t)tree->count * sizeof(*rows->rows));
	if (rows->rows == NULL)
		return false;
	for (uint32_t node = 1; node < tree->count; node++) {
		struct pair pair = pairs_get(&part->values, node);
		if (has_value(pair))
			rows->rows[rows->count++] =
			        (struct difference_row){tree->nodes[node].name, node, pair};
	}
	return true;
}

/* Adds up rows with the same name. */
static bool join_names(struct difference_rows *rows)
{
	struct address_map places; /* by string id: index in rows, plus 1 */
	size_t count = 0;
	bool good = true;

	address_map_init(&places);
	for (size_t i = 0; i < rows->count && good; i++) {
		struct difference_row row = rows->rows[i];
		const uint64_t *place = address_map_find(&places, row.name->id);
		if (place == NULL) {
			row.node = 0;
			rows->rows[count++] = row;
			good = address_map_set(&places, row.name->id, count);
			continue;
		}
		struct pair *sum = &rows->rows[*place - 1].pair;
		for (int side = 0; side < SIDES; side++)
			sum->of[side] = report_sum(sum->of[side], row.pair.of[side]);
	}
	address_map_free(&places);
	rows->count = count;
	return good;
}

static void sort(struct difference_rows *rows)
{
	if (rows->count > 0)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), by_change);
}

bool difference_rows_by_name(struct difference_rows *rows, const struct difference_part *part)
{
	bool good = collect_stacks(part, rows) && join_names(rows);

	if (good)
		sort(rows);
	return good;
}

bool difference_rows_by_stack(struct difference_rows *rows, const struct difference_part *part)
{
	bool good = collect_stacks(part, rows);

	if (good)
		sort(rows);
	return good;
}

void difference_rows_free(struct difference_rows *rows)
{
	free(rows->rows);
}
