/*
 * part_costs.c: see text_view_parts.h.
 */
#include "views/text_view_parts.h"

#include "report/method_table.h"
#include "report/section_names.h"

static bool collect_costs(const struct text_view *view, enum section_kind kind,
                          struct method_costs *costs)
{
	for (size_t i = 0; i < view->content.count; i++) {
		const struct content_item *item = &view->content.items[i];
		if (!text_view_selects(view, i) || item->section.kind != kind ||
		    report_content_is_replaced(&view->content, i, false))
			continue;
		if (!method_costs_add(costs, &view->profile, &item->section))
			return text_view_out_of_memory();
	}
	return method_costs_finish(costs, &view->profile) || text_view_out_of_memory();
}

bool view_part_costs(struct text_view *view, enum section_kind kind)
{
	const uint32_t interval_ms = view->profile.facts.interval_ms;
	struct method_costs costs;

	method_costs_init(&costs, view->request->selection.group);
	bool good = collect_costs(view, kind, &costs);
	if (good && costs.count > 0) {
		text_view_begin_part(view);
		method_costs_write_title(&costs, section_name_of_kind(kind)->title, interval_ms,
		                         view->output);
		good = method_costs_write(&costs, interval_ms, view->request->selection.top,
		                          view->output);
	}
	method_costs_free(&costs);
	return good;
}
