/*
 * contexts.c: see contexts.h.
 */
#include "gate/contexts.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool contexts_init(struct contexts *contexts, const struct rules *rules)
{
	*contexts = (struct contexts){.rules = rules,
	                              .own_given = rules_have(rules, RULE_OWN),
	                              .strings = string_table_create()};
	bool good = stack_tree_init(&contexts->tree) && contexts->strings != NULL;
	for (int i = 0; i < MEASURES; i++) {
		struct measured *measured = &contexts->measured[i];
		pairs_init(&measured->values);
		measured->excluded = calloc(rules->count + 1, sizeof(*measured->excluded));
		good = measured->excluded != NULL && good;
	}
	return good;
}

void contexts_free(struct contexts *contexts)
{
	for (int i = 0; i < MEASURES; i++) {
		pairs_free(&contexts->measured[i].values);
		free(contexts->measured[i].excluded);
	}
	free(contexts->marks);
	stack_tree_free(&contexts->tree);
	if (contexts->strings != NULL)
		string_table_destroy(contexts->strings);
}

/* ---- marks ------------------------------------------------------------------- */

/* Excludes a node and what it calls by a rule. False when out of memory. */
static bool mark(struct contexts *contexts, uint32_t node, size_t rule)
{
	if (!array_cover(&contexts->marks, &contexts->mark_count, node, sizeof(*contexts->marks)))
		return false;
	if (contexts->marks[node] == 0)
		contexts->marks[node] = (uint32_t)rule + 1;
	return true;
}

static uint32_t mark_of(const struct contexts *contexts, uint32_t node)
{
	return node < contexts->mark_count ? contexts->marks[node] : 0;
}

bool contexts_compares(const struct contexts *contexts, uint32_t node)
{
	return mark_of(contexts, node) == 0;
}

static void add_up(struct contexts *contexts, struct measured *measured, uint32_t node)
{
	struct pair pair = pairs_get(&measured->values, node);
	uint32_t by = mark_of(contexts, node);

	for (int side = 0; side < SIDES; side++) {
		measured->all[side] = report_sum(measured->all[side], pair.of[side]);
		if (by == 0)
			measured->compared[side] =
			        report_sum(measured->compared[side], pair.of[side]);
	}
	if (by != 0)
		measured->excluded[by - 1] =
		        report_sum(measured->excluded[by - 1], pair.of[SIDE_NEW]);
}

bool contexts_finish(struct contexts *contexts)
{
	/* Parents come before their children. */
	for (uint32_t node = 1; node < contexts->tree.count; node++) {
		uint32_t by = mark_of(contexts, contexts->tree.nodes[node].parent);
		if (by != 0 && !mark(contexts, node, by - 1))
			return false;
		for (int i = 0; i < MEASURES; i++)
			add_up(contexts, &contexts->measured[i], node);
	}
	return true;
}

/* ---- names ------------------------------------------------------------------- */

/* Length without the number of a lambda: "App.lambda$main$3" to "App.lambda$main$". */
static size_t method_length(const struct string *name)
{
	const char *dot = strrchr(name->text, '.');
	size_t length = name->length;

	if (dot == NULL || strncmp(dot + 1, "lambda$", strlen("lambda$")) != 0)
		return length;
	while (length > 0 && name->text[length - 1] >= '0' && name->text[length - 1] <= '9')
		length--;
	return length;
}

static bool is_own(const struct contexts *contexts, const char *name)
{
	if (rules_find(contexts->rules, RULE_GENERATED, name) != SIZE_MAX)
		return false;
	if (contexts->own_given)
		return rules_find(contexts->rules, RULE_OWN, name) != SIZE_MAX;
	return rules_find(contexts->rules, RULE_LIBRARY, name) == SIZE_MAX;
}

/* NULL when out of memory; valid until the next call. */
static const struct context_frame *find_frame(struct contexts_visitor *visitor,
                                              const struct string *name)
{
	struct contexts *contexts = visitor->contexts;

	if (!array_cover(&visitor->frames, &visitor->frame_count, name->id,
	                 sizeof(*visitor->frames)))
		return NULL;
	struct context_frame *frame = &visitor->frames[name->id];
	if (frame->name != NULL)
		return frame;
	frame->own = is_own(contexts, name->text);
	frame->root = rules_find(contexts->rules, RULE_ROOT, name->text) != SIZE_MAX;
	frame->runtime = rules_find(contexts->rules, RULE_RUNTIME, name->text) != SIZE_MAX;
	frame->exclude = rules_find(contexts->rules, RULE_EXCLUDE, name->text);
	frame->exclude_callers = rules_find(contexts->rules, RULE_EXCLUDE_CALLERS, name->text);
	frame->through = rules_find(contexts->rules, RULE_THROUGH, name->text) != SIZE_MAX;
	frame->name = string_table_intern(contexts->strings, name->text, method_length(name));
	return frame->name == NULL ? NULL : frame;
}

/* ---- rows --------------------------------------------------------------------- */

/* False when out of memory. */
static bool follow_frames(struct contexts_visitor *visitor, const struct report_trace *trace,
                          struct context *context)
{
	struct contexts *contexts = visitor->contexts;
	bool called = false;  /* the next frame is called by that of node */
	bool runtime = false; /* what follows is not the program's */

	*context = (struct context){.exclude = SIZE_MAX};
	for (uint32_t i = trace->depth; i > 0; i--) {
		const struct context_frame *frame =
		        find_frame(visitor, trace->frames[i - 1].method);
		if (frame == NULL)
			return false;
		if (frame->root) {
			*context = (struct context){.exclude = SIZE_MAX};
			called = false;
			runtime = false;
		}
		runtime = runtime || frame->runtime;
		if (context->exclude == SIZE_MAX)
			context->exclude = frame->exclude;
		context->innermost_own = frame->own && !runtime;
		context->any_own = context->any_own || frame->own;
		if (context->exclude != SIZE_MAX || runtime)
			continue;
		if (called && frame->exclude_callers != SIZE_MAX &&
		    !mark(contexts, context->node, frame->exclude_callers))
			return false;
		called = frame->own || (called && frame->through);
		if (!frame->own)
			continue;
		context->node = stack_tree_child(&contexts->tree, context->node, frame->name);
		if (context->node == 0)
			return false;
	}
	context->any_own = context->any_own && !runtime;
	return true;
}

/* Many rows can have one trace: its frames are followed once. False when out of memory. */
static bool find_context(struct contexts_visitor *visitor, const struct report_trace *trace,
                         struct context *context)
{
	const uint64_t *found = address_map_find(&visitor->traces, trace->number);

	if (found != NULL) {
		*context = visitor->known[*found];
		return true;
	}
	if (!follow_frames(visitor, trace, context) ||
	    !array_grow(&visitor->known, &visitor->known_capacity, visitor->known_count,
	                sizeof(*visitor->known)) ||
	    !address_map_set(&visitor->traces, trace->number, visitor->known_count))
		return false;
	visitor->known[visitor->known_count++] = *context;
	return true;
}

/* Counts what a rule excludes without a node of the tree. */
static void count_excluded(const struct contexts_visitor *visitor, struct measured *measured,
                           size_t rule, uint64_t value)
{
	uint64_t *all = &measured->all[visitor->side];
	*all = report_sum(*all, value);
	if (visitor->side == SIDE_NEW)
		measured->excluded[rule] = report_sum(measured->excluded[rule], value);
}

static bool add_calls(struct contexts_visitor *visitor, const struct report_trace *trace,
                      const struct section_row *row)
{
	struct contexts *contexts = visitor->contexts;
	struct measured *measured = &contexts->measured[MEASURE_CALLS];
	struct context context;

	if (!find_context(visitor, trace, &context))
		return false;
	if (!context.innermost_own)
		return true;
	if (context.exclude == SIZE_MAX)
		return pairs_add(&measured->values, context.node, visitor->side, row->count);
	count_excluded(visitor, measured, context.exclude, row->count);
	return true;
}

/* "new CLASS"; NULL when out of memory. */
static const struct string *intern_new(struct string_table *strings, const struct string *name)
{
	static const char prefix[] = "new ";
	size_t length = strlen(prefix) + name->length;
	char *text = malloc(length + 1);
	if (text == NULL)
		return NULL;
	(void)strlcpy(text, prefix, length + 1);
	memcpy(text + strlen(prefix), name->text, name->length);
	const struct string *added = string_table_intern(strings, text, length);
	free(text);
	return added;
}

/* NULL when out of memory; valid until the next call. */
static const struct context_class *find_class(struct contexts_visitor *visitor,
                                              const struct string *name)
{
	const struct contexts *contexts = visitor->contexts;

	if (!array_cover(&visitor->classes, &visitor->class_count, name->id,
	                 sizeof(*visitor->classes)))
		return NULL;
	struct context_class *class = &visitor->classes[name->id];
	if (class->name != NULL)
		return class;
	class->exclude = rules_find(contexts->rules, RULE_EXCLUDE_OBJECTS, name->text);
	class->name = intern_new(contexts->strings, name);
	return class->name == NULL ? NULL : class;
}

static bool add_bytes(struct contexts_visitor *visitor, const struct report_trace *trace,
                      const struct section_row *row)
{
	struct contexts *contexts = visitor->contexts;
	struct measured *measured = &contexts->measured[MEASURE_BYTES];
	struct context context;

	if (!find_context(visitor, trace, &context))
		return false;
	if (!context.any_own)
		return true;
	const struct context_class *class = find_class(visitor, row->name);
	if (class == NULL)
		return false;
	if (context.exclude == SIZE_MAX)
		context.exclude = class->exclude;
	if (context.exclude != SIZE_MAX) {
		count_excluded(visitor, measured, context.exclude, row->allocated_bytes);
		return true;
	}
	uint32_t node = stack_tree_child(&contexts->tree, context.node, class->name);
	return node != 0 && pairs_add(&measured->values, node, visitor->side, row->allocated_bytes);
}

static bool add_rows(struct contexts_visitor *visitor, const struct report_profile *profile,
                     const struct report_section *section)
{
	bool calls = section->kind == SECTION_TIMES;

	for (size_t i = 0; i < section->row_count; i++) {
		const struct section_row *row = &section->rows[i];
		const struct report_trace *trace = report_find_trace(profile, row->trace);
		if (row->is_rest)
			visitor->rest = true;
		if (trace == NULL)
			continue;
		if (!(calls ? add_calls(visitor, trace, row) : add_bytes(visitor, trace, row)))
			return false;
	}
	return true;
}

static void drop_sites(struct contexts_visitor *visitor)
{
	if (visitor->has_sites)
		section_free(&visitor->sites);
	visitor->has_sites = false;
}

static bool hold_sites(struct contexts_visitor *visitor, const struct report_section *section)
{
	drop_sites(visitor);
	visitor->has_sites = section_copy(&visitor->sites, section);
	return visitor->has_sites;
}

static bool visit_section(struct report_visitor *base, const struct report_profile *profile,
                          const struct report_section *section)
{
	struct contexts_visitor *visitor = (struct contexts_visitor *)base;
	bool calls = section->kind == SECTION_TIMES;

	if (!calls && section->kind != SECTION_SITES)
		return true;
	if (!calls && !section->by_allocation)
		visitor->tracked = true;
	visitor->contexts->measured[calls ? MEASURE_CALLS : MEASURE_BYTES].has[visitor->side] =
	        true;
	visitor->out_of_memory =
	        calls ? !add_rows(visitor, profile, section) : !hold_sites(visitor, section);
	return !visitor->out_of_memory;
}

bool contexts_visitor_finish(struct contexts_visitor *visitor, const struct report_profile *profile)
{
	bool good = !visitor->has_sites || add_rows(visitor, profile, &visitor->sites);

	drop_sites(visitor);
	visitor->out_of_memory = visitor->out_of_memory || !good;
	return good;
}

/* ---- notes --------------------------------------------------------------------- */

static bool note_has(const char *text, size_t length, const char *part)
{
	size_t part_length = strlen(part);
	for (size_t i = 0; i + part_length <= length; i++) {
		if (memcmp(text + i, part, part_length) == 0)
			return true;
	}
	return false;
}

static bool visit_note(struct report_visitor *base, const char *text, size_t length)
{
	struct contexts_visitor *visitor = (struct contexts_visitor *)base;
	static const char heap[] = "NOTE: heap: ";

	if (length < strlen(heap) || memcmp(text, heap, strlen(heap)) != 0)
		return true;
	if (!note_has(text, length, "every allocation"))
		visitor->sampled = true;
	if (!note_has(text, length, "reported by bytecode") ||
	    !note_has(text, length, "objects not tracked"))
		visitor->tracked = true;
	return true;
}

void contexts_visitor_init(struct contexts_visitor *visitor, struct contexts *contexts,
                           enum side side)
{
	*visitor = (struct contexts_visitor){.base = {.section = visit_section, .note = visit_note},
	                                     .contexts = contexts,
	                                     .side = side};
	address_map_init(&visitor->traces);
}

void contexts_visitor_free(struct contexts_visitor *visitor)
{
	drop_sites(visitor);
	free(visitor->frames);
	free(visitor->classes);
	free(visitor->known);
	address_map_free(&visitor->traces);
}
