/*
 * difference.c: see difference.h.
 */
#include "gate/difference.h"

#include "hprof/text_titles.h"

#include <stdlib.h>

const struct difference_name difference_names[DIFFERENCE_KINDS] = {
        [DIFFERENCE_SAMPLES] = {"samples", TEXT_CPU_SAMPLES, "samples", "method", SECTION_SAMPLES},
        [DIFFERENCE_TIMES] = {"times", TEXT_CPU_TIME, "ns", "method", SECTION_TIMES},
        [DIFFERENCE_CALLS] = {"calls", "CALLS", "calls", "method", SECTION_TIMES},
        [DIFFERENCE_OFF_CPU] = {"off-cpu", TEXT_OFF_CPU_TIME, "ns", "method", SECTION_OFF_CPU},
        [DIFFERENCE_SITES] = {"sites", TEXT_SITES, "bytes", "class", SECTION_SITES},
        [DIFFERENCE_MONITORS] = {"monitors", TEXT_MONITOR_TIME, "ns", "monitor", SECTION_MONITORS},
        [DIFFERENCE_HEAP] = {"heap", "HEAP", "bytes", "class", SECTION_HEAP},
};

bool difference_init(struct difference *difference)
{
	*difference = (struct difference){.strings = string_table_create()};
	bool good = difference->strings != NULL;
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		pairs_init(&difference->parts[i].values);
		good = stack_tree_init(&difference->parts[i].tree) && good;
	}
	return good;
}

void difference_free(struct difference *difference)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		pairs_free(&difference->parts[i].values);
		stack_tree_free(&difference->parts[i].tree);
	}
	if (difference->strings != NULL)
		string_table_destroy(difference->strings);
}

/* ---- reading ----------------------------------------------------------------------- */

/* Rows of classes as stacks of one name. */
static bool add_classes(struct difference_reader *reader, const struct report_section *section)
{
	struct stack_tree *tree = &reader->trees[DIFFERENCE_HEAP];

	/* A dump has the whole heap: the last one counts. */
	stack_tree_clear(tree);
	for (size_t i = 0; i < section->row_count; i++) {
		uint32_t node = stack_tree_child(tree, 0, section->rows[i].name);
		if (node == 0)
			return false;
		stack_tree_add(tree, node, section->rows[i].cost);
	}
	return true;
}

static bool visit_section(struct report_visitor *base, const struct report_profile *profile,
                          const struct report_section *section)
{
	struct difference_reader *reader = (struct difference_reader *)base;

	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		struct report_visitor *visitor = &reader->visitors[i].base;
		if (section->kind != difference_names[i].section)
			continue;
		reader->has[i] = true;
		bool good = section_has_stacks(section->kind)
		                    ? visitor->section(visitor, profile, section)
		                    : add_classes(reader, section);
		if (good)
			continue;
		reader->out_of_memory = true;
		return false;
	}
	return true;
}

bool difference_reader_init(struct difference_reader *reader, bool last, bool threads)
{
	bool good = true;

	*reader = (struct difference_reader){
	        .base = {.section = visit_section, .note = report_ignore_note}};
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		struct tree_visitor *visitor = &reader->visitors[i];
		good = stack_tree_init(&reader->trees[i]) && good;
		tree_visitor_init(visitor, &reader->trees[i]);
		visitor->any_kind = false;
		visitor->kind = difference_names[i].section;
		visitor->counts = i == DIFFERENCE_CALLS;
		visitor->last = last;
		visitor->threads = threads;
	}
	return good;
}

void difference_reader_free(struct difference_reader *reader)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		tree_visitor_free(&reader->visitors[i]);
		stack_tree_free(&reader->trees[i]);
	}
	name_map_free(&reader->names);
}

/* ---- merging ----------------------------------------------------------------------- */

/* Adds the nodes of a tree. places, by node of it, is scratch. */
static bool merge(struct difference *difference, struct difference_part *part, enum side side,
                  const struct stack_tree *tree, struct name_map *names, uint32_t *places)
{
	places[0] = 0;
	for (uint32_t i = 1; i < tree->count; i++) {
		const struct stack_node *node = &tree->nodes[i];
		const struct string *name = name_map_find(names, difference->strings, node->name);
		/* Parents come before their children. */
		places[i] = name == NULL
		                    ? 0
		                    : stack_tree_child(&part->tree, places[node->parent], name);
		if (places[i] == 0 || !pairs_add(&part->values, places[i], side, node->self))
			return false;
	}
	return true;
}

bool difference_add(struct difference *difference, enum side side, struct difference_reader *reader,
                    const struct report_profile *profile)
{
	difference->bytes = report_sum(difference->bytes, profile->facts.bytes);
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		struct stack_tree *tree = &reader->trees[i];
		struct difference_part *part = &difference->parts[i];
		if (!tree_visitor_finish(&reader->visitors[i], profile))
			return false;
		part->has[side] = reader->has[i];
		part->total[side] = tree->nodes[0].total;
		uint32_t *places = malloc((size_t)tree->count * sizeof(*places));
		bool good = places != NULL &&
		            merge(difference, part, side, tree, &reader->names, places);
		free(places);
		if (!good)
			return false;
	}
	return true;
}

/* ---- uses -------------------------------------------------------------------------- */

static void normalize(struct difference_part *part)
{
	uint64_t old_total = part->total[SIDE_OLD];
	if (old_total == 0)
		return;
	double factor = (double)part->total[SIDE_NEW] / (double)old_total;
	for (uint32_t i = 0; i < part->values.capacity; i++) {
		uint64_t *value = &part->values.pairs[i].of[SIDE_OLD];
		double scaled = (double)*value * factor + 0.5;
		*value = scaled >= (double)UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
	}
	part->total[SIDE_OLD] = part->total[SIDE_NEW];
}

void difference_normalize(struct difference *difference)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++)
		normalize(&difference->parts[i]);
}

static bool has_both(const struct difference_part *part)
{
	return part->has[SIDE_OLD] && part->has[SIDE_NEW];
}

struct difference_part *difference_find(struct difference *difference, enum difference_kind kind,
                                        enum difference_kind *found)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		bool chosen = kind == DIFFERENCE_KINDS
		                      ? section_has_stacks(difference_names[i].section)
		                      : i == (int)kind;
		if (chosen && has_both(&difference->parts[i])) {
			*found = (enum difference_kind)i;
			return &difference->parts[i];
		}
	}
	return NULL;
}

void difference_set_costs(struct difference_part *part, bool both)
{
	for (uint32_t node = 1; node < part->tree.count; node++) {
		struct pair pair = pairs_get(&part->values, node);
		uint64_t cost =
		        both ? report_sum(pair.of[SIDE_OLD], pair.of[SIDE_NEW]) : pair.of[SIDE_NEW];
		if (cost > 0)
			stack_tree_add(&part->tree, node, cost);
	}
	stack_tree_sum(&part->tree);
}
