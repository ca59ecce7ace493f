/*
 * command_run.c: `hprof run`: a JVM with the agent, in the place of the command or as its child.
 */
#include "command/agent_library.h"
#include "command/command.h"
#include "command/option_place.h"
#include "os/os_programs.h"
#include "session/profile_delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, OPTIONS_BYTES = PLAN_OPTIONS_MAX + 2 * PATH_BYTES, SIGNAL_BASE = 128 };

/* ---- the JVM -------------------------------------------------------------------------------- */

/* Whether the program is java, which accepts JVM options as they are. */
static bool is_java(const char *program)
{
	static const char *const names[] = {"java", "javaw", "java.exe", "javaw.exe"};
	const char *name = program + os_path_directory_length(program);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* The program's arguments with the agent's as the first. To be freed in any case. */
struct java_line {
	char *agent;
	const char **arguments;
};

static void free_line(struct java_line *line)
{
	free(line->agent);
	free(line->arguments);
}

static bool fill_line(struct java_line *line, const char *library, const char *options,
                      char **program)
{
	size_t count = 0;
	size_t size = strlen("-agentpath:=") + strlen(library) + strlen(options) + 1;

	while (program[count] != NULL)
		count++;
	line->agent = malloc(size);
	line->arguments = calloc(count + 2, sizeof(*line->arguments));
	if (line->agent == NULL || line->arguments == NULL) {
		(void)console_failed("out of memory");
		return false;
	}
	(void)snprintf(line->agent, size, "-agentpath:%s%s%s", library,
	               options[0] == '\0' ? "" : "=", options);
	line->arguments[0] = program[0];
	line->arguments[1] = line->agent;
	for (size_t i = 1; i < count; i++)
		line->arguments[i + 1] = program[i];
	return true;
}

/* False after printing an error. */
static bool make_line(struct java_line *line, const char *options, char **program)
{
	char library[PATH_BYTES];

	*line = (struct java_line){.agent = NULL};
	if (!agent_library_find(library, sizeof(library)))
		return false;
	if (strchr(library, '=') == NULL)
		return fill_line(line, library, options, program);
	(void)console_failed("the JVM can't load %s: its path contains '='; install it elsewhere",
	                     console_shown(library).text);
	return false;
}

static int not_run(char **program, int error)
{
	return console_failed("can't run %s: %s", console_shown(program[0]).text,
	                      console_reason(error).text);
}

/* In the place of this process: nothing is left to do afterwards. */
static int run_in_place(const char *options, char **program)
{
	struct java_line line;
	int result = EXIT_FAILED;

	if (make_line(&line, options, program))
		result = not_run(program, os_program_become(line.arguments));
	free_line(&line);
	return result;
}

/* ---- a run that is reported ------------------------------------------------------------------ */

/* Where the agent writes: at the output itself, or in a directory that nobody else can enter. */
struct run_place {
	char directory[PATH_BYTES]; /* empty: the output itself */
	char path[PATH_BYTES];
	struct os_file hold; /* of the directory */
};

/* Removes the directories of commands that were killed. */
static int create_directory(const struct profile_plan *plan, struct run_place *place)
{
	int error = os_private_directory(NULL, place->directory, sizeof(place->directory));

	if (error != 0)
		return error;
	os_directories_remove_left(place->directory);
	/* Without locks, in some file systems, the next command does not remove it. */
	(void)os_directory_hold(place->directory, &place->hold);
	int length =
	        snprintf(place->path, sizeof(place->path), "%s/profile%s%s", place->directory,
	                 plan->is_binary ? ".hprof" : ".txt", plan->is_compressed ? ".gz" : "");
	return length > 0 && (size_t)length < sizeof(place->path) ? 0 : OS_TOO_LARGE;
}

/* A profile that is kept there is not held, so that no command removes it. */
static void leave_place(struct run_place *place, bool is_kept)
{
	if (place->directory[0] == '\0')
		return;
	os_directory_release(place->directory, &place->hold);
	if (is_kept)
		return;
	(void)os_file_remove(place->path);
	(void)os_directory_remove(place->directory);
}

static bool choose_place(const struct profile_delivery *delivery, struct run_place *place)
{
	*place = (struct run_place){.directory = ""};
	int error = os_path_absolute(delivery->path, place->path, sizeof(place->path));

	if (error != 0) {
		(void)console_failed("can't find the working directory: %s",
		                     console_reason(error).text);
		return false;
	}
	if (profile_plan_is_agents_file(delivery->plan) && profile_plan_takes_path(place->path))
		return true;
	error = create_directory(delivery->plan, place);
	if (error == 0)
		return true;
	(void)console_failed("can't create a temporary directory: %s; set TMPDIR to a directory "
	                     "that can be written",
	                     console_reason(error).text);
	leave_place(place, false);
	return false;
}

static int open_profile(void *user, struct os_file *file)
{
	const struct run_place *place = user;
	return os_file_open(place->path, file);
}

/* After the end of the JVM. Returns whether the output was written. */
static bool deliver(struct profile_delivery *delivery, struct run_place *place, int exit_code)
{
	if (os_file_length(place->path) == 0) {
		delivery_cancel(delivery);
		/* A JVM that did not start has printed why. */
		if (exit_code == 0)
			(void)console_failed("java has ended without a profile");
		return false;
	}
	if (exit_code > SIGNAL_BASE)
		console_print("java was ended by signal %d: the profile ends there",
		              exit_code - SIGNAL_BASE);
	const struct profile_source source = {.open = open_profile, .user = place};
	return delivery_finish(delivery, place->directory[0] == '\0' ? NULL : &source);
}

static int run_and_deliver(struct profile_delivery *delivery, struct run_place *place,
                           char **program)
{
	static char options[OPTIONS_BYTES];
	struct java_line line = {.agent = NULL};
	int exit_code = EXIT_FAILED;

	(void)strlcpy(options, delivery->plan->options, sizeof(options));
	if (!profile_plan_add_path(options, sizeof(options), "file", place->path) ||
	    !make_line(&line, options, program)) {
		delivery_cancel(delivery);
		free_line(&line);
		return EXIT_FAILED;
	}
	/* Interrupts are caught from here to the end of this process, so that an impatient Ctrl-C
	 * loses no report and leaves no file. */
	int error = os_program_attend(line.arguments, &exit_code);
	free_line(&line);
	if (error != 0) {
		delivery_cancel(delivery);
		return not_run(program, error);
	}
	bool delivered = deliver(delivery, place, exit_code);
	return exit_code != 0 || delivered ? exit_code : EXIT_FAILED;
}

static int run_reported(const struct plan_request *request, char **program)
{
	static struct profile_plan plan;
	static struct profile_delivery delivery;
	static struct run_place place;

	if (!profile_plan_make(request, &plan))
		return EXIT_USAGE;
	delivery = (struct profile_delivery){
	        .plan = &plan, .number = os_pid(), .on_error_stream = true};
	if (!delivery_begin(&delivery))
		return EXIT_FAILED;
	int result = EXIT_FAILED;
	if (choose_place(&delivery, &place))
		result = run_and_deliver(&delivery, &place, program);
	else
		delivery_cancel(&delivery);
	if (delivery.is_lost)
		console_print("the profile is %s", console_shown(place.path).text);
	leave_place(&place, delivery.is_lost);
	return result;
}

/* ---- the command line ----------------------------------------------------------------------- */

static int usage(void)
{
	return console_usage(
	        "write hprof run [-e MODE] [-o FILE] [OPTIONS] -- java ARGUMENTS, with "
	        "OPTIONS such as cpu=samples");
}

/* Parses what is before the dashes; their place goes to *dashes. False after printing an error. */
static bool parse(int count, char **arguments, struct plan_request *request, int *dashes)
{
	const struct option_place places[] = {
	        {"-e", &request->mode}, {"-o", &request->output}, {NULL, NULL}};
	int at = 0;

	*request = (struct plan_request){.mode = NULL};
	for (; at < count && strcmp(arguments[at], "--") != 0; at++) {
		if (arguments[at][0] == '-') {
			if (!option_place_take("run", places, arguments, &at))
				return false;
		} else if (request->options == NULL) {
			request->options = arguments[at];
		} else {
			(void)usage();
			return false;
		}
	}
	*dashes = at;
	if (at + 1 < count)
		return true;
	(void)usage();
	return false;
}

int command_run(int count, char **arguments)
{
	struct plan_request request;
	int dashes;

	if (!parse(count, arguments, &request, &dashes))
		return EXIT_USAGE;
	char **program = arguments + dashes + 1;
	if (!is_java(program[0]))
		return console_usage(
		        "%s is not java; for a tool of the JDK add -J-agentpath:..., for "
		        "other programs set JAVA_TOOL_OPTIONS",
		        console_shown(program[0]).text);
	/* With options of the agent alone, its defaults hold, and the process becomes the JVM. */
	if (request.options != NULL && request.mode == NULL && request.output == NULL)
		return run_in_place(request.options, program);
	return run_reported(&request, program);
}
