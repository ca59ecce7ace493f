/*
 * attach_session.c: see attach_session.h.
 *
 * The agent writes to files of the JVM's user in a directory that the JVM and this process share
 * (jvm_exchange_path()), since the two may see different files at other paths. If they see the
 * same, and the output is the agent's own file, it is written in its place.
 */
#include "session/attach_session.h"

#include "attach/attach_explain.h"
#include "attach/attach_load.h"
#include "attach/attach_wait.h"
#include "console/messages.h"
#include "os/os_programs.h"
#include "session/profile_delivery.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096, OPTIONS_BYTES = PLAN_OPTIONS_MAX + 3 * PATH_BYTES };

struct running {
	const struct attach_session *session;
	struct jvm *jvm;
	struct profile_delivery delivery;
	bool in_place;         /* the agent writes the output itself */
	const char *suffix;    /* of the profile, unless it is in place */
	char path[PATH_BYTES]; /* of the profile, for the agent */
	char options[OPTIONS_BYTES];
};

static const char *suffix_of(const struct profile_plan *plan)
{
	if (plan->is_binary)
		return plan->is_compressed ? ".hprof.gz" : ".hprof";
	return plan->is_compressed ? ".txt.gz" : ".txt";
}

static bool exchange_path(const struct running *running, const char *suffix, char *path)
{
	int length = snprintf(path, PATH_BYTES, "%s%s", jvm_exchange_path(running->jvm), suffix);
	return length > 0 && length < PATH_BYTES;
}

/* ---- the agent's options --------------------------------------------------------------------- */

static bool add_messages(struct running *running)
{
	char path[PATH_BYTES];

	if (agent_option_given(running->options, "messages"))
		return true;
	return exchange_path(running, ATTACH_MESSAGES_SUFFIX, path) &&
	       profile_plan_add_path(running->options, sizeof(running->options), "messages", path);
}

static bool choose_place(struct running *running)
{
	const struct profile_plan *plan = running->session->plan;
	int error = os_path_absolute(running->delivery.path, running->path, sizeof(running->path));

	if (error != 0) {
		(void)console_failed("can't find the working directory: %s",
		                     console_reason(error).text);
		return false;
	}
	running->in_place = profile_plan_is_agents_file(plan) && jvm_is_here(running->jvm) &&
	                    profile_plan_takes_path(running->path);
	return running->in_place || exchange_path(running, running->suffix, running->path);
}

static bool make_options(struct running *running)
{
	(void)strlcpy(running->options, running->session->plan->options, sizeof(running->options));
	/* Another profile, such as that of another hprof attach, is not ended for this one. */
	if (!agent_option_given(running->options, "replace"))
		(void)strlcat(running->options, ",replace=n", sizeof(running->options));
	return choose_place(running) &&
	       profile_plan_add_path(running->options, sizeof(running->options), "file",
	                             running->path) &&
	       add_messages(running);
}

/* ---- the profile ----------------------------------------------------------------------------- */

static void remove_exchanged(const struct running *running)
{
	(void)jvm_file_remove(running->jvm, ATTACH_MESSAGES_SUFFIX);
	if (running->delivery.is_lost)
		console_print("the profile is %s%s of process %llu",
		              jvm_exchange_path(running->jvm), running->suffix,
		              (unsigned long long)running->session->pid);
	else if (!running->in_place)
		(void)jvm_file_remove(running->jvm, running->suffix);
}

/* Ends the profile, unless the JVM has ended: then the profile is complete. If the agent refuses,
 * another attach has ended it. False after printing an error. */
static bool stop(struct running *running)
{
	const struct attach_session *session = running->session;
	enum attach_verdict verdict = ATTACH_LOADED;

	(void)strlcpy(running->options, "stop", sizeof(running->options));
	return !jvm_is_running(running->jvm) ||
	       (add_messages(running) &&
	        attach_load(session->pid, session->library, running->options,
	                    ATTACH_INTERRUPTS_WAIT, &verdict)) ||
	       !jvm_is_running(running->jvm);
}

static int open_profile(void *user, struct os_file *file)
{
	const struct running *running = user;
	return jvm_file_open(running->jvm, running->suffix, file);
}

static bool deliver(struct running *running)
{
	const struct profile_source source = {.open = open_profile, .user = running};
	return delivery_finish(&running->delivery, running->in_place ? NULL : &source);
}

static int profile(struct running *running)
{
	const struct attach_session *session = running->session;
	enum attach_verdict verdict;

	if (!make_options(running) || !attach_load(session->pid, session->library, running->options,
	                                           ATTACH_INTERRUPTS_CANCEL, &verdict)) {
		delivery_cancel(&running->delivery);
		return EXIT_FAILED;
	}
	if (verdict == ATTACH_AGENT_REFUSED) {
		delivery_cancel(&running->delivery);
		return attach_print_refusal(session->pid, running->jvm);
	}
	attach_wait(running->jvm, session->pid, session->seconds);
	bool stopped = stop(running);
	(void)attach_print_messages(running->jvm, "");
	return deliver(running) && stopped ? EXIT_DONE : EXIT_FAILED;
}

int attach_session_run(const struct attach_session *session)
{
	static struct running running;
	static struct attach_result result;

	running = (struct running){.session = session, .suffix = suffix_of(session->plan)};
	jvm_hold(session->pid, &running.jvm, &result);
	if (running.jvm == NULL)
		return attach_explain(session->pid, session->library, &result);
	running.delivery = (struct profile_delivery){.plan = session->plan, .number = session->pid};
	int exit_code = EXIT_FAILED;
	/* From before any file is created, so that Ctrl-C leaves nothing, and one that comes late
	 * does not change the exit code. */
	os_interrupts_catch();
	if (delivery_begin(&running.delivery)) {
		exit_code = profile(&running);
		remove_exchanged(&running);
	}
	jvm_release(running.jvm);
	return exit_code;
}
