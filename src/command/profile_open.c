/*
 * profile_open.c: see profile_open.h.
 */
#include "command/profile_open.h"

#include "command/profile_input.h"
#include "console/messages.h"

bool profile_open(const char *name, struct report_profile *profile, struct report_visitor *visitor)
{
	struct input *input;
	int error = input_open(name, &input);

	if (error != 0) {
		(void)console_failed("can't read %s: %s", console_shown(name).text,
		                     console_reason(error).text);
		return false;
	}
	bool good = profile_input_is_profile(input, name) &&
	            profile_input_read(input, name, profile, visitor);
	input_close(input);
	return good;
}
