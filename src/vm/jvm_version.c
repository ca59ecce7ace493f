/*
 * jvm_version.c: see jvm_version.h. JVM TI's own version is that of the JDK from 9 on, and
 * 1.something before.
 */
#include "vm/jvm_version.h"

#include "base/messages.h"

enum { OLDEST_JDK = 11, NEWEST_JDK = 25, LAST_WITH_CLASSIC_AGENT = 8 };

int jvm_version(jvmtiEnv *jvmti)
{
	jint version = 0;

	if ((*jvmti)->GetVersionNumber(jvmti, &version) != JVMTI_ERROR_NONE)
		return 0;
	return (int)((version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR);
}

bool jvm_version_is_tested(jvmtiEnv *jvmti)
{
	int jdk = jvm_version(jvmti);
	return jdk >= OLDEST_JDK && jdk <= NEWEST_JDK;
}

bool jvm_version_is_supported(jvmtiEnv *jvmti)
{
	int jdk = jvm_version(jvmti);

	if (jdk > NEWEST_JDK)
		message_print("JDK %d is untested: hprof is tested with JDK %d to %d", jdk,
		              OLDEST_JDK, NEWEST_JDK);
	if (jdk == 0 || jdk >= OLDEST_JDK)
		return true;
	if (jdk <= LAST_WITH_CLASSIC_AGENT)
		message_print("JDK 11 or later is required; this JDK has the classic agent: remove "
		              "-agentpath and add -agentlib:hprof");
	else
		message_print("JDK 11 or later is required, this is JDK %d; remove the agent", jdk);
	return false;
}
