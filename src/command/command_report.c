/*
 * command_report.c: `hprof report`.
 */
#include "base/whole_number.h"
#include "command/command.h"
#include "command/option_place.h"
#include "os/os_programs.h"
#include "report/section_names.h"
#include "views/formats.h"
#include "views/json_reports.h"
#include "views/profile_input.h"

#include <string.h>

enum { TOP_DEFAULT = 30, TOP_OF_STATE = 10, TOP_MAX = 1000000000 };

/* Of a line of --tree, --inverted and --below. */
static const double LEAST_SHARE = 0.01;

struct report_options {
	const struct profile_format *format; /* NULL until it is chosen */
	struct profile_selection selection;
	struct os_regex *keep; /* owned; NULL: none */
	struct os_regex *ignore;
	struct os_regex *below;
	bool top_given;
	const char *table_option; /* the last one that tables alone obey; NULL: none */
	const char *output;       /* NULL: standard output */
	const char *input;
};

/* ---- the command line --------------------------------------------------------- */

static bool take_kind(struct report_options *options, const char *word)
{
	const struct section_name *name = section_name_of_word(word);
	if (name == NULL) {
		(void)console_usage("--of %s is invalid; write samples, times, off-cpu, sites, "
		                    "monitors, or a state: usr, sys, tfl, dfl, lck, slp, i/o, lat "
		                    "or stw",
		                    console_shown(word).text);
		return false;
	}
	options->selection.states = section_is_state(name->kind);
	options->selection.kind = name->kind;
	options->selection.kind_given = true;
	return true;
}

static bool take_top(struct report_options *options, const char *text)
{
	long long number;
	if (!whole_number_parse(text, 0, TOP_MAX, &number)) {
		(void)console_usage("--top %s is invalid; write a number of rows, or 0 for all",
		                    console_shown(text).text);
		return false;
	}
	options->selection.top = (size_t)number;
	options->top_given = true;
	return true;
}

static bool take_group(struct report_options *options, const char *word)
{
	for (size_t i = 0; i < METHOD_GROUPS; i++) {
		if (strcmp(method_group_words[i], word) == 0) {
			options->selection.group = (enum method_group)i;
			options->selection.view = VIEW_COSTS;
			return true;
		}
	}
	if (strcmp(word, "state") == 0) {
		options->selection.view = VIEW_STATES;
		return true;
	}
	(void)console_usage("--by %s is invalid; write method, line, class, package, thread or "
	                    "state",
	                    console_shown(word).text);
	return false;
}

static bool take_least(struct report_options *options, const char *text)
{
	long long percent;
	if (!whole_number_parse(text, 0, 100, &percent)) {
		(void)console_usage("--min %s is invalid; write a percentage from 0 to 100",
		                    console_shown(text).text);
		return false;
	}
	options->selection.least_share = (double)percent / 100;
	return true;
}

static bool take_regex(struct os_regex **regex, const char *option, const char *text)
{
	char reason[OS_ERROR_TEXT_MAX] = "";
	os_regex_free(*regex);
	int error = os_regex_compile(text, regex, reason, sizeof(reason));
	if (error == OS_UNSUPPORTED)
		(void)console_usage("%s is unavailable: this system has no regular expressions; "
		                    "remove it",
		                    option);
	else if (error != 0)
		(void)console_usage("%s %s is no regular expression: %s", option,
		                    console_shown(text).text,
		                    reason[0] == '\0' ? console_reason(error).text : reason);
	return error == 0;
}

static bool take_filter(struct report_options *options, const char *text)
{
	return take_regex(&options->keep, "--filter", text);
}

static bool take_ignore(struct report_options *options, const char *text)
{
	return take_regex(&options->ignore, "--ignore", text);
}

static bool take_below(struct report_options *options, const char *text)
{
	options->selection.view = VIEW_TREE;
	return take_regex(&options->below, "--below", text);
}

static bool take_output(struct report_options *options, const char *name)
{
	options->output = name;
	return true;
}

/* Takes an option with a value, NULL: none. False after printing an error. */
static bool take_valued(struct report_options *options, const char *name, const char *value)
{
	static const struct {
		const char *name;
		bool (*take)(struct report_options *options, const char *value);
	} valued[] = {{"-o", take_output},       {"--of", take_kind},    {"--top", take_top},
	              {"--by", take_group},      {"--min", take_least},  {"--filter", take_filter},
	              {"--ignore", take_ignore}, {"--below", take_below}};
	enum { COUNT = sizeof(valued) / sizeof(valued[0]) };
	size_t i = 0;

	while (i < COUNT && strcmp(valued[i].name, name) != 0)
		i++;
	if (i == COUNT)
		return option_unknown("report", name);
	if (value == NULL)
		return option_without_value("report", name);
	return valued[i].take(options, value);
}

static void take_inverted(struct profile_selection *selection)
{
	selection->view = VIEW_TREE;
	selection->inverted = true;
}

static bool take_flag(struct report_options *options, const char *name)
{
	if (strcmp(name, "--collapsed") == 0)
		options->format = &profile_format_collapsed;
	else if (strcmp(name, "--flame") == 0)
		options->format = &profile_format_flame;
	else if (strcmp(name, "--json") == 0)
		options->format = &profile_format_json;
	else if (strcmp(name, "--last") == 0)
		options->selection.last = true;
	else if (strcmp(name, "--threads") == 0)
		options->selection.threads = true;
	else if (strcmp(name, "--traces") == 0)
		options->selection.view = VIEW_TRACES;
	else if (strcmp(name, "--tree") == 0)
		options->selection.view = VIEW_TREE;
	else if (strcmp(name, "--inverted") == 0)
		take_inverted(&options->selection);
	else
		return false;
	return true;
}

/* Whether tables alone obey the option. */
static bool is_of_tables(const char *name)
{
	static const char *const names[] = {"--by",       "--top",    "--min",  "--tree",
	                                    "--inverted", "--traces", "--below"};
	size_t i = 0;
	while (i < sizeof(names) / sizeof(names[0]) && strcmp(names[i], name) != 0)
		i++;
	return i < sizeof(names) / sizeof(names[0]);
}

static bool take_argument(struct report_options *options, char **arguments, int *used)
{
	const char *argument = arguments[0];

	*used = 1;
	if (argument[0] != '-' || argument[1] == '\0') {
		if (options->input != NULL) {
			(void)console_usage("more than one file: %s and %s; write one",
			                    console_shown(options->input).text,
			                    console_shown(argument).text);
			return false;
		}
		options->input = argument;
		return true;
	}
	if (is_of_tables(argument))
		options->table_option = argument;
	if (take_flag(options, argument))
		return true;
	*used = 2;
	return take_valued(options, argument, arguments[1]);
}

/* The suffix of the output's name chooses the format, unless an option has. */
static bool choose_format(struct report_options *options)
{
	if (options->format == NULL)
		options->format = options->output == NULL
		                          ? &profile_format_tables
		                          : profile_format_to_write(options->output);
	if (options->format == NULL ||
	    (options->format == &profile_format_json && !json_reports_available()))
		return false;
	if (options->table_option != NULL && !options->format->is_tables) {
		(void)console_usage(
		        "%s chooses what tables show, and a %s file has none; remove it",
		        options->table_option, options->format->suffix);
		return false;
	}
	/* Without stacks that could begin with it, the thread is what costs are printed by. */
	if (options->format->is_tables && options->selection.threads &&
	    options->selection.view == VIEW_ALL) {
		options->selection.view = VIEW_COSTS;
		options->selection.group = BY_THREAD;
	}
	return true;
}

static bool parse(int count, char **arguments, struct report_options *options)
{
	*options = (struct report_options){
	        .selection = {.top = TOP_DEFAULT, .least_share = LEAST_SHARE}};
	for (int at = 0; at < count;) {
		int used = 1;
		if (!take_argument(options, arguments + at, &used))
			return false;
		at += used;
	}
	if (options->input == NULL) {
		(void)console_usage("no file to read; write hprof report FILE");
		return false;
	}
	if (options->selection.view == VIEW_STATES && options->selection.kind_given) {
		(void)console_usage("--of chooses costs, and --by state prints states; remove one");
		return false;
	}
	if (options->selection.view == VIEW_STATES && !options->top_given)
		options->selection.top = TOP_OF_STATE;
	return choose_format(options);
}

/* ---- the report ------------------------------------------------------------------ */

static int report(const struct report_options *options)
{
	struct input *input;

	if (!profile_input_open(options->input, &input))
		return EXIT_FAILED;
	struct view_request request = {
	        .input = input, .input_name = options->input, .selection = options->selection};
	request.selection.keep = options->keep;
	request.selection.ignore = options->ignore;
	request.selection.below = options->below;
	bool good = profile_input_is_profile(input, options->input) &&
	            profile_format_write_file(options->format, &request, options->output);
	input_close(input);
	if (good && options->output != NULL)
		console_print_written(options->output, options->format->next_step);
	return good ? EXIT_DONE : EXIT_FAILED;
}

int command_report(int count, char **arguments)
{
	struct report_options options;
	int result = parse(count, arguments, &options) ? report(&options) : EXIT_USAGE;

	os_regex_free(options.keep);
	os_regex_free(options.ignore);
	os_regex_free(options.below);
	return result;
}
