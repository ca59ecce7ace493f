/*
 * command_gate.c: `hprof check --baseline`: compares calls and allocations of two profiles and
 * fails when a context of the new one has more than its budget allows.
 */
#include "command/command.h"
#include "command/gate_options.h"
#include "console/output.h"
#include "gate/comparable.h"
#include "gate/default_rules.h"
#include "gate/verdict.h"
#include "options/filter.h"
#include "views/json_reports.h"
#include "views/profile_input.h"

#include <stdlib.h>
#include <string.h>

enum { BUDGET_BYTES_MAX = 1024 * 1024 };

/* Exit codes: 0 and 1 are verdicts. Everything else, EXIT_USAGE, is none. */
enum { EXIT_PASSED = 0, EXIT_GREW = 1 };

/* ---- rules ------------------------------------------------------------------------ */

/* Reads the whole file to text, which the caller frees. False after printing an error. */
static bool read_budget(const char *name, char **text, size_t *length)
{
	struct input *input;
	int error = 0;

	*length = 0;
	*text = NULL;
	if (!profile_input_open(name, &input))
		return false;
	*text = malloc(BUDGET_BYTES_MAX);
	size_t got = *text == NULL ? 0 : 1;
	while (error == 0 && got > 0 && *length < BUDGET_BYTES_MAX) {
		struct byte_source *source = input_source(input);
		error = source->read(source, *text + *length, BUDGET_BYTES_MAX - *length, &got);
		*length += error == 0 ? got : 0;
	}
	input_close(input);
	if (error == 0 && *text != NULL && *length < BUDGET_BYTES_MAX)
		return true;
	if (error != 0 || *text == NULL)
		(void)console_failed("can't read %s: %s", console_shown(name).text,
		                     console_reason(error == 0 ? OS_NO_MEMORY : error).text);
	else
		(void)console_failed("%s has more than %d bytes; a budget file has lines PATTERN "
		                     "+N%%",
		                     console_shown(name).text, BUDGET_BYTES_MAX - 1);
	return false;
}

static bool add_budget(struct rules *rules, const char *name)
{
	char error[RULE_ERROR_MAX];
	char *text;
	size_t length;
	bool good = read_budget(name, &text, &length);

	if (good && !rules_parse(rules, text, length, error)) {
		(void)console_failed("%s: %s", console_shown(name).text, error);
		good = false;
	}
	free(text);
	return good;
}

/* The rules of the command line, the budget file and the defaults. False after printing an
 * error. */
static bool read_rules(struct rules *rules, const struct gate_options *options)
{
	char error[RULE_ERROR_MAX];

	for (size_t i = 0; i < options->class_count; i++) {
		const char *pattern = options->classes[i];
		if (!filter_is_pattern(pattern, strlen(pattern))) {
			(void)console_usage("--classes %s is invalid; write a pattern of classes, "
			                    "as com.acme.*",
			                    console_shown(pattern).text);
			return false;
		}
		if (!rules_add(rules, RULE_OWN, pattern)) {
			(void)console_failed("out of memory");
			return false;
		}
	}
	if (options->budget != NULL && !add_budget(rules, options->budget))
		return false;
	if (!rules_parse(rules, (const char *)gate_patterns, gate_patterns_length, error)) {
		(void)console_failed("the default patterns: %s", error);
		return false;
	}
	return true;
}

/* ---- the profiles ----------------------------------------------------------------- */

/* A side as it was read. The profile is freed, so its options are in the table of the contexts. */
struct side_read {
	struct side_facts facts;
	struct shown name;
};

/* False after printing an error. */
static bool read_side(struct contexts *contexts, enum side side, const char *name,
                      struct side_read *read)
{
	struct report_profile profile;
	struct contexts_visitor visitor;
	bool good = report_profile_init(&profile);

	contexts_visitor_init(&visitor, contexts, side);
	if (!good)
		(void)console_failed("out of memory");
	good = good && profile_read_file(name, &profile, &visitor.base) &&
	       contexts_visitor_finish(&visitor, &profile);
	if (visitor.out_of_memory)
		(void)console_failed("out of memory");
	const struct string *options = good ? profile.facts.options : NULL;
	if (options != NULL) {
		options = string_table_intern(contexts->strings, options->text, options->length);
		good = options != NULL;
		if (!good)
			(void)console_failed("out of memory");
	}
	read->name = console_shown(name);
	read->facts = (struct side_facts){.name = read->name.text,
	                                  .options = options == NULL ? NULL : options->text,
	                                  .sampled = visitor.sampled,
	                                  .tracked = visitor.tracked,
	                                  .rest = visitor.rest};
	contexts_visitor_free(&visitor);
	report_profile_free(&profile);
	return good;
}

static bool read_sides(struct contexts *contexts, const struct gate_options *options)
{
	struct side_read reads[SIDES];
	char refusal[REFUSAL_MAX];
	bool good = read_side(contexts, SIDE_OLD, options->old_name, &reads[SIDE_OLD]) &&
	            read_side(contexts, SIDE_NEW, options->new_name, &reads[SIDE_NEW]);

	if (good && !contexts_finish(contexts)) {
		good = false;
		(void)console_failed("out of memory");
	}
	if (good) {
		const struct side_facts facts[SIDES] = {reads[SIDE_OLD].facts,
		                                        reads[SIDE_NEW].facts};
		good = profiles_comparable(contexts, facts, refusal);
		if (!good)
			(void)console_failed("%s", refusal);
	}
	return good;
}

/* ---- the verdict ------------------------------------------------------------------ */

static bool write_junit(const struct verdict *verdict, const char *name)
{
	struct output output;

	if (!output_open(&output, name))
		return false;
	verdict_write_junit(verdict, &output.text);
	return output_close(&output, true);
}

static bool write_verdict(const struct verdict *verdict, const struct gate_options *options)
{
	const struct json_verdict how = {.names = {options->old_name, options->new_name},
	                                 .top = options->top};
	struct output output;
	bool good = true;

	if (!output_open(&output, options->output))
		return false;
	if (options->json) {
		good = json_verdict_write(verdict, &how, &output);
	} else {
		verdict_describe(verdict, options->top, &output.text);
		byte_buffer_add_text(&output.text, verdict_passes(verdict)
		                                           ? "passed: nothing grew\n"
		                                           : "\nfailed: see above what grew\n");
	}
	return output_close(&output, good);
}

static int print_verdict(const struct contexts *contexts, const struct gate_options *options)
{
	struct verdict verdict;
	int result = EXIT_USAGE;

	if (!verdict_init(&verdict, contexts)) {
		(void)console_failed("out of memory");
	} else {
		bool written = write_verdict(&verdict, options);
		if (options->junit != NULL)
			written = write_junit(&verdict, options->junit) && written;
		if (written)
			result = verdict_passes(&verdict) ? EXIT_PASSED : EXIT_GREW;
	}
	verdict_free(&verdict);
	return result;
}

int command_gate(int count, char **arguments)
{
	struct gate_options options;
	struct rules rules;
	struct contexts contexts;
	int result = EXIT_USAGE;

	if (!gate_options_parse(count, arguments, &options))
		return EXIT_USAGE;
	rules_init(&rules);
	if (read_rules(&rules, &options)) {
		if (!contexts_init(&contexts, &rules))
			(void)console_failed("out of memory");
		else if (read_sides(&contexts, &options))
			result = print_verdict(&contexts, &options);
		contexts_free(&contexts);
	}
	rules_free(&rules);
	return result;
}
