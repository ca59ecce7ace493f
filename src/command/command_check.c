/*
 * command_check.c: `hprof check`.
 */
#include "check/check.h"
#include "command/command.h"
#include "console/output.h"
#include "views/profile_input.h"

#include <stdlib.h>
#include <string.h>

static int check(struct input *input, const char *name)
{
	struct output output;
	struct check_result *result = malloc(sizeof(*result));

	if (result == NULL)
		return console_failed("out of memory");
	if (!output_open(&output, NULL)) {
		free(result);
		return EXIT_FAILED;
	}
	check_profile(input_source(input), result);
	check_describe(&output.text, console_shown(name).text, result);
	bool written = output_close(&output, true);
	if (result->read_error != 0)
		(void)console_failed("can't read all of %s: %s", console_shown(name).text,
		                     console_reason(result->read_error).text);
	bool good = written && result->read_error == 0 && result->error_count == 0;
	free(result);
	return good ? EXIT_DONE : EXIT_FAILED;
}

int command_check(int count, char **arguments)
{
	struct input *input;

	for (int i = 0; i < count; i++) {
		if (strcmp(arguments[i], "--baseline") == 0)
			return command_gate(count, arguments);
	}
	if (count != 1 || (arguments[0][0] == '-' && arguments[0][1] != '\0'))
		return console_usage(
		        "write hprof check FILE, with one binary profile, or hprof check "
		        "--baseline OLD NEW");
	const char *name = arguments[0];
	if (!profile_input_open(name, &input))
		return EXIT_FAILED;
	int result;
	if (profile_input_is_text(input))
		result = console_failed("%s is a text profile; hprof check reads binary ones "
		                        "(format=b)",
		                        console_shown(name).text);
	else
		result = check(input, name);
	input_close(input);
	return result;
}
