/*
 * command_check.c: `hprof check`.
 */
#include "check/check.h"
#include "command/command.h"
#include "console/output.h"
#include "views/json_reports.h"
#include "views/profile_input.h"

#include <stdlib.h>
#include <string.h>

struct check_options {
	const char *name;
	const char *output; /* of the JSON; NULL: standard output */
	bool json;
};

static bool parse(int count, char **arguments, struct check_options *options)
{
	*options = (struct check_options){.name = NULL};
	for (int i = 0; i < count; i++) {
		bool is_name = arguments[i][0] != '-' || arguments[i][1] == '\0';
		if (strcmp(arguments[i], "--json") == 0)
			options->json = true;
		else if (strcmp(arguments[i], "-o") == 0 && i + 1 < count)
			options->output = arguments[++i];
		else if (is_name && options->name == NULL)
			options->name = arguments[i];
		else
			return false;
	}
	return options->name != NULL && (options->output == NULL || options->json);
}

static bool write_result(const struct check_options *options, const struct check_result *result)
{
	struct output output;
	bool good = true;

	if (!output_open(&output, options->output))
		return false;
	if (options->json)
		good = json_validation_write(result, options->name, &output);
	else
		check_describe(&output.text, console_shown(options->name).text, result);
	return output_close(&output, good);
}

static int check(struct input *input, const struct check_options *options)
{
	struct check_result *result = malloc(sizeof(*result));

	if (result == NULL)
		return console_failed("out of memory");
	check_profile(input_source(input), result);
	bool written = write_result(options, result);
	if (result->read_error != 0)
		(void)console_failed("can't read all of %s: %s", console_shown(options->name).text,
		                     console_reason(result->read_error).text);
	bool good = written && result->read_error == 0 && result->error_count == 0;
	free(result);
	return good ? EXIT_DONE : EXIT_FAILED;
}

static int check_file(const struct check_options *options)
{
	struct input *input;
	int result;

	if (!profile_input_open(options->name, &input))
		return EXIT_FAILED;
	if (profile_input_is_text(input))
		result = console_failed("%s is a text profile; hprof check reads binary ones "
		                        "(format=b)",
		                        console_shown(options->name).text);
	else
		result = check(input, options);
	input_close(input);
	return result;
}

int command_check(int count, char **arguments)
{
	struct check_options options;

	for (int i = 0; i < count; i++) {
		if (strcmp(arguments[i], "--baseline") == 0)
			return command_gate(count, arguments);
	}
	if (!parse(count, arguments, &options))
		return console_usage(
		        "write hprof check FILE, with one binary profile, or hprof check "
		        "--baseline OLD NEW");
	if (options.json && !json_reports_available())
		return EXIT_USAGE;
	return check_file(&options);
}
