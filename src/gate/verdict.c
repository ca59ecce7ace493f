/*
 * verdict.c: see verdict.h. JUnit XML is in junit.c.
 */
#include "gate/verdict.h"

#include "base/array.h"
#include "hprof/text_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_SHOWN = 40 };

/* ---- judging ------------------------------------------------------------------- */

/* Whether a rule matches a frame of a context, or the class of "new CLASS". */
static bool matches(const struct rule *rule, const struct string *name)
{
	static const char prefix[] = "new ";
	bool is_class = strncmp(name->text, prefix, strlen(prefix)) == 0;
	return rule_matches(rule, is_class ? name->text + strlen(prefix) : name->text);
}

/* The first rule of the budget that matches a name; SIZE_MAX: none. */
static size_t find_rule(const struct rules *rules, enum measure measure, const struct string *name)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rules[i];
		if (rule->kind == RULE_BUDGET &&
		    (measure == MEASURE_CALLS ? rule->calls : rule->bytes) && matches(rule, name))
			return i;
	}
	return SIZE_MAX;
}

/* By node: the first rule of the budget that matches a method or the allocated class of the
 * context. The caller frees them. NULL when out of memory. */
static size_t *find_budgets(const struct contexts *contexts, enum measure measure)
{
	const struct stack_tree *tree = &contexts->tree;
	bool any = rules_have(contexts->rules, RULE_BUDGET);
	size_t *budgets = malloc((size_t)tree->count * sizeof(*budgets));

	/* Parents come before their children. */
	for (uint32_t node = 0; budgets != NULL && node < tree->count; node++) {
		const struct string *name = tree->nodes[node].name;
		size_t caller = node == 0 ? SIZE_MAX : budgets[tree->nodes[node].parent];
		size_t own =
		        any && name != NULL ? find_rule(contexts->rules, measure, name) : SIZE_MAX;
		budgets[node] = own < caller ? own : caller;
	}
	return budgets;
}

static bool add_growth(struct judged *judged, const struct growth *growth)
{
	if (!array_grow(&judged->growths, &judged->capacity, judged->grew,
	                sizeof(*judged->growths)))
		return false;
	judged->growths[judged->grew++] = *growth;
	return true;
}

static bool judge(struct judged *judged, const struct contexts *contexts, enum measure measure,
                  uint32_t node, size_t budget)
{
	struct pair pair = pairs_get(&contexts->measured[measure].values, node);

	if ((pair.of[SIDE_OLD] == 0 && pair.of[SIDE_NEW] == 0) ||
	    !contexts_compares(contexts, node))
		return true;
	judged->contexts++;
	if (pair.of[SIDE_NEW] <= pair.of[SIDE_OLD]) {
		judged->shrank += pair.of[SIDE_NEW] < pair.of[SIDE_OLD];
		return true;
	}
	const struct growth growth = {measure, node, pair, budget};
	if (growth.rule != SIZE_MAX && rule_allows(&contexts->rules->rules[growth.rule],
	                                           pair.of[SIDE_OLD], pair.of[SIDE_NEW])) {
		judged->allowed++;
		return true;
	}
	return add_growth(judged, &growth);
}

static int by_growth(const void *one, const void *other)
{
	const struct growth *a = one;
	const struct growth *b = other;
	uint64_t a_change = pair_change(a->pair);
	uint64_t b_change = pair_change(b->pair);
	if (a_change != b_change)
		return a_change > b_change ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static bool judge_all(struct judged *judged, const struct contexts *contexts, enum measure measure)
{
	size_t *budgets = find_budgets(contexts, measure);
	bool good = budgets != NULL;

	for (uint32_t node = 1; node < contexts->tree.count && good; node++)
		good = judge(judged, contexts, measure, node, budgets[node]);
	if (judged->grew > 0)
		qsort(judged->growths, judged->grew, sizeof(*judged->growths), by_growth);
	free(budgets);
	return good;
}

bool verdict_init(struct verdict *verdict, const struct contexts *contexts)
{
	*verdict = (struct verdict){.contexts = contexts};
	for (int i = 0; i < MEASURES; i++) {
		if (!judge_all(&verdict->of[i], contexts, (enum measure)i))
			return false;
	}
	return true;
}

void verdict_free(struct verdict *verdict)
{
	for (int i = 0; i < MEASURES; i++)
		free(verdict->of[i].growths);
}

bool verdict_passes(const struct verdict *verdict)
{
	return verdict->of[MEASURE_CALLS].grew == 0 && verdict->of[MEASURE_BYTES].grew == 0;
}

/* ---- text ------------------------------------------------------------------------ */

static const char *const measure_names[MEASURES] = {
        [MEASURE_CALLS] = "calls", [MEASURE_BYTES] = "allocated bytes"};

void growth_describe(const struct verdict *verdict, const struct growth *growth,
                     struct byte_buffer *out)
{
	byte_buffer_printf(out, "%s grew by %" PRIu64 ", from %" PRIu64 " to %" PRIu64,
	                   measure_names[growth->measure], pair_change(growth->pair),
	                   growth->pair.of[SIDE_OLD], growth->pair.of[SIDE_NEW]);
	if (growth->rule == SIZE_MAX) {
		byte_buffer_add_text(out, " (budget +0%)");
		return;
	}
	const struct rule *rule = &verdict->contexts->rules->rules[growth->rule];
	byte_buffer_printf(out, " (budget %s +%" PRIu64 "%s)", rule->pattern, rule->amount,
	                   rule->percent ? "%" : "");
}

static void describe_growth(const struct verdict *verdict, const struct growth *growth,
                            struct byte_buffer *out)
{
	const struct stack_node *nodes = verdict->contexts->tree.nodes;
	uint32_t shown = 0;

	byte_buffer_add_u1(out, '\n');
	growth_describe(verdict, growth, out);
	byte_buffer_add_u1(out, '\n');
	for (uint32_t at = growth->node; at != 0; at = nodes[at].parent) {
		if (shown++ == FRAMES_SHOWN) {
			byte_buffer_printf(out, "\t... and %" PRIu32 " more\n", nodes[at].depth);
			break;
		}
		byte_buffer_add_u1(out, '\t');
		text_add_name(out, nodes[at].name);
		byte_buffer_add_u1(out, '\n');
	}
}

static void describe_measure(const struct verdict *verdict, enum measure measure,
                             struct byte_buffer *out)
{
	const struct measured *measured = &verdict->contexts->measured[measure];
	const struct judged *judged = &verdict->of[measure];
	uint64_t all = measured->all[SIDE_NEW];

	if (!measured->has[SIDE_NEW])
		return;
	byte_buffer_printf(out, "%s:", measure_names[measure]);
	/* A share with a blank before it. */
	text_add_percent(out, all == 0 ? 1 : measured->compared[SIDE_NEW], all == 0 ? 1 : all);
	byte_buffer_printf(out, " of %" PRIu64 " compared, in %zu contexts: %zu grew, %zu shrank",
	                   all, judged->contexts, judged->grew, judged->shrank);
	if (judged->allowed > 0)
		byte_buffer_printf(out, ", %zu grew within their budgets", judged->allowed);
	byte_buffer_add_u1(out, '\n');
}

static void describe_excluded(const struct contexts *contexts, struct byte_buffer *out)
{
	const struct measured *calls = &contexts->measured[MEASURE_CALLS];
	const struct measured *bytes = &contexts->measured[MEASURE_BYTES];

	for (size_t i = 0; i < contexts->rules->count; i++) {
		if (calls->excluded[i] == 0 && bytes->excluded[i] == 0)
			continue;
		byte_buffer_printf(
		        out,
		        "not compared: %" PRIu64 " calls and %" PRIu64 " bytes by the rule %s\n",
		        calls->excluded[i], bytes->excluded[i], contexts->rules->rules[i].pattern);
	}
}

void verdict_describe(const struct verdict *verdict, size_t top, struct byte_buffer *out)
{
	for (int i = 0; i < MEASURES; i++)
		describe_measure(verdict, (enum measure)i, out);
	describe_excluded(verdict->contexts, out);
	for (int i = 0; i < MEASURES; i++) {
		const struct judged *judged = &verdict->of[i];
		for (size_t g = 0; g < judged->grew && (top == 0 || g < top); g++)
			describe_growth(verdict, &judged->growths[g], out);
	}
}
