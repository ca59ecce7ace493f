/*
 * json_costs.c: see json_parts.h.
 */
#include "views/json_parts.h"

#include "report/interval.h"
#include "report/section_names.h"
#include "report/shares.h"

static uint32_t ten_thousandths(double share)
{
	return (uint32_t)(share * SHARE_WHOLE + 0.5);
}

static void add_interval(struct json_stream *json, uint64_t samples, uint64_t total)
{
	const struct interval share = interval_of_share(samples, total);

	json_add_percent(json, "low_percent", ten_thousandths(share.low));
	json_add_percent(json, "high_percent", ten_thousandths(share.high));
}

static void add_row(struct json_stream *json, const struct method_costs *costs, uint32_t place)
{
	const struct method_cost *row = &costs->rows[place];

	json_stream_open_object(json, NULL);
	json_stream_add_string(json, "name", row->name);
	if (row->thread != 0)
		json_stream_add_number(json, "thread", row->thread);
	json_stream_add_number(json, "self", row->self);
	json_stream_add_number(json, "total", row->total);
	/* Of the rest it may not be known. */
	if (!row->is_rest || row->count > 0)
		json_stream_add_number(json, "count", row->count);
	json_add_percent(json, "self_percent", share_of(row->self, costs->total));
	json_add_percent(json, "total_percent", share_of(row->total, costs->total));
	if (costs->kind == SECTION_SAMPLES)
		add_interval(json, row->self, costs->total);
	json_stream_close(json);
}

static void add_rows(struct json_stream *json, const struct method_costs *costs, const char *key,
                     uint32_t from, uint32_t to)
{
	json_stream_open_array(json, key);
	for (uint32_t i = from; i < to && json_stream_is_good(json); i++)
		add_row(json, costs, i);
	json_stream_close(json);
}

void json_add_method_costs(struct json_stream *json, const struct method_costs *costs,
                           size_t rows_max)
{
	uint32_t rows = costs->count;

	while (rows > 0 && costs->rows[rows - 1].is_rest)
		rows--;
	uint32_t shown = rows_max == 0 || rows < rows_max ? rows : (uint32_t)rows_max;
	json_stream_add_words(json, "by", method_group_words[costs->group]);
	json_stream_add_words(json, "counted", method_costs_counted(costs));
	json_stream_add(json, "exact", json_boolean(costs->exact));
	json_stream_add_number(json, "total", costs->total);
	json_stream_add_number(json, "without_stack", costs->stackless);
	json_add_percent(json, "without_stack_percent", share_of(costs->stackless, costs->total));
	add_rows(json, costs, "rows", 0, shown);
	json_stream_add_number(json, "rows_left_out", rows - shown);
	add_rows(json, costs, "rest", rows, costs->count);
}

void json_part_costs(struct json_view *view, enum section_kind kind)
{
	const struct section_name *name = section_name_of_kind(kind);
	struct json_stream *json = &view->json;
	struct method_costs costs;

	if (!selected_profile_costs(&view->selected, kind, &costs)) {
		byte_buffer_fail(&json->output->text, BYTES_NO_MEMORY);
	} else if (costs.count > 0) {
		view->sections++;
		json_stream_open_object(json, NULL);
		json_stream_add_words(json, "of", name->word);
		json_stream_add_words(json, "title", name->title);
		json_stream_add_words(json, "unit", name->unit);
		json_add_method_costs(json, &costs, view->selected.request->selection.top);
		json_stream_close(json);
	}
	method_costs_free(&costs);
}
