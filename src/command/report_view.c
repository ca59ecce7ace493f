/*
 * report_view.c: see report_view.h. The profile is read as a whole before anything is printed: the
 * summary comes first, and has the duration, which is at the end of the file.
 */
#include "command/report_view.h"

#include "report/section_names.h"
#include "console/messages.h"
#include "report/content.h"
#include "report/facts.h"
#include "report/method_table.h"
#include "report/report_table.h"
#include "report/state_table.h"
#include "report/stack_tree.h"
#include "report/tree_text.h"

#include <inttypes.h>

/* Frames of a row in the tables after the summary. */
enum { FRAMES_SHOWN = 16 };

struct view {
	const struct profile_job *job;
	struct report_profile profile;
	struct report_content content;
	struct output *output;
	uint64_t sections; /* printed */
};

static bool out_of_memory(void)
{
	(void)console_failed("out of memory");
	return false;
}

/* Whether an item is a section that was selected. */
static bool is_selected(const struct view *view, size_t item)
{
	const struct profile_selection *selection = &view->job->selection;
	const struct content_item *items = view->content.items;

	return items[item].note == NULL &&
	       (!selection->kind_given || items[item].section.kind == selection->kind) &&
	       !(selection->last && report_content_is_replaced(&view->content, item, true));
}

static bool has_kind(const struct view *view, enum section_kind kind)
{
	for (size_t i = 0; i < view->content.count; i++) {
		if (is_selected(view, i) && view->content.items[i].section.kind == kind)
			return true;
	}
	return false;
}

/* An empty line between two parts. */
static void begin_part(struct view *view)
{
	if (view->sections++ > 0 || view->output->text.length > 0)
		byte_buffer_add_u1(&view->output->text, '\n');
}

/* ---- methods -------------------------------------------------------------------------- */

static bool collect_costs(const struct view *view, enum section_kind kind,
                          struct method_costs *costs)
{
	for (size_t i = 0; i < view->content.count; i++) {
		const struct content_item *item = &view->content.items[i];
		if (!is_selected(view, i) || item->section.kind != kind ||
		    report_content_is_replaced(&view->content, i, false))
			continue;
		if (!method_costs_add(costs, &view->profile, &item->section))
			return out_of_memory();
	}
	return method_costs_finish(costs, &view->profile) || out_of_memory();
}

static bool print_costs(struct view *view, enum section_kind kind, enum method_group group)
{
	const uint32_t interval_ms = view->profile.facts.interval_ms;
	struct method_costs costs;

	method_costs_init(&costs, group);
	bool good = collect_costs(view, kind, &costs);
	if (good && costs.count > 0) {
		begin_part(view);
		method_costs_write_title(&costs, section_name_of_kind(kind)->title, interval_ms,
		                         view->output);
		good = method_costs_write(&costs, interval_ms, view->job->selection.top,
		                          view->output);
	}
	method_costs_free(&costs);
	return good;
}

/* ---- the tree --------------------------------------------------------------------------- */

static bool print_tree(struct view *view, enum section_kind kind)
{
	const struct profile_selection *selection = &view->job->selection;
	struct stack_tree tree;
	struct tree_visitor visitor;
	bool good = stack_tree_init(&tree);

	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = false;
	visitor.kind = kind;
	visitor.last = selection->last;
	visitor.threads = selection->threads;
	if (!good || !report_content_visit(&view->content, &visitor.base) ||
	    !tree_visitor_finish(&visitor, &view->profile)) {
		good = out_of_memory();
	} else {
		const struct section_name *name = section_name_of_kind(kind);
		begin_part(view);
		byte_buffer_printf(&view->output->text, "%s: %" PRIu64 " %s\n", name->title,
		                   tree.nodes[0].total, name->unit);
		good = stack_tree_write_text(&tree, selection->least_share, view->output);
	}
	tree_visitor_free(&visitor);
	stack_tree_free(&tree);
	return good;
}

/* ---- the tables --------------------------------------------------------------------------- */

/* Facts are in the summary; in the tables alone they are notes like others. */
static bool is_in_summary(const struct view *view, const struct string *note)
{
	return view->job->selection.view == VIEW_ALL && facts_has_note(note->text, note->length);
}

static bool print_tables(struct view *view)
{
	struct table_visitor visitor;
	bool good = true;

	table_visitor_init(&visitor, view->output, view->job->selection.top);
	visitor.frames_max = view->job->selection.view == VIEW_ALL ? FRAMES_SHOWN : 0;
	if (view->sections > 0)
		byte_buffer_add_u1(&view->output->text, '\n');
	for (size_t i = 0; i < view->content.count && good; i++) {
		const struct content_item *item = &view->content.items[i];
		if (item->note != NULL && is_in_summary(view, item->note))
			continue;
		if (item->note != NULL)
			good = visitor.base.note(&visitor.base, item->note->text,
			                         item->note->length);
		else if (is_selected(view, i))
			good = visitor.base.section(&visitor.base, &view->profile, &item->section);
	}
	view->sections += visitor.sections;
	return good;
}

/* ---- states ------------------------------------------------------------------------------- */

static bool print_states(struct view *view)
{
	const struct profile_selection *selection = &view->job->selection;
	bool no_memory;

	if (!has_kind(view, SECTION_STATES)) {
		(void)console_failed(
		        "%s has no TRACE MICROSTATES; msa=y writes them, with cpu=times or "
		        "cpu=samples",
		        console_shown(view->job->input_name).text);
		return false;
	}
	view->sections++;
	bool good = state_table_write(&view->content, selection->last, selection->top, view->output,
	                              &no_memory);
	return no_memory ? out_of_memory() : good;
}

/* ---- views ---------------------------------------------------------------------------------- */

static bool print_kind(struct view *view, enum section_kind kind)
{
	if (view->job->selection.view == VIEW_TREE)
		return print_tree(view, kind);
	return print_costs(view, kind, view->job->selection.group);
}

static bool print_view(struct view *view)
{
	enum profile_view kind_of_view = view->job->selection.view;
	bool good = true;

	if (kind_of_view == VIEW_STATES)
		return print_states(view);
	if (kind_of_view == VIEW_ALL || kind_of_view == VIEW_SUMMARY)
		facts_write(&view->profile.facts, view->output);
	for (int kind = 0; kind < SECTION_KINDS && good && kind_of_view != VIEW_TRACES; kind++) {
		if (section_has_stacks((enum section_kind)kind) &&
		    has_kind(view, (enum section_kind)kind))
			good = print_kind(view, (enum section_kind)kind);
	}
	if (kind_of_view == VIEW_ALL || kind_of_view == VIEW_TRACES)
		good = good && print_tables(view);
	return good;
}

bool report_view_write(const struct profile_job *job, struct output *output)
{
	struct view view = {.job = job, .output = output};
	bool good = report_profile_init(&view.profile);

	report_content_init(&view.content, &view.profile);
	bool whole = good && profile_job_read(job, &view.profile, &view.content.base);
	output_limit(output, view.profile.facts.bytes);
	if (!good || view.content.out_of_memory) {
		good = out_of_memory();
	} else {
		good = print_view(&view);
		/* A short program has used no CPU time that was sampled. */
		if (view.sections == 0 && job->selection.view == VIEW_SUMMARY)
			byte_buffer_add_text(&output->text, "Nothing was recorded.\n");
		else if (good && whole && view.sections == 0)
			good = console_failed("%s has no section that this view can show",
			                      console_shown(job->input_name).text) == EXIT_DONE;
	}
	report_content_free(&view.content);
	report_profile_free(&view.profile);
	return good && whole;
}
