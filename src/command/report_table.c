/*
 * report_table.c: see report_table.h.
 */
#include "command/report_table.h"

#include "hprof/text_parts.h"

#include <inttypes.h>

static void add_share(struct byte_buffer *out, uint32_t share)
{
	byte_buffer_printf(out, " %3" PRIu32 ".%02" PRIu32 "%%", share / 100, share % 100);
}

static void add_rank(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	byte_buffer_printf(out, "%5zu", rank);
	add_share(out, row->self);
	add_share(out, row->accumulated);
}

static void add_ranked(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	add_rank(out, rank, row);
	byte_buffer_printf(out, " %11" PRIu64 " %7" PRIu32 " ", row->count, row->trace);
}

static void add_site(struct byte_buffer *out, size_t rank, const struct section_row *row)
{
	add_rank(out, rank, row);
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

static const struct shape {
	const char *heading;
	void (*add)(struct byte_buffer *out, size_t rank, const struct section_row *row);
} shapes[] = {
        [SECTION_SAMPLES] = {" rank    self   accum     samples   trace method\n", add_ranked},
        [SECTION_TIMES] = {" rank    self   accum       calls   trace method\n", add_ranked},
        [SECTION_OFF_CPU] = {" rank    self   accum       calls   trace method\n", add_ranked},
        [SECTION_SITES] =
                {" rank    self   accum   live bytes   objects alloc'ed bytes    objects   "
                 "trace class\n",
                 add_site},
        [SECTION_MONITORS] = {" rank    self   accum       waits   trace monitor\n", add_ranked},
        [SECTION_HEAP] = {" rank    self   accum     objects          bytes class\n", add_class},
        [SECTION_LINES] = {"", add_nothing},
};

static void add_frames(struct byte_buffer *out, const struct report_profile *profile,
                       const struct section_row *row)
{
	const struct report_trace *trace =
	        row->trace == 0 ? NULL : report_find_trace(profile, row->trace);

	if (trace == NULL)
		return;
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
	for (uint32_t i = 0; i < trace->depth; i++) {
		byte_buffer_add_text(out, "\t\t");
		text_add_name(out, trace->frames[i].method);
		text_add_name(out, trace->frames[i].place);
		byte_buffer_add_u1(out, '\n');
	}
}

/* Tabs and blanks at the beginning of a line are kept. */
static void add_name(struct byte_buffer *out, enum section_kind kind, const struct string *name)
{
	size_t tabs = 0;
	if (kind == SECTION_LINES) {
		while (tabs < name->length && name->text[tabs] == '\t')
			byte_buffer_add_u1(out, (uint8_t)name->text[tabs++]);
	}
	text_add_escaped(out, name->text + tabs, name->length - tabs);
	byte_buffer_add_u1(out, '\n');
}

static bool write_section(struct report_visitor *base, const struct report_profile *profile,
                          const struct report_section *section)
{
	struct table_visitor *visitor = (struct table_visitor *)base;
	struct byte_buffer *out = &visitor->output->text;
	const struct shape *shape = &shapes[section->kind];
	size_t count = section->row_count;
	bool all = visitor->rows_max == 0 || count <= visitor->rows_max ||
	           section->kind == SECTION_LINES;

	if (!all)
		count = visitor->rows_max;
	if (visitor->sections++ > 0)
		byte_buffer_add_u1(out, '\n');
	byte_buffer_printf(out, "%s\n%s", section->title, shape->heading);
	for (size_t i = 0; i < count; i++) {
		const struct section_row *row = &section->rows[i];
		shape->add(out, i + 1, row);
		add_name(out, section->kind, row->name);
		add_frames(out, profile, row);
		if (!output_continue(visitor->output))
			return false;
	}
	if (!all)
		byte_buffer_printf(out, "... and %zu more; --top 0 shows all\n",
		                   section->row_count - count);
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
