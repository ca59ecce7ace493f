/*
 * begin_modes.c: see begin_modes.h. Threads and locks are the caller's.
 */
#include "agent/begin_modes.h"

#include "agent/class_prepared.h"
#include "agent/event_set.h"
#include "agent/transform.h"
#include "vm/class_versions.h"
#include "vm/java_thread_visits.h"

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
	size_t count = agent->modes.count;

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

void begin_modes_missed_threads(struct agent *agent, JNIEnv *jni)
{
	size_t missed =
	        java_threads_add_existing(agent->profile.threads, jni, existing_thread, agent);
	report_missed(
	        agent, missed,
	        "threads that started before the agent are not in this profile (the JVM does not "
	        "list them)");
}

void begin_modes_known_threads(struct agent *agent, JNIEnv *jni)
{
	size_t missed =
	        java_threads_notify_known(agent->profile.threads, jni, existing_thread, agent);
	report_missed(agent, missed,
	              "threads are not profiled for a command (they were starting when it came)");
}

void begin_modes_live(struct agent *agent, JNIEnv *jni, size_t first)
{
	struct class_visit visit = {agent, first};

	if (agent->needs.class_file_load)
		class_versions_begin(agent->profile.vm, jni);
	if (agent->needs.class_prepare) {
		(void)agent_enable_event(agent, JVMTI_EVENT_CLASS_PREPARE);
		profile_each_class(&agent->profile, jni, prepare_loaded, &visit);
	}
	EACH_MODE_IN(agent, mode, first, agent->modes.count, live)
		mode->ops->live(mode->state, jni);
}

void begin_modes_rewriting(struct agent *agent, JNIEnv *jni)
{
	/* After an error, the class that instrumented code calls may be missing. */
	if (!agent->needs.class_file_load || profile_is_stopped(&agent->profile))
		return;
	(void)agent_enable_event(agent, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
	agent_transform_classes(agent, jni, "can't be instrumented");
}

void begin_modes_begin(struct agent *agent, size_t first)
{
	EACH_MODE_IN(agent, mode, first, agent->modes.count, begin)
		mode->ops->begin(mode->state);
}
