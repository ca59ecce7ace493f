/*
 * json_states.c: see json_parts.h.
 */
#include "views/json_parts.h"

#include "report/shares.h"
#include "report/state_costs.h"

static void add_state(struct json_view *view, const struct state_costs *costs, size_t state)
{
	struct json_stream *json = &view->json;
	struct method_costs methods;
	bool good = state_costs_by_method(costs, state, &methods);

	if (!good)
		byte_buffer_fail(&json->output->text, BYTES_NO_MEMORY);
	json_stream_open_object(json, NULL);
	json_stream_add_string(json, "state", costs->names[state]);
	json_stream_add_words(json, "meaning", state_costs_meaning(costs, state));
	json_add_percent(json, "percent", share_of(costs->ns[state], costs->total_ns));
	if (good)
		json_add_method_costs(json, &methods, view->selected.request->selection.top);
	json_stream_close(json);
	method_costs_free(&methods);
}

bool json_part_states(struct json_view *view)
{
	struct json_stream *json = &view->json;
	struct state_costs costs;

	if (!selected_profile_has_states(&view->selected))
		return false;
	view->sections++;
	if (!state_costs_init(&costs, &view->selected.content,
	                      view->selected.request->selection.last)) {
		byte_buffer_fail(&json->output->text, BYTES_NO_MEMORY);
		return true;
	}
	json_stream_open_object(json, "states");
	json_stream_add_words(json, "unit", "ns");
	json_stream_add(json, "sampled", json_boolean(costs.sampled));
	json_stream_add_number(json, "total", costs.total_ns);
	json_stream_add_number(json, "rest", state_costs_rest(&costs));
	json_stream_open_array(json, "rows");
	for (size_t i = 0; i < costs.order_count && json_stream_is_good(json); i++)
		add_state(view, &costs, costs.order[i]);
	json_stream_close(json);
	json_stream_close(json);
	return true;
}
