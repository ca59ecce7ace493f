/*
 * page_columns.c: see page_columns.h.
 */
#include "page/page_columns.h"

#include "base/array.h"
#include "export/utf8_text.h"
#include "os/time_units.h"
#include "page/page_kinds.h"
#include "page/page_pack.h"

#include <stdlib.h>
#include <string.h>

/* script/data.js has both, too. */
enum { FORMAT_VERSION = 2, CLASS_FLAG = 8 };

struct packer {
	const struct page_data *data;
	const struct page_source *source;
	struct byte_buffer *out;
	struct address_map indexes; /* by id of a string: its index */
	const struct string **strings;
	size_t string_count;
	size_t string_capacity;
	size_t method_count; /* the first strings are names of frames */
};

/* ---- strings ------------------------------------------------------------------------ */

/* The index of a string, added if it is new; sets the error of out when out of memory. */
static uint64_t index_of(struct packer *packer, const struct string *string)
{
	const uint64_t *found =
	        string == NULL ? NULL : address_map_find(&packer->indexes, string->id);

	if (found != NULL)
		return *found;
	if (string == NULL ||
	    !array_grow(&packer->strings, &packer->string_capacity, packer->string_count,
	                sizeof(*packer->strings)) ||
	    !address_map_set(&packer->indexes, string->id, packer->string_count)) {
		byte_buffer_fail(packer->out, BYTES_NO_MEMORY);
		return 0;
	}
	packer->strings[packer->string_count] = string;
	return packer->string_count++;
}

static void pack_string(struct packer *packer, const struct string *string)
{
	pack_number(packer->out, index_of(packer, string));
}

/* 0 for NULL, or the index plus 1. */
static void pack_optional(struct packer *packer, const struct string *string)
{
	pack_number(packer->out, string == NULL ? 0 : index_of(packer, string) + 1);
}

static void pack_text(struct packer *packer, const char *text)
{
	pack_string(packer, string_table_intern(packer->data->strings, text, strlen(text)));
}

/* The same as pack_optional() for a string of another table. */
static void pack_foreign(struct packer *packer, const struct string *string)
{
	if (string == NULL)
		pack_number(packer->out, 0);
	else
		pack_number(packer->out,
		            index_of(packer, string_table_intern(packer->data->strings,
		                                                 string->text, string->length)) +
		                    1);
}

/* All strings, each with a NUL at its end: as UTF-8 text they have none. */
static void pack_strings(struct packer *packer)
{
	struct byte_buffer text;

	byte_buffer_init(&text);
	for (size_t i = 0; i < packer->string_count; i++) {
		utf8_add_text(&text, packer->strings[i]->text, packer->strings[i]->length);
		byte_buffer_add_u1(&text, 0);
	}
	pack_number(packer->out, packer->string_count);
	pack_number(packer->out, text.length);
	byte_buffer_add(packer->out, text.bytes, text.length);
	if (text.error != 0)
		byte_buffer_fail(packer->out, text.error);
	byte_buffer_free(&text);
}

/* ---- the tree --------------------------------------------------------------------------- */

struct method_use {
	const struct string *name;
	uint64_t nodes;
};

static int by_use(const void *one, const void *other)
{
	const struct method_use *a = one;
	const struct method_use *b = other;
	if (a->nodes != b->nodes)
		return a->nodes > b->nodes ? -1 : 1;
	return a->name->id < b->name->id ? -1 : 1;
}

/* Numbers the methods, those with the most nodes first, since small numbers are short. */
static void number_methods(struct packer *packer)
{
	const struct page_data *data = packer->data;
	struct method_use *uses = calloc((size_t)data->node_count, sizeof(*uses));
	struct address_map places;
	size_t count = 0;

	address_map_init(&places);
	for (uint32_t i = 1; uses != NULL && i < data->node_count; i++) {
		const struct string *name = data->tree.nodes[data->order[i]].name;
		const uint64_t *found = address_map_find(&places, name->id);
		size_t place = found == NULL ? count++ : (size_t)*found;
		if (found == NULL && !address_map_set(&places, name->id, place))
			byte_buffer_fail(packer->out, BYTES_NO_MEMORY);
		uses[place].name = name;
		uses[place].nodes++;
	}
	address_map_free(&places);
	if (uses == NULL)
		byte_buffer_fail(packer->out, BYTES_NO_MEMORY);
	else if (count > 0)
		qsort(uses, count, sizeof(*uses), by_use);
	for (size_t i = 0; uses != NULL && i < count; i++)
		(void)index_of(packer, uses[i].name);
	packer->method_count = packer->string_count;
	free(uses);
}

/* A node is its method and by how many levels it is above the child of the one before it. */
static void pack_tree(struct packer *packer)
{
	const struct page_data *data = packer->data;
	const struct stack_node *nodes = data->tree.nodes;

	pack_number(packer->out, data->node_count);
	for (uint32_t i = 1; i < data->node_count; i++)
		pack_string(packer, nodes[data->order[i]].name);
	for (uint32_t i = 1; i < data->node_count; i++)
		pack_number(packer->out,
		            nodes[data->order[i - 1]].depth + 1 - nodes[data->order[i]].depth);
}

/* The frame that has most of the costs of the primary set. */
static const struct string *outermost(const struct page_data *data)
{
	return data->node_count > 1 ? data->tree.nodes[data->order[1]].name : NULL;
}

static void pack_methods(struct packer *packer)
{
	const struct page_data *data = packer->data;
	struct page_application application;

	page_application_init(&application, packer->source->profile->facts.program,
	                      outermost(data));
	pack_number(packer->out, packer->method_count);
	for (size_t i = 0; i < packer->method_count; i++) {
		const struct string *name = packer->strings[i];
		bool native = address_map_find(&data->native, name->id) != NULL;
		bool is_class = address_map_find(&data->classes, name->id) != NULL;
		byte_buffer_add_u1(packer->out,
		                   (uint8_t)((unsigned)page_kind_of(&application, name, native) |
		                             (is_class ? CLASS_FLAG : 0)));
	}
}

/* ---- costs ------------------------------------------------------------------------------- */

static void pack_values(struct byte_buffer *out, const struct page_set *set,
                        enum page_set_kind kind, enum page_side side)
{
	for (unsigned value = 0; value < page_set_values(kind); value++) {
		for (size_t i = 0; i < set->count; i++)
			pack_number(out, set->entries[i].values[side][value]);
	}
}

static void pack_set(struct packer *packer, enum page_set_kind kind)
{
	const struct page_set *set = &packer->data->sets[kind];
	struct byte_buffer *out = packer->out;
	uint32_t before = 0;

	pack_number(out, kind);
	pack_number(out, set->exact);
	pack_number(out, set->total);
	pack_text(packer, set->title);
	pack_number(out, set->count);
	for (size_t i = 0; i < set->count; i++) {
		pack_number(out, set->entries[i].place.node - before);
		before = set->entries[i].place.node;
	}
	for (size_t i = 0; i < set->count; i++)
		pack_number(out, set->entries[i].place.thread);
	for (size_t i = 0; i < set->count; i++)
		pack_number(out, set->entries[i].place.line);
	pack_values(out, set, kind, PAGE_NEW);
	if (packer->data->compares)
		pack_values(out, set, kind, PAGE_OLD);
}

static void pack_sets(struct packer *packer)
{
	unsigned count = 0;

	for (size_t kind = 0; kind < PAGE_SETS; kind++)
		count += page_set_is_shown(packer->data, (enum page_set_kind)kind);
	pack_number(packer->out, count);
	for (unsigned kind = 0; kind < PAGE_SETS; kind++) {
		if (page_set_is_shown(packer->data, (enum page_set_kind)kind))
			pack_set(packer, (enum page_set_kind)kind);
	}
}

static bool same_place(const struct page_place *a, const struct page_place *b)
{
	return a->node == b->node && a->thread == b->thread && a->line == b->line;
}

/* For each entry of the samples, the number of its moments; then the moments of all entries. */
static void pack_times(struct packer *packer)
{
	const struct page_data *data = packer->data;
	const struct page_set *set = &data->sets[PAGE_SAMPLES];
	struct byte_buffer *out = packer->out;
	size_t moment = 0;
	uint64_t before = 0;

	pack_number(out, data->moment_count == 0 ? 0 : data->bucket_ms);
	if (data->moment_count == 0)
		return;
	pack_number(out, data->start_ms);
	pack_number(out, data->bucket_count);
	for (size_t i = 0; i < set->count; i++) {
		size_t first = moment;
		while (moment < data->moment_count &&
		       same_place(&data->moments[moment].place, &set->entries[i].place))
			moment++;
		pack_number(out, moment - first);
	}
	for (size_t i = 0; i < data->moment_count; i++) {
		const struct page_moment *at = &data->moments[i];
		if (i == 0 || !same_place(&at->place, &data->moments[i - 1].place))
			before = 0;
		pack_number(out, at->ms - before);
		before = at->ms;
	}
	for (size_t i = 0; i < data->moment_count; i++)
		pack_number(out, data->moments[i].samples);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* What is compared with. */
static void pack_old_facts(struct packer *packer)
{
	const struct report_facts *facts = &packer->source->old->facts;

	pack_text(packer, packer->source->old_name);
	pack_foreign(packer, facts->program);
	pack_foreign(packer, facts->jvm);
	pack_foreign(packer, facts->options);
	pack_foreign(packer, facts->created);
	pack_number(packer->out, packer->source->is_scaled);
}

static void pack_facts(struct packer *packer)
{
	const struct report_facts *facts = &packer->source->profile->facts;

	pack_number(packer->out, packer->data->selection.threads);
	pack_number(packer->out, packer->data->selection.counts);
	if (packer->data->compares)
		pack_old_facts(packer);
	pack_text(packer, packer->source->name);
	pack_optional(packer, facts->program);
	pack_optional(packer, facts->jvm);
	pack_optional(packer, facts->options);
	pack_optional(packer, facts->created);
	pack_number(packer->out, facts->duration_ns / NS_PER_MS);
	pack_number(packer->out, facts->interval_ms);
	pack_number(packer->out, facts->has_cut_stacks ? facts->depth : 0);
	pack_number(packer->out, packer->data->note_count);
	for (size_t i = 0; i < packer->data->note_count; i++)
		pack_string(packer, packer->data->notes[i]);
}

static void pack_threads(struct packer *packer)
{
	const struct page_data *data = packer->data;

	pack_number(packer->out, data->used_thread_count);
	pack_number(packer->out, data->thread_count);
	for (size_t i = 0; i < data->thread_count; i++)
		pack_number(packer->out, data->threads[i]);
	for (size_t i = 0; i < data->thread_count; i++)
		pack_optional(packer,
		              report_find_thread(packer->source->profile, data->threads[i]));
}

/* A number that may be unknown: 0, or the number plus 1. */
static void pack_known(struct packer *packer, uint64_t number)
{
	pack_number(packer->out, number == SECTION_NOT_KNOWN ? 0 : number + 1);
}

static void pack_states(struct packer *packer)
{
	const struct page_data *data = packer->data;

	pack_number(packer->out, data->state_thread_count);
	pack_number(packer->out, data->state_count);
	for (size_t state = 0; state < data->state_count; state++)
		pack_string(packer, data->state_names[state]);
	for (size_t i = 0; i < data->state_thread_count; i++) {
		const struct section_thread *thread = &data->states[i];
		pack_number(packer->out, thread->thread);
		pack_optional(packer, thread->name);
		pack_known(packer, thread->life_us);
		for (size_t state = 0; state < data->state_count; state++)
			pack_known(packer, thread->us[state]);
		pack_known(packer, thread->voluntary);
		pack_known(packer, thread->involuntary);
	}
}

static void pack_list(struct packer *packer, const struct page_list *list)
{
	pack_text(packer, list->title);
	pack_number(packer->out, list->classes != NULL);
	pack_number(packer->out, list->count);
	for (size_t i = 0; i < list->count; i++) {
		if (list->classes != NULL) {
			pack_string(packer, list->classes[i].name);
			pack_number(packer->out, list->classes[i].objects);
			pack_number(packer->out, list->classes[i].bytes);
		} else {
			pack_string(packer, list->lines[i].text);
			pack_number(packer->out, list->lines[i].node);
		}
	}
}

bool page_pack_data(const struct page_data *data, const struct page_source *source,
                    struct byte_buffer *out)
{
	struct packer packer = {.data = data, .source = source, .out = out};

	address_map_init(&packer.indexes);
	number_methods(&packer);
	pack_number(out, FORMAT_VERSION);
	pack_number(out, data->compares);
	pack_tree(&packer);
	pack_methods(&packer);
	pack_sets(&packer);
	pack_times(&packer);
	pack_facts(&packer);
	pack_threads(&packer);
	pack_states(&packer);
	size_t lists = page_lists_are_shown(data) ? data->list_count : 0;
	pack_number(out, lists);
	for (size_t i = 0; i < lists; i++)
		pack_list(&packer, &data->lists[i]);
	pack_strings(&packer);
	address_map_free(&packer.indexes);
	free(packer.strings);
	return out->error == 0;
}
