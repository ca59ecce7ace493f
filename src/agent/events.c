/*
 * events.c: the JVM TI callbacks. Each finds the agent, does what all modes need, and calls the
 * modes' hooks. Phases and restrictions are those of the JVM TI specification, section Event
 * Index. No lock: see active_modes.h and active_callbacks.h.
 */
#include "agent/events.h"

#include "agent/class_prepared.h"
#include "agent/dump.h"
#include "agent/event_set.h"
#include "agent/go_live.h"
#include "vm/active_callbacks.h"
#include "vm/class_registry.h"
#include "vm/class_versions.h"
#include "vm/java_thread_records.h"
#include "vm/java_threads.h"
#include "vm/load_trace.h"
#include "vm/virtual_threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The agent that owns the environment; NULL after its end. Any phase, within
 * active_callbacks_enter() and _leave(). */
static struct agent *agent_of(jvmtiEnv *jvmti)
{
	void *agent = NULL;
	(void)(*jvmti)->GetEnvironmentLocalStorage(jvmti, &agent);
	return agent;
}

/* Begins a callback, which leave() must end. Returns the agent of the environment, NULL after
 * its end. jni is NULL in callbacks without one. */
static struct agent *enter(jvmtiEnv *jvmti, const JNIEnv *jni)
{
	active_callbacks_enter(jni);
	return agent_of(jvmti);
}

static void leave(const JNIEnv *jni)
{
	active_callbacks_leave(jni);
}

static void thread_start(struct agent *agent, JNIEnv *jni, jthread object)
{
	if (profile_is_stopped(&agent->profile))
		return;
	struct java_thread *thread = java_threads_start(agent->profile.threads, jni, object);
	if (thread == NULL)
		return;
	/* A mode that is started later finds the thread (start_mode.c). */
	thread->modes_notified = agent->modes.count;
	EACH_MODE_IN(agent, mode, 0, thread->modes_notified, thread_start)
		mode->ops->thread_start(mode->state, jni, object, thread);
	atomic_store(&thread->is_notifying, false);
}

/* Start or live phase; on the thread that starts. */
static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL)
		thread_start(agent, jni, object);
	leave(jni);
}

static void thread_end(struct agent *agent, JNIEnv *jni, jthread object)
{
	struct java_thread *thread = java_threads_mark_ending(agent->profile.threads);
	if (thread == NULL)
		return;
	java_threads_update_name(agent->profile.threads, jni, object, thread);
	EACH_MODE(agent, mode, thread_end)
		mode->ops->thread_end(mode->state, jni, thread);
	java_threads_end(agent->profile.threads, jni, thread);
}

static void virtual_thread_end(struct agent *agent, JNIEnv *jni, jthread object)
{
	EACH_MODE(agent, mode, virtual_ended)
		mode->ops->virtual_ended(mode->state, jni, object);
	struct java_thread *thread = java_threads_current(agent->profile.threads);
	if (thread == NULL || !thread->is_virtual)
		return;
	java_threads_update_name(agent->profile.threads, jni, object, thread);
	EACH_MODE(agent, mode, virtual_thread_end)
		mode->ops->virtual_thread_end(mode->state, jni, thread);
	java_threads_end(agent->profile.threads, jni, thread);
}

/* Live phase; on the carrier of the virtual thread that ends. */
static void JNICALL on_virtual_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL)
		virtual_thread_end(agent, jni, object);
	leave(jni);
}

static void virtual_thread_moved(jvmtiEnv *jvmti, va_list arguments, bool is_mounted)
{
	JNIEnv *jni = va_arg(arguments, JNIEnv *);
	jthread object = va_arg(arguments, jthread);
	struct agent *agent = enter(jvmti, jni);

	if (agent != NULL && is_mounted) {
		EACH_MODE(agent, mode, virtual_mounted)
			mode->ops->virtual_mounted(mode->state, jni, object);
	} else if (agent != NULL) {
		EACH_MODE(agent, mode, virtual_unmounted)
			mode->ops->virtual_unmounted(mode->state, jni, object);
	}
	leave(jni);
}

/* Live phase; on the carrier, as the virtual thread. */
static void JNICALL on_virtual_thread_mount(jvmtiEnv *jvmti, ...)
{
	va_list arguments;

	va_start(arguments, jvmti);
	virtual_thread_moved(jvmti, arguments, true);
	va_end(arguments);
}

/* The same. */
static void JNICALL on_virtual_thread_unmount(jvmtiEnv *jvmti, ...)
{
	va_list arguments;

	va_start(arguments, jvmti);
	virtual_thread_moved(jvmti, arguments, false);
	va_end(arguments);
}

/* Start or live phase; on the thread that ends. */
static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL)
		thread_end(agent, jni, object);
	leave(jni);
}

/* Empty: the event must be enabled for AsyncGetCallTrace (engine_async.c). */
static void JNICALL on_class_load(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
	(void)jvmti;
	(void)jni;
	(void)thread;
	(void)class;
}

/* On a thread of the VM that may have no JNIEnv. */
static void JNICALL on_compiled_method_load(jvmtiEnv *jvmti, jmethodID method, jint code_size,
                                            const void *code_address, jint map_length,
                                            const jvmtiAddrLocationMap *map,
                                            const void *compile_info)
{
	struct agent *agent = enter(jvmti, NULL);
	(void)method;
	(void)code_size;
	(void)code_address;
	(void)map_length;
	(void)map;

	if (agent != NULL && !profile_is_stopped(&agent->profile)) {
		EACH_MODE(agent, mode, method_compiled)
			mode->ops->method_compiled(mode->state, compile_info);
	}
	leave(NULL);
}

static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
	struct agent *agent = enter(jvmti, jni);
	(void)thread;
	if (agent != NULL && !profile_is_stopped(&agent->profile)) {
		/* heap= takes a trace per allocation: one more for each class is cheap. */
		if (agent->settings.format == FORMAT_BINARY && agent->settings.heap != HEAP_OFF)
			load_trace_add_class(&agent->profile, jni, class);
		agent_class_prepared(agent, jni, class, 0);
	}
	leave(jni);
}

/* Returns the bytes in memory of JVM TI, as the event requires. */
static bool replace_class(struct agent *agent, const uint8_t *bytes, size_t length,
                          jint *new_length, unsigned char **new_bytes)
{
	jvmtiEnv *jvmti = agent->profile.jvmti;
	unsigned char *copy = NULL;

	if (length > INT32_MAX ||
	    (*jvmti)->Allocate(jvmti, (jlong)length, &copy) != JVMTI_ERROR_NONE)
		return false;
	memcpy(copy, bytes, length);
	*new_bytes = copy;
	*new_length = (jint)length;
	return true;
}

static void rewrite_class(struct agent *agent, const char *name, jint length,
                          const unsigned char *bytes, jint *new_length, unsigned char **new_bytes)
{
	const uint8_t *current = bytes;
	size_t current_length = (size_t)length;
	uint8_t *replacement = NULL;

	EACH_MODE(agent, mode, rewrite_class) {
		uint8_t *rewritten = NULL;
		size_t rewritten_length = 0;
		if (profile_is_stopped(&agent->profile) ||
		    !mode->ops->rewrite_class(mode->state, current, current_length, &rewritten,
		                              &rewritten_length))
			continue;
		free(replacement);
		replacement = rewritten;
		current = replacement;
		current_length = rewritten_length;
	}
	if (replacement != NULL &&
	    replace_class(agent, replacement, current_length, new_length, new_bytes))
		class_versions_rewritten(name);
	free(replacement);
}

/* Enabled in the live phase; on the thread that loads or transforms the class. */
static void JNICALL on_class_file_load(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined,
                                       jobject loader, const char *name, jobject domain,
                                       jint length, const unsigned char *bytes, jint *new_length,
                                       unsigned char **new_bytes)
{
	struct agent *agent = enter(jvmti, jni);
	(void)redefined;
	(void)loader;
	(void)domain;
	if (agent != NULL)
		rewrite_class(agent, name, length, bytes, new_length, new_bytes);
	leave(jni);
}

/* Live phase; on the thread that waits. */
static void JNICALL on_monitor_contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
                                               jobject monitor)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL) {
		EACH_MODE(agent, mode, monitor_contended_enter)
			mode->ops->monitor_contended_enter(mode->state, jni, thread, monitor);
	}
	leave(jni);
}

static void JNICALL on_monitor_contended_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
                                                 jobject monitor)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL) {
		EACH_MODE(agent, mode, monitor_contended_entered)
			mode->ops->monitor_contended_entered(mode->state, jni, thread, monitor);
	}
	leave(jni);
}

/* Start or live phase; on the thread that allocates. */
static void JNICALL on_sampled_object_alloc(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
                                            jobject object, jclass class, jlong size)
{
	struct agent *agent = enter(jvmti, jni);
	(void)thread;
	if (agent != NULL) {
		EACH_MODE(agent, mode, object_allocated)
			mode->ops->object_allocated(mode->state, jni, object, class, size);
	}
	leave(jni);
}

/* On the thread for which the VM has allocated the object. */
static void JNICALL on_vm_object_alloc(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
                                       jclass class, jlong size)
{
	struct agent *agent = enter(jvmti, jni);
	(void)thread;
	if (agent != NULL) {
		EACH_MODE(agent, mode, vm_object_allocated)
			mode->ops->vm_object_allocated(mode->state, jni, object, class, size);
	}
	leave(jni);
}

/* On a thread of the VM, in a pause. */
static void JNICALL on_garbage_collection_start(jvmtiEnv *jvmti)
{
	struct agent *agent = enter(jvmti, NULL);
	if (agent != NULL) {
		EACH_MODE(agent, mode, collection_started)
			mode->ops->collection_started(mode->state);
	}
	leave(NULL);
}

static void JNICALL on_garbage_collection_finish(jvmtiEnv *jvmti)
{
	struct agent *agent = enter(jvmti, NULL);
	if (agent != NULL) {
		EACH_MODE(agent, mode, collection_finished)
			mode->ops->collection_finished(mode->state);
	}
	leave(NULL);
}

static void JNICALL on_monitor_wait(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor,
                                    jlong timeout)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL) {
		EACH_MODE(agent, mode, monitor_wait)
			mode->ops->monitor_wait(mode->state, jni, thread, monitor, timeout);
	}
	leave(jni);
}

static void JNICALL on_monitor_waited(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor,
                                      jboolean timed_out)
{
	struct agent *agent = enter(jvmti, jni);
	(void)timed_out;
	if (agent != NULL) {
		EACH_MODE(agent, mode, monitor_waited)
			mode->ops->monitor_waited(mode->state, jni, thread, monitor);
	}
	leave(jni);
}

/* In a garbage collection: no JNI, no JVM TI except raw monitors and storage. */
static void JNICALL on_object_free(jvmtiEnv *jvmti, jlong tag)
{
	struct agent *agent = enter(jvmti, NULL);
	if (agent != NULL)
		class_registry_freed(agent->profile.classes, tag);
	leave(NULL);
}

/* The VM is up, on its main thread, before main(). */
static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL) {
		java_threads_live(agent->profile.threads, jni);
		thread_start(agent, jni, thread);
		agent_go_live(agent, jni);
	}
	leave(jni);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	struct agent *agent = enter(jvmti, jni);
	if (agent != NULL)
		agent_end(agent, jni);
	leave(jni);
}

/* SIGQUIT or Ctrl-Break; on the VM's signal thread. */
static void JNICALL on_data_dump_request(jvmtiEnv *jvmti)
{
	struct agent *agent = enter(jvmti, NULL);
	JNIEnv *jni = NULL;

	if (agent != NULL &&
	    (*agent->profile.vm)->GetEnv(agent->profile.vm, (void **)&jni, JNI_VERSION_1_6) ==
	            JNI_OK)
		agent_dump(agent, jni);
	leave(NULL);
}

bool agent_enable_events(struct agent *agent)
{
	jvmtiEnv *jvmti = agent->profile.jvmti;
	union event_callbacks callbacks;

	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.named.VMInit = on_vm_init;
	callbacks.named.VMDeath = on_vm_death;
	callbacks.named.ThreadStart = on_thread_start;
	callbacks.named.ThreadEnd = on_thread_end;
	callbacks.named.ClassLoad = on_class_load;
	callbacks.named.ClassPrepare = on_class_prepare;
	callbacks.named.ClassFileLoadHook = on_class_file_load;
	callbacks.named.CompiledMethodLoad = on_compiled_method_load;
	callbacks.named.MonitorContendedEnter = on_monitor_contended_enter;
	callbacks.named.MonitorContendedEntered = on_monitor_contended_entered;
	callbacks.named.MonitorWait = on_monitor_wait;
	callbacks.named.MonitorWaited = on_monitor_waited;
	callbacks.named.DataDumpRequest = on_data_dump_request;
	callbacks.named.ObjectFree = on_object_free;
	callbacks.named.SampledObjectAlloc = on_sampled_object_alloc;
	callbacks.named.VMObjectAlloc = on_vm_object_alloc;
	callbacks.named.GarbageCollectionStart = on_garbage_collection_start;
	callbacks.named.GarbageCollectionFinish = on_garbage_collection_finish;
	virtual_threads_set_end_callback(&callbacks, on_virtual_thread_end);
	agent->on_mount = on_virtual_thread_mount;
	agent->on_unmount = on_virtual_thread_unmount;
	if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks.named, sizeof(callbacks)) !=
	    JVMTI_ERROR_NONE)
		return false;
	return (agent->attached || agent_enable_event(agent, JVMTI_EVENT_VM_INIT)) &&
	       agent_enable_event(agent, JVMTI_EVENT_VM_DEATH) &&
	       agent_enable_event(agent, JVMTI_EVENT_THREAD_START) &&
	       agent_enable_event(agent, JVMTI_EVENT_THREAD_END) &&
	       agent_enable_event(agent, JVMTI_EVENT_DATA_DUMP_REQUEST) &&
	       (agent->settings.format != FORMAT_BINARY ||
	        agent_enable_event(agent, JVMTI_EVENT_OBJECT_FREE)) &&
	       agent_enable_needed(agent);
}
