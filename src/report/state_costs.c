/*
 * state_costs.c: see state_costs.h.
 */
#include "report/state_costs.h"

#include "os/time_units.h"

#include <string.h>

static const struct {
	const char *name;
	const char *meaning;
} meanings[] = {
        {"usr", "on a CPU"},
        {"sys", "on a CPU, in the system"},
        {"tfl", "waiting for a page of code"},
        {"dfl", "waiting for a page of data"},
        {"lck", "waiting for a lock"},
        {"slp", "asleep, parked or waiting"},
        {"i/o", "reading or writing"},
        {"lat", "waiting for a CPU"},
        {"stw", "stopped by the JVM"},
};

const char *state_costs_meaning(const struct state_costs *costs, size_t state)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strcmp(meanings[i].name, costs->names[state]->text) == 0)
			return meanings[i].meaning;
	}
	return "";
}

uint64_t state_costs_rest(const struct state_costs *costs)
{
	uint64_t rest_ns = costs->total_ns - costs->known_ns;
	return rest_ns >= NS_PER_MS ? rest_ns : 0;
}

/* The section of an item, if it counts. */
static const struct report_section *section_of(const struct state_costs *costs, size_t item)
{
	const struct content_item *items = costs->content->items;
	if (items[item].note != NULL || items[item].section.kind != SECTION_STATES ||
	    report_content_is_replaced(costs->content, item, costs->last))
		return NULL;
	return &items[item].section;
}

/* False when out of memory. */
static bool add_section(struct state_costs *costs, const struct report_section *section)
{
	costs->sampled = costs->sampled || section->sampled;
	costs->names = section->state_names;
	costs->count = section->state_count;
	costs->total_ns = report_sum(costs->total_ns, section->total);
	for (size_t state = 0; state < section->state_count; state++) {
		struct report_section of_state;
		bool good = section_of_state(&of_state, section, state);
		costs->ns[state] = report_sum(costs->ns[state], of_state.total);
		costs->known_ns = report_sum(costs->known_ns, of_state.total);
		section_free(&of_state);
		if (!good)
			return false;
	}
	if (costs->total_ns < costs->known_ns)
		costs->total_ns = costs->known_ns;
	return true;
}

/* Of the states that are not marked, the one with the most time. */
static size_t longest(const struct state_costs *costs, const bool *marked)
{
	size_t found = costs->count;
	for (size_t i = 0; i < costs->count; i++) {
		if (!marked[i] && (found == costs->count || costs->ns[i] > costs->ns[found]))
			found = i;
	}
	return found;
}

static void order_states(struct state_costs *costs)
{
	bool marked[SECTION_STATES_MAX] = {false};
	for (size_t i = longest(costs, marked); i < costs->count && costs->ns[i] > 0;
	     i = longest(costs, marked)) {
		marked[i] = true;
		costs->order[costs->order_count++] = i;
	}
}

bool state_costs_init(struct state_costs *costs, const struct report_content *content, bool last)
{
	*costs = (struct state_costs){.content = content, .last = last};
	for (size_t i = 0; i < content->count; i++) {
		const struct report_section *section = section_of(costs, i);
		if (section != NULL && !add_section(costs, section))
			return false;
	}
	order_states(costs);
	return true;
}

/* False when out of memory. */
static bool add_costs(struct method_costs *methods, const struct report_profile *profile,
                      const struct report_section *section, size_t state)
{
	struct report_section of_state;
	bool good = section_of_state(&of_state, section, state) &&
	            method_costs_add(methods, profile, &of_state);

	section_free(&of_state);
	return good;
}

bool state_costs_by_method(const struct state_costs *costs, size_t state,
                           struct method_costs *methods)
{
	bool good = true;

	method_costs_init(methods, BY_METHOD);
	for (size_t i = 0; i < costs->content->count && good; i++) {
		const struct report_section *section = section_of(costs, i);
		good = section == NULL ||
		       add_costs(methods, costs->content->profile, section, state);
	}
	return good && method_costs_finish(methods, costs->content->profile);
}
