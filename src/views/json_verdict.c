/*
 * json_verdict.c: see json_reports.h.
 */
#include "views/json_reports.h"

#include "report/shares.h"
#include "views/json_frames.h"

#include <string.h>

static const char *const measure_words[MEASURES] = {
        [MEASURE_CALLS] = "calls", [MEASURE_BYTES] = "allocated-bytes"};

static void add_rule(struct json_stream *json, const struct rule *rule)
{
	json_stream_add_text(json, "pattern", rule->pattern, strlen(rule->pattern));
	json_stream_add_number(json, "amount", rule->amount);
	json_stream_add(json, "is_percent", json_boolean(rule->percent));
}

/* Without a rule no growth is allowed. */
static void add_budget_of(struct json_stream *json, const struct rules *rules, size_t rule)
{
	if (rule == SIZE_MAX)
		return;
	json_stream_open_object(json, "budget");
	add_rule(json, &rules->rules[rule]);
	json_stream_close(json);
}

static void add_growth(struct json_stream *json, const struct contexts *contexts,
                       const struct growth *growth)
{
	json_stream_open_object(json, NULL);
	json_stream_add_string(json, "name", contexts->tree.nodes[growth->node].name);
	json_stream_add_number(json, "old", growth->pair.of[SIDE_OLD]);
	json_stream_add_number(json, "new", growth->pair.of[SIDE_NEW]);
	json_stream_add_number(json, "change", pair_change(growth->pair));
	add_budget_of(json, contexts->rules, growth->rule);
	json_add_stack(json, &contexts->tree, growth->node);
	json_stream_close(json);
}

static void add_measure(struct json_stream *json, const struct verdict *verdict,
                        enum measure measure, size_t top)
{
	const struct measured *measured = &verdict->contexts->measured[measure];
	const struct judged *judged = &verdict->of[measure];
	size_t shown = top == 0 || judged->grew < top ? judged->grew : top;
	uint64_t all = measured->all[SIDE_NEW];
	uint64_t compared = measured->compared[SIDE_NEW];

	json_stream_open_object(json, NULL);
	json_stream_add_words(json, "of", measure_words[measure]);
	json_stream_add_number(json, "total", all);
	json_stream_add_number(json, "compared", compared);
	json_add_percent(json, "compared_percent",
	                 all == 0 ? SHARE_WHOLE : share_of(compared, all));
	json_stream_add_number(json, "contexts", judged->contexts);
	json_stream_add_number(json, "grew", judged->grew);
	json_stream_add_number(json, "shrank", judged->shrank);
	json_stream_add_number(json, "grew_within_budget", judged->allowed);
	json_stream_open_array(json, "rows");
	for (size_t i = 0; i < shown && json_stream_is_good(json); i++)
		add_growth(json, verdict->contexts, &judged->growths[i]);
	json_stream_close(json);
	json_stream_add_number(json, "rows_left_out", judged->grew - shown);
	json_stream_close(json);
}

/* What rules have left out of the comparison. */
static void add_excluded(struct json_stream *json, const struct contexts *contexts)
{
	json_stream_open_array(json, "not_compared");
	for (size_t i = 0; i < contexts->rules->count; i++) {
		uint64_t calls = contexts->measured[MEASURE_CALLS].excluded[i];
		uint64_t bytes = contexts->measured[MEASURE_BYTES].excluded[i];
		const char *pattern = contexts->rules->rules[i].pattern;
		if (calls == 0 && bytes == 0)
			continue;
		json_stream_open_object(json, NULL);
		json_stream_add_text(json, "pattern", pattern, strlen(pattern));
		json_stream_add_number(json, "calls", calls);
		json_stream_add_number(json, "bytes", bytes);
		json_stream_close(json);
	}
	json_stream_close(json);
}

static void add_budget(struct json_stream *json, const struct rules *rules)
{
	json_stream_open_array(json, "budget");
	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rules[i];
		if (rule->kind != RULE_BUDGET)
			continue;
		json_stream_open_object(json, NULL);
		add_rule(json, rule);
		json_stream_add(json, "of_calls", json_boolean(rule->calls));
		json_stream_add(json, "of_bytes", json_boolean(rule->bytes));
		json_stream_close(json);
	}
	json_stream_close(json);
}

bool json_verdict_write(const struct verdict *verdict, const struct json_verdict *how,
                        struct output *output)
{
	struct json_stream json;

	json_stream_begin(&json, output);
	json_stream_add_words(&json, "format", "hprof-check");
	json_stream_add_number(&json, "version", JSON_REPORTS_VERSION);
	json_add_file(&json, "old", how->names[SIDE_OLD]);
	json_add_file(&json, "new", how->names[SIDE_NEW]);
	json_stream_add(&json, "passed", json_boolean(verdict_passes(verdict)));
	json_stream_open_array(&json, "measures");
	for (int i = 0; i < MEASURES; i++) {
		if (verdict->contexts->measured[i].has[SIDE_NEW])
			add_measure(&json, verdict, (enum measure)i, how->top);
	}
	json_stream_close(&json);
	add_excluded(&json, verdict->contexts);
	add_budget(&json, verdict->contexts->rules);
	return json_stream_end(&json);
}
