/* An agent that takes for itself what only one agent can have: to be told of allocations. */
#include <jvmti.h>
#include <string.h>

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEnv *jvmti = NULL;
	jvmtiCapabilities wanted;
	(void)options;
	(void)reserved;

	memset(&wanted, 0, sizeof(wanted));
	wanted.can_generate_sampled_object_alloc_events = 1;
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}
