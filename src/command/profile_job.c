/*
 * profile_job.c: see profile_job.h.
 */
#include "command/profile_job.h"

#include "command/profile_input.h"
#include "console/messages.h"
#include "report/section_filter.h"
#include "report/state_sections.h"

static bool read_filtered(const struct profile_job *job, struct report_profile *profile,
                          struct report_visitor *visitor)
{
	const struct profile_selection *selection = &job->selection;
	struct section_filter filter;

	if (selection->keep == NULL && selection->ignore == NULL)
		return profile_input_read(job->input, job->input_name, profile, visitor);
	section_filter_init(&filter, visitor, selection->keep, selection->ignore);
	bool good = profile_input_read(job->input, job->input_name, profile, &filter.base);
	if (filter.out_of_memory)
		(void)console_failed("out of memory");
	section_filter_free(&filter);
	return good;
}

bool profile_job_read(const struct profile_job *job, struct report_profile *profile,
                      struct report_visitor *visitor)
{
	struct state_sections sections;

	if (!job->selection.states)
		return read_filtered(job, profile, visitor);
	state_sections_init(&sections, visitor);
	bool good = read_filtered(job, profile, &sections.base);
	if (sections.out_of_memory)
		(void)console_failed("out of memory");
	return good;
}
