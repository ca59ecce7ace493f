/*
 * section_filter.c: see section_filter.h. Each trace is matched once.
 */
#include "report/section_filter.h"

enum { KEEP = 1, IGNORE = 2 };

static unsigned verdict(struct section_filter *filter, const struct string *name)
{
	return (name_matcher_matches(&filter->keep, name) ? KEEP : 0) |
	       (name_matcher_matches(&filter->ignore, name) ? IGNORE : 0);
}

/* The same of the thread and the frames of a trace: many rows can have it. */
static unsigned trace_verdict(struct section_filter *filter, const struct report_profile *profile,
                              uint32_t serial)
{
	const struct report_trace *trace = report_find_trace(profile, serial);
	unsigned found = 0;

	if (trace == NULL)
		return 0;
	const uint64_t *known = address_map_find(&filter->traces, trace->number);
	if (known != NULL)
		return (unsigned)*known;
	if (trace->thread != 0)
		found |= verdict(filter, report_find_thread(profile, trace->thread));
	for (uint32_t i = 0; i < trace->depth; i++)
		found |= verdict(filter, trace->frames[i].method);
	if (!address_map_set(&filter->traces, trace->number, found))
		filter->out_of_memory = true;
	return found;
}

static bool keeps_trace(struct section_filter *filter, const struct report_profile *profile,
                        uint32_t serial, const struct string *name)
{
	unsigned found = verdict(filter, name) | trace_verdict(filter, profile, serial);

	if (filter->keep.regex == NULL)
		found |= KEEP;
	return (found & (KEEP | IGNORE)) == KEEP;
}

/* Copies what is kept; *filtered gets the costs of the rest. */
static bool copy_rows(struct section_filter *filter, const struct report_profile *profile,
                      const struct report_section *section, struct report_section *kept,
                      uint64_t *filtered)
{
	for (size_t i = 0; i < section->row_count; i++) {
		const struct section_row *row = &section->rows[i];
		const struct string *name = section->kind == SECTION_STATES ? NULL : row->name;
		if (!row->is_rest && !keeps_trace(filter, profile, row->trace, name)) {
			*filtered = report_sum(*filtered, row->cost);
			continue;
		}
		struct section_row *copy = section_add(kept);
		if (copy == NULL)
			return false;
		*copy = *row;
	}
	return true;
}

static bool copy_times(struct section_filter *filter, const struct report_profile *profile,
                       const struct report_section *section, struct report_section *kept)
{
	for (size_t i = 0; i < section->time_count; i++) {
		if (!keeps_trace(filter, profile, section->times[i].trace, NULL))
			continue;
		struct section_time *copy = section_add_time(kept);
		if (copy == NULL)
			return false;
		*copy = section->times[i];
	}
	return true;
}

static bool copy_states(struct section_filter *filter, const struct report_profile *profile,
                        const struct report_section *section, struct report_section *kept)
{
	for (size_t i = 0; i < section->trace_states_count; i++) {
		if (!keeps_trace(filter, profile, section->trace_states[i].trace, NULL))
			continue;
		struct section_trace_states *copy = section_add_trace_states(kept);
		if (copy == NULL)
			return false;
		*copy = section->trace_states[i];
	}
	return true;
}

/* The costs of the rest in a row of its own; lines of states are without it. */
static bool add_rest(struct report_section *kept, struct string_table *strings, uint64_t filtered)
{
	if (filtered == 0)
		return true;
	if (kept->kind != SECTION_STATES)
		return section_add_rest_row(kept, strings, SECTION_FILTERED_NAME, filtered);
	kept->total -= filtered < kept->total ? filtered : kept->total;
	return true;
}

static bool is_filtered(enum section_kind kind)
{
	return section_has_stacks(kind) || kind == SECTION_HEAP || kind == SECTION_STATES ||
	       kind == SECTION_TIMELINE;
}

static bool filter_section(struct report_visitor *base, const struct report_profile *profile,
                           const struct report_section *section)
{
	struct section_filter *filter = (struct section_filter *)base;
	struct report_section kept;
	uint64_t filtered = 0;

	if (!is_filtered(section->kind))
		return filter->inner->section(filter->inner, profile, section);
	section_begin_copy(&kept, section);
	bool good = copy_rows(filter, profile, section, &kept, &filtered) &&
	            copy_times(filter, profile, section, &kept) &&
	            copy_states(filter, profile, section, &kept) &&
	            add_rest(&kept, profile->strings, filtered);
	good = good && !filter->out_of_memory && !filter->keep.out_of_memory &&
	       !filter->ignore.out_of_memory;
	filter->out_of_memory = !good;
	if (good && filtered > 0 && kept.kind != SECTION_STATES)
		section_set_shares(&kept, kept.total);
	good = good && filter->inner->section(filter->inner, profile, &kept);
	section_free(&kept);
	return good;
}

static bool pass_note(struct report_visitor *base, const char *text, size_t length)
{
	struct section_filter *filter = (struct section_filter *)base;
	return filter->inner->note(filter->inner, text, length);
}

void section_filter_init(struct section_filter *filter, struct report_visitor *inner,
                         const struct os_regex *keep, const struct os_regex *ignore)
{
	*filter = (struct section_filter){.base = {.section = filter_section, .note = pass_note},
	                                  .inner = inner};
	name_matcher_init(&filter->keep, keep);
	name_matcher_init(&filter->ignore, ignore);
	address_map_init(&filter->traces);
}

void section_filter_free(struct section_filter *filter)
{
	name_matcher_free(&filter->keep);
	name_matcher_free(&filter->ignore);
	address_map_free(&filter->traces);
}
