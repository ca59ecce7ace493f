/*
 * state_sections.c: see state_sections.h.
 */
#include "report/state_sections.h"

#include "report/section_names.h"

/* Rows are named after the innermost call, as those of other sections with calls. */
static void name_rows(const struct report_profile *profile, struct report_section *of,
                      const struct string *no_call)
{
	for (size_t i = 0; i < of->row_count; i++) {
		struct section_row *row = &of->rows[i];
		const struct report_trace *trace = report_find_trace(profile, row->trace);
		row->name = trace == NULL || trace->depth == 0 ? no_call : trace->frames[0].method;
	}
}

/* A state that no reader knows has no section: only a damaged file has one. */
static bool pass_state(struct state_sections *sections, const struct report_profile *profile,
                       const struct report_section *section, size_t state)
{
	const struct section_name *name = section_name_of_word(section->state_names[state]->text);
	struct report_section of;

	if (name == NULL || !section_is_state(name->kind))
		return true;
	sections->out_of_memory = !section_of_state(&of, section, state);
	of.kind = name->kind;
	name_rows(profile, &of, section->state_names[state]);
	section_sort(&of);
	section_set_shares(&of, of.total);
	bool good = !sections->out_of_memory &&
	            (of.row_count == 0 || sections->to->section(sections->to, profile, &of));
	section_free(&of);
	return good;
}

static bool pass_section(struct report_visitor *base, const struct report_profile *profile,
                         const struct report_section *section)
{
	struct state_sections *sections = (struct state_sections *)base;
	bool good = sections->to->section(sections->to, profile, section);

	for (size_t i = 0; i < section->state_count && section->kind == SECTION_STATES && good; i++)
		good = pass_state(sections, profile, section, i);
	return good;
}

static bool pass_note(struct report_visitor *base, const char *text, size_t length)
{
	struct state_sections *sections = (struct state_sections *)base;
	return sections->to->note(sections->to, text, length);
}

void state_sections_init(struct state_sections *sections, struct report_visitor *to)
{
	*sections = (struct state_sections){.base = {.section = pass_section, .note = pass_note},
	                                    .to = to};
}
