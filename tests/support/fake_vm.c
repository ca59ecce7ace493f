/*
 * fake_vm.c: see fake_vm.h. Called from all threads; one lock over the lists of
 * threads and classes.
 */
#include "fake_vm.h"

#include "hotspot/async_call_trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 64, EVENTS = JVMTI_MAX_EVENT_TYPE_VAL + 1 };

struct fake_counts fake_counts;
jvmtiEventCallbacks fake_callbacks;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_object *threads[LIST_MAX];
static jint thread_count;
static struct fake_object *classes[LIST_MAX];
static jint class_count;
static pthread_t agent_threads[LIST_MAX];
static void *agents_environment;
static jvmtiCapabilities granted;
static _Atomic bool enabled[EVENTS];
static _Thread_local struct fake_object *current;

static struct JNIInvokeInterface_ vm_functions;
static struct JNINativeInterface_ jni_functions;
static struct jvmtiInterface_1_ jvmti_functions;
static JavaVM vm = &vm_functions;
static JNIEnv jni = &jni_functions;
static jvmtiEnv jvmti = &jvmti_functions;

static struct fake_object *object_of(jobject object)
{
	return (struct fake_object *)(void *)object;
}

static jobject ref_to(struct fake_object *object)
{
	return (jobject)(void *)object;
}

static const struct fake_method *live_or_gone(jmethodID method)
{
	return (const struct fake_method *)(const void *)method;
}

static bool is_gone(const struct fake_method *method)
{
	return method->class != NULL && atomic_load(&method->class->gone);
}

/* Of an id that the agent passes. */
static const struct fake_method *method_of(jmethodID id)
{
	const struct fake_method *method = live_or_gone(id);
	if (is_gone(method)) {
		(void)fprintf(stderr, "the id of %s was used after its class was unloaded\n",
		              method->name);
		abort();
	}
	return method;
}

/* ---- memory that the agent gives back -------------------------------------- */

static jvmtiError JNICALL allocate(jvmtiEnv *env, jlong size, unsigned char **memory)
{
	(void)env;
	*memory = malloc(size > 0 ? (size_t)size : 1);
	if (*memory == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	atomic_fetch_add(&fake_counts.allocated, 1);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *memory)
{
	(void)env;
	if (memory != NULL)
		atomic_fetch_sub(&fake_counts.allocated, 1);
	free(memory);
	return JVMTI_ERROR_NONE;
}

static char *copy_text(const char *text)
{
	unsigned char *copy = NULL;
	if (allocate(&jvmti, (jlong)strlen(text) + 1, &copy) != JVMTI_ERROR_NONE)
		abort();
	memcpy(copy, text, strlen(text) + 1);
	return (char *)copy;
}

static jobject *copy_list(struct fake_object *const *list, jint count)
{
	unsigned char *copy = NULL;
	if (allocate(&jvmti, (jlong)((size_t)count * sizeof(jobject)), &copy) != JVMTI_ERROR_NONE)
		abort();
	for (jint i = 0; i < count; i++)
		((jobject *)(void *)copy)[i] = ref_to(list[i]);
	return (jobject *)(void *)copy;
}

/* ---- JVM TI: environment and events ---------------------------------------- */

static jvmtiError JNICALL missing_jvmti(jvmtiEnv *env)
{
	(void)env;
	atomic_fetch_add(&fake_counts.unknown_calls, 1);
	return JVMTI_ERROR_NOT_AVAILABLE;
}

static jvmtiError JNICALL set_environment(jvmtiEnv *env, const void *data)
{
	(void)env;
	memcpy(&agents_environment, &data, sizeof(data));
	return JVMTI_ERROR_NONE;
}

static _Atomic jint current_phase = JVMTI_PHASE_ONLOAD;

void fake_set_phase(jvmtiPhase phase)
{
	atomic_store(&current_phase, (jint)phase);
}

static _Atomic jint jvmti_version = 0x300B0000;

void fake_set_version(jint version)
{
	atomic_store(&jvmti_version, version);
}

static jvmtiError JNICALL get_version_number(jvmtiEnv *env, jint *version)
{
	(void)env;
	*version = atomic_load(&jvmti_version);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_phase(jvmtiEnv *env, jvmtiPhase *phase)
{
	(void)env;
	*phase = (jvmtiPhase)atomic_load(&current_phase);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_environment(jvmtiEnv *env, void **data)
{
	(void)env;
	*data = agents_environment;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_potential(jvmtiEnv *env, jvmtiCapabilities *capabilities)
{
	(void)env;
	memset(capabilities, 0, sizeof(*capabilities));
	capabilities->can_tag_objects = 1;
	capabilities->can_generate_object_free_events = 1;
	capabilities->can_get_source_file_name = 1;
	capabilities->can_get_line_numbers = 1;
	capabilities->can_generate_monitor_events = 1;
	capabilities->can_generate_all_class_hook_events = 1;
	capabilities->can_retransform_classes = 1;
	capabilities->can_retransform_any_class = 1;
	capabilities->can_generate_compiled_method_load_events = 1;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL add_capabilities(jvmtiEnv *env, const jvmtiCapabilities *capabilities)
{
	unsigned char wanted[sizeof(*capabilities)];
	unsigned char potential[sizeof(*capabilities)];
	jvmtiCapabilities all;
	(void)get_potential(env, &all);
	memcpy(potential, &all, sizeof(potential));
	memcpy(wanted, capabilities, sizeof(wanted));
	for (size_t i = 0; i < sizeof(wanted); i++) {
		if ((wanted[i] & ~potential[i]) != 0)
			return JVMTI_ERROR_NOT_AVAILABLE;
	}
	granted = *capabilities;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_capabilities(jvmtiEnv *env, jvmtiCapabilities *capabilities)
{
	(void)env;
	*capabilities = granted;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_callbacks(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks,
                                        jint size)
{
	jvmtiEventCallbacks set = {.VMInit = NULL};

	(void)env;
	memcpy(&set, callbacks, (size_t)size < sizeof(set) ? (size_t)size : sizeof(set));
	/* All environments are one here. Those that note redefinitions, which this VM has none of,
	 * take no event of threads, and must not replace the agent's own. */
	if (set.ThreadStart != NULL || set.ClassFileLoadHook == NULL)
		fake_callbacks = set;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_notification(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event,
                                           jthread thread, ...)
{
	(void)env;
	(void)thread;
	if ((int)event < JVMTI_MIN_EVENT_TYPE_VAL || (int)event >= EVENTS)
		return JVMTI_ERROR_INVALID_EVENT_TYPE;
	atomic_store(&enabled[event], mode == JVMTI_ENABLE);
	return JVMTI_ERROR_NONE;
}

bool fake_enabled(jvmtiEvent event)
{
	return atomic_load(&enabled[event]);
}

static jvmtiError JNICALL get_extensions(jvmtiEnv *env, jint *count,
                                         jvmtiExtensionFunctionInfo **functions)
{
	unsigned char *none = NULL;
	*count = 0;
	jvmtiError error = allocate(env, 1, &none);
	*functions = (jvmtiExtensionFunctionInfo *)(void *)none;
	return error;
}

/* ---- JVM TI: threads --------------------------------------------------------- */

static void list_thread(struct fake_object *thread)
{
	(void)pthread_mutex_lock(&lock);
	if (thread_count == LIST_MAX)
		abort();
	threads[thread_count++] = thread;
	(void)pthread_mutex_unlock(&lock);
}

void fake_attach(struct fake_object *thread)
{
	current = thread;
	list_thread(thread);
}

void fake_detach(void)
{
	(void)pthread_mutex_lock(&lock);
	for (jint i = 0; i < thread_count; i++) {
		if (threads[i] == current)
			threads[i] = threads[--thread_count];
	}
	(void)pthread_mutex_unlock(&lock);
	current = NULL;
}

static jvmtiError JNICALL get_all_threads(jvmtiEnv *env, jint *count, jthread **list)
{
	(void)env;
	(void)pthread_mutex_lock(&lock);
	*count = thread_count;
	*list = copy_list(threads, thread_count);
	(void)pthread_mutex_unlock(&lock);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_current_thread(jvmtiEnv *env, jthread *thread)
{
	(void)env;
	*thread = ref_to(current);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_thread_info(jvmtiEnv *env, jthread thread, jvmtiThreadInfo *info)
{
	struct fake_object *object = thread != NULL ? object_of(thread) : current;
	(void)env;
	memset(info, 0, sizeof(*info));
	info->name = copy_text(object->name);
	info->priority = JVMTI_THREAD_NORM_PRIORITY;
	info->thread_group = ref_to(object->group);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_thread_state(jvmtiEnv *env, jthread thread, jint *state)
{
	(void)env;
	*state = object_of(thread)->has_ended
	                 ? JVMTI_THREAD_STATE_TERMINATED
	                 : JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_group_info(jvmtiEnv *env, jthreadGroup group,
                                         jvmtiThreadGroupInfo *info)
{
	struct fake_object *object = object_of(group);
	(void)env;
	memset(info, 0, sizeof(*info));
	info->name = copy_text(object->name);
	info->parent = ref_to(object->group);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_storage(jvmtiEnv *env, jthread thread, const void *data)
{
	struct fake_object *object = thread != NULL ? object_of(thread) : current;
	(void)env;
	if (object == NULL)
		return JVMTI_ERROR_UNATTACHED_THREAD;
	memcpy(&object->agents, &data, sizeof(data));
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_storage(jvmtiEnv *env, jthread thread, void **data)
{
	struct fake_object *object = thread != NULL ? object_of(thread) : current;
	(void)env;
	if (object == NULL)
		return JVMTI_ERROR_UNATTACHED_THREAD;
	*data = object->agents;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_stack_trace(jvmtiEnv *env, jthread thread, jint start, jint max,
                                          jvmtiFrameInfo *frames, jint *count)
{
	struct fake_object *object = thread != NULL ? object_of(thread) : current;
	(void)env;
	jint depth = atomic_load(&object->frame_count);
	const jvmtiFrameInfo *stack = atomic_load(&object->frames);
	*count = 0;
	for (jint i = start; i < depth && *count < max; i++)
		frames[(*count)++] = stack[i];
	return JVMTI_ERROR_NONE;
}

JNIEXPORT async_get_call_trace AsyncGetCallTrace;

/* In a signal handler, on the thread whose stack it is. A class that is gone has no frame
 * on any stack. */
JNIEXPORT void AsyncGetCallTrace(struct async_call_trace *trace, jint depth, void *context)
{
	(void)context;
	trace->frame_count = ASYNC_THREAD_EXIT;
	if (current == NULL)
		return;
	jint count = atomic_load(&current->frame_count);
	const jvmtiFrameInfo *stack = atomic_load(&current->frames);
	trace->frame_count = 0;
	for (jint i = 0; i < count && trace->frame_count < depth; i++) {
		const struct fake_method *method = live_or_gone(stack[i].method);
		if (is_gone(method))
			continue;
		trace->frames[trace->frame_count++] =
		        (struct raw_frame){(int32_t)stack[i].location, (void *)stack[i].method};
		if (method->class->goes_when_sampled)
			atomic_store(&method->class->gone, true);
	}
}

struct agent_thread {
	struct fake_object *object;
	jvmtiStartFunction run;
	const void *argument;
};

static void *run_agent_thread(void *argument)
{
	struct agent_thread start = *(struct agent_thread *)argument;
	void *passed;
	free(argument);
	memcpy(&passed, &start.argument, sizeof(passed));
	fake_attach(start.object);
	if (fake_enabled(JVMTI_EVENT_THREAD_START))
		fake_callbacks.ThreadStart(&jvmti, &jni, ref_to(start.object));
	start.run(&jvmti, &jni, passed);
	if (fake_enabled(JVMTI_EVENT_THREAD_END))
		fake_callbacks.ThreadEnd(&jvmti, &jni, ref_to(start.object));
	fake_detach();
	return NULL;
}

static jvmtiError JNICALL start_agent_thread(jvmtiEnv *env, jthread thread, jvmtiStartFunction run,
                                             const void *argument, jint priority)
{
	struct agent_thread *start = malloc(sizeof(*start));
	(void)env;
	(void)priority;
	if (start == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*start = (struct agent_thread){object_of(thread), run, argument};
	long number = atomic_fetch_add(&fake_counts.agent_threads, 1);
	if (number >= LIST_MAX ||
	    pthread_create(&agent_threads[number], NULL, run_agent_thread, start) != 0)
		return JVMTI_ERROR_INTERNAL;
	return JVMTI_ERROR_NONE;
}

void fake_join_agent_threads(void)
{
	long count = atomic_load(&fake_counts.agent_threads);
	for (long i = 0; i < count; i++)
		(void)pthread_join(agent_threads[i], NULL);
}

/* ---- JVM TI: classes and methods --------------------------------------------- */

void fake_load_class(struct fake_object *class)
{
	(void)pthread_mutex_lock(&lock);
	if (class_count == LIST_MAX)
		abort();
	classes[class_count++] = class;
	(void)pthread_mutex_unlock(&lock);
}

void fake_unload_class(struct fake_object *class)
{
	(void)pthread_mutex_lock(&lock);
	for (jint i = 0; i < class_count; i++) {
		if (classes[i] == class)
			classes[i] = classes[--class_count];
	}
	(void)pthread_mutex_unlock(&lock);
	atomic_store(&class->gone, true);
}

static jvmtiError JNICALL get_loaded_classes(jvmtiEnv *env, jint *count, jclass **list)
{
	(void)env;
	(void)pthread_mutex_lock(&lock);
	*count = class_count;
	*list = copy_list(classes, class_count);
	(void)pthread_mutex_unlock(&lock);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_status(jvmtiEnv *env, jclass class, jint *status)
{
	(void)env;
	(void)class;
	*status = JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_loader(jvmtiEnv *env, jclass class, jobject *loader)
{
	(void)env;
	*loader = ref_to(object_of(class)->loader);
	return object_of(class)->loader_error;
}

/* Of most classes of the host the methods are not listed. */
static jvmtiError JNICALL get_class_methods(jvmtiEnv *env, jclass class, jint *count,
                                            jmethodID **methods)
{
	const struct fake_object *object = object_of(class);
	size_t size = (size_t)object->method_count * sizeof(jmethodID);
	unsigned char *memory = NULL;
	if (object->methods == NULL)
		return JVMTI_ERROR_CLASS_NOT_PREPARED;
	if (allocate(env, (jlong)size, &memory) != JVMTI_ERROR_NONE)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	memcpy(memory, object->methods, size);
	*methods = (jmethodID *)(void *)memory;
	*count = object->method_count;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_signature(jvmtiEnv *env, jclass class, char **signature,
                                              char **generic)
{
	(void)env;
	if (signature != NULL)
		*signature = copy_text(object_of(class)->name);
	if (generic != NULL)
		*generic = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_source_file(jvmtiEnv *env, jclass class, char **name)
{
	(void)env;
	if (object_of(class)->source == NULL)
		return JVMTI_ERROR_ABSENT_INFORMATION;
	*name = copy_text(object_of(class)->source);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_method_name(jvmtiEnv *env, jmethodID method, char **name,
                                          char **signature, char **generic)
{
	const struct fake_method *asked = method_of(method);
	(void)env;
	if (asked->name_error != JVMTI_ERROR_NONE)
		return asked->name_error;
	if (name != NULL)
		*name = copy_text(asked->name);
	if (signature != NULL)
		*signature = copy_text(asked->signature);
	if (generic != NULL)
		*generic = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_declaring_class(jvmtiEnv *env, jmethodID method, jclass *class)
{
	(void)env;
	*class = ref_to(method_of(method)->class);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL is_method_native(jvmtiEnv *env, jmethodID method, jboolean *native)
{
	(void)env;
	*native = method_of(method)->native;
	return JVMTI_ERROR_NONE;
}

/* A line for each ten bytes of code. */
static jvmtiError JNICALL get_lines(jvmtiEnv *env, jmethodID method, jint *count,
                                    jvmtiLineNumberEntry **lines)
{
	enum { LINES = 3, BYTES_A_LINE = 10 };
	unsigned char *memory = NULL;
	if (method_of(method)->native)
		return JVMTI_ERROR_NATIVE_METHOD;
	if (allocate(env, LINES * sizeof(**lines), &memory) != JVMTI_ERROR_NONE)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*lines = (jvmtiLineNumberEntry *)(void *)memory;
	*count = LINES;
	for (jint i = 0; i < LINES; i++) {
		(*lines)[i].start_location = i * BYTES_A_LINE;
		(*lines)[i].line_number = method_of(method)->first_line + i;
	}
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL is_modifiable(jvmtiEnv *env, jclass class, jboolean *is)
{
	(void)env;
	(void)class;
	*is = JNI_FALSE;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL retransform(jvmtiEnv *env, jint count, const jclass *list)
{
	(void)env;
	(void)count;
	(void)list;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_tag(jvmtiEnv *env, jobject object, jlong *tag)
{
	(void)env;
	*tag = object_of(object)->tag;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_tag(jvmtiEnv *env, jobject object, jlong tag)
{
	(void)env;
	object_of(object)->tag = tag;
	return JVMTI_ERROR_NONE;
}

/* ---- JNI ---------------------------------------------------------------------- */

static void *JNICALL missing_jni(JNIEnv *env)
{
	(void)env;
	atomic_fetch_add(&fake_counts.unknown_calls, 1);
	return NULL;
}

static struct fake_object *new_object(const char *name)
{
	struct fake_object *object = calloc(1, sizeof(*object));
	if (object == NULL)
		abort();
	object->name = name;
	return object;
}

static jint JNICALL get_version(JNIEnv *env)
{
	(void)env;
	return JNI_VERSION_10;
}

/* The class of every object, and the one by every name. */
static struct fake_object some_class = {.name = "Lsome/Class;"};

static jclass JNICALL find_class(JNIEnv *env, const char *name)
{
	(void)env;
	(void)name;
	return ref_to(&some_class);
}

static jclass JNICALL define_class(JNIEnv *env, const char *name, jobject loader,
                                   const jbyte *bytes, jsize length)
{
	(void)env;
	(void)loader;
	(void)bytes;
	return length > 0 ? ref_to(new_object(name)) : NULL;
}

static jclass JNICALL get_object_class(JNIEnv *env, jobject object)
{
	(void)object;
	return find_class(env, "");
}

static struct fake_method some_method;

static jmethodID JNICALL get_method(JNIEnv *env, jclass class, const char *name,
                                    const char *signature)
{
	(void)env;
	(void)class;
	(void)name;
	(void)signature;
	return (jmethodID)(void *)&some_method;
}

/* A JVM without virtual threads. */
static jmethodID JNICALL get_static_method(JNIEnv *env, jclass class, const char *name,
                                           const char *signature)
{
	return strcmp(name, "currentCarrierThread") == 0 ? NULL
	                                                 : get_method(env, class, name, signature);
}

static jstring JNICALL new_string(JNIEnv *env, const char *text)
{
	(void)env;
	return ref_to(new_object(text));
}

/* The agent makes Thread objects only, from a name. */
static jobject JNICALL construct(JNIEnv *env, jclass class, jmethodID constructor, ...)
{
	(void)env;
	(void)class;
	(void)constructor;
	return ref_to(new_object("an agent's thread"));
}

static void JNICALL call_static_void(JNIEnv *env, jclass class, jmethodID method, ...)
{
	(void)env;
	(void)class;
	(void)method;
}

/* The classes have no fields, and their methods return nothing. */
static jfieldID JNICALL get_field(JNIEnv *env, jclass class, const char *name,
                                  const char *signature)
{
	(void)env;
	(void)class;
	(void)name;
	(void)signature;
	return NULL;
}

static jobject JNICALL call_object(JNIEnv *env, jobject object, jmethodID method, ...)
{
	(void)env;
	(void)object;
	(void)method;
	return NULL;
}

/* Class.forName(), of which the agent wants to know that it came back. */
static jobject JNICALL call_static_object(JNIEnv *env, jclass class, jmethodID method, ...)
{
	(void)env;
	(void)method;
	return class;
}

static jobject JNICALL new_global(JNIEnv *env, jobject object)
{
	(void)env;
	atomic_fetch_add(&fake_counts.global_refs, 1);
	return object;
}

static void JNICALL delete_global(JNIEnv *env, jobject object)
{
	(void)env;
	(void)object;
	atomic_fetch_sub(&fake_counts.global_refs, 1);
}

static jobject JNICALL new_local(JNIEnv *env, jobject object)
{
	(void)env;
	return object;
}

static void JNICALL delete_local(JNIEnv *env, jobject object)
{
	(void)env;
	(void)object;
}

static jint JNICALL push_frame(JNIEnv *env, jint capacity)
{
	(void)env;
	(void)capacity;
	atomic_fetch_add(&fake_counts.local_frames, 1);
	return JNI_OK;
}

static jobject JNICALL pop_frame(JNIEnv *env, jobject result)
{
	(void)env;
	atomic_fetch_sub(&fake_counts.local_frames, 1);
	return result;
}

static jboolean JNICALL exception_check(JNIEnv *env)
{
	(void)env;
	return JNI_FALSE;
}

static void JNICALL exception_clear(JNIEnv *env)
{
	(void)env;
}

static jboolean JNICALL is_same(JNIEnv *env, jobject a, jobject b)
{
	(void)env;
	return a == b;
}

static jint JNICALL get_env(JavaVM *machine, void **env, jint version)
{
	(void)machine;
	if (((unsigned)version & JVMTI_VERSION_MASK_INTERFACE_TYPE) ==
	    JVMTI_VERSION_INTERFACE_JVMTI)
		*env = &jvmti;
	else
		*env = &jni;
	return JNI_OK;
}

/* ---- the tables ---------------------------------------------------------------- */

/* Every slot answers; those below with more than "missing". */
static void fill(void *table, size_t size, void (*missing)(void))
{
	void (*volatile * slots)(void) = table;
	for (size_t i = 0; i < size / sizeof(*slots); i++)
		slots[i] = missing;
}

static void set_jvmti(void)
{
	struct jvmtiInterface_1_ *t = &jvmti_functions;
	fill(t, sizeof(*t), (void (*)(void))missing_jvmti);
	t->SetEventNotificationMode = set_notification;
	t->GetAllThreads = get_all_threads;
	t->GetCurrentThread = get_current_thread;
	t->GetThreadInfo = get_thread_info;
	t->GetThreadState = get_thread_state;
	t->GetThreadGroupInfo = get_group_info;
	t->GetStackTrace = get_stack_trace;
	t->RunAgentThread = start_agent_thread;
	t->SetThreadLocalStorage = set_storage;
	t->GetThreadLocalStorage = get_storage;
	t->SetEnvironmentLocalStorage = set_environment;
	t->GetEnvironmentLocalStorage = get_environment;
	t->GetPhase = get_phase;
	t->GetVersionNumber = get_version_number;
	t->Allocate = allocate;
	t->Deallocate = deallocate;
	t->GetLoadedClasses = get_loaded_classes;
	t->GetClassStatus = get_class_status;
	t->GetClassLoader = get_class_loader;
	t->GetClassMethods = get_class_methods;
	t->GetClassSignature = get_class_signature;
	t->GetSourceFileName = get_source_file;
	t->GetMethodName = get_method_name;
	t->GetMethodDeclaringClass = get_declaring_class;
	t->IsMethodNative = is_method_native;
	t->GetLineNumberTable = get_lines;
	t->IsModifiableClass = is_modifiable;
	t->RetransformClasses = retransform;
	t->GetTag = get_tag;
	t->SetTag = set_tag;
	t->GetPotentialCapabilities = get_potential;
	t->AddCapabilities = add_capabilities;
	t->GetCapabilities = get_capabilities;
	t->SetEventCallbacks = set_callbacks;
	t->GetExtensionFunctions = get_extensions;
}

static void set_jni(void)
{
	struct JNINativeInterface_ *t = &jni_functions;
	fill(t, sizeof(*t), (void (*)(void))missing_jni);
	t->GetVersion = get_version;
	t->FindClass = find_class;
	t->DefineClass = define_class;
	t->GetObjectClass = get_object_class;
	t->GetMethodID = get_method;
	t->GetStaticMethodID = get_static_method;
	t->GetFieldID = get_field;
	t->CallObjectMethod = call_object;
	t->NewStringUTF = new_string;
	t->NewObject = construct;
	t->CallStaticVoidMethod = call_static_void;
	t->CallStaticObjectMethod = call_static_object;
	t->NewGlobalRef = new_global;
	t->DeleteGlobalRef = delete_global;
	t->NewLocalRef = new_local;
	t->DeleteLocalRef = delete_local;
	t->PushLocalFrame = push_frame;
	t->PopLocalFrame = pop_frame;
	t->ExceptionCheck = exception_check;
	t->ExceptionClear = exception_clear;
	t->IsSameObject = is_same;
}

JavaVM *fake_vm(void)
{
	set_jvmti();
	set_jni();
	vm_functions.GetEnv = get_env;
	return &vm;
}

void fake_reset(void)
{
	(void)pthread_mutex_lock(&lock);
	thread_count = 0;
	class_count = 0;
	(void)pthread_mutex_unlock(&lock);
	current = NULL;
	some_class.tag = 0;
	atomic_store(&current_phase, JVMTI_PHASE_ONLOAD);
	memset(&fake_counts, 0, sizeof(fake_counts));
}

jvmtiEnv *fake_jvmti(void)
{
	return &jvmti;
}

JNIEnv *fake_jni(void)
{
	return &jni;
}
