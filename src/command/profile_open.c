/*
 * profile_open.c: see profile_open.h.
 */
#include "command/profile_open.h"

#include "command/profile_input.h"

bool profile_open(const char *name, struct report_profile *profile, struct report_visitor *visitor)
{
	struct input *input;

	if (!profile_input_open(name, &input))
		return false;
	bool good = profile_input_is_profile(input, name) &&
	            profile_input_read(input, name, profile, visitor);
	input_close(input);
	return good;
}
