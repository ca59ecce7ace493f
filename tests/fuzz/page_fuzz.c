/*
 * libFuzzer harness of the page that `hprof report -o x.html` writes of a profile, text or binary:
 * whatever could be read of it becomes a page, whose data keeps what the page's script relies on.
 * `make fuzz` builds and runs it.
 */
#include "reading.h"

#include "page/page.h"

/* Nodes are in preorder, with the root alone at depth 0. */
static void check_tree(const struct page_data *data)
{
	const struct stack_node *nodes = data->tree.nodes;

	require(data->node_count > 0 && data->order[0] == 0);
	for (uint32_t i = 1; i < data->node_count; i++) {
		require(nodes[data->order[i]].depth > 0);
		require(nodes[data->order[i]].depth <= nodes[data->order[i - 1]].depth + 1);
		require(data->self[PAGE_NEW][i] <= data->total[PAGE_NEW][i]);
		require(data->self[PAGE_OLD][i] <= data->total[PAGE_OLD][i]);
	}
}

/* Entries are at nodes and threads that exist, and sorted. */
static void check_set(const struct page_data *data, const struct page_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct page_place *place = &set->entries[i].place;
		require(place->node > 0 && place->node < data->node_count);
		require(place->thread <= data->thread_count);
		require(i == 0 || place->node >= set->entries[i - 1].place.node);
	}
}

static void check_data(const struct page_data *data)
{
	check_tree(data);
	for (size_t kind = 0; kind < PAGE_SETS; kind++)
		check_set(data, &data->sets[kind]);
	require(data->used_thread_count <= data->thread_count);
	for (size_t i = 0; i < data->moment_count; i++)
		require(data->moments[i].ms < data->bucket_count);
	for (size_t i = 0; i < data->list_count; i++) {
		const struct page_list *list = &data->lists[i];
		for (size_t line = 0; list->lines != NULL && line < list->count; line++)
			require(list->lines[line].node < data->node_count);
	}
}

static void read_input(const uint8_t *data, size_t size, struct report_profile *profile,
                       struct page_visitor *visitor)
{
	struct input *input = input_of(data, size);
	struct report_error error;

	(void)reader_of(data, size)(input_source(input), profile, &visitor->base, &error);
	input_close(input);
}

static void check_page(struct page_visitor *visitor, const struct report_profile *profile)
{
	struct output output;

	open_nowhere(&output);
	require(page_write(visitor, profile, "name", &output));
	check_data(&visitor->data);
	require(output_close(&output, true));
}

/* The page of the input, and that of its parts as two profiles, which the last byte separates. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct page_selection all = {.last = false};
	static const struct page_selection some = {.last = true, .threads = true};
	size_t part = size == 0 ? 0 : size * data[size - 1] / UINT8_MAX;
	struct report_profile profile;
	struct report_profile old;
	struct page_visitor visitor;

	require(report_profile_init(&profile) && page_visitor_init(&visitor, &profile, &all));
	read_input(data, size, &profile, &visitor);
	check_page(&visitor, &profile);
	page_visitor_free(&visitor);
	report_profile_free(&profile);

	require(report_profile_init(&profile) && report_profile_init(&old) &&
	        page_visitor_init(&visitor, &profile, &some));
	page_visitor_begin_old(&visitor, &old, "old", false);
	read_input(data, part, &old, &visitor);
	page_visitor_begin_new(&visitor);
	read_input(data, size, &profile, &visitor);
	check_page(&visitor, &profile);
	page_visitor_free(&visitor);
	report_profile_free(&profile);
	report_profile_free(&old);
	return 0;
}
