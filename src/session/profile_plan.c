/*
 * profile_plan.c: see profile_plan.h.
 */
#include "session/profile_plan.h"

#include "console/messages.h"
#include "options/options.h"
#include "os/os_programs.h"

#include <stdio.h>
#include <string.h>

/* Options that the command chooses itself. */
static const struct {
	const char *name;
	const char *advice;
} reserved[] = {
        {"file", "write -o FILE instead"},
        {"net", "remove it, or remove -e, -o and -d"},
        {"help", "java -agentlib:hprof=help prints it"},
        {"stop", "hprof attach PID stop needs no other option"},
};

static bool ends_in(const char *name, const char *suffix)
{
	size_t length = strlen(name);
	size_t suffix_length = strlen(suffix);
	return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

/* Finds the format of the output's name. False after printing an error. */
static bool take_output(const char *output, struct profile_plan *plan)
{
	bool is_text = ends_in(output, ".txt.gz");

	plan->is_compressed = is_text || ends_in(output, ".hprof.gz");
	plan->is_binary = plan->is_compressed && !is_text;
	if (plan->is_compressed)
		return true;
	const struct profile_format *format = profile_format_of_name(output);
	if (format == NULL)
		return false;
	plan->is_binary = format->agent_format == 'b';
	plan->format = format->agent_format == 0 ? format : NULL;
	/* What is converted need not be read by others: javac of one file makes 130 MB of text with
	 * cpu=times, and 8 MB compressed. */
	plan->is_compressed = plan->format != NULL;
	return true;
}

static bool check_reserved(const char *options)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (agent_option_given(options, reserved[i].name)) {
			(void)console_usage("the option %s can't be given here; %s",
			                    reserved[i].name, reserved[i].advice);
			return false;
		}
	}
	return true;
}

static bool choose_mode(const struct plan_request *request, const char *options,
                        struct profile_plan *plan)
{
	char words[128] = "";

	if (request->mode == NULL) {
		bool selects = agent_option_given(options, "cpu") ||
		               agent_option_given(options, "heap") ||
		               agent_option_given(options, "monitor");
		plan->mode = selects ? profile_mode_of_options(options) : profile_modes;
		return true;
	}
	plan->mode = profile_mode_named(request->mode);
	if (plan->mode != NULL && !profile_mode_excludes(plan->mode, options))
		return true;
	for (const struct profile_mode *mode = profile_modes; mode->word != NULL; mode++) {
		(void)strlcat(words, " ", sizeof(words));
		(void)strlcat(words, mode->word, sizeof(words));
	}
	if (plan->mode == NULL)
		(void)console_usage("-e %s is invalid; write one of:%s",
		                    console_shown(request->mode).text, words);
	else
		(void)console_usage("-e %s and the options %s exclude each other; remove one",
		                    request->mode, console_shown(options).text);
	return false;
}

/* The format is that of the output, or of options, or of the mode. */
static bool choose_format(const char *options, struct profile_plan *plan)
{
	const char *output = plan->output;
	bool given_binary = strstr(options, "format=b") != NULL;

	if (output != NULL) {
		if (!take_output(output, plan))
			return false;
	} else if (agent_option_given(options, "format")) {
		plan->is_binary = given_binary;
	} else {
		plan->is_binary = plan->mode != NULL && plan->mode->is_binary;
	}
	if (output == NULL)
		plan->is_compressed = plan->mode != NULL && plan->mode->is_large;
	if (!agent_option_given(options, "format") || given_binary == plan->is_binary)
		return true;
	(void)console_usage("-o %s is made of a %s profile; remove format=, or write -o with the "
	                    "suffix %s",
	                    console_shown(output).text, plan->is_binary ? "binary" : "text",
	                    given_binary ? ".hprof" : ".txt");
	return false;
}

bool profile_plan_check_options(const char *options)
{
	static struct settings settings;
	char error[OPTIONS_ERROR_MAX];

	if (options_parse(options, &settings, error, sizeof(error)))
		return true;
	(void)console_usage("%s", error);
	return false;
}

bool profile_plan_make(const struct plan_request *request, struct profile_plan *plan)
{
	const char *options = request->options == NULL ? "" : request->options;

	*plan = (struct profile_plan){.output = request->output};
	if (!check_reserved(options) || !choose_mode(request, options, plan) ||
	    !choose_format(options, plan))
		return false;
	bool fits = profile_mode_compose(plan->mode, options, plan->is_binary, plan->options,
	                                 sizeof(plan->options));
	if (fits && plan->is_binary && !agent_option_given(options, "format"))
		fits = strlcat(plan->options, ",format=b", sizeof(plan->options)) <
		       sizeof(plan->options);
	if (fits && !agent_option_given(options, "verbose"))
		fits = strlcat(plan->options, ",verbose=n", sizeof(plan->options)) <
		       sizeof(plan->options);
	if (!fits) {
		(void)console_usage("the options are too long; write shorter ones");
		return false;
	}
	return profile_plan_check_options(plan->options);
}

static bool has_comma(const char *path)
{
	return strchr(path, ',') != NULL;
}

bool profile_plan_takes_path(const char *path)
{
	return !has_comma(path) && os_program_passes_path(path);
}

bool profile_plan_add_path(char *options, size_t size, const char *name, const char *path)
{
	size_t used = strlen(options);
	int length = snprintf(options + used, size - used, ",%s=", name);
	bool is_pattern = strcmp(name, "file") == 0;

	if (has_comma(path)) {
		(void)console_failed("the agent's options can't contain %s, which has a comma; "
		                     "set TMPDIR to a directory without one",
		                     console_shown(path).text);
		return false;
	}
	bool fits = length > 0 && (size_t)length < size - used;
	used += fits ? (size_t)length : 0;
	for (const char *at = path; fits && *at != '\0'; at++) {
		fits = size - used > 2;
		if (fits && is_pattern && *at == '%')
			options[used++] = '%';
		if (fits)
			options[used++] = *at;
	}
	options[used] = '\0';
	if (!fits)
		(void)console_failed("the path %s is too long; write a shorter one",
		                     console_shown(path).text);
	return fits;
}
