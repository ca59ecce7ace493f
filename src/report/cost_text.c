/*
 * cost_text.c: see cost_text.h.
 */
#include "report/cost_text.h"

#include "os/time_units.h"

#include <inttypes.h>

/* Of ".000". */
enum { FRACTION_WIDTH = 4 };

bool cost_is_time(enum section_kind kind)
{
	return kind == SECTION_TIMES || kind == SECTION_OFF_CPU || kind == SECTION_MONITORS ||
	       section_is_state(kind);
}

const char *cost_unit(enum section_kind kind)
{
	if (cost_is_time(kind))
		return "ms";
	return kind == SECTION_SITES ? "bytes" : "samples";
}

void cost_add_text(struct byte_buffer *out, enum section_kind kind, uint64_t cost, int width)
{
	if (cost_is_time(kind))
		/* Not as a double, for a decimal point in every locale. */
		byte_buffer_printf(out, "%*" PRIu64 ".%03u",
		                   width > FRACTION_WIDTH ? width - FRACTION_WIDTH : 0,
		                   cost / NS_PER_MS, (unsigned)(cost / NS_PER_US % US_PER_MS));
	else
		byte_buffer_printf(out, "%*" PRIu64, width, cost);
}
