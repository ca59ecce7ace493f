/*
 * json_view.c: a profile as a JSON document. As the text, it is written when all of the profile has
 * been read.
 */
#include "views/format.h"
#include "views/json_parts.h"
#include "views/json_reports.h"

#include <string.h>

bool json_reports_available(void)
{
	return true;
}

static const struct {
	bool costs;
	bool trees;
	bool tables;
	bool states;
} parts_of[] = {
        [VIEW_ALL] = {.costs = true, .tables = true},
        [VIEW_SUMMARY] = {.costs = true},
        [VIEW_TRACES] = {.tables = true},
        [VIEW_COSTS] = {.costs = true},
        [VIEW_TREE] = {.trees = true},
        [VIEW_STATES] = {.states = true},
};

static void add_fact(struct json_stream *json, const char *key, const struct string *fact)
{
	if (fact != NULL)
		json_stream_add_string(json, key, fact);
}

static void add_number(struct json_stream *json, const char *key, uint64_t number)
{
	if (number > 0)
		json_stream_add_number(json, key, number);
}

static void add_facts(struct json_stream *json, const struct selected_profile *selected)
{
	const struct report_facts *facts = &selected->profile.facts;
	const char *file = selected->request->input_name;

	json_stream_open_object(json, "profile");
	json_stream_add_text(json, "file", file, strlen(file));
	json_stream_add(json, "is_whole", json_boolean(selected->is_whole));
	add_fact(json, "program", facts->program);
	add_fact(json, "jvm", facts->jvm);
	add_fact(json, "options", facts->options);
	add_fact(json, "created", facts->created);
	add_number(json, "duration_ns", facts->duration_ns);
	add_number(json, "interval_ms", facts->interval_ms);
	add_number(json, "depth", facts->depth);
	json_stream_add(json, "has_cut_stacks", json_boolean(facts->has_cut_stacks));
	json_stream_close(json);
}

static void add_kinds(struct json_view *view, const char *key,
                      void (*add)(struct json_view *view, enum section_kind kind))
{
	json_stream_open_array(&view->json, key);
	for (int kind = 0; kind < SECTION_KINDS && json_stream_is_good(&view->json); kind++) {
		if (section_has_stacks((enum section_kind)kind) &&
		    selected_profile_has_kind(&view->selected, (enum section_kind)kind))
			add(view, (enum section_kind)kind);
	}
	json_stream_close(&view->json);
}

/* False after printing that there are no states. */
static bool add_parts(struct json_view *view, enum profile_view parts)
{
	add_facts(&view->json, &view->selected);
	if (parts_of[parts].costs)
		add_kinds(view, "costs", json_part_costs);
	if (parts_of[parts].trees)
		add_kinds(view, "trees", json_part_tree);
	if (parts_of[parts].tables)
		json_part_tables(view);
	return !parts_of[parts].states || json_part_states(view);
}

static bool write_document(struct json_view *view, struct output *output)
{
	const struct view_request *request = view->selected.request;
	struct json_stream *json = &view->json;

	output_limit(output, view->selected.profile.facts.bytes);
	json_stream_begin(json, output);
	json_stream_add_words(json, "format", "hprof-report");
	json_stream_add_number(json, "version", JSON_REPORTS_VERSION);
	bool good = add_parts(view, request->selection.view);
	if (good && view->selected.is_whole && view->sections == 0)
		good = view_nothing_to_show(request);
	return json_stream_end(json) && good && view->selected.is_whole;
}

static bool write_json(const struct view_request *request, struct output *output)
{
	struct json_view view = {.sections = 0};
	bool good = selected_profile_read(&view.selected, request);

	if (good)
		good = write_document(&view, output);
	else
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
	selected_profile_free(&view.selected);
	return good;
}

const struct profile_format profile_format_json = {".json", .is_tables = true, .write = write_json};
