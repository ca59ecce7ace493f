/*
 * command_report.c: `hprof report`.
 */
#include "command/command.h"
#include "command/input.h"
#include "command/output.h"
#include "command/report_table.h"
#include "command/stack_tree.h"

#include <string.h>

enum { TOP_DEFAULT = 30, TOP_MAX = 1000000000 };

enum form { FORM_TABLES, FORM_COLLAPSED, FORM_FLAME };

struct report_options {
	enum form form;
	bool kind_given;
	enum section_kind kind;
	bool last;
	bool threads;
	size_t top;
	const char *output; /* NULL: standard output */
	const char *input;
};

/* Sections with stacks: their names on the command line and in titles. */
static const struct {
	enum section_kind kind;
	const char *word;
	const char *title;
	const char *unit;
} kinds[] = {
        {SECTION_SAMPLES, "samples", "CPU SAMPLES", "samples"},
        {SECTION_TIMES, "times", "CPU TIME", "\xc2\xb5s"},
        {SECTION_OFF_CPU, "off-cpu", "OFF-CPU TIME", "\xc2\xb5s"},
        {SECTION_SITES, "sites", "SITES", "bytes"},
        {SECTION_MONITORS, "monitors", "MONITOR TIME", "\xc2\xb5s"},
};

/* ---- the command line --------------------------------------------------------- */

static bool take_kind(struct report_options *options, const char *word)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].word, word) == 0) {
			options->kind = kinds[i].kind;
			options->kind_given = true;
			return true;
		}
	}
	(void)command_usage("--of %s is invalid; write samples, times, off-cpu, sites or "
	                    "monitors",
	                    command_shown(word).text);
	return false;
}

static bool take_top(struct report_options *options, const char *text)
{
	long long number;
	if (!command_number(text, 0, TOP_MAX, &number)) {
		(void)command_usage("--top %s is invalid; write a number of rows, or 0 for all",
		                    command_shown(text).text);
		return false;
	}
	options->top = (size_t)number;
	return true;
}

/* Takes an option with a value; *taken is false if there is no such option. False after
 * printing an error. */
static bool take_valued(struct report_options *options, const char *name, const char *value,
                        bool *taken)
{
	*taken = true;
	if (strcmp(name, "-o") == 0) {
		options->output = value;
		return true;
	}
	if (strcmp(name, "--of") == 0)
		return take_kind(options, value);
	if (strcmp(name, "--top") == 0)
		return take_top(options, value);
	*taken = false;
	return true;
}

static bool take_flag(struct report_options *options, const char *name)
{
	if (strcmp(name, "--collapsed") == 0)
		options->form = FORM_COLLAPSED;
	else if (strcmp(name, "--flame") == 0)
		options->form = FORM_FLAME;
	else if (strcmp(name, "--last") == 0)
		options->last = true;
	else if (strcmp(name, "--threads") == 0)
		options->threads = true;
	else
		return false;
	return true;
}

static bool take_argument(struct report_options *options, char **arguments, int *used)
{
	const char *argument = arguments[0];
	bool taken = false;

	*used = 1;
	if (argument[0] != '-' || argument[1] == '\0') {
		if (options->input != NULL) {
			(void)command_usage("more than one file: %s and %s; write one",
			                    command_shown(options->input).text,
			                    command_shown(argument).text);
			return false;
		}
		options->input = argument;
		return true;
	}
	if (take_flag(options, argument))
		return true;
	*used = 2;
	if (!take_valued(options, argument, arguments[1] == NULL ? "" : arguments[1], &taken))
		return false;
	if (!taken || arguments[1] == NULL) {
		(void)command_usage(taken ? "%s requires a value; hprof help lists the options"
		                          : "unknown option %s; hprof help lists the options",
		                    command_shown(argument).text);
		return false;
	}
	return true;
}

static bool parse(int count, char **arguments, struct report_options *options)
{
	*options = (struct report_options){.top = TOP_DEFAULT};
	for (int at = 0; at < count;) {
		int used = 1;
		if (!take_argument(options, arguments + at, &used))
			return false;
		at += used;
	}
	if (options->input == NULL) {
		(void)command_usage("no file to read; write hprof report FILE");
		return false;
	}
	if (options->form == FORM_TABLES &&
	    (options->kind_given || options->last || options->threads)) {
		(void)command_usage("--of, --last and --threads require --collapsed or --flame; "
		                    "write one of these too");
		return false;
	}
	return true;
}

/* ---- the report ------------------------------------------------------------------ */

/* Reads the whole file. False after printing an error. */
static bool read_input(const struct report_options *options, struct input *input,
                       struct report_profile *profile, struct report_visitor *visitor)
{
	struct report_error error;
	bool text = input_begins_with(input, "JAVA PROFILE 1.0.1, created ");
	bool whole = text ? report_read_text(input_source(input), profile, visitor, &error)
	                  : report_read_binary(input_source(input), profile, visitor, &error);

	if (whole)
		return true;
	const char *name = options->input;
	if (error.code != 0)
		(void)command_failed("can't read all of %s: %s", command_shown(name).text,
		                     command_reason(error.code).text);
	else if (error.text[0] != '\0')
		(void)command_failed("%s: %s%s; the report ends there", command_shown(name).text,
		                     error.text, text ? "" : " (hprof check reports details)");
	return false;
}

static bool report_tables(const struct report_options *options, struct input *input,
                          struct report_profile *profile, struct output *output)
{
	struct table_visitor visitor;

	table_visitor_init(&visitor, output, options->top);
	bool whole = read_input(options, input, profile, &visitor.base);
	if (whole && visitor.sections == 0) {
		(void)command_failed("%s has no section that hprof report can show",
		                     command_shown(options->input).text);
		return false;
	}
	return whole;
}

static bool write_tree(const struct report_options *options, const struct tree_visitor *visitor,
                       struct output *output)
{
	if (options->form == FORM_COLLAPSED)
		return stack_tree_write_collapsed(visitor->tree, output);
	size_t kind = 0;
	while (kinds[kind].kind != visitor->kind)
		kind++;
	return stack_tree_write_flame(visitor->tree,
	                              visitor->sections == 1 ? visitor->title : kinds[kind].title,
	                              kinds[kind].unit, output);
}

/* Writes stacks of the whole file only: part of it would be mistaken for the whole. */
static bool report_stacks(const struct report_options *options, struct input *input,
                          struct report_profile *profile, struct output *output)
{
	struct stack_tree tree;
	struct tree_visitor visitor;
	bool good = stack_tree_init(&tree);

	if (!good)
		(void)command_failed("out of memory");
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = !options->kind_given;
	visitor.kind = options->kind;
	visitor.last = options->last;
	visitor.threads = options->threads;
	good = good && read_input(options, input, profile, &visitor.base);
	if (visitor.out_of_memory)
		(void)command_failed("out of memory");
	if (good && visitor.sections == 0) {
		good = false;
		(void)command_failed("%s has no section of that kind with stacks; hprof report %s "
		                     "lists what it has",
		                     command_shown(options->input).text,
		                     command_shown(options->input).text);
	}
	good = good && write_tree(options, &visitor, output);
	stack_tree_free(&tree);
	return good;
}

static int report(const struct report_options *options, struct input *input)
{
	struct report_profile profile;
	struct output output;

	if (!output_open(&output, options->output))
		return COMMAND_FAILED;
	bool good = report_profile_init(&profile);
	if (!good)
		(void)command_failed("out of memory");
	else if (options->form == FORM_TABLES)
		good = report_tables(options, input, &profile, &output);
	else
		good = report_stacks(options, input, &profile, &output);
	report_profile_free(&profile);
	/* Tables before an error are valid. */
	bool written = output_close(&output, good || options->form == FORM_TABLES);
	return good && written ? COMMAND_DONE : COMMAND_FAILED;
}

int command_report(int count, char **arguments)
{
	struct report_options options;
	struct input *input;

	if (!parse(count, arguments, &options))
		return COMMAND_USAGE;
	int error = input_open(options.input, &input);
	if (error != 0)
		return command_failed("can't read %s: %s", command_shown(options.input).text,
		                      command_reason(error).text);
	int result;
	if (input_begins_with(input, "count callee caller time"))
		result = command_failed(
		        "%s is a table of cpu=old; read the file itself, which is a report already",
		        command_shown(options.input).text);
	else if (!input_begins_with(input, "JAVA PROFILE 1.0."))
		result = command_failed(
		        "%s is not a profile: it does not begin with JAVA PROFILE 1.0.",
		        command_shown(options.input).text);
	else
		result = report(&options, input);
	input_close(input);
	return result;
}
