/*
 * go_live.c: starts modes in a live VM: all of them when the profile begins, on the VM's main
 * thread before main() or on the thread that attaches the agent; and one more during the
 * profile, for a command of the peer, on the thread that carries it out, under the profile's
 * dump lock. Such a mode visits the existing threads and classes, as after an attach.
 *
 * Callbacks read the list of modes without a lock: a mode is stored before mode_count includes
 * it, and is never removed.
 */
#include "agent/agent.h"
#include "agent/start_line.h"

#include "vm/class_versions.h"
#include "vm/java_threads.h"

#define NS_PER_MS UINT64_C(1000000)

/* Time between two looks at the stage. */
#define LIVE_POLL_NS NS_PER_MS

/* Argument of a visit to all classes: they are reported to the modes from first on. */
struct class_visit {
	struct agent *agent;
	size_t first;
};

static void prepare_loaded(void *argument, JNIEnv *jni, jclass class)
{
	const struct class_visit *visit = argument;
	jvmtiEnv *jvmti = visit->agent->profile.jvmti;
	jint status = 0;

	(void)(*jvmti)->GetClassStatus(jvmti, class, &status);
	if ((status & JVMTI_CLASS_STATUS_PREPARED) != 0)
		agent_class_prepared(visit->agent, jni, class, visit->first);
}

/* Reports the thread to the modes that have not seen it: those added last. */
static void existing_thread(void *argument, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	struct agent *agent = argument;
	size_t count = agent->mode_count;

	EACH_MODE_IN(agent, mode, thread->modes_notified, count, existing_thread)
		mode->ops->existing_thread(mode->state, jni, object, thread);
	thread->modes_notified = count;
}

static void report_missed(struct agent *agent, size_t missed, const char *what)
{
	if (missed == 0)
		return;
	message_print("%zu %s", missed, what);
	profile_note(&agent->profile, "%zu %s", missed, what);
}

static void find_threads(struct agent *agent, JNIEnv *jni)
{
	size_t missed =
	        java_threads_add_existing(agent->profile.threads, jni, existing_thread, agent);
	report_missed(
	        agent, missed,
	        "threads that started before the agent are not in this profile (the JVM does not "
	        "list them)");
}

static void find_known_threads(struct agent *agent, JNIEnv *jni)
{
	size_t missed =
	        java_threads_notify_known(agent->profile.threads, jni, existing_thread, agent);
	report_missed(agent, missed,
	              "threads are not profiled for a command (they were starting when it came)");
}

/* Reports the loaded classes to the modes from first on, and calls their live hooks. */
static void call_live_hooks(struct agent *agent, JNIEnv *jni, size_t first)
{
	struct class_visit visit = {agent, first};

	if (agent->needs.class_file_load)
		class_versions_begin(agent->profile.vm, jni);
	if (agent->needs.class_prepare) {
		(void)agent_enable_event(agent, JVMTI_EVENT_CLASS_PREPARE);
		profile_each_class(&agent->profile, jni, prepare_loaded, &visit);
	}
	EACH_MODE_IN(agent, mode, first, agent->mode_count, live)
		mode->ops->live(mode->state, jni);
}

static void rewrite_classes(struct agent *agent, JNIEnv *jni)
{
	/* After an error, the class that instrumented code calls may be missing. */
	if (!agent->needs.class_file_load || profile_is_stopped(&agent->profile))
		return;
	(void)agent_enable_event(agent, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
	agent_transform_classes(agent, jni, "can't be instrumented");
}

static void call_begin_hooks(struct agent *agent, size_t first)
{
	EACH_MODE_IN(agent, mode, first, agent->mode_count, begin)
		mode->ops->begin(mode->state);
}

static void print_start(struct agent *agent)
{
	char line[AGENT_OUTPUT_NAME_MAX + 256];

	bool has_modes = agent->mode_count > 0 || agent->archive_option == NULL;

	if (!agent->settings.verbose || !has_modes || profile_is_stopped(&agent->profile))
		return;
	start_line_format(&agent->settings, agent->output_name, line, sizeof(line));
	message_print("%s", line);
}

void agent_go_live(struct agent *agent, JNIEnv *jni)
{
	agent->beginner = os_self_thread();
	atomic_store(&agent->stage, AGENT_BEGINNING);
	agent->live_ns = os_monotonic_ns();
	print_start(agent);
	call_live_hooks(agent, jni, 0);
	if (agent->misses_threads)
		find_threads(agent, jni);
	profile_control_write(&agent->profile);
	rewrite_classes(agent, jni);
	worker_start(agent, jni);
	call_begin_hooks(agent, 0);
	/* Commands may add modes from here on. */
	net_commands_start(agent, jni);
	atomic_store(&agent->stage, AGENT_LIVE);
}

bool agent_await_live(const struct agent *agent, uint32_t limit_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + (uint64_t)limit_ms * NS_PER_MS;
	int stage;

	while ((stage = atomic_load(&agent->stage)) < AGENT_LIVE) {
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= deadline_ns)
			return false;
		os_sleep_until(now_ns + LIVE_POLL_NS);
	}
	return stage == AGENT_LIVE;
}

/* Adds the capabilities and events that the mode needs. */
static bool enable(struct agent *agent, const struct mode_needs *needs)
{
	agent->needs = *needs;
	return agent_add_capabilities(agent->profile.jvmti, &needs->capabilities) &&
	       agent_enable_needed(agent);
}

bool agent_start_mode(struct agent *agent, JNIEnv *jni, const struct mode_ops *ops)
{
	size_t number = agent->mode_count;
	struct mode_needs before = agent->needs;
	struct mode_needs needs = agent->needs;

	if (number == AGENT_MODES_MAX)
		return false;
	void *state = ops->create(&agent->profile, &needs);
	if (state == NULL)
		return false;
	if (!enable(agent, &needs)) {
		agent->needs = before;
		ops->destroy(state, jni);
		return false;
	}
	agent->modes[number] = (struct active_mode){.ops = ops, .state = state};
	agent->mode_count = number + 1;
	call_live_hooks(agent, jni, number);
	find_known_threads(agent, jni);
	if (ops->rewrite_class != NULL)
		rewrite_classes(agent, jni);
	call_begin_hooks(agent, number);
	return true;
}
