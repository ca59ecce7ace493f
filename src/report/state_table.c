/*
 * state_table.c: see state_table.h.
 */
#include "report/state_table.h"

#include "hprof/text_titles.h"
#include "os/time_units.h"
#include "report/cost_text.h"
#include "report/method_table.h"
#include "report/shares.h"

#include <inttypes.h>
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

static const char *meaning_of(const struct string *name)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strcmp(meanings[i].name, name->text) == 0)
			return meanings[i].meaning;
	}
	return "";
}

struct table {
	const struct report_content *content;
	bool last;
	bool sampled;
	const struct string *const *names; /* of the states; NULL: there is no section */
	size_t count;
	uint64_t ns[SECTION_STATES_MAX];
	uint64_t known_ns; /* their sum */
	uint64_t total_ns;
	bool out_of_memory;
};

/* The section of an item, if it counts. */
static const struct report_section *section_of(const struct table *table, size_t item)
{
	const struct content_item *items = table->content->items;
	if (items[item].note != NULL || items[item].section.kind != SECTION_STATES ||
	    report_content_is_replaced(table->content, item, table->last))
		return NULL;
	return &items[item].section;
}

/* False when out of memory. */
static bool add_section(struct table *table, const struct report_section *section)
{
	table->sampled = table->sampled || section->sampled;
	table->names = section->state_names;
	table->count = section->state_count;
	table->total_ns = report_sum(table->total_ns, section->total);
	for (size_t state = 0; state < section->state_count; state++) {
		struct report_section of_state;
		bool good = section_of_state(&of_state, section, state);
		table->ns[state] = report_sum(table->ns[state], of_state.total);
		table->known_ns = report_sum(table->known_ns, of_state.total);
		section_free(&of_state);
		if (!good)
			return false;
	}
	if (table->total_ns < table->known_ns)
		table->total_ns = table->known_ns;
	return true;
}

/* ---- the states -------------------------------------------------------------------------- */

static void add_line(const struct table *table, uint64_t ns, const char *name, const char *meaning,
                     struct byte_buffer *out)
{
	share_add_text(out, share_of(ns, table->total_ns));
	byte_buffer_add_u1(out, ' ');
	cost_add_ms(out, ns, 16);
	byte_buffer_printf(out, "  %-3s  %s\n", name, meaning);
}

/* Of the states that are not marked, the one with the most time. */
static size_t longest(const struct table *table, const bool *marked)
{
	size_t found = table->count;
	for (size_t i = 0; i < table->count; i++) {
		if (!marked[i] && (found == table->count || table->ns[i] > table->ns[found]))
			found = i;
	}
	return found;
}

/* Numbers of the states that have time, the longest first. Returns how many there are. */
static size_t order_states(const struct table *table, size_t order[SECTION_STATES_MAX])
{
	bool marked[SECTION_STATES_MAX] = {false};
	size_t count = 0;
	for (size_t i = longest(table, marked); i < table->count && table->ns[i] > 0;
	     i = longest(table, marked)) {
		marked[i] = true;
		order[count++] = i;
	}
	return count;
}

static void add_summary(const struct table *table, const size_t *order, size_t count,
                        struct output *output)
{
	struct byte_buffer *out = &output->text;
	uint64_t rest_ns = table->total_ns - table->known_ns;

	output_title(output, TEXT_TRACE_MICROSTATES);
	byte_buffer_add_text(out, ": ");
	cost_add_ms(out, table->total_ns, 0);
	byte_buffer_add_text(out, table->sampled ? " ms, sampled\n" : " ms\n");
	byte_buffer_add_text(out, "   share               ms  state\n");
	for (size_t i = 0; i < count; i++)
		add_line(table, table->ns[order[i]], table->names[order[i]]->text,
		         meaning_of(table->names[order[i]]), out);
	/* Times of rows are cut to a microsecond. */
	if (rest_ns >= NS_PER_MS)
		add_line(table, rest_ns, "", SECTION_REST_NAME, out);
}

/* ---- methods ----------------------------------------------------------------------------- */

/* False when out of memory. */
static bool add_costs(struct method_costs *costs, const struct report_profile *profile,
                      const struct report_section *section, size_t state)
{
	struct report_section of_state;
	bool good = section_of_state(&of_state, section, state) &&
	            method_costs_add(costs, profile, &of_state);

	section_free(&of_state);
	return good;
}

static bool write_state(struct table *table, size_t state, size_t rows_max, struct output *output)
{
	struct method_costs costs;
	bool good = true;

	method_costs_init(&costs, BY_METHOD);
	for (size_t i = 0; i < table->content->count && good; i++) {
		const struct report_section *section = section_of(table, i);
		good = section == NULL ||
		       add_costs(&costs, table->content->profile, section, state);
	}
	good = good && method_costs_finish(&costs, table->content->profile);
	table->out_of_memory = !good;
	if (good) {
		byte_buffer_add_u1(&output->text, '\n');
		method_costs_write_title(&costs, table->names[state]->text, 0, output);
		good = method_costs_write(&costs, 0, rows_max, output);
	}
	method_costs_free(&costs);
	return good;
}

bool state_table_write(const struct report_content *content, bool last, size_t rows_max,
                       struct output *output, bool *out_of_memory)
{
	struct table table = {.content = content, .last = last};
	size_t order[SECTION_STATES_MAX];
	bool good = true;

	for (size_t i = 0; i < content->count && !table.out_of_memory; i++) {
		const struct report_section *section = section_of(&table, i);
		table.out_of_memory = section != NULL && !add_section(&table, section);
	}
	*out_of_memory = table.out_of_memory;
	if (table.names == NULL || table.out_of_memory)
		return !table.out_of_memory;
	size_t count = order_states(&table, order);
	add_summary(&table, order, count, output);
	for (size_t i = 0; i < count && good; i++)
		good = write_state(&table, order[i], rows_max, output);
	*out_of_memory = table.out_of_memory;
	return good;
}
