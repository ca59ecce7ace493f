/*
 * page.c: writes page.html with its parts filled in. What is readable without JavaScript, the
 * summary and a table of methods, is escaped text; all else is packed data.
 */
#include "page/page.h"

#include "export/xml_text.h"
#include "hprof/text_titles.h"
#include "os/time_units.h"
#include "page/page_assets.h"
#include "page/page_columns.h"
#include "page/page_methods.h"
#include "page/page_numbers.h"
#include "page/page_pack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_METHODS = 100, NAME_MOST = 1000, NOTE_MAX = SECTION_TITLE_MAX + 40 };

/* ---- the visitor --------------------------------------------------------------------- */

static bool add_section(struct report_visitor *base, const struct report_profile *profile,
                        const struct report_section *section)
{
	struct page_visitor *visitor = (struct page_visitor *)base;
	bool good = page_data_add_section(&visitor->data, profile, section);
	visitor->out_of_memory = visitor->out_of_memory || !good;
	return good;
}

static bool add_note(struct report_visitor *base, const char *text, size_t length)
{
	struct page_visitor *visitor = (struct page_visitor *)base;
	/* The notes are those of the new profile. */
	bool good =
	        visitor->data.side == PAGE_OLD || page_data_add_note(&visitor->data, text, length);
	visitor->out_of_memory = visitor->out_of_memory || !good;
	return good;
}

bool page_visitor_init(struct page_visitor *visitor, const struct report_profile *profile,
                       const struct page_selection *selection)
{
	*visitor = (struct page_visitor){.base = {.section = add_section, .note = add_note}};
	return page_data_init(&visitor->data, profile->strings, selection);
}

void page_visitor_free(struct page_visitor *visitor)
{
	page_data_free(&visitor->data);
}

void page_visitor_begin_old(struct page_visitor *visitor, const struct report_profile *old,
                            const char *name, bool is_scaled)
{
	visitor->old = old;
	visitor->old_name = name;
	visitor->is_scaled = is_scaled;
	page_data_compare(&visitor->data, PAGE_OLD);
}

void page_visitor_begin_new(struct page_visitor *visitor)
{
	page_data_compare(&visitor->data, PAGE_NEW);
}

bool page_has_data(const struct page_visitor *visitor)
{
	const struct page_data *data = &visitor->data;
	bool present = data->state_thread_count > 0 || page_lists_are_shown(data);

	for (size_t kind = 0; kind < PAGE_SETS; kind++)
		present = present || page_set_is_shown(data, (enum page_set_kind)kind);
	return present;
}

/* ---- parts ---------------------------------------------------------------------------- */

struct page {
	const struct page_data *data;
	struct page_source source;
	struct output *output;
};

static void add_text(const struct page *page, const char *text)
{
	xml_add_text(&page->output->text, text, strlen(text), NAME_MOST);
}

static void add_string(const struct page *page, const struct string *string)
{
	xml_add_text(&page->output->text, string->text, string->length, NAME_MOST);
}

static bool add_title(const struct page *page)
{
	if (page->source.old != NULL) {
		add_text(page, page->source.old_name);
		byte_buffer_add_text(&page->output->text, " → ");
		add_text(page, page->source.name);
		return true;
	}
	if (page->source.profile->facts.program != NULL)
		add_string(page, page->source.profile->facts.program);
	else
		add_text(page, page->source.name);
	return true;
}

static void add_fact(const struct page *page, const char *label, const struct string *value)
{
	if (value == NULL)
		return;
	byte_buffer_printf(&page->output->text, "<dt>%s</dt><dd>", label);
	add_string(page, value);
	byte_buffer_add_text(&page->output->text, "</dd>\n");
}

/* The title of a section names its kind and total. */
static bool add_summary(const struct page *page)
{
	const struct report_facts *facts = &page->source.profile->facts;
	struct byte_buffer *out = &page->output->text;

	byte_buffer_add_text(out, "<dl>\n");
	add_fact(page, "JVM", facts->jvm);
	add_fact(page, "Options", facts->options);
	add_fact(page, "Created", facts->created);
	if (facts->duration_ns != 0)
		byte_buffer_printf(out, "<dt>Duration</dt><dd>%" PRIu64 ".%03u s</dd>\n",
		                   facts->duration_ns / NS_PER_MS / MS_PER_SECOND,
		                   (unsigned)(facts->duration_ns / NS_PER_MS % MS_PER_SECOND));
	if (facts->has_cut_stacks)
		byte_buffer_printf(out,
		                   "<dt>Stacks</dt><dd>at most %" PRIu32
		                   " frames; a higher depth= keeps more</dd>\n",
		                   facts->depth);
	for (size_t kind = 0; kind < PAGE_SETS; kind++) {
		if (!page_set_is_shown(page->data, (enum page_set_kind)kind))
			continue;
		byte_buffer_add_text(out, "<dt>Section</dt><dd>");
		add_text(page, page->data->sets[kind].title);
		byte_buffer_add_text(out, "</dd>\n");
	}
	byte_buffer_add_text(out, "</dl>\n");
	return true;
}

static void add_cost(const struct page *page, uint64_t cost, uint64_t total)
{
	struct byte_buffer *out = &page->output->text;

	byte_buffer_add_text(out, "<td>");
	page_add_cost(out, page->data->primary, cost);
	byte_buffer_add_text(out, "</td><td>");
	page_add_share(out, cost, total);
	byte_buffer_add_text(out, "</td>");
}

/* The new costs, or each old one and its new one. */
static void add_method(const struct page *page, const struct page_method *method)
{
	struct byte_buffer *out = &page->output->text;

	byte_buffer_add_text(out, "<tr>");
	for (size_t side = page->data->compares ? PAGE_SIDES : 1; side-- > 0;)
		add_cost(page, method->self[side], page->data->total[side][0]);
	for (size_t side = page->data->compares ? PAGE_SIDES : 1; side-- > 0;)
		add_cost(page, method->total[side], page->data->total[side][0]);
	byte_buffer_add_text(out, "<td>");
	add_string(page, method->name);
	byte_buffer_add_text(out, "</td></tr>\n");
}

static bool add_methods(const struct page *page)
{
	static const char one[] = "<th>self</th><th></th><th>total</th><th></th>";
	static const char two[] = "<th>self, old</th><th></th><th>new</th><th></th>"
	                          "<th>total, old</th><th></th><th>new</th><th></th>";
	struct page_method *methods;
	size_t count;
	bool good = page_methods_count(page->data, &methods, &count);

	byte_buffer_printf(&page->output->text,
	                   "<table><thead><tr>%s<th>method</th></tr></thead><tbody>\n",
	                   page->data->compares ? two : one);
	for (size_t i = 0; good && i < count && i < PLAIN_METHODS; i++)
		add_method(page, &methods[i]);
	byte_buffer_add_text(&page->output->text, "</tbody></table>\n");
	free(methods);
	return good;
}

static bool add_data(const struct page *page)
{
	struct byte_buffer bytes;

	byte_buffer_init(&bytes);
	bool good = page_pack_data(page->data, &page->source, &bytes) &&
	            pack_write(&bytes, page->output);
	byte_buffer_free(&bytes);
	return good;
}

static bool add_style(const struct page *page)
{
	return output_raw(page->output, page_css, page_css_length);
}

static bool add_style_hash(const struct page *page)
{
	byte_buffer_add_text(&page->output->text, page_css_hash);
	return true;
}

static bool add_script(const struct page *page)
{
	return output_raw(page->output, page_js, page_js_length);
}

static bool add_script_hash(const struct page *page)
{
	byte_buffer_add_text(&page->output->text, page_js_hash);
	return true;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* What page.html has between double braces. */
static const struct {
	const char *mark;
	bool (*add)(const struct page *page);
} parts[] = {
        {"{{title}}", add_title},     {"{{summary}}", add_summary},
        {"{{methods}}", add_methods}, {"{{data}}", add_data},
        {"{{style}}", add_style},     {"{{style hash}}", add_style_hash},
        {"{{script}}", add_script},   {"{{script hash}}", add_script_hash},
};

/* Writes the part whose mark is at the beginning of html, and sets *length to that of the mark;
 * or the one byte there. */
static bool add_next(const struct page *page, const char *html, size_t left, size_t *length)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		*length = strlen(parts[i].mark);
		if (*length <= left && memcmp(html, parts[i].mark, *length) == 0)
			return parts[i].add(page) && output_continue(page->output);
	}
	*length = 1;
	byte_buffer_add(&page->output->text, html, 1);
	return true;
}

static bool note_only(struct page_data *data, bool is_new, const char *title)
{
	char text[NOTE_MAX];
	int length = snprintf(text, sizeof(text), "only the %s profile has %s",
	                      is_new ? "new" : "old", title);

	return page_data_add_note(
	        data, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

/* A note for each kind of section that one of two profiles lacks; states are one. */
static bool note_missing(struct page_data *data)
{
	bool good = true;
	bool states_noted = false;

	for (int kind = 0; kind < PAGE_SETS && data->compares && good; kind++) {
		const struct page_set *set = &data->sets[kind];
		bool is_state = page_set_is_state((enum page_set_kind)kind);
		if (set->has[PAGE_OLD] == set->has[PAGE_NEW] || (is_state && states_noted))
			continue;
		states_noted = states_noted || is_state;
		good = note_only(data, set->has[PAGE_NEW],
		                 is_state ? TEXT_TRACE_MICROSTATES : set->title);
	}
	return good;
}

bool page_write(struct page_visitor *visitor, const struct report_profile *profile,
                const char *name, struct output *output)
{
	const struct page page = {.data = &visitor->data,
	                          .source = {.profile = profile,
	                                     .name = name,
	                                     .old = visitor->old,
	                                     .old_name = visitor->old_name,
	                                     .is_scaled = visitor->is_scaled},
	                          .output = output};
	const char *html = (const char *)page_html;
	size_t length = 0;

	if (!note_missing(&visitor->data) || !page_data_finish(&visitor->data))
		return false;
	for (size_t at = 0; at < page_html_length; at += length) {
		if (!add_next(&page, html + at, page_html_length - at, &length))
			return false;
	}
	return output_is_good(output);
}
