/*
 * text_view.c: see text_view.h. The profile is read as a whole before anything is printed: the
 * summary comes first, and has the duration, which is at the end of the file.
 */
#include "views/text_view.h"

#include "report/method_table.h"
#include "views/format.h"
#include "views/text_view_parts.h"

/* What a view prints, in this order. */
struct view_parts {
	bool summary;
	bool (*of_kind)(struct text_view *view, enum section_kind kind); /* each with stacks */
	bool (*rest)(struct text_view *view);
};

static const struct view_parts parts_of[] = {
        [VIEW_ALL] = {.summary = true, .of_kind = view_part_costs, .rest = view_part_tables},
        [VIEW_SUMMARY] = {.summary = true, .of_kind = view_part_costs},
        [VIEW_TRACES] = {.rest = view_part_tables},
        [VIEW_COSTS] = {.of_kind = view_part_costs},
        [VIEW_TREE] = {.of_kind = view_part_tree},
        [VIEW_STATES] = {.rest = view_part_states},
};

static bool print_view(struct text_view *view)
{
	const struct view_parts *parts = &parts_of[view->selected.request->selection.view];
	bool good = true;

	if (parts->summary)
		facts_write(&view->selected.profile.facts, view->output);
	for (int kind = 0; kind < SECTION_KINDS && good && parts->of_kind != NULL; kind++) {
		if (section_has_stacks((enum section_kind)kind) &&
		    selected_profile_has_kind(&view->selected, (enum section_kind)kind))
			good = parts->of_kind(view, (enum section_kind)kind);
	}
	return good && (parts->rest == NULL || parts->rest(view));
}

bool text_view_write(const struct view_request *request, struct output *output)
{
	struct text_view view = {.output = output};
	bool good = selected_profile_read(&view.selected, request) || text_view_out_of_memory();

	output_limit(output, view.selected.profile.facts.bytes);
	if (good) {
		good = print_view(&view);
		/* A short program has used no CPU time that was sampled. */
		if (view.sections == 0 && request->selection.view == VIEW_SUMMARY)
			byte_buffer_add_text(&output->text, "Nothing was recorded.\n");
		else if (good && view.selected.is_whole && view.sections == 0)
			good = view_nothing_to_show(request);
	}
	good = good && view.selected.is_whole;
	selected_profile_free(&view.selected);
	return good;
}

const struct profile_format profile_format_tables = {".txt", .agent_format = 'a', .is_tables = true,
                                                     .write = text_view_write};
