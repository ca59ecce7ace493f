/*
 * report_table.c: see report_table.h.
 */
#include "report/report_table.h"

#include "hprof/text_parts.h"
#include "report/shares.h"
#include "report/shown_name.h"

#include <inttypes.h>

static void add_rank(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	if (row->is_rest)
		byte_buffer_add_text(out, "     ");
	else
		byte_buffer_printf(out, "%5zu", rank);
	share_add_text(out, row->self);
	share_add_text(out, row->accumulated);
}

/* A column of the rest, blank where its number is not known. */
static void add_known(struct byte_buffer *out, int width, uint64_t number)
{
	if (number > 0)
		byte_buffer_printf(out, " %*" PRIu64, width, number);
	else
		byte_buffer_printf(out, " %*s", width, "");
}

static void add_ranked(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	add_rank(out, rank, row);
	if (row->is_rest) {
		add_known(out, 11, row->count);
		add_known(out, 8, 0);
		return;
	}
	byte_buffer_printf(out, " %11" PRIu64 " %7" PRIu32 " ", row->count, row->trace);
}

static void add_site(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	add_rank(out, rank, row);
	if (row->is_rest) {
		add_known(out, 12, row->live_bytes);
		add_known(out, 9, row->count);
		add_known(out, 13, row->allocated_bytes);
		add_known(out, 10, row->allocated_objects);
		add_known(out, 8, 0);
		return;
	}
	byte_buffer_printf(out,
	                   " %12" PRIu64 " %9" PRIu64 " %13" PRIu64 " %10" PRIu64 " %7" PRIu32 " ",
	                   row->live_bytes, row->count, row->allocated_bytes,
	                   row->allocated_objects, row->trace);
}

static void add_class(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	add_rank(out, rank, row);
	byte_buffer_printf(out, " %11" PRIu64 " %14" PRIu64 " ", row->count, row->cost);
}

static void add_nothing(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	(void)out;
	(void)rank;
	(void)row;
}

#define SAMPLES_HEADING " rank    self   accum     samples   trace method\n"
#define STATES_HEADING                                                     \
	"rank        wall         usr         sys         tfl         dfl" \
	"         lck         slp         i/o         lat         stw"

#define OF_CALLS                                                                 \
	{                                                                        \
		" rank    self   accum       calls   trace method\n", add_ranked \
	}

static const struct shape {
	const char *heading;
	void (*add)(struct byte_buffer *out, size_t rank, const struct section_row *row);
} shapes[] = {
        [SECTION_SAMPLES] = {SAMPLES_HEADING, add_ranked},
        [SECTION_TIMES] = OF_CALLS,
        [SECTION_OFF_CPU] = OF_CALLS,
        [SECTION_USR] = OF_CALLS,
        [SECTION_SYS] = OF_CALLS,
        [SECTION_TFL] = OF_CALLS,
        [SECTION_DFL] = OF_CALLS,
        [SECTION_LCK] = OF_CALLS,
        [SECTION_SLP] = OF_CALLS,
        [SECTION_IO] = OF_CALLS,
        [SECTION_LAT] = OF_CALLS,
        [SECTION_STW] = OF_CALLS,
        [SECTION_SITES] =
                {" rank    self   accum   live bytes   objects alloc'ed bytes    objects   "
                 "trace class\n",
                 add_site},
        [SECTION_MONITORS] = {" rank    self   accum       waits   trace monitor\n", add_ranked},
        [SECTION_HEAP] = {" rank    self   accum     objects          bytes class\n", add_class},
        [SECTION_LINES] = {"", add_nothing},
        [SECTION_MICROSTATES] = {"", add_nothing},
        [SECTION_STATES] = {STATES_HEADING "    calls trace method\n", add_nothing},
};

static const char *heading_of(const struct report_section *section)
{
	if (!section->sampled)
		return shapes[section->kind].heading;
	return section->kind == SECTION_STATES ? STATES_HEADING "  samples trace method\n"
	                                       : SAMPLES_HEADING;
}

static bool add_frames(struct output *output, const struct report_profile *profile,
                       const struct section_row *row, uint32_t frames_max)
{
	struct byte_buffer *out = &output->text;
	const struct report_trace *trace =
	        row->trace == 0 ? NULL : report_find_trace(profile, row->trace);

	if (trace == NULL)
		return true;
	uint32_t frames = frames_max == 0 || trace->depth <= frames_max ? trace->depth : frames_max;
	if (trace->thread != 0) {
		const struct string *name = report_find_thread(profile, trace->thread);
		byte_buffer_printf(out, "\t\tthread %" PRIu32, trace->thread);
		if (name != NULL) {
			byte_buffer_add_text(out, " \"");
			text_add_name(out, name);
			byte_buffer_add_text(out, "\"");
		}
		byte_buffer_add_u1(out, '\n');
	}
	for (uint32_t i = 0; i < frames; i++) {
		byte_buffer_add_text(out, "\t\t");
		shown_name_add(output, trace->frames[i].method, trace->frames[i].place->length);
		text_add_name(out, trace->frames[i].place);
		byte_buffer_add_u1(out, '\n');
		if (!output_continue(output))
			return false;
	}
	if (frames < trace->depth)
		byte_buffer_printf(out, "\t\t... and %" PRIu32 " more; --traces shows all\n",
		                   trace->depth - frames);
	return true;
}

static bool is_lines(enum section_kind kind)
{
	return kind == SECTION_LINES || kind == SECTION_MICROSTATES;
}

/* Tabs at the beginning of a line are kept. */
static void add_line(struct byte_buffer *out, const struct string *line)
{
	size_t tabs = 0;
	while (tabs < line->length && line->text[tabs] == '\t')
		byte_buffer_add_u1(out, (uint8_t)line->text[tabs++]);
	text_add_escaped(out, line->text + tabs, line->length - tabs);
}

static bool add_row(struct table_visitor *visitor, const struct report_profile *profile,
                    const struct report_section *section, size_t place)
{
	struct byte_buffer *out = &visitor->output->text;
	const struct section_row *row = &section->rows[place];

	shapes[section->kind].add(out, place + 1, row);
	if (is_lines(section->kind))
		add_line(out, row->name);
	else
		shown_name_add(visitor->output, row->name, 0);
	byte_buffer_add_u1(out, '\n');
	return add_frames(visitor->output, profile, row, visitor->frames_max) &&
	       output_continue(visitor->output);
}

static bool write_section(struct report_visitor *base, const struct report_profile *profile,
                          const struct report_section *section)
{
	struct table_visitor *visitor = (struct table_visitor *)base;
	struct byte_buffer *out = &visitor->output->text;
	size_t rows = section->row_count;

	if (section->kind == SECTION_TIMELINE)
		return true;
	while (rows > 0 && section->rows[rows - 1].is_rest)
		rows--;
	size_t shown = visitor->rows_max == 0 || is_lines(section->kind) || rows < visitor->rows_max
	                       ? rows
	                       : visitor->rows_max;
	if (visitor->sections++ > 0)
		byte_buffer_add_u1(out, '\n');
	output_title(visitor->output, section->title);
	byte_buffer_printf(out, "\n%s", heading_of(section));
	for (size_t i = 0; i < shown; i++) {
		if (!add_row(visitor, profile, section, i))
			return false;
	}
	if (shown < rows)
		byte_buffer_printf(out, "... and %zu more; --top 0 shows all\n", rows - shown);
	for (size_t i = rows; i < section->row_count; i++) {
		if (!add_row(visitor, profile, section, i))
			return false;
	}
	return output_continue(visitor->output);
}

static bool write_note(struct report_visitor *base, const char *text, size_t length)
{
	struct table_visitor *visitor = (struct table_visitor *)base;
	text_add_escaped(&visitor->output->text, text, length);
	byte_buffer_add_u1(&visitor->output->text, '\n');
	return output_continue(visitor->output);
}

void table_visitor_init(struct table_visitor *visitor, struct output *output, size_t rows_max)
{
	*visitor = (struct table_visitor){.base = {.section = write_section, .note = write_note},
	                                  .output = output,
	                                  .rows_max = rows_max};
}
