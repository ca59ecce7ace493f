/*
 * old_format.c: the format of java -prof in JDK 1.1, written by cpu=old only: one table
 * of callers and callees with the number of calls and their time. It keeps no state.
 * Called by the record writer under its record lock.
 */
#include "hprof/record_format.h"
#include "hprof/text_pairs.h"

/* The file has no header, only the table. */
static void old_header(void *state, struct byte_buffer *out, int64_t created_wall_ms)
{
	(void)state;
	(void)out;
	(void)created_wall_ms;
}

const struct record_format record_format_old = {
        .header = old_header,
        .call_pairs = text_call_pairs,
};
