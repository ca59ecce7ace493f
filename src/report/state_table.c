/*
 * state_table.c: see state_table.h.
 */
#include "report/state_table.h"

#include "hprof/text_titles.h"
#include "report/cost_text.h"
#include "report/method_table.h"
#include "report/shares.h"
#include "report/state_costs.h"

static void add_line(const struct state_costs *costs, uint64_t ns, const char *name,
                     const char *meaning, struct byte_buffer *out)
{
	share_add_text(out, share_of(ns, costs->total_ns));
	byte_buffer_add_u1(out, ' ');
	cost_add_ms(out, ns, 16);
	byte_buffer_printf(out, "  %-3s  %s\n", name, meaning);
}

static void add_summary(const struct state_costs *costs, struct output *output)
{
	struct byte_buffer *out = &output->text;
	uint64_t rest_ns = state_costs_rest(costs);

	output_title(output, TEXT_TRACE_MICROSTATES);
	byte_buffer_add_text(out, ": ");
	cost_add_ms(out, costs->total_ns, 0);
	byte_buffer_add_text(out, costs->sampled ? " ms, sampled\n" : " ms\n");
	byte_buffer_add_text(out, "   share               ms  state\n");
	for (size_t i = 0; i < costs->order_count; i++) {
		size_t state = costs->order[i];
		add_line(costs, costs->ns[state], costs->names[state]->text,
		         state_costs_meaning(costs, state), out);
	}
	if (rest_ns > 0)
		add_line(costs, rest_ns, "", SECTION_REST_NAME, out);
}

static bool write_state(const struct state_costs *costs, size_t state, size_t rows_max,
                        struct output *output, bool *out_of_memory)
{
	struct method_costs methods;
	bool good = state_costs_by_method(costs, state, &methods);

	*out_of_memory = !good;
	if (good) {
		byte_buffer_add_u1(&output->text, '\n');
		method_costs_write_title(&methods, costs->names[state]->text, 0, output);
		good = method_costs_write(&methods, 0, rows_max, output);
	}
	method_costs_free(&methods);
	return good;
}

bool state_table_write(const struct report_content *content, bool last, size_t rows_max,
                       struct output *output, bool *out_of_memory)
{
	struct state_costs costs;
	bool good = state_costs_init(&costs, content, last);

	*out_of_memory = !good;
	if (!good || costs.names == NULL)
		return good;
	add_summary(&costs, output);
	for (size_t i = 0; i < costs.order_count && good; i++)
		good = write_state(&costs, costs.order[i], rows_max, output, out_of_memory);
	return good;
}
