/*
 * page_methods.c: see page_methods.h.
 */
#include "page/page_methods.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* By how much the sides differ; the cost of the new one if it is alone. */
static uint64_t difference(const uint64_t costs[PAGE_SIDES])
{
	return costs[PAGE_NEW] > costs[PAGE_OLD] ? costs[PAGE_NEW] - costs[PAGE_OLD]
	                                         : costs[PAGE_OLD] - costs[PAGE_NEW];
}

static int by_self(const void *one, const void *other)
{
	const struct page_method *a = one;
	const struct page_method *b = other;
	uint64_t a_self = difference(a->self);
	uint64_t b_self = difference(b->self);
	uint64_t a_total = difference(a->total);
	uint64_t b_total = difference(b->total);
	if (a_self != b_self)
		return a_self > b_self ? -1 : 1;
	if (a_total != b_total)
		return a_total > b_total ? -1 : 1;
	return strcmp(a->name->text, b->name->text);
}

struct counting {
	const struct page_data *data;
	struct address_map places; /* by id of a name: its place in methods */
	struct page_method *methods;
	size_t count;
	size_t capacity;
	size_t *path; /* by depth: the place of the method; for the deepest stack */
};

/* The place of a method, added if it is new; SIZE_MAX when out of memory. */
static size_t place_of(struct counting *counting, const struct string *name)
{
	const uint64_t *found = address_map_find(&counting->places, name->id);

	if (found != NULL)
		return (size_t)*found;
	if (!array_grow(&counting->methods, &counting->capacity, counting->count,
	                sizeof(*counting->methods)) ||
	    !address_map_set(&counting->places, name->id, counting->count))
		return SIZE_MAX;
	counting->methods[counting->count] = (struct page_method){.name = name};
	return counting->count++;
}

static void add(uint64_t *sum, uint64_t cost)
{
	*sum = report_sum(*sum, cost);
}

/* Walks the nodes in preorder; path has the methods of the node's ancestors. */
static bool count_nodes(struct counting *counting)
{
	const struct page_data *data = counting->data;
	uint32_t height = 1;

	for (uint32_t i = 1; i < data->node_count; i++) {
		const struct stack_node *node = &data->tree.nodes[data->order[i]];
		size_t place = place_of(counting, node->name);
		if (place == SIZE_MAX)
			return false;
		while (height > node->depth)
			counting->methods[counting->path[--height]].active--;
		struct page_method *method = &counting->methods[place];
		bool outermost = method->active++ == 0;
		for (size_t side = 0; side < PAGE_SIDES; side++) {
			add(&method->self[side], data->self[side][i]);
			if (outermost)
				add(&method->total[side], data->total[side][i]);
		}
		counting->path[height++] = place;
	}
	return true;
}

static uint32_t deepest(const struct page_data *data)
{
	uint32_t depth = 0;
	for (uint32_t i = 0; i < data->tree.count; i++) {
		if (data->tree.nodes[i].depth > depth)
			depth = data->tree.nodes[i].depth;
	}
	return depth;
}

/* Methods of other sections alone have no cost here. */
static void leave_out_without_cost(struct counting *counting)
{
	size_t kept = 0;
	for (size_t i = 0; i < counting->count; i++) {
		const struct page_method *method = &counting->methods[i];
		if (method->total[PAGE_OLD] > 0 || method->total[PAGE_NEW] > 0)
			counting->methods[kept++] = *method;
	}
	counting->count = kept;
}

bool page_methods_count(const struct page_data *data, struct page_method **methods, size_t *count)
{
	struct counting counting = {.data = data};

	address_map_init(&counting.places);
	counting.path = calloc((size_t)deepest(data) + 2, sizeof(*counting.path));
	bool good = counting.path != NULL && count_nodes(&counting);
	leave_out_without_cost(&counting);
	if (good && counting.count > 0)
		qsort(counting.methods, counting.count, sizeof(*counting.methods), by_self);
	free(counting.path);
	address_map_free(&counting.places);
	*methods = counting.methods;
	*count = counting.count;
	return good;
}
