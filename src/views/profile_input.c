/*
 * profile_input.c: see profile_input.h.
 */
#include "views/profile_input.h"

#include "console/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool profile_input_open(const char *name, struct input **input)
{
	int error = input_open(name, input);

	if (error == 0)
		return true;
	(void)console_failed("can't read %s: %s", console_shown(name).text,
	                     console_reason(error).text);
	return false;
}

/* Whether the input begins with the name of that version, and then with that text. */
static bool begins_with(struct input *input, const char *version, const char *after)
{
	char text[INPUT_PEEK_BYTES];

	(void)snprintf(text, sizeof(text), "%s%s", version, after);
	return input_begins_with(input, text);
}

bool profile_input_is_text(struct input *input)
{
	bool text = false;

	for (size_t i = 0; i < HPROF_VERSIONS && !text; i++)
		text = begins_with(input, hprof_versions[i], ", created ");
	return text;
}

static bool has_known_version(struct input *input, const char *name)
{
	char version[INPUT_PEEK_BYTES];

	input_first_text(input, version);
	version[strcspn(version, ",")] = '\0';
	for (size_t i = 0; i < HPROF_VERSIONS; i++) {
		if (strcmp(hprof_versions[i], version) == 0)
			return true;
	}
	(void)console_failed("%s is a %s; hprof reads JAVA PROFILE 1.0, 1.0.1, 1.0.2 and 1.0.3",
	                     console_shown(name).text, console_shown(version).text);
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
	if (!input_begins_with(input, "JAVA PROFILE ")) {
		(void)console_failed("%s is not a profile: it does not begin with JAVA PROFILE",
		                     console_shown(name).text);
		return false;
	}
	return has_known_version(input, name);
}

bool profile_input_read(struct input *input, const char *name, struct report_profile *profile,
                        struct report_visitor *visitor)
{
	struct report_error error;
	bool text = profile_input_is_text(input);
	bool whole = text ? report_read_text(input_source(input), profile, visitor, &error)
	                  : report_read_binary(input_source(input), profile, visitor, &error);

	profile->facts.bytes = input_length(input);
	if (whole && error.warning[0] != '\0')
		console_print("%s: %s (hprof check reports details)", console_shown(name).text,
		              error.warning);
	if (whole)
		return true;
	if (error.code == INPUT_BROKEN)
		(void)console_failed(
		        "%s: the compressed data is corrupt or truncated after %" PRIu64
		        " unpacked bytes; the report ends there",
		        console_shown(name).text, profile->facts.bytes);
	else if (error.code != 0)
		(void)console_failed("can't read all of %s: %s", console_shown(name).text,
		                     console_reason(error.code).text);
	else if (error.text[0] != '\0')
		(void)console_failed("%s: %s%s; the report ends there", console_shown(name).text,
		                     error.text, text ? "" : " (hprof check reports details)");
	return false;
}

bool profile_read_file(const char *name, struct report_profile *profile,
                       struct report_visitor *visitor)
{
	struct input *input;

	if (!profile_input_open(name, &input))
		return false;
	bool good = profile_input_is_profile(input, name) &&
	            profile_input_read(input, name, profile, visitor);
	input_close(input);
	return good;
}
