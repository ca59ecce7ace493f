/*
 * cost_text.c: see cost_text.h.
 */
#include "report/cost_text.h"

#include "os/time_units.h"
#include "report/section_names.h"
#include "report/shares.h"

#include <inttypes.h>

enum {
	FRACTION_WIDTH = 4, /* of ".000" */
	HOT_SHARE = SHARE_WHOLE / 20
};

bool cost_is_time(enum section_kind kind)
{
	return kind == SECTION_TIMES || kind == SECTION_OFF_CPU || kind == SECTION_MONITORS ||
	       section_is_state(kind);
}

const char *cost_unit(enum section_kind kind)
{
	return cost_is_time(kind) ? "ms" : section_name_of_kind(kind)->unit;
}

void cost_add_ms(struct byte_buffer *out, uint64_t ns, int width)
{
	/* Not as a double, for a decimal point in every locale. */
	byte_buffer_printf(out, "%*" PRIu64 ".%03u",
	                   width > FRACTION_WIDTH ? width - FRACTION_WIDTH : 0, ns / NS_PER_MS,
	                   (unsigned)(ns / NS_PER_US % US_PER_MS));
}

void cost_add_text(struct byte_buffer *out, enum section_kind kind, uint64_t cost, int width)
{
	if (cost_is_time(kind))
		cost_add_ms(out, cost, width);
	else
		byte_buffer_printf(out, "%*" PRIu64, width, cost);
}

void cost_add_own_share(struct output *output, uint32_t share)
{
	if (share >= HOT_SHARE)
		output_style(output, STYLE_HOT);
	share_add_text(&output->text, share);
	if (share >= HOT_SHARE)
		output_style(output, STYLE_PLAIN);
}
