/*
 * view_request.c: see view_request.h.
 */
#include "views/view_request.h"

#include "console/messages.h"
#include "report/section_filter.h"
#include "report/state_sections.h"
#include "views/profile_input.h"

static bool read_filtered(const struct view_request *request, struct report_profile *profile,
                          struct report_visitor *visitor)
{
	const struct profile_selection *selection = &request->selection;
	struct section_filter filter;

	if (selection->keep == NULL && selection->ignore == NULL)
		return profile_input_read(request->input, request->input_name, profile, visitor);
	section_filter_init(&filter, visitor, selection->keep, selection->ignore);
	bool good = profile_input_read(request->input, request->input_name, profile, &filter.base);
	if (filter.out_of_memory)
		(void)console_failed("out of memory");
	section_filter_free(&filter);
	return good;
}

bool view_request_read(const struct view_request *request, struct report_profile *profile,
                       struct report_visitor *visitor)
{
	struct state_sections sections;

	if (!request->selection.states)
		return read_filtered(request, profile, visitor);
	state_sections_init(&sections, visitor);
	bool good = read_filtered(request, profile, &sections.base);
	if (sections.out_of_memory)
		(void)console_failed("out of memory");
	return good;
}
