/*
 * shares.c: see shares.h.
 */
#include "report/shares.h"

#include <inttypes.h>

uint32_t share_of(uint64_t part, uint64_t total)
{
	if (total == 0 || part >= total)
		return part == 0 ? 0 : SHARE_WHOLE;
	return (uint32_t)((double)part / (double)total * SHARE_WHOLE + 0.5);
}

void share_add_text(struct byte_buffer *out, uint32_t share)
{
	byte_buffer_printf(out, " %3" PRIu32 ".%02" PRIu32 "%%", share / 100, share % 100);
}
