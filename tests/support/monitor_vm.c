/* monitor_vm.c: see monitor_vm.h. */
#include "monitor_vm.h"

struct monitor_vm vm;
static struct settings settings = {.depth = VM_LIST_MAX, .monitor = true};
struct profile profile = {.settings = &settings};

/* ---- the agent's units --------------------------------------------------- */

struct vm_object *vm_object(const void *reference)
{
	return (struct vm_object *)(uintptr_t)reference;
}

jobject vm_ref(struct vm_object *object)
{
	return (jobject)(void *)object;
}

const struct class_record *class_registry_find(struct class_registry *registry, jclass class)
{
	(void)registry;
	return vm_object(class)->class;
}

struct java_thread *java_threads_current(struct java_threads *threads)
{
	(void)threads;
	return vm.current == NULL ? NULL : &vm.current->java_thread;
}

/* A thread outside the profile has serial 0. */
struct java_thread *java_threads_find_or_add(struct java_threads *threads, JNIEnv *jni,
                                             jthread object)
{
	(void)threads;
	(void)jni;
	vm.misuses += vm_object(object) != vm.current;
	return vm.current->java_thread.serial == 0 ? NULL : &vm.current->java_thread;
}

uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	(void)threads;
	(void)jni;
	return vm_object(object)->java_thread.serial;
}

/* The frame of a method is the one whose address the method id is. */
const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci)
{
	(void)resolver;
	(void)jni;
	(void)bci;
	return (const struct frame *)(const void *)method;
}

void writer_trace(struct record_writer *writer, const struct trace *trace)
{
	(void)writer;
	(void)trace;
	vm.traces++;
}

static void keep_serials(uint32_t *kept, struct serial_list *list)
{
	vm.misuses += list->count > VM_LIST_MAX;
	if (list->count > 0 && list->count <= VM_LIST_MAX)
		memcpy(kept, list->serials, list->count * sizeof(*kept));
	list->serials = kept;
}

void writer_monitor_dump(struct record_writer *writer, const struct monitor_dump_record *record)
{
	(void)writer;
	vm.dumps++;
	if (record->thread_count > VM_THREADS_MAX || record->monitor_count > VM_THREADS_MAX) {
		vm.misuses++;
		return;
	}
	vm.thread_count = record->thread_count;
	vm.monitor_count = record->monitor_count;
	for (size_t i = 0; i < record->thread_count; i++)
		vm.threads[i] = record->threads[i];
	for (size_t i = 0; i < record->monitor_count; i++) {
		vm.monitors[i] = record->monitors[i];
		keep_serials(vm.serials[i][0], &vm.monitors[i].entering);
		keep_serials(vm.serials[i][1], &vm.monitors[i].waiting);
	}
}

void profile_deallocate(struct profile *its_profile, void *memory)
{
	(void)its_profile;
	free(memory);
}

/* As the real one: only the first failure is reported. */
void profile_out_of_memory(struct profile *its_profile)
{
	if (!atomic_exchange(&its_profile->stopped, true))
		vm.out_of_memory++;
}

/* ---- JVM TI -------------------------------------------------------------- */

static jint vm_count(struct vm_object *const *list, jint max)
{
	jint count = 0;
	while (count < max && list[count] != NULL)
		count++;
	return count;
}

static jvmtiError vm_copy(struct vm_object *const *list, jint max, jint *count, jobject **copy)
{
	jint length = vm_count(list, max);
	jobject *objects = malloc(((size_t)length + 1) * sizeof(*objects));
	if (objects == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	for (jint i = 0; i < length; i++)
		objects[i] = vm_ref(list[i]);
	*count = length;
	*copy = objects;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_get_tag(jvmtiEnv *env, jobject object, jlong *tag)
{
	(void)env;
	*tag = vm_object(object)->tag;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_set_tag(jvmtiEnv *env, jobject object, jlong tag)
{
	(void)env;
	if (vm.refuses_tags && tag != 0)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	vm_object(object)->tag = tag;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_monitor_usage(jvmtiEnv *env, jobject object, jvmtiMonitorUsage *usage)
{
	struct vm_object *monitor = vm_object(object);
	(void)env;
	if (monitor->usage_error != JVMTI_ERROR_NONE)
		return monitor->usage_error;
	jvmtiError error =
	        vm_copy(monitor->entering, VM_LIST_MAX, &usage->waiter_count, &usage->waiters);
	if (error != JVMTI_ERROR_NONE)
		return error;
	error = vm_copy(monitor->waiting, VM_LIST_MAX, &usage->notify_waiter_count,
	                &usage->notify_waiters);
	if (error != JVMTI_ERROR_NONE) {
		free(usage->waiters);
		return error;
	}
	usage->owner = vm_ref(monitor->owner);
	usage->entry_count = monitor->entry_count;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_all_threads(jvmtiEnv *env, jint *count, jthread **threads)
{
	(void)env;
	return vm_copy(vm.platform_threads, VM_THREADS_MAX, count, threads);
}

static jvmtiError JNICALL vm_stack_trace(jvmtiEnv *env, jthread thread, jint start, jint max,
                                         jvmtiFrameInfo *frames, jint *count)
{
	const struct vm_object *object = vm_object(thread);
	(void)env;
	vm.misuses += start != 0;
	*count = object->depth < max ? object->depth : max;
	memcpy(frames, object->stack, (size_t)*count * sizeof(*frames));
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_list_stack_traces(jvmtiEnv *env, jint count, const jthread *threads,
                                               jint max, jvmtiStackInfo **infos)
{
	jvmtiStackInfo *all = malloc((size_t)count * sizeof(*all));
	(void)env;
	if (all == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	for (jint i = 0; i < count; i++) {
		struct vm_object *thread = vm_object(threads[i]);
		all[i].state = thread->state;
		all[i].frame_buffer = thread->stack;
		all[i].frame_count = thread->depth < max ? thread->depth : max;
	}
	*infos = all;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_thread_state(jvmtiEnv *env, jthread thread, jint *state)
{
	(void)env;
	*state = vm_object(thread)->state;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_owned_monitors(jvmtiEnv *env, jthread thread, jint *count,
                                            jobject **monitors)
{
	(void)env;
	vm.misuses += vm_object(thread)->is_under_construction;
	return vm_copy(vm_object(thread)->owned, VM_LIST_MAX, count, monitors);
}

static jvmtiError JNICALL vm_contended_monitor(jvmtiEnv *env, jthread thread, jobject *monitor)
{
	(void)env;
	*monitor = vm_ref(vm_object(thread)->contended);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_iterate_heap(jvmtiEnv *env, jint filter, jclass class,
                                          const jvmtiHeapCallbacks *callbacks, const void *user)
{
	(void)env;
	(void)filter;
	(void)class;
	(void)user;
	vm.heap_iterations++;
	for (jint i = 0; i < vm_count(vm.virtual_threads, VM_THREADS_MAX); i++)
		(void)callbacks->heap_iteration_callback(0, 0, &vm.virtual_threads[i]->tag, -1,
		                                         NULL);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL vm_objects_with_tags(jvmtiEnv *env, jint tag_count, const jlong *tags,
                                               jint *count, jobject **objects, jlong **their_tags)
{
	struct vm_object *found[VM_THREADS_MAX] = {NULL};
	jint length = 0;
	(void)env;
	vm.misuses += tag_count != 1 || their_tags != NULL;
	for (jint i = 0; i < vm_count(vm.virtual_threads, VM_THREADS_MAX); i++) {
		if (vm.virtual_threads[i]->tag == tags[0])
			found[length++] = vm.virtual_threads[i];
	}
	return vm_copy(found, VM_THREADS_MAX, count, objects);
}

static jvmtiError JNICALL vm_add_capabilities(jvmtiEnv *env, const jvmtiCapabilities *capabilities)
{
	(void)env;
	return capabilities->can_tag_objects ? JVMTI_ERROR_NONE : JVMTI_ERROR_NOT_AVAILABLE;
}

static jvmtiError JNICALL vm_dispose(jvmtiEnv *env)
{
	(void)env;
	vm.environments--;
	return JVMTI_ERROR_NONE;
}

jvmtiEnv *vm_jvmti(void)
{
	static struct jvmtiInterface_1_ functions;
	static jvmtiEnv environment = &functions;
	functions.GetTag = vm_get_tag;
	functions.SetTag = vm_set_tag;
	functions.GetObjectMonitorUsage = vm_monitor_usage;
	functions.GetAllThreads = vm_all_threads;
	functions.GetStackTrace = vm_stack_trace;
	functions.GetThreadListStackTraces = vm_list_stack_traces;
	functions.GetThreadState = vm_thread_state;
	functions.GetOwnedMonitorInfo = vm_owned_monitors;
	functions.GetCurrentContendedMonitor = vm_contended_monitor;
	functions.IterateThroughHeap = vm_iterate_heap;
	functions.GetObjectsWithTags = vm_objects_with_tags;
	functions.AddCapabilities = vm_add_capabilities;
	functions.DisposeEnvironment = vm_dispose;
	return &environment;
}

static jvmtiError JNICALL vm_mounted_thread(jvmtiEnv *env, ...)
{
	va_list arguments;
	va_start(arguments, env);
	const struct vm_object *carrier = vm_object(va_arg(arguments, jthread));
	jthread *thread = va_arg(arguments, jthread *);
	va_end(arguments);
	*thread = vm_ref(carrier->mounted);
	return JVMTI_ERROR_NONE;
}

virtual_thread_of *virtual_threads_find(jvmtiEnv *jvmti)
{
	(void)jvmti;
	return vm.has_virtual_threads ? vm_mounted_thread : NULL;
}

jclass virtual_threads_used_class(jvmtiEnv *jvmti, JNIEnv *jni)
{
	static struct vm_object class;
	(void)jvmti;
	(void)jni;
	return vm_ref(&class);
}

jfieldID virtual_threads_state_field(JNIEnv *jni, jclass class)
{
	(void)jni;
	return (jfieldID)(void *)class;
}

bool virtual_threads_has_started(JNIEnv *jni, jthread thread, jfieldID state_field)
{
	(void)jni;
	(void)state_field;
	return !vm_object(thread)->is_under_construction;
}

/* ---- JNI ----------------------------------------------------------------- */

static jobject JNICALL vm_same_object(JNIEnv *jni, jobject object)
{
	(void)jni;
	return object;
}

static void JNICALL vm_delete_local(JNIEnv *jni, jobject object)
{
	(void)jni;
	(void)object;
}

static jobject JNICALL vm_new_global(JNIEnv *jni, jobject object)
{
	(void)jni;
	vm.global_refs++;
	return object;
}

static void JNICALL vm_delete_global(JNIEnv *jni, jobject object)
{
	(void)jni;
	vm.misuses += object == NULL;
	vm.global_refs--;
}

static jobject JNICALL vm_new_weak(JNIEnv *jni, jobject object)
{
	(void)jni;
	vm.weak_refs++;
	return object;
}

static void JNICALL vm_delete_weak(JNIEnv *jni, jweak object)
{
	(void)jni;
	vm.misuses += object == NULL;
	vm.weak_refs--;
}

static jint JNICALL vm_push_frame(JNIEnv *jni, jint capacity)
{
	(void)jni;
	(void)capacity;
	vm.local_frames++;
	return JNI_OK;
}

static jobject JNICALL vm_pop_frame(JNIEnv *jni, jobject result)
{
	(void)jni;
	vm.local_frames--;
	return result;
}

JNIEnv *vm_jni(void)
{
	static struct JNINativeInterface_ functions;
	static JNIEnv environment = &functions;
	functions.GetObjectClass = vm_same_object;
	functions.NewLocalRef = vm_same_object;
	functions.DeleteLocalRef = vm_delete_local;
	functions.NewGlobalRef = vm_new_global;
	functions.DeleteGlobalRef = vm_delete_global;
	functions.NewWeakGlobalRef = vm_new_weak;
	functions.DeleteWeakGlobalRef = vm_delete_weak;
	functions.PushLocalFrame = vm_push_frame;
	functions.PopLocalFrame = vm_pop_frame;
	return &environment;
}

static jint JNICALL vm_get_env(JavaVM *machine, void **env, jint version)
{
	(void)machine;
	(void)version;
	vm.environments++;
	*env = vm_jvmti();
	return JNI_OK;
}

void monitor_vm_set_up(void)
{
	static struct JNIInvokeInterface_ functions;
	static JavaVM machine = &functions;
	functions.GetEnv = vm_get_env;
	memset(&vm, 0, sizeof(vm));
	atomic_store(&profile.stopped, false);
	profile.vm = &machine;
	profile.jvmti = vm_jvmti();
	ck_assert(model_init(&profile.model));
}

void monitor_vm_tear_down(void)
{
	model_destroy(&profile.model);
	ck_assert_uint_eq(vm.misuses, 0);
	ck_assert_int_eq(vm.local_frames, 0);
	ck_assert_int_eq(vm.environments, 0);
	ck_assert_int_eq(vm.global_refs, 0);
	ck_assert_int_eq(vm.weak_refs, 0);
}
