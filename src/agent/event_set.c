/*
 * event_set.c: see event_set.h. No lock.
 */
#include "agent/event_set.h"

#include "vm/virtual_threads.h"

bool agent_enable_event(struct agent *agent, jvmtiEvent event)
{
	jvmtiEnv *jvmti = agent->profile.jvmti;
	return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL) ==
	       JVMTI_ERROR_NONE;
}

bool agent_enable_needed(struct agent *agent)
{
	const struct mode_needs *needs = &agent->needs;

	/* Modes work without these events if the VM lacks them. */
	if (needs->monitor_contention) {
		(void)agent_enable_event(agent, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
		(void)agent_enable_event(agent, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
	}
	if (needs->monitor_waits) {
		(void)agent_enable_event(agent, JVMTI_EVENT_MONITOR_WAIT);
		(void)agent_enable_event(agent, JVMTI_EVENT_MONITOR_WAITED);
	}
	if (needs->virtual_thread_end || needs->virtual_mounts)
		(void)agent_enable_event(agent, EVENT_VIRTUAL_THREAD_END);
	if (needs->virtual_mounts &&
	    !virtual_threads_set_mount_callbacks(agent->profile.jvmti, agent->on_mount,
	                                         agent->on_unmount))
		message_print("vthreads=y has no effect: this JVM has no virtual threads");
	if (needs->vm_object_allocation)
		(void)agent_enable_event(agent, JVMTI_EVENT_VM_OBJECT_ALLOC);

	return (!needs->class_load || agent_enable_event(agent, JVMTI_EVENT_CLASS_LOAD)) &&
	       (!needs->compiled_method_load ||
	        agent_enable_event(agent, JVMTI_EVENT_COMPILED_METHOD_LOAD)) &&
	       (!needs->object_allocation ||
	        agent_enable_event(agent, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC)) &&
	       (!needs->garbage_collection ||
	        (agent_enable_event(agent, JVMTI_EVENT_GARBAGE_COLLECTION_START) &&
	         agent_enable_event(agent, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH)));
}

void agent_disable_events(struct agent *agent)
{
	jvmtiEnv *jvmti = agent->profile.jvmti;

	if (agent->needs.virtual_mounts)
		(void)virtual_threads_set_mount_callbacks(jvmti, NULL, NULL);
	/* Errors for events that are not enabled, or do not exist, are ignored. */
	for (int event = JVMTI_MIN_EVENT_TYPE_VAL; event <= JVMTI_MAX_EVENT_TYPE_VAL; event++)
		(void)(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, (jvmtiEvent)event,
		                                         NULL);
}
