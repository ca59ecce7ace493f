/*
 * page_format.c: a profile as an HTML page.
 */
#include "views/format.h"

#include "console/messages.h"
#include "page/page.h"

#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

static bool read_page(const struct view_request *request, struct report_profile *profile,
                      struct page_visitor *visitor)
{
	bool good = view_request_read(request, profile, &visitor->base);

	if (visitor->out_of_memory)
		(void)console_failed("out of memory");
	if (good && !page_has_data(visitor)) {
		(void)console_failed("%s has no section that a page can show",
		                     console_shown(request->input_name).text);
		return false;
	}
	return good;
}

static bool write_page(const struct view_request *request, struct output *output)
{
	struct report_profile profile;
	struct page_visitor visitor;
	const struct page_selection selection = {.kind_given = request->selection.kind_given,
	                                         .kind = request->selection.kind,
	                                         .last = request->selection.last,
	                                         .threads = request->selection.threads};
	bool good = report_profile_init(&profile);

	good = page_visitor_init(&visitor, &profile, &selection) && good;
	if (!good)
		(void)console_failed("out of memory");
	good = good && read_page(request, &profile, &visitor);
	output_limit(output, profile.facts.bytes);
	if (good && !page_write(&visitor, &profile, base_name(request->input_name), output)) {
		good = false;
		if (output->error == 0)
			(void)console_failed("out of memory");
	}
	page_visitor_free(&visitor);
	report_profile_free(&profile);
	return good;
}

const struct profile_format profile_format_page = {".html", .write = write_page,
                                                   .next_step = "open it in a browser"};
