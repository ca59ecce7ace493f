/*
 * profile_input.c: see profile_input.h.
 */
#include "command/profile_input.h"

#include "console/messages.h"

bool profile_input_open(const char *name, struct input **input)
{
	int error = input_open(name, input);

	if (error == 0)
		return true;
	(void)console_failed("can't read %s: %s", console_shown(name).text,
	                     console_reason(error).text);
	return false;
}

bool profile_input_is_profile(struct input *input, const char *name)
{
	if (input_begins_with(input, "count callee caller time")) {
		(void)console_failed("%s is a table of cpu=old; read the file itself, which is a "
		                     "report already",
		                     console_shown(name).text);
		return false;
	}
	if (!input_begins_with(input, "JAVA PROFILE 1.0.")) {
		(void)console_failed(
		        "%s is not a profile: it does not begin with JAVA PROFILE 1.0.",
		        console_shown(name).text);
		return false;
	}
	return true;
}

bool profile_input_read(struct input *input, const char *name, struct report_profile *profile,
                        struct report_visitor *visitor)
{
	struct report_error error;
	bool text = input_begins_with(input, "JAVA PROFILE 1.0.1, created ");
	bool whole = text ? report_read_text(input_source(input), profile, visitor, &error)
	                  : report_read_binary(input_source(input), profile, visitor, &error);

	profile->facts.bytes = input_length(input);
	if (whole)
		return true;
	if (error.code != 0)
		(void)console_failed("can't read all of %s: %s", console_shown(name).text,
		                     console_reason(error.code).text);
	else if (error.text[0] != '\0')
		(void)console_failed("%s: %s%s; the report ends there", console_shown(name).text,
		                     error.text, text ? "" : " (hprof check reports details)");
	return false;
}
