/*
 * gate_options.c: see gate_options.h.
 */
#include "command/gate_options.h"

#include "base/whole_number.h"
#include "command/option_place.h"
#include "console/messages.h"
#include "views/json_reports.h"

#include <string.h>

enum { TOP_DEFAULT = 3, TOP_MAX = 1000000000 };

static bool take_classes(struct gate_options *options, const char *value)
{
	if (options->class_count == GATE_CLASSES_MAX) {
		(void)console_usage("--classes was given more than %d times; write patterns with * "
		                    "instead",
		                    GATE_CLASSES_MAX);
		return false;
	}
	options->classes[options->class_count++] = value;
	return true;
}

static bool take_top(struct gate_options *options, const char *value)
{
	long long number;
	if (!whole_number_parse(value, 0, TOP_MAX, &number)) {
		(void)console_usage("--top %s is invalid; write a number of contexts, or 0 for all",
		                    console_shown(value).text);
		return false;
	}
	options->top = (size_t)number;
	return true;
}

/* Where the value of an option without conversion goes; NULL: another option. */
static const char **place_of(struct gate_options *options, const char *name)
{
	if (strcmp(name, "--baseline") == 0)
		return &options->old_name;
	if (strcmp(name, "--budget") == 0)
		return &options->budget;
	if (strcmp(name, "--junit") == 0)
		return &options->junit;
	if (strcmp(name, "-o") == 0)
		return &options->output;
	return NULL;
}

static bool take_option(struct gate_options *options, const char *name, const char *value)
{
	const char **place = place_of(options, name);
	bool classes = strcmp(name, "--classes") == 0;

	if (place == NULL && !classes && strcmp(name, "--top") != 0)
		return option_unknown("check", name);
	if (value == NULL)
		return option_without_value("check", name);
	if (place != NULL) {
		*place = value;
		return true;
	}
	return classes ? take_classes(options, value) : take_top(options, value);
}

bool gate_options_parse(int count, char **arguments, struct gate_options *options)
{
	*options = (struct gate_options){.top = TOP_DEFAULT};
	for (int i = 0; i < count; i++) {
		const char *argument = arguments[i];
		if (strcmp(argument, "--json") == 0) {
			options->json = true;
			continue;
		}
		if (argument[0] == '-' && argument[1] != '\0') {
			if (!take_option(options, argument, arguments[++i]))
				return false;
			continue;
		}
		if (options->new_name != NULL) {
			(void)console_usage("more than one file after the baseline: %s and %s; "
			                    "write one",
			                    console_shown(options->new_name).text,
			                    console_shown(argument).text);
			return false;
		}
		options->new_name = argument;
	}
	if (options->old_name == NULL || options->new_name == NULL) {
		(void)console_usage("two profiles are required; write hprof check --baseline OLD "
		                    "NEW");
		return false;
	}
	if (options->output != NULL && !options->json) {
		(void)console_usage("-o is where --json writes; add --json, or remove -o");
		return false;
	}
	return !options->json || json_reports_available();
}
