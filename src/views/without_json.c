/*
 * without_json.c: json_reports.h for a build without the JSON library.
 */
#include "views/json_reports.h"

#include "console/messages.h"
#include "views/format.h"

bool json_reports_available(void)
{
	(void)console_usage("--json is unavailable: this hprof was built without jansson; build it "
	                    "with the library, or remove --json");
	return false;
}

bool json_difference_write(const struct difference *difference, const struct json_difference *how,
                           struct output *output)
{
	(void)difference;
	(void)how;
	(void)output;
	return false;
}

bool json_verdict_write(const struct verdict *verdict, const struct json_verdict *how,
                        struct output *output)
{
	(void)verdict;
	(void)how;
	(void)output;
	return false;
}

bool json_validation_write(const struct check_result *result, const char *name,
                           struct output *output)
{
	(void)result;
	(void)name;
	(void)output;
	return false;
}

const struct profile_format profile_format_json = {".json", .is_tables = true};
