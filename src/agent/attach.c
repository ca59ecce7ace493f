/*
 * attach.c: the entry point in a running JVM: Agent_OnAttach, by jcmd PID JVMTI.agent_load.
 * Runs on the VM's Java thread for such requests, one at a time. Nothing here ends the
 * process: a refusal is one line and JNI_ERR.
 */
#include "agent/go_live.h"
#include "agent/stage.h"
#include "agent/start.h"
#include "agent/stop.h"
#include "options/options.h"
#include "profile/jni_frame.h"

#include <string.h>

enum {
	STARTING_MAX_MS = 30000, /* limit for the start of the agent before */
	LOCAL_REFERENCES = 64
};

/* Set while a request is handled: HotSpot sends one at a time, and a second is refused. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static bool refuse(const char *line)
{
	message_print("%s", line);
	return false;
}

static bool stop_running(JNIEnv *jni)
{
	struct agent *agent = agent_running();

	if (agent == NULL)
		return true;
	/* The VM accepts requests before an agent that was loaded at the start has gone live. */
	if (!agent_await_live(agent, STARTING_MAX_MS))
		return refuse("the running profile has not started yet; try again later");
	agent_stop(agent, jni);
	return true;
}

/* With replace=n a running profile goes on. One that has failed has nothing left to lose. */
static bool may_begin(const struct agent *agent)
{
	struct agent *other = agent_running();

	if (agent->settings.replace || other == NULL || profile_is_stopped(&other->profile))
		return true;
	message_print("a profile to %s is running; wait for its end, or end it with hprof attach "
	              "PID stop",
	              other->output_name);
	return false;
}

/* The running profile is ended only after the new output is open, so that a refused attach
 * leaves it running. */
static bool start(struct agent *agent, JavaVM *vm, JNIEnv *jni)
{
	if (!may_begin(agent) || !agent_open_output(agent) || !stop_running(jni))
		return false;
	if (!agent_start(agent, vm))
		return false;
	if (!agent_claim(agent))
		return refuse("another profile has started; try again later");
	/* An error of the output, or of a mode, has been reported when it happened. */
	profile_check_output(&agent->profile, writer_error(agent->profile.writer));
	if (!profile_is_stopped(&agent->profile))
		agent_go_live(agent, jni);
	return !profile_is_stopped(&agent->profile);
}

/* jcmd cuts an unquoted argument at the first '='. */
static const char *hint_for(const char *options)
{
	return options != NULL && strchr(options, '=') == NULL
	               ? "; with jcmd write '\"NAME=VALUE,...\"', with both quotes"
	               : "";
}

static bool attach(JavaVM *vm, JNIEnv *jni, const char *options)
{
	struct agent *agent = agent_create();
	if (agent == NULL)
		return false;
	bool done = false;
	bool started = false;
	agent->attached = true;

	switch (agent_read_options(agent, options, hint_for(options))) {
	case START_PROFILE:
		done = started = start(agent, vm, jni);
		break;
	case START_STOP:
		done = agent_running() != NULL ? stop_running(jni)
		                               : refuse("there is no profile to stop");
		break;
	case START_HELP: /* standard output is the program's */
		options_help(stderr);
		done = true;
		break;
	case START_REFUSED:
		break;
	}
	if (!started)
		agent_discard(agent, jni);
	return done;
}

/* JVM TI in the live phase, and JNI. */
static bool vm_is_live(JavaVM *vm, JNIEnv **jni)
{
	jvmtiEnv *jvmti = NULL;
	jvmtiPhase phase = JVMTI_PHASE_DEAD;

	if ((*vm)->GetEnv(vm, (void **)jni, JNI_VERSION_1_6) != JNI_OK ||
	    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return refuse("this JVM has no JVM TI");
	(void)(*jvmti)->GetPhase(jvmti, &phase);
	(void)(*jvmti)->DisposeEnvironment(jvmti);
	return phase == JVMTI_PHASE_LIVE || refuse("this JVM is starting or ending");
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	JNIEnv *jni = NULL;
	bool done = false;
	(void)reserved;

	if (atomic_flag_test_and_set(&busy)) {
		message_print("another attach is under way; try again later");
		return JNI_ERR;
	}
	if (vm_is_live(vm, &jni) && jni_frame_push(jni, LOCAL_REFERENCES)) {
		done = attach(vm, jni, options);
		jni_frame_pop(jni);
	}
	atomic_flag_clear(&busy);
	return done ? JNI_OK : JNI_ERR;
}
