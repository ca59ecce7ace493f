/*
 * class_prepared.c: see class_prepared.h. No lock: see active_modes.h.
 */
#include "agent/class_prepared.h"

#include "vm/class_registry.h"

void agent_class_prepared(struct agent *agent, JNIEnv *jni, jclass class, size_t first)
{
	if (agent->settings.format == FORMAT_BINARY)
		(void)class_registry_find(agent->profile.classes, class);
	EACH_MODE_IN(agent, mode, first, agent->modes.count, class_prepare)
		mode->ops->class_prepare(mode->state, jni, class);
}
