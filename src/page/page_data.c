/*
 * page_data.c: see page_data.h. Sections of one kind are added up, since a dump resets the
 * counts, except SITES and THREAD MICROSTATES, which cover the run so far.
 */
#include "page/page_data.h"

#include "base/array.h"
#include "report/frame_names.h"
#include "report/frame_place.h"
#include "report/row_top.h"
#include "report/section_names.h"

#include <stdlib.h>
#include <string.h>

unsigned page_set_values(enum page_set_kind kind)
{
	switch (kind) {
	case PAGE_TIMES:
	case PAGE_OFF_CPU:
	case PAGE_MONITORS:
		return 2;
	case PAGE_SITES:
		return PAGE_VALUES_MAX;
	default:
		return 1;
	}
}

bool page_set_is_state(enum page_set_kind kind)
{
	return kind >= PAGE_USR && kind <= PAGE_STW;
}

bool page_set_is_shown(const struct page_data *data, enum page_set_kind kind)
{
	const bool *has = data->sets[kind].has;
	return has[PAGE_NEW] && (has[PAGE_OLD] || !data->compares) &&
	       (data->sets[kind].count > 0 || !page_set_is_state(kind));
}

static bool has_list(const struct page_data *data, enum page_side side)
{
	for (size_t i = 0; i < data->list_count; i++) {
		if (data->lists[i].side == side)
			return true;
	}
	return false;
}

bool page_lists_are_shown(const struct page_data *data)
{
	return has_list(data, PAGE_NEW) && (has_list(data, PAGE_OLD) || !data->compares);
}

bool page_data_init(struct page_data *data, struct string_table *strings,
                    const struct page_selection *selection)
{
	*data = (struct page_data){
	        .selection = *selection, .strings = strings, .primary = PAGE_SETS};
	address_map_init(&data->places);
	address_map_init(&data->native);
	address_map_init(&data->classes);
	return stack_tree_init(&data->tree);
}

void page_data_free(struct page_data *data)
{
	stack_tree_free(&data->tree);
	for (size_t i = 0; i < PAGE_SETS; i++)
		free(data->sets[i].entries);
	address_map_free(&data->places);
	address_map_free(&data->native);
	address_map_free(&data->classes);
	free(data->stacks);
	free(data->moments);
	for (size_t i = 0; i < data->list_count; i++) {
		free(data->lists[i].lines);
		free(data->lists[i].classes);
	}
	free(data->lists);
	free(data->states);
	free(data->notes);
	free(data->order);
	for (size_t side = 0; side < PAGE_SIDES; side++) {
		free(data->self[side]);
		free(data->total[side]);
	}
	free(data->threads);
	name_map_free(&data->names);
}

void page_data_compare(struct page_data *data, enum page_side side)
{
	data->compares = true;
	data->side = side;
	/* Serial numbers and ids of names are those of one profile. */
	address_map_free(&data->places);
	address_map_init(&data->places);
	data->stack_count = 0;
	name_map_free(&data->names);
	for (size_t kind = 0; kind < PAGE_SETS; kind++)
		data->sets[kind].first = data->sets[kind].count;
}

/* ---- stacks ------------------------------------------------------------------- */

/* The name in the table of the new profile. NULL when out of memory. */
static const struct string *name_of(struct page_data *data, const struct string *name)
{
	return data->compares ? name_map_find(&data->names, data->strings, name) : name;
}

static bool note_native(struct page_data *data, const struct report_frame *frame,
                        const struct string *name)
{
	return !frame_place_of(frame->place).native || address_map_set(&data->native, name->id, 1);
}

/* The child of a node with that name; 0 when out of memory. */
static uint32_t child(struct page_data *data, uint32_t node, const struct string *name)
{
	return name == NULL ? 0 : stack_tree_child(&data->tree, node, name);
}

/* The node of a thread, which its stacks begin with when profiles are compared; 0 when out of
 * memory. */
static uint32_t thread_node(struct page_data *data, const struct report_profile *profile,
                            uint32_t thread)
{
	const struct string *name = frame_thread(profile, thread);
	return name == NULL ? 0 : child(data, 0, name_of(data, name));
}

/* The stack of a trace that has frames. False when out of memory. */
static bool add_stack(struct page_data *data, const struct report_profile *profile,
                      const struct report_trace *trace, struct page_place *place)
{
	bool threads = data->compares && data->selection.threads && trace->thread != 0;
	uint32_t node = threads ? thread_node(data, profile, trace->thread) : 0;

	if (threads && node == 0)
		return false;
	for (uint32_t i = trace->depth; i > 0; i--) {
		const struct report_frame *frame = &trace->frames[i - 1];
		const struct string *name = name_of(data, frame->method);
		node = child(data, node, name);
		if (node == 0 || !note_native(data, frame, name))
			return false;
	}
	*place = (struct page_place){.node = node};
	if (!data->compares) {
		place->thread = trace->thread;
		place->line = frame_place_of(trace->frames[0].place).line;
	}
	return true;
}

/* The place of a trace, node 0 if the profile does not have its frames; NULL when out of
 * memory. Valid until the next call. */
static const struct page_place *find_place(struct page_data *data,
                                           const struct report_profile *profile, uint32_t serial)
{
	static const struct page_place none = {.node = 0};
	uint64_t key = (uint64_t)serial + 1;
	const uint64_t *found = address_map_find(&data->places, key);
	const struct report_trace *trace;

	if (found != NULL)
		return &data->stacks[*found];
	trace = report_find_trace(profile, serial);
	if (trace == NULL || trace->depth == 0)
		return &none;
	if (!array_grow(&data->stacks, &data->stack_capacity, data->stack_count,
	                sizeof(*data->stacks)))
		return NULL;
	struct page_place *place = &data->stacks[data->stack_count];
	if (!add_stack(data, profile, trace, place) ||
	    !address_map_set(&data->places, key, data->stack_count))
		return NULL;
	data->stack_count++;
	return place;
}

/* The node of a row: its stack, and above it the allocated class or the monitor. 0 when out of
 * memory. */
static uint32_t node_of(struct page_data *data, const struct report_profile *profile,
                        enum section_kind kind, const struct section_row *row, uint32_t stack)
{
	static const char empty[] = "<empty trace>";

	if (row->is_rest)
		return child(data, 0, name_of(data, row->name));
	if (stack == 0)
		stack = child(data, 0, string_table_intern(data->strings, empty, strlen(empty)));
	if (stack == 0 || !section_has_tops(kind))
		return stack;
	const struct string *top = report_row_top(profile, kind, row);
	if (top != NULL)
		top = name_of(data, top);
	if (top == NULL || !address_map_set(&data->classes, top->id, 1))
		return 0;
	return child(data, stack, top);
}

/* ---- sections with stacks --------------------------------------------------------- */

static void set_values(uint64_t values[PAGE_VALUES_MAX], enum page_set_kind kind,
                       const struct section_row *row)
{
	switch (kind) {
	case PAGE_SITES:
		values[0] = row->live_bytes;
		values[1] = row->count;
		values[2] = row->allocated_bytes;
		values[3] = row->allocated_objects;
		break;
	default:
		values[0] = row->cost;
		if (page_set_values(kind) > 1)
			values[1] = row->count;
	}
}

/* Forgets the costs of the side that is read. */
static void clear_costs(struct page_data *data, enum page_set_kind kind)
{
	struct page_set *set = &data->sets[kind];

	set->count = set->first;
	if (data->side == PAGE_NEW)
		set->total = 0;
	if (kind == PAGE_SAMPLES)
		data->moment_count = 0;
}

static bool add_row(struct page_data *data, const struct report_profile *profile,
                    enum page_set_kind kind, enum section_kind section_kind,
                    const struct section_row *row)
{
	struct page_set *set = &data->sets[kind];
	const struct page_place *found = find_place(data, profile, row->trace);

	if (found == NULL)
		return false;
	struct page_place place = *found;
	place.node = node_of(data, profile, section_kind, row, place.node);
	if (place.node == 0 ||
	    !array_grow(&set->entries, &set->capacity, set->count, sizeof(*set->entries)))
		return false;
	struct page_entry *entry = &set->entries[set->count++];
	*entry = (struct page_entry){.place = place};
	set_values(entry->values[data->side], kind, row);
	return true;
}

static bool add_costs(struct page_data *data, const struct report_profile *profile,
                      enum page_set_kind kind, const struct report_section *section)
{
	struct page_set *set = &data->sets[kind];

	if (section_replaces(section->kind, data->selection.last))
		clear_costs(data, kind);
	set->exact = section->exact && (set->exact || !(set->has[PAGE_OLD] || set->has[PAGE_NEW]));
	set->has[data->side] = true;
	if (data->side == PAGE_NEW)
		set->total = report_sum(set->total, section->total);
	memcpy(set->title, section->title, sizeof(set->title));
	for (size_t i = 0; i < section->row_count; i++) {
		if (!add_row(data, profile, kind, section->kind, &section->rows[i]))
			return false;
	}
	return true;
}

/* ---- states of stacks ----------------------------------------------------------------- */

/* PAGE_SETS for a state without a set, or that was not selected. */
static enum page_set_kind set_of_state(const struct page_data *data,
                                       const struct report_section *section, size_t state)
{
	const struct page_selection *selection = &data->selection;
	const struct section_name *name = section_name_of_word(section->state_names[state]->text);
	bool one = selection->kind_given && section_is_state(selection->kind);

	if (name == NULL || (one && name->kind != selection->kind))
		return PAGE_SETS;
	switch (name->kind) {
	case SECTION_USR:
		/* Beside exact ones there is PAGE_TIMES. */
		return section->sampled || one ? PAGE_USR : PAGE_SETS;
	case SECTION_LCK:
		return PAGE_LCK;
	case SECTION_SLP:
		return PAGE_SLP;
	case SECTION_IO:
		return PAGE_IO;
	case SECTION_LAT:
		return PAGE_LAT;
	case SECTION_STW:
		return PAGE_STW;
	default:
		return PAGE_SETS;
	}
}

static bool add_states(struct page_data *data, const struct report_profile *profile,
                       const struct report_section *section)
{
	bool good = true;

	for (size_t state = 0; state < section->state_count && good; state++) {
		enum page_set_kind kind = set_of_state(data, section, state);
		struct report_section of_state;
		if (kind == PAGE_SETS)
			continue;
		/* Compared with a profile that has the state, one without it has 0 of it. */
		good = section_of_state(&of_state, section, state) &&
		       ((of_state.row_count == 0 && !data->compares) ||
		        add_costs(data, profile, kind, &of_state));
		section_free(&of_state);
	}
	return good;
}

/* ---- other sections --------------------------------------------------------------- */

static bool add_timeline(struct page_data *data, const struct report_profile *profile,
                         const struct report_section *section)
{
	if (section->bucket_ms == 0)
		return true;
	if (section->bucket_ms > data->bucket_ms)
		data->bucket_ms = section->bucket_ms;
	for (size_t i = 0; i < section->time_count; i++) {
		const struct section_time *time = &section->times[i];
		if (find_place(data, profile, time->trace) == NULL ||
		    !array_grow(&data->moments, &data->moment_capacity, data->moment_count,
		                sizeof(*data->moments)))
			return false;
		data->moments[data->moment_count++] = (struct page_moment){
		        .trace = time->trace,
		        .ms = report_sum(section->start_ms,
		                         (uint64_t)time->bucket * section->bucket_ms),
		        .samples = time->samples};
	}
	return true;
}

static bool set_states(struct page_data *data, const struct report_section *section)
{
	size_t bytes = section->thread_count * sizeof(*section->threads);
	struct section_thread *states = malloc(bytes > 0 ? bytes : 1);

	if (states == NULL)
		return false;
	if (bytes > 0)
		memcpy(states, section->threads, bytes);
	free(data->states);
	data->states = states;
	data->state_thread_count = section->thread_count;
	memcpy(data->state_names, section->state_names, sizeof(data->state_names));
	data->state_count = section->state_count;
	return true;
}

/* Adds a list with room for the section's rows. NULL when out of memory. */
static struct page_list *add_list(struct page_data *data, const struct report_section *section)
{
	if (!array_grow(&data->lists, &data->list_capacity, data->list_count, sizeof(*data->lists)))
		return NULL;
	struct page_list *list = &data->lists[data->list_count];
	*list = (struct page_list){.side = data->side, .count = section->row_count};
	memcpy(list->title, section->title, sizeof(list->title));
	if (section->kind == SECTION_HEAP)
		list->classes = calloc(section->row_count + 1, sizeof(*list->classes));
	else
		list->lines = calloc(section->row_count + 1, sizeof(*list->lines));
	if (list->classes == NULL && list->lines == NULL)
		return NULL;
	data->list_count++;
	return list;
}

/* Removes lists that the one to come replaces: the page compares the last heap of each profile. */
static void remove_replaced(struct page_data *data, bool classes)
{
	size_t kept = 0;

	if (!data->compares && !data->selection.last)
		return;
	for (size_t i = 0; i < data->list_count; i++) {
		struct page_list *list = &data->lists[i];
		bool same = (list->classes != NULL) == classes && list->side == data->side;
		if (same) {
			free(list->classes);
			free(list->lines);
		} else {
			data->lists[kept++] = *list;
		}
	}
	data->list_count = kept;
}

static bool add_heap(struct page_data *data, const struct report_section *section)
{
	remove_replaced(data, true);
	struct page_list *list = add_list(data, section);

	for (size_t i = 0; list != NULL && i < list->count; i++) {
		const struct section_row *row = &section->rows[i];
		const struct string *name = name_of(data, row->name);
		if (name == NULL)
			return false;
		list->classes[i] = (struct page_class){
		        .name = name, .objects = row->count, .bytes = row->cost};
	}
	return list != NULL;
}

/* The line without blanks and tabs at its beginning. NULL when out of memory. */
static const struct string *without_indent(const struct report_profile *profile,
                                           const struct string *line)
{
	uint32_t indent = 0;

	while (indent < line->length && (line->text[indent] == ' ' || line->text[indent] == '\t'))
		indent++;
	return string_table_intern(profile->strings, line->text + indent, line->length - indent);
}

bool page_data_add_note(struct page_data *data, const char *text, size_t length)
{
	const struct string *kept = string_table_intern(data->strings, text, length);

	if (kept == NULL ||
	    !array_grow(&data->notes, &data->note_capacity, data->note_count, sizeof(*data->notes)))
		return false;
	data->notes[data->note_count++] = kept;
	return true;
}

static bool add_lines(struct page_data *data, const struct report_profile *profile,
                      const struct report_section *section)
{
	/* A heap summary is its title. */
	if (section->row_count == 0)
		return page_data_add_note(data, section->title, strlen(section->title));
	remove_replaced(data, false);
	struct page_list *list = add_list(data, section);

	for (size_t i = 0; list != NULL && i < list->count; i++) {
		const struct section_row *row = &section->rows[i];
		const struct page_place *place = find_place(data, profile, row->trace);
		const struct string *text = without_indent(profile, row->name);
		if (place == NULL || text == NULL)
			return false;
		list->lines[i] = (struct page_line){.text = text, .node = place->node};
	}
	return list != NULL;
}

/* Times are not compared, nor are threads and the lines of a dump. */
static bool is_selected(const struct page_data *data, enum section_kind kind)
{
	const struct page_selection *selection = &data->selection;

	if (data->compares && !section_has_stacks(kind) && kind != SECTION_HEAP &&
	    kind != SECTION_STATES)
		return false;
	return !selection->kind_given || kind == selection->kind ||
	       (kind == SECTION_TIMELINE && selection->kind == SECTION_SAMPLES) ||
	       (kind == SECTION_STATES &&
	        (selection->kind == SECTION_OFF_CPU || section_is_state(selection->kind)));
}

bool page_data_add_section(struct page_data *data, const struct report_profile *profile,
                           const struct report_section *section)
{
	if (!is_selected(data, section->kind))
		return true;
	switch (section->kind) {
	case SECTION_SAMPLES:
		return add_costs(data, profile, PAGE_SAMPLES, section);
	case SECTION_TIMES:
		return add_costs(data, profile, PAGE_TIMES, section);
	case SECTION_OFF_CPU:
		return add_costs(data, profile, PAGE_OFF_CPU, section);
	case SECTION_SITES:
		return add_costs(data, profile, PAGE_SITES, section);
	case SECTION_MONITORS:
		return add_costs(data, profile, PAGE_MONITORS, section);
	case SECTION_TIMELINE:
		return add_timeline(data, profile, section);
	case SECTION_MICROSTATES:
		return set_states(data, section);
	case SECTION_HEAP:
		return add_heap(data, section);
	case SECTION_LINES:
		return add_lines(data, profile, section);
	case SECTION_STATES:
		return add_states(data, profile, section);
	default: /* of one state */
		return true;
	}
}
