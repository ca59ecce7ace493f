/*
 * text_pairs.c: see text_pairs.h.
 */
#include "hprof/text_pairs.h"

#include "hprof/text_kinds.h"
#include "os/time_units.h"

#include <inttypes.h>

const struct text_kind text_kind_call_pairs = {
        "A table with the header count, callee, caller, time",
        "      How often one method called another, and the CPU time in ms of these calls,\n"
        "      including the calls they made. The table ends with its last row.\n"};

static void add_method(struct byte_buffer *out, const struct method *method)
{
	if (method == NULL) {
		byte_buffer_add_text(out, "<unknown caller>");
		return;
	}
	byte_buffer_add(out, method->class->name->text, method->class->name->length);
	byte_buffer_add_u1(out, '.');
	byte_buffer_add(out, method->name->text, method->name->length);
	byte_buffer_add(out, method->signature->text, method->signature->length);
}

void text_call_pairs(void *state, struct byte_buffer *out, const struct call_pair_row *rows,
                     size_t row_count)
{
	(void)state;
	byte_buffer_add_text(out, "count callee caller time\n");
	for (size_t i = 0; i < row_count; i++) {
		byte_buffer_printf(out, "%" PRIu64 " ", rows[i].calls);
		add_method(out, rows[i].callee);
		byte_buffer_add_u1(out, ' ');
		add_method(out, rows[i].caller);
		byte_buffer_printf(out, " %" PRIu64 "\n", rows[i].total_ns / NS_PER_MS);
	}
}
