/*
 * difference.c: see difference.h.
 */
#include "gate/difference.h"

#include "hprof/text_titles.h"
#include "os/time_units.h"

#include <stdlib.h>
#include <string.h>

/* The time of calls in one state. */
#define OF_STATE(state, kind)                                                                  \
	{                                                                                      \
		.word = (state), .title = TEXT_TRACE_MICROSTATES ", " state, .unit = "ns",     \
		.top = "method", .section = (kind), .has_stacks = true, .is_chosen_only = true \
	}

const struct difference_name difference_names[DIFFERENCE_KINDS] = {
        [DIFFERENCE_SAMPLES] = {"samples", TEXT_CPU_SAMPLES, "samples", "method", SECTION_SAMPLES,
                                .has_stacks = true},
        [DIFFERENCE_TIMES] = {"times", TEXT_CPU_TIME, "ns", "method", SECTION_TIMES,
                              .has_stacks = true},
        [DIFFERENCE_CALLS] = {"calls", "CALLS", "calls", "method", SECTION_TIMES,
                              .has_stacks = true},
        [DIFFERENCE_OFF_CPU] = {"off-cpu", TEXT_OFF_CPU_TIME, "ns", "method", SECTION_OFF_CPU,
                                .has_stacks = true},
        [DIFFERENCE_SITES] = {"sites", TEXT_SITES, "bytes", "class", SECTION_SITES,
                              .has_stacks = true},
        [DIFFERENCE_MONITORS] = {"monitors", TEXT_MONITOR_TIME, "ns", "monitor", SECTION_MONITORS,
                                 .has_stacks = true},
        [DIFFERENCE_STATES] = {"states", TEXT_TRACE_MICROSTATES, "ns", "state", SECTION_STATES,
                               .has_stacks = true},
        [DIFFERENCE_HEAP] = {"heap", "HEAP", "bytes", "class", SECTION_HEAP, .has_stacks = false},
        [DIFFERENCE_USR] = OF_STATE("usr", SECTION_USR),
        [DIFFERENCE_SYS] = OF_STATE("sys", SECTION_SYS),
        [DIFFERENCE_TFL] = OF_STATE("tfl", SECTION_TFL),
        [DIFFERENCE_DFL] = OF_STATE("dfl", SECTION_DFL),
        [DIFFERENCE_LCK] = OF_STATE("lck", SECTION_LCK),
        [DIFFERENCE_SLP] = OF_STATE("slp", SECTION_SLP),
        [DIFFERENCE_IO] = OF_STATE("i/o", SECTION_IO),
        [DIFFERENCE_LAT] = OF_STATE("lat", SECTION_LAT),
        [DIFFERENCE_STW] = OF_STATE("stw", SECTION_STW),
};

static bool is_state(int kind)
{
	return section_is_state(difference_names[kind].section);
}

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

/* False when out of memory. */
static bool add_part(struct difference_reader *reader, int kind,
                     const struct report_profile *profile, const struct report_section *section)
{
	struct report_visitor *visitor = &reader->visitors[kind].base;

	reader->has[kind] = true;
	return section->kind == SECTION_HEAP ? add_classes(reader, section)
	                                     : visitor->section(visitor, profile, section);
}

/* The time that no row has. Times of rows are cut to a microsecond: less than a millisecond is
 * nothing. */
static uint64_t states_rest(const struct report_section *section)
{
	uint64_t known_us = 0;

	for (size_t i = 0; i < section->trace_states_count; i++) {
		for (size_t state = 0; state < section->state_count; state++) {
			uint64_t us = section->trace_states[i].us[state];
			known_us = report_sum(known_us, us == SECTION_NOT_KNOWN ? 0 : us);
		}
	}
	uint64_t total_us = section->total / NS_PER_US;
	return total_us < known_us || total_us - known_us < US_PER_MS
	               ? 0
	               : (total_us - known_us) * NS_PER_US;
}

static bool has_state(const struct report_section *section, const char *word)
{
	size_t i = 0;

	while (i < section->state_count && strcmp(section->state_names[i]->text, word) != 0)
		i++;
	return i < section->state_count;
}

/* Sections of the single states follow, of those that have any time: the others are empty. */
static bool add_states(struct difference_reader *reader, const struct report_profile *profile,
                       const struct report_section *section)
{
	uint64_t rest_ns = states_rest(section);
	bool good = true;

	reader->has[DIFFERENCE_STATES] = true;
	reader->states_rest_ns =
	        reader->last ? rest_ns : report_sum(reader->states_rest_ns, rest_ns);
	for (int i = 0; i < DIFFERENCE_KINDS && good; i++) {
		struct report_section empty;
		if (!is_state(i) || !has_state(section, difference_names[i].word))
			continue;
		section_begin(&empty, difference_names[i].section, "", 0);
		good = add_part(reader, i, profile, &empty);
	}
	return good;
}

static bool visit_section(struct report_visitor *base, const struct report_profile *profile,
                          const struct report_section *section)
{
	struct difference_reader *reader = (struct difference_reader *)base;
	bool good = true;

	for (int i = 0; i < DIFFERENCE_KINDS && good; i++) {
		if (section->kind == difference_names[i].section)
			good = i == DIFFERENCE_STATES ? add_states(reader, profile, section)
			                              : add_part(reader, i, profile, section);
	}
	reader->out_of_memory = !good;
	return good;
}

bool difference_reader_init(struct difference_reader *reader, bool last, bool threads)
{
	bool good = true;

	*reader = (struct difference_reader){
	        .base = {.section = visit_section, .note = report_ignore_note}, .last = last};
	state_sections_init(&reader->states, &reader->base);
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

/* To where a profile is added. */
struct merging {
	struct difference *difference;
	struct difference_reader *reader;
	enum side side;
};

/* The string of the difference for one of the profile; NULL when out of memory. */
static const struct string *name_of(const struct merging *merging, const struct string *name)
{
	return name_map_find(&merging->reader->names, merging->difference->strings, name);
}

/* Adds a value to a node, or to its child of the name top unless that is NULL. */
static bool add_value(const struct merging *merging, struct difference_part *part, uint32_t node,
                      const struct string *top, uint64_t value)
{
	uint32_t at = node;

	if (top != NULL && value > 0) {
		at = stack_tree_child(&part->tree, node, top);
		if (at == 0)
			return false;
	}
	return pairs_add(&part->values, at, merging->side, value);
}

/* Adds the nodes of a tree, whose stacks have top as their innermost name unless that is NULL. */
static bool merge(const struct merging *merging, struct difference_part *part,
                  const struct stack_tree *tree, const struct string *top)
{
	uint32_t *places = calloc(tree->count, sizeof(*places)); /* by node of it */
	bool good = places != NULL;

	for (uint32_t i = 1; i < tree->count && good; i++) {
		const struct stack_node *node = &tree->nodes[i];
		const struct string *name = name_of(merging, node->name);
		/* Parents come before their children. */
		if (name != NULL)
			places[i] = stack_tree_child(&part->tree, places[node->parent], name);
		good = places[i] != 0 && add_value(merging, part, places[i], top, node->self);
	}
	free(places);
	part->total[merging->side] = report_sum(part->total[merging->side], tree->nodes[0].total);
	return good;
}

static bool merge_states_rest(const struct merging *merging, struct difference_part *part)
{
	static const char name[] = SECTION_REST_NAME;
	uint64_t rest_ns = merging->reader->states_rest_ns;
	const struct string *rest =
	        string_table_intern(merging->difference->strings, name, strlen(name));

	part->total[merging->side] = report_sum(part->total[merging->side], rest_ns);
	return rest != NULL && (rest_ns == 0 || add_value(merging, part, 0, rest, rest_ns));
}

/* Adds the trees of the single states, each with its state on top. */
static bool merge_states(const struct merging *merging)
{
	struct difference_part *part = &merging->difference->parts[DIFFERENCE_STATES];
	bool good = true;

	for (int i = 0; i < DIFFERENCE_KINDS && good; i++) {
		const char *word = difference_names[i].word;
		if (!is_state(i))
			continue;
		const struct string *state =
		        string_table_intern(merging->difference->strings, word, strlen(word));
		good = state != NULL && merge(merging, part, &merging->reader->trees[i], state);
	}
	return good && merge_states_rest(merging, part);
}

bool difference_add(struct difference *difference, enum side side, struct difference_reader *reader,
                    const struct report_profile *profile)
{
	const struct merging merging = {difference, reader, side};

	difference->bytes = report_sum(difference->bytes, profile->facts.bytes);
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		difference->parts[i].has[side] = reader->has[i];
		if (!tree_visitor_finish(&reader->visitors[i], profile) ||
		    !merge(&merging, &difference->parts[i], &reader->trees[i], NULL))
			return false;
	}
	return merge_states(&merging);
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

bool difference_shows(const struct difference *difference, enum difference_kind chosen,
                      enum difference_kind kind)
{
	const bool *has = difference->parts[kind].has;
	bool is_part = chosen == DIFFERENCE_KINDS ? !difference_names[kind].is_chosen_only
	                                          : kind == chosen;

	return is_part && has[SIDE_OLD] && has[SIDE_NEW];
}

bool difference_lacks(const struct difference *difference, enum difference_kind kind)
{
	const bool *has = difference->parts[kind].has;

	return kind != DIFFERENCE_CALLS && !difference_names[kind].is_chosen_only &&
	       has[SIDE_OLD] != has[SIDE_NEW];
}

struct difference_part *difference_find(struct difference *difference, enum difference_kind kind,
                                        enum difference_kind *found)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		if (difference_shows(difference, kind, (enum difference_kind)i) &&
		    (kind != DIFFERENCE_KINDS || difference_names[i].has_stacks)) {
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
