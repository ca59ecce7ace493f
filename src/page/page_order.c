/*
 * page_order.c: page_data_finish(): numbers the nodes in preorder, sorts and merges the entries.
 * No function is recursive: the depth of a stack in a hostile file has no limit.
 */
#include "page/page_data.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Most buckets of time: the page has an array of them. */
enum { BUCKETS_MAX = 16384 };

/* ---- the order of nodes ------------------------------------------------------------ */

struct ordering {
	struct page_data *data;
	uint64_t *self[PAGE_SIDES];  /* by node: costs of the primary set */
	uint64_t *total[PAGE_SIDES]; /* and including descendants */
	bool *used;                  /* by node: has an entry at it or below it */
	uint32_t *place;             /* by node: place in the order */
	struct child {
		uint32_t node;
		uint64_t total;
		const char *name;
	} * stack;
};

/* Adds up the costs of the primary set. Parents precede children. */
static void add_up(struct ordering *ordering, enum page_side side)
{
	const struct page_data *data = ordering->data;
	const struct page_set *primary =
	        data->primary == PAGE_SETS ? NULL : &data->sets[data->primary];
	uint64_t *self = ordering->self[side];
	uint64_t *total = ordering->total[side];

	for (size_t i = 0; primary != NULL && i < primary->count; i++) {
		const struct page_entry *entry = &primary->entries[i];
		uint64_t *at = &self[entry->place.node];
		*at = report_sum(*at, entry->values[side][0]);
	}
	for (uint32_t node = data->tree.count; node-- > 0;) {
		uint32_t parent = data->tree.nodes[node].parent;
		total[node] = report_sum(total[node], self[node]);
		if (node != 0)
			total[parent] = report_sum(total[parent], total[node]);
	}
}

static void mark_used(struct ordering *ordering)
{
	const struct page_data *data = ordering->data;

	ordering->used[0] = true;
	for (size_t kind = 0; kind < PAGE_SETS; kind++) {
		for (size_t i = 0; i < data->sets[kind].count; i++)
			ordering->used[data->sets[kind].entries[i].place.node] = true;
	}
	for (size_t i = 0; i < data->list_count; i++) {
		const struct page_list *list = &data->lists[i];
		for (size_t line = 0; list->lines != NULL && line < list->count; line++)
			ordering->used[list->lines[line].node] = true;
	}
	for (uint32_t node = data->tree.count; node-- > 1;) {
		if (ordering->used[node])
			ordering->used[data->tree.nodes[node].parent] = true;
	}
}

/* In reverse order: the last one pushed is the first one popped. */
static int by_total(const void *one, const void *other)
{
	const struct child *a = one;
	const struct child *b = other;
	if (a->total != b->total)
		return a->total < b->total ? -1 : 1;
	int order = strcmp(b->name, a->name);
	if (order != 0)
		return order;
	return a->node < b->node ? 1 : -1;
}

static uint32_t push_children(const struct ordering *ordering, uint32_t parent, uint32_t height)
{
	const struct stack_node *nodes = ordering->data->tree.nodes;
	uint32_t first = height;

	for (uint32_t node = nodes[parent].first_child; node != 0; node = nodes[node].sibling) {
		if (ordering->used[node])
			ordering->stack[height++] = (struct child){
			        node, ordering->total[PAGE_NEW][node], nodes[node].name->text};
	}
	if (height > first + 1)
		qsort(ordering->stack + first, height - first, sizeof(*ordering->stack), by_total);
	return height;
}

static void number_nodes(struct ordering *ordering)
{
	struct page_data *data = ordering->data;
	uint32_t height = 0;
	uint32_t node = 0;

	for (;;) {
		for (size_t side = 0; side < PAGE_SIDES; side++) {
			data->self[side][data->node_count] = ordering->self[side][node];
			data->total[side][data->node_count] = ordering->total[side][node];
		}
		ordering->place[node] = data->node_count;
		data->order[data->node_count++] = node;
		height = push_children(ordering, node, height);
		if (height == 0)
			return;
		node = ordering->stack[--height].node;
	}
}

/* ---- threads -------------------------------------------------------------------- */

/* Replaces a serial number by the index of the thread, plus 1. */
static bool number_thread(struct page_data *data, struct address_map *indexes, uint32_t *serial)
{
	const uint64_t *found = address_map_find(indexes, *serial);

	if (*serial == 0)
		return true;
	if (found != NULL) {
		*serial = (uint32_t)*found;
		return true;
	}
	if (!array_grow(&data->threads, &data->thread_capacity, data->thread_count,
	                sizeof(*data->threads)))
		return false;
	data->threads[data->thread_count++] = *serial;
	if (!address_map_set(indexes, *serial, data->thread_count))
		return false;
	*serial = (uint32_t)data->thread_count;
	return true;
}

/* Numbers the threads in a line of a monitor dump: "THREAD 7", "thread 7". */
static bool number_threads_of_line(struct page_data *data, struct address_map *indexes,
                                   const struct string *line)
{
	static const char *const marks[] = {"THREAD ", "thread "};
	const char *at = line->text;
	const char *end = line->text + line->length;

	for (; end - at > (ptrdiff_t)strlen(marks[0]); at++) {
		uint32_t serial = 0;
		if (memcmp(at, marks[0], strlen(marks[0])) != 0 &&
		    memcmp(at, marks[1], strlen(marks[1])) != 0)
			continue;
		for (at += strlen(marks[0]); at < end && *at >= '0' && *at <= '9'; at++)
			serial = serial * 10 + (uint32_t)(*at - '0');
		if (!number_thread(data, indexes, &serial))
			return false;
	}
	return true;
}

static bool number_threads_of_lists(struct page_data *data, struct address_map *indexes)
{
	for (size_t i = 0; i < data->list_count; i++) {
		const struct page_list *list = &data->lists[i];
		for (size_t line = 0; list->lines != NULL && line < list->count; line++) {
			if (!number_threads_of_line(data, indexes, list->lines[line].text))
				return false;
		}
	}
	return true;
}

/* Threads of stacks and of states first, then those that only a dump names. */
static bool number_threads(struct page_data *data)
{
	struct address_map indexes;
	bool good = true;

	address_map_init(&indexes);
	for (size_t kind = 0; kind < PAGE_SETS; kind++) {
		for (size_t i = 0; good && i < data->sets[kind].count; i++)
			good = number_thread(data, &indexes,
			                     &data->sets[kind].entries[i].place.thread);
	}
	for (size_t i = 0; good && i < data->state_thread_count; i++)
		good = number_thread(data, &indexes, &data->states[i].thread);
	data->used_thread_count = data->thread_count;
	for (size_t i = 0; good && i < data->stack_count; i++)
		good = number_thread(data, &indexes, &data->stacks[i].thread);
	good = good && number_threads_of_lists(data, &indexes);
	address_map_free(&indexes);
	return good;
}

/* ---- entries --------------------------------------------------------------------- */

static int by_place(const struct page_place *a, const struct page_place *b)
{
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return 0;
}

static int by_entry(const void *one, const void *other)
{
	return by_place(&((const struct page_entry *)one)->place,
	                &((const struct page_entry *)other)->place);
}

static void add_values(uint64_t sums[PAGE_VALUES_MAX], const uint64_t values[PAGE_VALUES_MAX])
{
	for (size_t value = 0; value < PAGE_VALUES_MAX; value++)
		sums[value] = report_sum(sums[value], values[value]);
}

static void sort_entries(struct page_set *set, const uint32_t *places)
{
	size_t kept = 0;

	if (set->count == 0)
		return;
	for (size_t i = 0; i < set->count; i++)
		set->entries[i].place.node = places[set->entries[i].place.node];
	qsort(set->entries, set->count, sizeof(*set->entries), by_entry);
	for (size_t i = 1; i < set->count; i++) {
		struct page_entry *last = &set->entries[kept];
		const struct page_entry *entry = &set->entries[i];
		if (by_entry(last, entry) != 0) {
			set->entries[++kept] = *entry;
			continue;
		}
		add_values(last->values[PAGE_NEW], entry->values[PAGE_NEW]);
		add_values(last->values[PAGE_OLD], entry->values[PAGE_OLD]);
	}
	set->count = kept + 1;
}

/* ---- times ------------------------------------------------------------------------ */

static int by_moment(const void *one, const void *other)
{
	const struct page_moment *a = one;
	const struct page_moment *b = other;
	int order = by_place(&a->place, &b->place);
	if (order != 0)
		return order;
	return a->ms == b->ms ? 0 : a->ms < b->ms ? -1 : 1;
}

/* Sets the first time, the width of a bucket, which may have to grow, and their number. */
static void set_buckets(struct page_data *data)
{
	uint64_t first = UINT64_MAX;
	uint64_t last = 0;

	for (size_t i = 0; i < data->moment_count; i++) {
		uint64_t ms = data->moments[i].ms;
		first = ms < first ? ms : first;
		last = ms > last ? ms : last;
	}
	while ((last - first) / data->bucket_ms >= BUCKETS_MAX)
		data->bucket_ms *= 2;
	data->start_ms = first;
	data->bucket_count = (last - first) / data->bucket_ms + 1;
}

/* The entry of the rest, to which samples without an entry of their own belong; NULL if none. */
static const struct page_entry *rest_of(const struct page_data *data)
{
	const struct page_set *set = &data->sets[PAGE_SAMPLES];

	for (size_t i = 0; i < set->count; i++) {
		uint32_t node = data->order[set->entries[i].place.node];
		const struct string *name = data->tree.nodes[node].name;
		if (name != NULL && strcmp(name->text, SECTION_REST_NAME) == 0)
			return &set->entries[i];
	}
	return NULL;
}

/* Sets the place of a moment; false if no entry has it. */
static bool place_moment(const struct page_data *data, const struct ordering *ordering,
                         const struct page_entry *rest, struct page_moment *moment)
{
	const struct page_set *set = &data->sets[PAGE_SAMPLES];
	const uint64_t *stack = address_map_find(&data->places, (uint64_t)moment->trace + 1);
	const struct page_entry *entry = NULL;

	if (stack != NULL && ordering->used[data->stacks[*stack].node]) {
		struct page_entry key = {.place = data->stacks[*stack]};
		key.place.node = ordering->place[key.place.node];
		entry = bsearch(&key, set->entries, set->count, sizeof(key), by_entry);
	}
	if (entry == NULL)
		entry = rest;
	if (entry != NULL)
		moment->place = entry->place;
	return entry != NULL;
}

static void sort_moments(struct page_data *data, const struct ordering *ordering)
{
	const struct page_entry *rest = rest_of(data);
	size_t kept = 0;

	if (data->moment_count == 0 || data->sets[PAGE_SAMPLES].count == 0) {
		data->moment_count = 0;
		return;
	}
	set_buckets(data);
	for (size_t i = 0; i < data->moment_count; i++) {
		struct page_moment moment = data->moments[i];
		moment.ms = (moment.ms - data->start_ms) / data->bucket_ms;
		if (place_moment(data, ordering, rest, &moment))
			data->moments[kept++] = moment;
	}
	if (kept > 0)
		qsort(data->moments, kept, sizeof(*data->moments), by_moment);
	data->moment_count = 0;
	for (size_t i = 0; i < kept; i++) {
		struct page_moment *last = &data->moments[data->moment_count];
		if (i > 0 && by_moment(last - 1, &data->moments[i]) == 0) {
			last[-1].samples = report_sum(last[-1].samples, data->moments[i].samples);
		} else {
			*last = data->moments[i];
			data->moment_count++;
		}
	}
}

/* ---- all --------------------------------------------------------------------------- */

static void renumber(struct page_data *data, struct ordering *ordering)
{
	number_nodes(ordering);
	for (size_t kind = 0; kind < PAGE_SETS; kind++)
		sort_entries(&data->sets[kind], ordering->place);
	for (size_t i = 0; i < data->list_count; i++) {
		struct page_list *list = &data->lists[i];
		for (size_t line = 0; list->lines != NULL && line < list->count; line++)
			list->lines[line].node = ordering->place[list->lines[line].node];
	}
	sort_moments(data, ordering);
}

/* Chooses the primary set, and drops sections that only one of two profiles has. */
static void choose_sets(struct page_data *data)
{
	for (size_t kind = PAGE_SETS; kind-- > 0;) {
		if (page_set_is_shown(data, (enum page_set_kind)kind))
			data->primary = (enum page_set_kind)kind;
		else
			data->sets[kind].count = 0;
	}
}

/* False when out of memory. */
static bool allocate(struct ordering *ordering)
{
	struct page_data *data = ordering->data;
	size_t count = data->tree.count;
	bool good = true;

	for (size_t side = 0; side < PAGE_SIDES; side++) {
		ordering->self[side] = calloc(count, sizeof(*ordering->self[side]));
		ordering->total[side] = calloc(count, sizeof(*ordering->total[side]));
		data->self[side] = malloc(count * sizeof(*data->self[side]));
		data->total[side] = malloc(count * sizeof(*data->total[side]));
		good = good && ordering->self[side] != NULL && ordering->total[side] != NULL &&
		       data->self[side] != NULL && data->total[side] != NULL;
	}
	ordering->used = calloc(count, sizeof(*ordering->used));
	ordering->place = calloc(count, sizeof(*ordering->place));
	ordering->stack = malloc(count * sizeof(*ordering->stack));
	data->order = malloc(count * sizeof(*data->order));
	return good && ordering->used != NULL && ordering->place != NULL &&
	       ordering->stack != NULL && data->order != NULL;
}

bool page_data_finish(struct page_data *data)
{
	struct ordering ordering = {.data = data};

	choose_sets(data);
	bool good = allocate(&ordering) && number_threads(data);
	if (good) {
		mark_used(&ordering);
		add_up(&ordering, PAGE_NEW);
		add_up(&ordering, PAGE_OLD);
		renumber(data, &ordering);
	}
	for (size_t side = 0; side < PAGE_SIDES; side++) {
		free(ordering.self[side]);
		free(ordering.total[side]);
	}
	free(ordering.used);
	free(ordering.place);
	free(ordering.stack);
	return good;
}
