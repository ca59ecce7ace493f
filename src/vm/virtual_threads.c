/*
 * virtual_threads.c: see virtual_threads.h.
 */
#include "vm/virtual_threads.h"

#include <string.h>

#define EXTENSION "com.sun.hotspot.functions.GetVirtualThread"
#define MOUNT_EVENT "com.sun.hotspot.events.VirtualThreadMount"
#define UNMOUNT_EVENT "com.sun.hotspot.events.VirtualThreadUnmount"

/* The places of jvmtiCapabilities' bits: 44 of them have names up to JDK 20, the
 * next is can_support_virtual_threads. Bit fields, so that the compiler lays
 * them out as it does the original. */
struct capabilities_21 {
	unsigned int first : 32;
	unsigned int second : 12;
	unsigned int can_support_virtual_threads : 1;
	unsigned int rest_of_second : 19;
	unsigned int third : 32;
	unsigned int fourth : 32;
};

_Static_assert(sizeof(struct capabilities_21) == sizeof(jvmtiCapabilities),
               "jvmtiCapabilities has 128 bits");

void virtual_threads_add_capability(jvmtiCapabilities *capabilities)
{
	struct capabilities_21 bits;

	memcpy(&bits, capabilities, sizeof(bits));
	bits.can_support_virtual_threads = 1;
	memcpy(capabilities, &bits, sizeof(bits));
}

static void deallocate(jvmtiEnv *jvmti, void *memory)
{
	if (memory != NULL)
		(void)(*jvmti)->Deallocate(jvmti, memory);
}

static void release_parameters(jvmtiEnv *jvmti, jvmtiParamInfo *parameters, jint count)
{
	for (jint i = 0; i < count; i++)
		deallocate(jvmti, parameters[i].name);
	deallocate(jvmti, parameters);
}

static void release(jvmtiEnv *jvmti, jvmtiExtensionFunctionInfo *info)
{
	release_parameters(jvmti, info->params, info->param_count);
	deallocate(jvmti, info->errors);
	deallocate(jvmti, info->id);
	deallocate(jvmti, info->short_description);
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	jvmtiExtensionFunctionInfo *functions = NULL;
	virtual_thread_of *found = NULL;
	jint count = 0;

	if ((*jvmti)->GetExtensionFunctions(jvmti, &count, &functions) != JVMTI_ERROR_NONE)
		return NULL;
	for (jint i = 0; i < count; i++) {
		if (strcmp(functions[i].id, EXTENSION) == 0)
			memcpy(&found, &functions[i].func, sizeof(found));
		release(jvmti, &functions[i]);
	}
	deallocate(jvmti, functions);
	return found;
}

void virtual_threads_set_end_callback(union event_callbacks *callbacks,
                                      jvmtiEventThreadEnd callback)
{
	memcpy(&callbacks->all[EVENT_VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL], &callback,
	       sizeof(callback));
}

/* The indexes of the extension events, 0 where there is none. */
struct mount_events {
	jint mount;
	jint unmount;
};

static struct mount_events find_mount_events(jvmtiEnv *jvmti)
{
	struct mount_events found = {0, 0};
	jvmtiExtensionEventInfo *events = NULL;
	jint count = 0;

	if ((*jvmti)->GetExtensionEvents(jvmti, &count, &events) != JVMTI_ERROR_NONE)
		return found;
	for (jint i = 0; i < count; i++) {
		if (strcmp(events[i].id, MOUNT_EVENT) == 0)
			found.mount = events[i].extension_event_index;
		if (strcmp(events[i].id, UNMOUNT_EVENT) == 0)
			found.unmount = events[i].extension_event_index;
		release_parameters(jvmti, events[i].params, events[i].param_count);
		deallocate(jvmti, events[i].id);
		deallocate(jvmti, events[i].short_description);
	}
	deallocate(jvmti, events);
	return found;
}

/* Unlike other extension events, HotSpot's of virtual threads must be enabled, too. */
static bool set_callback(jvmtiEnv *jvmti, jint event, jvmtiExtensionEvent callback)
{
	jvmtiEventMode mode = callback == NULL ? JVMTI_DISABLE : JVMTI_ENABLE;

	return event != 0 &&
	       (*jvmti)->SetExtensionEventCallback(jvmti, event, callback) == JVMTI_ERROR_NONE &&
	       (*jvmti)->SetEventNotificationMode(jvmti, mode, (jvmtiEvent)event, NULL) ==
	               JVMTI_ERROR_NONE;
}

bool virtual_threads_set_mount_callbacks(jvmtiEnv *jvmti, jvmtiExtensionEvent mounted,
                                         jvmtiExtensionEvent unmounted)
{
	struct mount_events events = find_mount_events(jvmti);

	return set_callback(jvmti, events.mount, mounted) &&
	       set_callback(jvmti, events.unmount, unmounted);
}

jclass virtual_threads_class(jvmtiEnv *jvmti, JNIEnv *jni)
{
	if (virtual_threads_find(jvmti) == NULL)
		return NULL;
	jclass class = (*jni)->FindClass(jni, "java/lang/BaseVirtualThread");
	if (class == NULL) {
		(*jni)->ExceptionClear(jni);
		return NULL;
	}
	jclass global = (*jni)->NewGlobalRef(jni, class);
	(*jni)->DeleteLocalRef(jni, class);
	return global;
}

static bool is_used_class(jvmtiEnv *jvmti, jclass class)
{
	char *signature = NULL;
	jint status = 0;

	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
		return false;
	bool is_virtual = strcmp(signature, "Ljava/lang/VirtualThread;") == 0;
	deallocate(jvmti, signature);
	return is_virtual && (*jvmti)->GetClassStatus(jvmti, class, &status) == JVMTI_ERROR_NONE &&
	       (status & JVMTI_CLASS_STATUS_INITIALIZED) != 0;
}

jclass virtual_threads_used_class(jvmtiEnv *jvmti, JNIEnv *jni)
{
	jint count = 0;
	jclass *classes = NULL;
	jclass found = NULL;

	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE)
		return NULL;
	for (jint i = 0; i < count; i++) {
		if (found == NULL && is_used_class(jvmti, classes[i]))
			found = classes[i];
		else
			(*jni)->DeleteLocalRef(jni, classes[i]);
	}
	deallocate(jvmti, classes);
	return found;
}

jfieldID virtual_threads_state_field(JNIEnv *jni, jclass class)
{
	jfieldID field = (*jni)->GetFieldID(jni, class, "state", "I");
	if (field == NULL)
		(*jni)->ExceptionClear(jni);
	return field;
}

/* NEW is 0 in java.lang.VirtualThread of JDK 21 to 25, and start() leaves it. */
bool virtual_threads_has_started(JNIEnv *jni, jthread thread, jfieldID state_field)
{
	return (*jni)->GetIntField(jni, thread, state_field) != 0;
}
