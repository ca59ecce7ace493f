/*
 * text_view.c: see text_view.h. The profile is read as a whole before anything is printed: the
 * summary comes first, and has the duration, which is at the end of the file.
 */
#include "views/text_view.h"

#include "console/messages.h"
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
	const struct view_parts *parts = &parts_of[view->request->selection.view];
	bool good = true;

	if (parts->summary)
		facts_write(&view->profile.facts, view->output);
	for (int kind = 0; kind < SECTION_KINDS && good && parts->of_kind != NULL; kind++) {
		if (section_has_stacks((enum section_kind)kind) &&
		    text_view_has_kind(view, (enum section_kind)kind))
			good = parts->of_kind(view, (enum section_kind)kind);
	}
	return good && (parts->rest == NULL || parts->rest(view));
}

bool text_view_write(const struct view_request *request, struct output *output)
{
	struct text_view view = {.request = request, .output = output};
	bool good = report_profile_init(&view.profile);

	report_content_init(&view.content, &view.profile);
	bool whole = good && view_request_read(request, &view.profile, &view.content.base);
	output_limit(output, view.profile.facts.bytes);
	if (!good || view.content.out_of_memory) {
		good = text_view_out_of_memory();
	} else {
		good = print_view(&view);
		/* A short program has used no CPU time that was sampled. */
		if (view.sections == 0 && request->selection.view == VIEW_SUMMARY)
			byte_buffer_add_text(&output->text, "Nothing was recorded.\n");
		else if (good && whole && view.sections == 0)
			good = console_failed("%s has no section that this view can show",
			                      console_shown(request->input_name).text) == EXIT_DONE;
	}
	report_content_free(&view.content);
	report_profile_free(&view.profile);
	return good && whole;
}

const struct profile_format profile_format_tables = {".txt", .agent_format = 'a', .is_tables = true,
                                                     .write = text_view_write};
