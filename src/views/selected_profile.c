/*
 * selected_profile.c: see selected_profile.h.
 */
#include "views/selected_profile.h"

#include "console/messages.h"

bool view_nothing_to_show(const struct view_request *request)
{
	(void)console_failed("%s has no section that this view can show",
	                     console_shown(request->input_name).text);
	return false;
}

bool selected_profile_read(struct selected_profile *selected, const struct view_request *request)
{
	bool good = report_profile_init(&selected->profile);

	selected->request = request;
	report_content_init(&selected->content, &selected->profile);
	selected->is_whole =
	        good && view_request_read(request, &selected->profile, &selected->content.base);
	return good && !selected->content.out_of_memory;
}

void selected_profile_free(struct selected_profile *selected)
{
	report_content_free(&selected->content);
	report_profile_free(&selected->profile);
}

bool selected_profile_has(const struct selected_profile *selected, size_t item)
{
	const struct profile_selection *selection = &selected->request->selection;
	const struct content_item *items = selected->content.items;

	return items[item].note == NULL &&
	       (!selection->kind_given || items[item].section.kind == selection->kind) &&
	       !(selection->last && report_content_is_replaced(&selected->content, item, true));
}

bool selected_profile_has_kind(const struct selected_profile *selected, enum section_kind kind)
{
	for (size_t i = 0; i < selected->content.count; i++) {
		if (selected_profile_has(selected, i) &&
		    selected->content.items[i].section.kind == kind)
			return true;
	}
	return false;
}

bool selected_profile_has_states(const struct selected_profile *selected)
{
	if (selected_profile_has_kind(selected, SECTION_STATES))
		return true;
	(void)console_failed("%s has no TRACE MICROSTATES; msa=y writes them, with cpu=times or "
	                     "cpu=samples",
	                     console_shown(selected->request->input_name).text);
	return false;
}

bool selected_profile_costs(const struct selected_profile *selected, enum section_kind kind,
                            struct method_costs *costs)
{
	method_costs_init(costs, selected->request->selection.group);
	for (size_t i = 0; i < selected->content.count; i++) {
		const struct content_item *item = &selected->content.items[i];
		if (!selected_profile_has(selected, i) || item->section.kind != kind ||
		    report_content_is_replaced(&selected->content, i, false))
			continue;
		if (!method_costs_add(costs, &selected->profile, &item->section))
			return false;
	}
	return method_costs_finish(costs, &selected->profile);
}

bool selected_profile_tree(const struct selected_profile *selected, enum section_kind kind,
                           struct stack_tree *tree)
{
	struct tree_visitor visitor;
	bool good = stack_tree_init(tree);

	tree_visitor_init(&visitor, tree);
	visitor.any_kind = false;
	visitor.kind = kind;
	visitor.last = selected->request->selection.last;
	visitor.threads = selected->request->selection.threads;
	visitor.inverted = selected->request->selection.inverted;
	visitor.below.regex = selected->request->selection.below;
	good = good && report_content_visit(&selected->content, &visitor.base) &&
	       tree_visitor_finish(&visitor, &selected->profile);
	tree_visitor_free(&visitor);
	return good;
}
