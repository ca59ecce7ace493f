/*
 * json_tables.c: see json_parts.h.
 */
#include "views/json_parts.h"

#include "report/facts.h"
#include "report/section_names.h"

#include <string.h>

/* ---- rows ------------------------------------------------------------------------- */

/* A number of the rest may not be known. */
static void add_known(struct json_stream *json, const struct section_row *row, const char *key,
                      uint64_t number)
{
	if (!row->is_rest || number > 0)
		json_stream_add_number(json, key, number);
}

static void add_costs(struct json_stream *json, const struct section_row *row)
{
	json_stream_add_string(json, "name", row->name);
	json_add_percent(json, "self_percent", row->self);
	json_add_percent(json, "accumulated_percent", row->accumulated);
	json_stream_add_number(json, "cost", row->cost);
}

static void add_counted(struct json_stream *json, const struct report_section *section,
                        size_t place)
{
	const struct section_row *row = &section->rows[place];

	add_costs(json, row);
	add_known(json, row, "count", row->count);
}

static void add_site(struct json_stream *json, const struct report_section *section, size_t place)
{
	const struct section_row *row = &section->rows[place];

	add_costs(json, row);
	add_known(json, row, "live_bytes", row->live_bytes);
	add_known(json, row, "live_objects", row->count);
	add_known(json, row, "allocated_bytes", row->allocated_bytes);
	add_known(json, row, "allocated_objects", row->allocated_objects);
}

/* Tabs that a line begins with are its indentation. */
static void add_line(struct json_stream *json, const struct report_section *section, size_t place)
{
	const struct string *line = section->rows[place].name;
	size_t tabs = 0;

	while (tabs < line->length && line->text[tabs] == '\t')
		tabs++;
	if (tabs > 0)
		json_stream_add_number(json, "indent", tabs);
	json_stream_add_text(json, "line", line->text + tabs, line->length - tabs);
}

/* Times by state, in the order of the table's states; null: not known. */
static void add_times(struct json_stream *json, const struct report_section *section,
                      const uint64_t *us)
{
	json_stream_open_array(json, "us");
	for (size_t i = 0; i < section->state_count; i++) {
		if (us[i] == SECTION_NOT_KNOWN)
			json_stream_add(json, NULL, json_null());
		else
			json_stream_add_number(json, NULL, us[i]);
	}
	json_stream_close(json);
}

static void add_states(struct json_stream *json, const struct report_section *section, size_t place)
{
	const struct section_trace_states *states = &section->trace_states[place];

	json_stream_add_number(json, "cost", section->rows[place].cost);
	json_stream_add_number(json, "count", states->calls);
	add_times(json, section, states->us);
}

static void add_thread(struct json_stream *json, const struct report_section *section, size_t place)
{
	const struct section_thread *thread = &section->threads[place];

	json_stream_add_number(json, "thread", thread->thread);
	json_stream_add_string(json, "thread_name", thread->name);
	json_stream_add_number(json, "life_us", thread->life_us);
	add_times(json, section, thread->us);
	if (thread->voluntary != SECTION_NOT_KNOWN)
		json_stream_add_number(json, "voluntary_switches", thread->voluntary);
	if (thread->involuntary != SECTION_NOT_KNOWN)
		json_stream_add_number(json, "involuntary_switches", thread->involuntary);
}

/* ---- tables ----------------------------------------------------------------------- */

/* How the rows of a kind are written; those with stacks are add_counted(). */
static const struct shape {
	const char *word; /* NULL: that of --of */
	const char *unit;
	void (*add)(struct json_stream *json, const struct report_section *section, size_t place);
} shapes[SECTION_KINDS] = {
        [SECTION_SITES] = {.add = add_site},
        [SECTION_HEAP] = {"heap", "bytes", add_counted},
        [SECTION_LINES] = {"lines", NULL, add_line},
        [SECTION_MICROSTATES] = {"thread-states", NULL, add_thread},
        [SECTION_STATES] = {"trace-states", "ns", add_states},
};

static void add_row(struct json_view *view, const struct report_section *section, size_t place)
{
	const struct shape *shape = &shapes[section->kind];
	struct json_stream *json = &view->json;
	uint32_t trace = section->kind == SECTION_MICROSTATES ? 0 : section->rows[place].trace;

	json_stream_open_object(json, NULL);
	if (shape->add == NULL)
		add_counted(json, section, place);
	else
		shape->add(json, section, place);
	if (trace != 0)
		json_stream_add_number(json, "trace", trace);
	json_add_trace(json, &view->selected.profile, trace);
	json_stream_close(json);
}

static void add_rows(struct json_view *view, const struct report_section *section, const char *key,
                     size_t from, size_t to)
{
	json_stream_open_array(&view->json, key);
	for (size_t i = from; i < to && json_stream_is_good(&view->json); i++)
		add_row(view, section, i);
	json_stream_close(&view->json);
}

static void add_head(struct json_stream *json, const struct report_section *section)
{
	const struct shape *shape = &shapes[section->kind];
	const struct section_name *name =
	        shape->word == NULL ? section_name_of_kind(section->kind) : NULL;
	const char *unit = name == NULL ? shape->unit : name->unit;

	json_stream_add_words(json, "of", name == NULL ? shape->word : name->word);
	json_stream_add_text(json, "title", section->title, strlen(section->title));
	if (unit != NULL) {
		json_stream_add_words(json, "unit", unit);
		json_stream_add(json, "exact", json_boolean(section->exact && !section->sampled));
		json_stream_add_number(json, "total", section->total);
	}
	if (section->state_count == 0)
		return;
	json_stream_open_array(json, "states");
	for (size_t i = 0; i < section->state_count; i++)
		json_stream_add_string(json, NULL, section->state_names[i]);
	json_stream_close(json);
}

/* A row of states whose times are missing ends a file that was not read whole. */
static size_t row_count(const struct report_section *section)
{
	if (section->kind == SECTION_MICROSTATES)
		return section->thread_count;
	return section->kind == SECTION_STATES && section->trace_states_count < section->row_count
	               ? section->trace_states_count
	               : section->row_count;
}

static void add_table(struct json_view *view, const struct report_section *section)
{
	size_t rows_max = view->selected.request->selection.top;
	size_t count = row_count(section);
	size_t rows = count;

	while (rows > 0 && section->kind != SECTION_MICROSTATES && section->rows[rows - 1].is_rest)
		rows--;
	bool all = rows_max == 0 || section->kind == SECTION_LINES ||
	           section->kind == SECTION_MICROSTATES || rows < rows_max;
	size_t shown = all ? rows : rows_max;
	view->sections++;
	json_stream_open_object(&view->json, NULL);
	add_head(&view->json, section);
	add_rows(view, section, "rows", 0, shown);
	json_stream_add_number(&view->json, "rows_left_out", rows - shown);
	add_rows(view, section, "rest", rows, count);
	json_stream_close(&view->json);
}

static void add_notes(struct json_view *view)
{
	const struct report_content *content = &view->selected.content;

	json_stream_open_array(&view->json, "notes");
	for (size_t i = 0; i < content->count && json_stream_is_good(&view->json); i++) {
		const struct string *note = content->items[i].note;
		if (note != NULL && !facts_has_note(note->text, note->length))
			json_stream_add_string(&view->json, NULL, note);
	}
	json_stream_close(&view->json);
}

void json_part_tables(struct json_view *view)
{
	const struct report_content *content = &view->selected.content;

	json_stream_open_array(&view->json, "tables");
	for (size_t i = 0; i < content->count && json_stream_is_good(&view->json); i++) {
		if (selected_profile_has(&view->selected, i) &&
		    content->items[i].section.kind != SECTION_TIMELINE)
			add_table(view, &content->items[i].section);
	}
	json_stream_close(&view->json);
	add_notes(view);
}
