/*
 * capabilities.c: requests only capabilities that the running VM has.
 */
#include "agent/capabilities.h"

#include <string.h>

bool agent_add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *requested)
{
	jvmtiCapabilities potential;
	unsigned char bits[sizeof(jvmtiCapabilities)];
	unsigned char available[sizeof(jvmtiCapabilities)];

	memset(&potential, 0, sizeof(potential));
	if ((*jvmti)->GetPotentialCapabilities(jvmti, &potential) != JVMTI_ERROR_NONE)
		return false;

	/* The structure has one bit field per capability, more with each JVM version: the
	 * intersection is taken bytewise, without their names. */
	memcpy(bits, requested, sizeof(bits));
	memcpy(available, &potential, sizeof(available));
	for (size_t i = 0; i < sizeof(bits); i++)
		bits[i] &= available[i];

	jvmtiCapabilities granted;
	memcpy(&granted, bits, sizeof(granted));
	return (*jvmti)->AddCapabilities(jvmti, &granted) == JVMTI_ERROR_NONE;
}
