/*
 * command_diff.c: `hprof diff`.
 */
#include "base/whole_number.h"
#include "command/command.h"
#include "command/option_place.h"
#include "console/output.h"
#include "gate/difference.h"
#include "gate/difference_export.h"
#include "gate/difference_table.h"
#include "views/difference_page.h"
#include "views/formats.h"
#include "views/json_reports.h"
#include "views/profile_input.h"

#include <string.h>

enum { TOP_DEFAULT = 20, TOP_MAX = 1000000000 };

enum diff_form { FORM_TABLES, FORM_COLLAPSED, FORM_FLAME, FORM_PAGE, FORM_JSON };

struct diff_options {
	enum difference_kind kind; /* DIFFERENCE_KINDS: not given */
	enum diff_form form;
	bool last;
	bool threads;
	bool normalize;
	size_t top;
	const char *output; /* NULL: standard output */
	const char *names[SIDES];
	int name_count;
};

/* ---- the command line ----------------------------------------------------------- */

static bool take_kind(struct diff_options *options, const char *word)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		if (strcmp(difference_names[i].word, word) == 0) {
			options->kind = (enum difference_kind)i;
			return true;
		}
	}
	(void)console_usage("--of %s is invalid; write samples, times, calls, off-cpu, sites, "
	                    "monitors, heap, states, or a state as usr or lck",
	                    console_shown(word).text);
	return false;
}

static bool take_output(struct diff_options *options, const char *name)
{
	options->output = name;
	return true;
}

/* The suffix of the output's name chooses the form, unless --json has. */
static bool choose_form(struct diff_options *options)
{
	static const struct {
		const char *suffix;
		enum diff_form form;
	} forms[] = {{".txt", FORM_TABLES},
	             {".collapsed", FORM_COLLAPSED},
	             {".svg", FORM_FLAME},
	             {".html", FORM_PAGE}};
	const char *name = options->output;
	size_t length = name == NULL ? 0 : strlen(name);

	if (options->form == FORM_JSON)
		return json_reports_available();
	if (name == NULL)
		return true;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t suffix = strlen(forms[i].suffix);
		if (length > suffix && strcmp(name + length - suffix, forms[i].suffix) == 0) {
			options->form = forms[i].form;
			return true;
		}
	}
	(void)console_usage("-o %s is invalid; write a name that ends in .txt, .collapsed, .svg or "
	                    ".html",
	                    console_shown(name).text);
	return false;
}

static bool take_top(struct diff_options *options, const char *text)
{
	long long number;
	if (!whole_number_parse(text, 0, TOP_MAX, &number)) {
		(void)console_usage("--top %s is invalid; write a number of rows, or 0 for all",
		                    console_shown(text).text);
		return false;
	}
	options->top = (size_t)number;
	return true;
}

static bool take_flag(struct diff_options *options, const char *name)
{
	if (strcmp(name, "--json") == 0) {
		options->form = FORM_JSON;
		return true;
	}
	bool *flag = strcmp(name, "--last") == 0        ? &options->last
	             : strcmp(name, "--threads") == 0   ? &options->threads
	             : strcmp(name, "--normalize") == 0 ? &options->normalize
	                                                : NULL;
	if (flag != NULL)
		*flag = true;
	return flag != NULL;
}

static bool take_valued(struct diff_options *options, const char *name, const char *value)
{
	bool (*take)(struct diff_options *, const char *) = strcmp(name, "--of") == 0 ? take_kind
	                                                    : strcmp(name, "-o") == 0 ? take_output
	                                                    : strcmp(name, "--top") == 0 ? take_top
	                                                                                 : NULL;
	if (take == NULL)
		return option_unknown("diff", name);
	if (value == NULL)
		return option_without_value("diff", name);
	return take(options, value);
}

static bool parse(int count, char **arguments, struct diff_options *options)
{
	*options = (struct diff_options){.kind = DIFFERENCE_KINDS, .top = TOP_DEFAULT};
	for (int i = 0; i < count; i++) {
		const char *argument = arguments[i];
		bool is_name = argument[0] != '-' || argument[1] == '\0';
		if (is_name && options->name_count < SIDES)
			options->names[options->name_count] = argument;
		options->name_count += is_name;
		if (is_name || take_flag(options, argument))
			continue;
		if (!take_valued(options, argument, arguments[++i]))
			return false;
	}
	if (options->name_count == SIDES)
		return choose_form(options);
	(void)console_usage("two profiles are required; write hprof diff OLD NEW");
	return false;
}

/* ---- reading ---------------------------------------------------------------------- */

/* False after printing an error. */
static bool read_side(struct difference *difference, enum side side,
                      const struct diff_options *options)
{
	struct report_profile profile;
	struct difference_reader reader;
	bool good = report_profile_init(&profile);

	good = difference_reader_init(&reader, options->last, options->threads) && good;
	bool memory = good;
	good = good && profile_read_file(options->names[side], &profile, &reader.states.base);
	if (good)
		memory = good = difference_add(difference, side, &reader, &profile);
	if (!memory || reader.out_of_memory || reader.states.out_of_memory)
		(void)console_failed("out of memory");
	difference_reader_free(&reader);
	report_profile_free(&profile);
	return good;
}

/* ---- writing ---------------------------------------------------------------------- */

/* A line for each kind of section that one profile lacks. */
static void describe_missing(const struct difference *difference,
                             const struct diff_options *options, struct byte_buffer *out)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		const bool *has = difference->parts[i].has;
		if (!difference_lacks(difference, (enum difference_kind)i))
			continue;
		byte_buffer_printf(
		        out, "only %s has %s\n",
		        console_shown(options->names[has[SIDE_NEW] ? SIDE_NEW : SIDE_OLD]).text,
		        difference_names[i].title);
	}
}

static bool write_tables(struct difference *difference, const struct diff_options *options,
                         struct output *output)
{
	byte_buffer_printf(&output->text, "old: %s\n",
	                   console_shown(options->names[SIDE_OLD]).text);
	byte_buffer_printf(&output->text, "new: %s\n",
	                   console_shown(options->names[SIDE_NEW]).text);
	if (options->normalize)
		byte_buffer_add_text(&output->text,
		                     "old values are scaled so that both totals are equal\n");
	describe_missing(difference, options, &output->text);
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		if (difference_shows(difference, options->kind, (enum difference_kind)i) &&
		    !difference_write_part(&difference->parts[i], &difference_names[i],
		                           options->top, output))
			return false;
	}
	return true;
}

static bool write_json(const struct difference *difference, const struct diff_options *options,
                       struct output *output)
{
	const struct json_difference how = {
	        .names = {options->names[SIDE_OLD], options->names[SIDE_NEW]},
	        .kind = options->kind,
	        .is_normalized = options->normalize,
	        .top = options->top};

	return json_difference_write(difference, &how, output);
}

static bool write_part(struct difference_part *part, const struct difference_name *name,
                       enum diff_form form, struct output *output)
{
	if (form == FORM_COLLAPSED)
		return difference_write_collapsed(part, output);
	return difference_write_flame(part, name, output);
}

static bool has_common_part(const struct difference *difference, enum difference_kind kind)
{
	for (int i = 0; i < DIFFERENCE_KINDS; i++) {
		if (difference_shows(difference, kind, (enum difference_kind)i))
			return true;
	}
	return false;
}

/* EXIT_FAILED. */
static int nothing_in_common(const struct diff_options *options)
{
	return console_failed("%s and %s have no section of %s in common; hprof report lists "
	                      "what each has",
	                      console_shown(options->names[SIDE_OLD]).text,
	                      console_shown(options->names[SIDE_NEW]).text,
	                      options->kind == DIFFERENCE_KINDS
	                              ? "any kind"
	                              : difference_names[options->kind].word);
}

static int write_difference(struct difference *difference, const struct diff_options *options)
{
	struct output output;
	enum difference_kind kind = DIFFERENCE_KINDS;
	struct difference_part *part = difference_find(difference, options->kind, &kind);

	if (!has_common_part(difference, options->kind) ||
	    (part == NULL && options->form != FORM_TABLES && options->form != FORM_JSON))
		return nothing_in_common(options);
	if (options->normalize)
		difference_normalize(difference);
	if (!output_open(&output, options->output))
		return EXIT_FAILED;
	output_limit(&output, difference->bytes);
	bool good = options->form == FORM_TABLES ? write_tables(difference, options, &output)
	            : options->form == FORM_JSON
	                    ? write_json(difference, options, &output)
	                    : write_part(part, &difference_names[kind], options->form, &output);
	if (!good && output_is_good(&output))
		(void)console_failed("out of memory");
	return output_close(&output, good) && good ? EXIT_DONE : EXIT_FAILED;
}

static int diff_by_stack(const struct diff_options *options)
{
	struct difference difference;
	int result = EXIT_FAILED;

	if (!difference_init(&difference))
		(void)console_failed("out of memory");
	else if (read_side(&difference, SIDE_OLD, options) &&
	         read_side(&difference, SIDE_NEW, options))
		result = write_difference(&difference, options);
	difference_free(&difference);
	return result;
}

/* ---- the page ---------------------------------------------------------------------- */

/* The sections of a kind; calls are among the costs of times. */
static int write_page(const struct diff_options *options)
{
	struct difference_page page = {
	        .names = {options->names[SIDE_OLD], options->names[SIDE_NEW]},
	        .output = options->output,
	        .is_scaled = options->normalize,
	        .selection = {.kind_given = options->kind != DIFFERENCE_KINDS,
	                      .last = options->last,
	                      .threads = options->threads,
	                      .counts = options->kind == DIFFERENCE_CALLS}};

	if (page.selection.kind_given)
		page.selection.kind = difference_names[options->kind].section;
	switch (difference_page_write(&page)) {
	case PAGE_WRITTEN:
		return EXIT_DONE;
	case PAGE_NOTHING_IN_COMMON:
		return nothing_in_common(options);
	case PAGE_FAILED:
		break;
	}
	return EXIT_FAILED;
}

int command_diff(int count, char **arguments)
{
	struct diff_options options;

	if (!parse(count, arguments, &options))
		return EXIT_USAGE;
	int result = options.form == FORM_PAGE ? write_page(&options) : diff_by_stack(&options);
	if (result != EXIT_DONE || options.output == NULL)
		return result;
	/* What people or their programs read needs no next step. */
	if (options.form == FORM_TABLES || options.form == FORM_JSON)
		console_print_written(options.output, NULL);
	else
		profile_format_print_written(options.output);
	return result;
}
