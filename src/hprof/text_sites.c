/*
 * text_sites.c: see text_sites.h.
 */
#include "hprof/text_sites.h"

#include "hprof/text_kinds.h"
#include "hprof/text_parts.h"
#include "hprof/text_titles.h"

#include <inttypes.h>

const struct text_kind text_kind_sites = {
        TEXT_SITES,
        "      Where objects were allocated. A site is a trace and a class. A row has its\n"
        "      rank, the site's share of all live bytes (self), that share plus those of\n"
        "      the rows above (accum), the live bytes and the number of live objects, the\n"
        "      bytes and the number of objects allocated since the JVM started (alloc'ed),\n"
        "      the trace that allocated them, and their class. An object counts as live\n"
        "      until a garbage collection has reclaimed it. Objects that existed before\n"
        "      profiling started have trace 300000. If the section is ordered by allocated\n"
        "      bytes, the shares are of allocated bytes. Sites with a share below the\n"
        "      option cutoff have no row.\n"};

/* The number that rows are sorted by. */
static uint64_t cost_of(const struct sites_record *record, const struct site_row *row)
{
	return record->by_allocation ? row->allocated_bytes : row->live_bytes;
}

static void add_title(struct byte_buffer *out, const struct sites_record *record)
{
	byte_buffer_printf(out, TEXT_BEGIN(TEXT_SITES) " (ordered by %s bytes",
	                   record->by_allocation ? "allocated" : "live");
	if (!record->live)
		byte_buffer_add_text(out, ", live not counted");
	if (record->sampled > 0)
		byte_buffer_printf(out, ", sampled every %" PRIu32 " bytes", record->sampled);
	if (record->incremental)
		byte_buffer_add_text(out, ", alloc'ed since the last one");
	byte_buffer_add_text(out, ") ");
	text_add_local_time(out, record->wall_ms);
	byte_buffer_add_text(out,
	                     "\n          percent          live          alloc'ed  stack class"
	                     "\n rank   self  accum     bytes objs     bytes  objs trace name\n");
}

void text_sites(void *state, struct byte_buffer *out, const struct sites_record *record)
{
	uint64_t total = cost_of(record, &record->sums);
	uint64_t accumulated = 0;

	(void)state;
	add_title(out, record);
	for (size_t i = 0; i < record->row_count; i++) {
		const struct site_row *row = &record->rows[i];
		accumulated += cost_of(record, row);
		byte_buffer_printf(out, "%5zu", i + 1);
		text_add_percent(out, cost_of(record, row), total);
		text_add_percent(out, accumulated, total);
		byte_buffer_printf(
		        out, " %9" PRIu64 " %4" PRIu64 " %9" PRIu64 " %5" PRIu64 " %" PRIu32 " ",
		        row->live_bytes, row->live_objects, row->allocated_bytes,
		        row->allocated_objects, row->trace->serial);
		text_add_name(out, row->class->name);
		byte_buffer_add_u1(out, '\n');
	}
	byte_buffer_add_text(out, TEXT_END(TEXT_SITES) "\n");
}
