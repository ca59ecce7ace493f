/*
 * command_attach.c: `hprof attach`: makes a running JVM load the agent.
 */
#include "attach/attach_load.h"
#include "attach/jvm_names.h"
#include "base/time_span.h"
#include "command/agent_library.h"
#include "command/command.h"
#include "command/option_place.h"
#include "os/os_programs.h"
#include "session/attach_session.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096, SECONDS_MAX = 1000000000 };

struct attach_request {
	struct plan_request plan;
	const char *time;
	const char *library;
	const char *target;
};

/* ---- options of the agent alone ---------------------------------------------------------------
 */

static void print_loaded(uint64_t pid, const char *options)
{
	const unsigned long long number = pid;

	if (strcmp(options, "stop") == 0)
		console_print("the profile of process %llu has ended", number);
	else if (!agent_option_given(options, "help"))
		console_print("process %llu is profiled; end that with: hprof attach %llu stop",
		              number, number);
}

/* The agent's messages belong to the standard error of the JVM, where those of the whole profile
 * go. So only after a refusal it is asked again, with a file for the reason. */
static int ask_again(uint64_t pid, const char *library, const char *options, const struct jvm *jvm)
{
	static char all[PLAN_OPTIONS_MAX];
	char path[PATH_BYTES];
	enum attach_verdict verdict = ATTACH_AGENT_REFUSED;

	(void)snprintf(path, sizeof(path), "%s%s", jvm_exchange_path(jvm), ATTACH_MESSAGES_SUFFIX);
	if (agent_option_given(options, "messages") ||
	    strlcpy(all, options, sizeof(all)) >= sizeof(all) ||
	    !profile_plan_add_path(all, sizeof(all), "messages", path))
		return attach_print_refusal(pid, NULL);
	/* Until that file is removed. */
	os_interrupts_catch();
	if (!attach_load(pid, library, all, ATTACH_INTERRUPTS_CANCEL, &verdict)) {
		(void)jvm_file_remove(jvm, ATTACH_MESSAGES_SUFFIX);
		return EXIT_FAILED;
	}
	if (verdict == ATTACH_LOADED) {
		/* What refused before, such as another attach at that time, does not any more. */
		if (strcmp(options, "stop") == 0)
			(void)jvm_file_remove(jvm, ATTACH_MESSAGES_SUFFIX);
		else
			console_print("the agent's messages go to %s", path);
		print_loaded(pid, options);
		return EXIT_DONE;
	}
	int result = attach_print_refusal(pid, jvm);
	(void)jvm_file_remove(jvm, ATTACH_MESSAGES_SUFFIX);
	return result;
}

/* Loads the agent and returns: the profile goes on, and its files are the user's affair. */
static int load_only(uint64_t pid, const char *library, const char *options)
{
	static struct attach_result held;
	struct jvm *jvm;
	enum attach_verdict verdict;

	if (!attach_load(pid, library, options, ATTACH_INTERRUPTS_END, &verdict))
		return EXIT_FAILED;
	if (verdict == ATTACH_LOADED) {
		print_loaded(pid, options);
		return EXIT_DONE;
	}
	jvm_hold(pid, &jvm, &held);
	if (jvm == NULL)
		return attach_print_refusal(pid, NULL);
	int result = ask_again(pid, library, options, jvm);
	jvm_release(jvm);
	return result;
}

/* ---- the command line -------------------------------------------------------------------------
 */

static int usage(void)
{
	return console_usage("write hprof attach [-e MODE] [-d TIME] [-o FILE] PID [OPTIONS], with "
	                     "the process ID, main class or jar of a JVM and OPTIONS such as "
	                     "cpu=samples, or hprof attach PID stop");
}

static bool is_absolute(const char *path)
{
	return path[0] == '/' || path[0] == '\\' || (path[0] != '\0' && path[1] == ':');
}

/* False after printing an error. */
static bool parse(int count, char **arguments, struct attach_request *request)
{
	const struct option_place places[] = {{"-e", &request->plan.mode},
	                                      {"-d", &request->time},
	                                      {"-o", &request->plan.output},
	                                      {"--libpath", &request->library},
	                                      {NULL, NULL}};

	*request = (struct attach_request){.target = NULL};
	for (int at = 0; at < count; at++) {
		if (arguments[at][0] == '-') {
			if (!option_place_take("attach", places, arguments, &at))
				return false;
		} else if (request->target == NULL) {
			request->target = arguments[at];
		} else if (request->plan.options == NULL) {
			request->plan.options = arguments[at];
		} else {
			(void)usage();
			return false;
		}
	}
	if (request->library != NULL && !is_absolute(request->library)) {
		(void)console_usage("--libpath %s is invalid; write the absolute path that the "
		                    "library has for the JVM",
		                    console_shown(request->library).text);
		return false;
	}
	if (request->target != NULL && strcmp(request->target, "0") != 0)
		return true;
	(void)usage();
	return false;
}

static bool take_time(const struct attach_request *request, const struct profile_plan *plan,
                      long long *seconds)
{
	*seconds = plan->mode != NULL && plan->mode->is_momentary ? 0 : -1;
	if (request->time == NULL || time_span_parse(request->time, SECONDS_MAX, seconds))
		return true;
	(void)console_usage("-d %s is invalid; write a time such as 30, 30s, 5m or 2h",
	                    console_shown(request->time).text);
	return false;
}

/* The path as the JVM sees it; false after printing an error. */
static bool choose_library(const char *given, char *library, size_t size)
{
	if (given == NULL)
		return agent_library_find(library, size);
	if (strlcpy(library, given, size) < size)
		return true;
	(void)console_failed("the path of --libpath is too long; write a shorter one");
	return false;
}

static bool choose_library_and_jvm(const struct attach_request *request, char *library,
                                   uint64_t *pid)
{
	return choose_library(request->library, library, PATH_BYTES) &&
	       jvm_find(request->target, pid);
}

static int profile(const struct attach_request *request)
{
	static struct profile_plan plan;
	static char library[PATH_BYTES];
	struct attach_session session = {.library = library, .plan = &plan};

	if (!profile_plan_make(&request->plan, &plan) ||
	    !take_time(request, &plan, &session.seconds))
		return EXIT_USAGE;
	if (!choose_library_and_jvm(request, library, &session.pid))
		return EXIT_FAILED;
	return attach_session_run(&session);
}

static int load(const struct attach_request *request)
{
	static char library[PATH_BYTES];
	uint64_t pid;

	if (!profile_plan_check_options(request->plan.options))
		return EXIT_USAGE;
	if (!choose_library_and_jvm(request, library, &pid))
		return EXIT_FAILED;
	return load_only(pid, library, request->plan.options);
}

int command_attach(int count, char **arguments)
{
	struct attach_request request;

	if (!parse(count, arguments, &request))
		return EXIT_USAGE;
	if (request.plan.options != NULL && request.plan.mode == NULL &&
	    request.plan.output == NULL && request.time == NULL)
		return load(&request);
	return profile(&request);
}
