/*
 * difference_page.c: see difference_page.h.
 */
#include "views/difference_page.h"

#include "console/messages.h"
#include "page/page.h"
#include "views/profile_input.h"

static bool read_side(struct page_visitor *visitor, const char *name,
                      struct report_profile *profile)
{
	bool good = profile_read_file(name, profile, &visitor->base);

	if (visitor->out_of_memory)
		(void)console_failed("out of memory");
	return good;
}

static bool read_both(const struct difference_page *page, struct page_visitor *visitor,
                      struct report_profile profiles[SIDES])
{
	page_visitor_begin_old(visitor, &profiles[SIDE_OLD], page->names[SIDE_OLD],
	                       page->is_scaled);
	if (!read_side(visitor, page->names[SIDE_OLD], &profiles[SIDE_OLD]))
		return false;
	page_visitor_begin_new(visitor);
	return read_side(visitor, page->names[SIDE_NEW], &profiles[SIDE_NEW]);
}

static bool write_file(const struct difference_page *page, struct page_visitor *visitor,
                       const struct report_profile *profile)
{
	struct output output;

	if (!output_open(&output, page->output))
		return false;
	bool good = page_write(visitor, profile, page->names[SIDE_NEW], &output);
	if (!good && output_is_good(&output))
		(void)console_failed("out of memory");
	return output_close(&output, good) && good;
}

enum difference_page_result difference_page_write(const struct difference_page *page)
{
	enum difference_page_result result = PAGE_FAILED;
	struct report_profile profiles[SIDES];
	struct page_visitor visitor;
	bool good = report_profile_init(&profiles[SIDE_OLD]);

	good = report_profile_init(&profiles[SIDE_NEW]) && good;
	good = page_visitor_init(&visitor, &profiles[SIDE_NEW], &page->selection) && good;
	if (!good)
		(void)console_failed("out of memory");
	else if (read_both(page, &visitor, profiles))
		result = !page_has_data(&visitor)                          ? PAGE_NOTHING_IN_COMMON
		         : write_file(page, &visitor, &profiles[SIDE_NEW]) ? PAGE_WRITTEN
		                                                           : PAGE_FAILED;
	page_visitor_free(&visitor);
	report_profile_free(&profiles[SIDE_OLD]);
	report_profile_free(&profiles[SIDE_NEW]);
	return result;
}
