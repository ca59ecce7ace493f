/*
 * java_threads.c: see java_threads.h. The lock covers the list and the change
 * of the VM to the live phase: a thread that starts before it gets its names from
 * java_threads_live(), under the lock, so that it can't end meanwhile. JVM TI
 * functions called under the lock don't run Java code. To find a thread by
 * another thread's local storage, take the lock too: a thread that ends
 * clears its own before it takes the lock to leave the list.
 */
#include "vm/java_threads.h"

#include "hotspot/vm_threads.h"
#include "os/time_units.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

/* The agent has few threads of its own: its worker, a sampler, the
 * one of the commands. */
enum { HIDDEN_MAX = 8 };

/* How often the calling thread checks whether another thread has finished notifying the
 * modes of it. */
#define LOOK_NS (100 * NS_PER_US)

/* How long to wait, in all, for threads that modes are being notified of. */
#define PATIENCE_NS (2 * NS_PER_SECOND)

struct java_threads {
	struct profile *profile;
	struct os_mutex lock;
	struct java_thread *list;
	bool live;
	jclass virtual_class; /* global reference; NULL in a VM without virtual threads */
	_Atomic(jobject) hidden[HIDDEN_MAX]; /* global references */
	_Atomic unsigned hidden_count;
	_Atomic(jfieldID) tid_field;     /* of java.lang.Thread; NULL until it is needed */
	_Atomic(jfieldID) carrier_field; /* of java.lang.VirtualThread; NULL until it is needed */
	_Atomic bool lacks_carrier_field;
	/* In the thread-local storage of a thread that has ended without being known. */
	struct java_thread ended;
};

struct java_threads *java_threads_create(struct profile *profile)
{
	struct java_threads *threads = calloc(1, sizeof(*threads));
	if (threads == NULL)
		return NULL;
	if (os_mutex_init(&threads->lock) != 0) {
		free(threads);
		return NULL;
	}
	threads->profile = profile;
	jvmtiPhase phase = JVMTI_PHASE_ONLOAD;
	(void)(*profile->jvmti)->GetPhase(profile->jvmti, &phase);
	threads->live = phase == JVMTI_PHASE_LIVE;
	JNIEnv *jni = NULL;
	if (threads->live &&
	    (*profile->vm)->GetEnv(profile->vm, (void **)&jni, JNI_VERSION_1_6) == JNI_OK)
		threads->virtual_class = virtual_threads_class(profile->jvmti, jni);
	return threads;
}

void java_threads_destroy(struct java_threads *threads, JNIEnv *jni)
{
	if (threads == NULL)
		return;
	for (unsigned i = 0; i < atomic_load(&threads->hidden_count); i++)
		(*jni)->DeleteGlobalRef(jni, atomic_load(&threads->hidden[i]));
	struct java_thread *thread;
	struct java_thread *next;
	DL_FOREACH_SAFE(threads->list, thread, next)
	{
		if (thread->object != NULL)
			(*jni)->DeleteWeakGlobalRef(jni, thread->object);
		free(thread);
	}
	if (threads->virtual_class != NULL)
		(*jni)->DeleteGlobalRef(jni, threads->virtual_class);
	os_mutex_destroy(&threads->lock);
	free(threads);
}

bool java_threads_hide(struct java_threads *threads, JNIEnv *jni, jthread thread)
{
	unsigned at = atomic_load(&threads->hidden_count);
	jobject reference = at < HIDDEN_MAX ? (*jni)->NewGlobalRef(jni, thread) : NULL;
	if (reference == NULL)
		return false;
	atomic_store(&threads->hidden[at], reference);
	atomic_store(&threads->hidden_count, at + 1);
	return true;
}

static bool is_hidden(struct java_threads *threads, JNIEnv *jni, jthread thread)
{
	unsigned count = atomic_load(&threads->hidden_count);
	for (unsigned i = 0; i < count; i++) {
		if ((*jni)->IsSameObject(jni, atomic_load(&threads->hidden[i]), thread))
			return true;
	}
	return false;
}

/* The names of a thread, as JVM TI gives them; all may be NULL. */
struct thread_names {
	char *name;
	char *group;
	char *parent_group;
};

static void get_group_names(struct profile *profile, JNIEnv *jni, jthreadGroup group,
                            struct thread_names *names)
{
	jvmtiEnv *jvmti = profile->jvmti;
	jvmtiThreadGroupInfo info = {0};
	jvmtiThreadGroupInfo parent_info = {0};

	if (group == NULL || (*jvmti)->GetThreadGroupInfo(jvmti, group, &info) != JVMTI_ERROR_NONE)
		return;
	names->group = info.name;
	if (info.parent == NULL)
		return;
	if ((*jvmti)->GetThreadGroupInfo(jvmti, info.parent, &parent_info) == JVMTI_ERROR_NONE) {
		names->parent_group = parent_info.name;
		if (parent_info.parent != NULL)
			(*jni)->DeleteLocalRef(jni, parent_info.parent);
	}
	(*jni)->DeleteLocalRef(jni, info.parent);
}

static void get_names(struct profile *profile, JNIEnv *jni, jthread thread,
                      struct thread_names *names)
{
	jvmtiThreadInfo info = {0};
	if ((*profile->jvmti)->GetThreadInfo(profile->jvmti, thread, &info) != JVMTI_ERROR_NONE)
		return;
	names->name = info.name;
	get_group_names(profile, jni, info.thread_group, names);
	if (info.thread_group != NULL)
		(*jni)->DeleteLocalRef(jni, info.thread_group);
	if (info.context_class_loader != NULL)
		(*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

/* The field of java.lang.Thread, not one of that name in a class below it. NULL when there
 * is none. */
static jfieldID find_tid_field(JNIEnv *jni, jthread object)
{
	jclass class = (*jni)->GetObjectClass(jni, object);
	jclass super;
	jfieldID field = NULL;

	while ((super = (*jni)->GetSuperclass(jni, class)) != NULL) {
		jclass above = (*jni)->GetSuperclass(jni, super);
		bool is_thread_class = above == NULL; /* super is java.lang.Object */
		if (is_thread_class)
			field = (*jni)->GetFieldID(jni, class, "tid", "J");
		(*jni)->DeleteLocalRef(jni, above);
		(*jni)->DeleteLocalRef(jni, class);
		class = super;
	}
	(*jni)->DeleteLocalRef(jni, class);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	return field;
}

uint64_t java_threads_tid(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	jfieldID field = atomic_load_explicit(&threads->tid_field, memory_order_acquire);

	if (field == NULL) {
		field = find_tid_field(jni, object);
		atomic_store_explicit(&threads->tid_field, field, memory_order_release);
	}
	return field == NULL ? 0 : (uint64_t)(*jni)->GetLongField(jni, object, field);
}

struct thread_record *java_threads_record(struct java_threads *threads, JNIEnv *jni, jthread object,
                                          uint32_t serial, uint64_t tid)
{
	struct profile *profile = threads->profile;
	struct thread_names names = {NULL, NULL, NULL};

	if (object != NULL)
		get_names(profile, jni, object, &names);
	struct thread_record *record = thread_table_add(
	        profile->model.threads, serial, tid, names.name, names.group, names.parent_group);
	profile_deallocate(profile, names.name);
	profile_deallocate(profile, names.group);
	profile_deallocate(profile, names.parent_group);
	if (record == NULL)
		profile_out_of_memory(profile);
	else
		writer_thread_start(profile->writer, record);
	return record;
}

void java_threads_update_name(struct java_threads *threads, JNIEnv *jni, jthread object,
                              struct java_thread *thread)
{
	struct profile *profile = threads->profile;
	jvmtiThreadInfo info = {0};

	if (thread->record == NULL ||
	    (*profile->jvmti)->GetThreadInfo(profile->jvmti, object, &info) != JVMTI_ERROR_NONE)
		return;
	if (thread_table_rename(profile->model.threads, thread->record, info.name))
		writer_thread_start(profile->writer, thread->record);
	profile_deallocate(profile, info.name);
	(*jni)->DeleteLocalRef(jni, info.thread_group);
	(*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

/* Gives the thread its record and writes THREAD START. */
static void complete(struct java_threads *threads, JNIEnv *jni, jthread jthread_object,
                     struct java_thread *thread)
{
	if (settings_dump_heap(threads->profile->settings))
		thread->tid = java_threads_tid(threads, jni, jthread_object);
	/* A thread that finds the record may refer to the thread in the output. */
	thread->record =
	        java_threads_record(threads, jni, jthread_object, thread->serial, thread->tid);
}

/* What a thread's storage holds; object is NULL for the calling thread. */
static struct java_thread *stored(struct java_threads *threads, jthread object)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	void *thread = NULL;

	if ((*jvmti)->GetThreadLocalStorage(jvmti, object, &thread) != JVMTI_ERROR_NONE)
		return NULL;
	return thread;
}

/* Under the lock: lists the thread and binds it to its object, NULL for the calling
 * thread. False when that is bound already, or has ended. */
static bool bind(struct java_threads *threads, jthread object, struct java_thread *thread)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;

	if (stored(threads, object) != NULL ||
	    (*jvmti)->SetThreadLocalStorage(jvmti, object, thread) != JVMTI_ERROR_NONE)
		return false;
	DL_APPEND(threads->list, thread);
	return true;
}

/* Stores in *live whether the VM is live: if not, java_threads_live() will complete the
 * record. */
static bool publish(struct java_threads *threads, struct java_thread *thread, bool *live)
{
	os_mutex_lock(&threads->lock);
	*live = threads->live;
	bool bound = bind(threads, NULL, thread);
	os_mutex_unlock(&threads->lock);
	return bound;
}

struct java_thread *java_threads_start(struct java_threads *threads, JNIEnv *jni, jthread thread)
{
	if (java_threads_current(threads) != NULL || is_hidden(threads, jni, thread))
		return NULL;

	struct java_thread *started = calloc(1, sizeof(*started));
	if (started == NULL) {
		profile_out_of_memory(threads->profile);
		return NULL;
	}
	started->id = os_self_thread();
	started->jni = jni;
	atomic_store(&started->is_notifying, true);
	started->serial = thread_table_next_serial(threads->profile->model.threads);
	bool live;
	if (!publish(threads, started, &live)) {
		free(started); /* found by another thread in the meantime */
		return NULL;
	}
	if (live)
		complete(threads, jni, thread, started);
	return started;
}

/* ---- from outside ------------------------------------------------------ */

enum finding { FOUND, KNOWN, NOT_TOLD };

/* A thread that waits for the lock in its ThreadEnd event exists until it gets it. */
static enum finding look_locked(struct java_threads *threads, const struct vm_threads *vm,
                                JNIEnv *jni, jthread object, struct java_thread *thread)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	struct vm_thread look = {0};
	jint state = 0;

	if (stored(threads, object) != NULL ||
	    (*jvmti)->GetThreadState(jvmti, object, &state) != JVMTI_ERROR_NONE ||
	    (state & JVMTI_THREAD_STATE_ALIVE) == 0)
		return KNOWN;
	if (!vm_threads_look(vm, jni, object, &look))
		return NOT_TOLD;
	thread->serial = thread_table_next_serial(threads->profile->model.threads);
	thread->id = look.id;
	thread->jni = look.jni;
	thread->vm_address = look.address;
	return bind(threads, object, thread) ? FOUND : KNOWN;
}

static enum finding find_one(struct java_threads *threads, const struct vm_threads *vm, JNIEnv *jni,
                             jthread object, struct java_thread **found)
{
	struct java_thread *thread = calloc(1, sizeof(*thread));
	if (thread == NULL) {
		profile_out_of_memory(threads->profile);
		return KNOWN;
	}
	atomic_store(&thread->is_notifying, true);
	os_mutex_lock(&threads->lock);
	enum finding finding = look_locked(threads, vm, jni, object, thread);
	os_mutex_unlock(&threads->lock);
	if (finding == FOUND)
		*found = thread;
	else
		free(thread);
	return finding;
}

size_t java_threads_add_existing(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument)
{
	struct profile *profile = threads->profile;
	struct vm_threads vm;
	jint count = 0;
	jthread *list = NULL;
	size_t skipped = 0;

	vm_threads_find(&vm, profile->jvmti, jni);
	(void)(*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &list);
	for (jint i = 0; i < count; i++) {
		struct java_thread *thread = NULL;
		enum finding finding = is_hidden(threads, jni, list[i])
		                               ? KNOWN
		                               : find_one(threads, &vm, jni, list[i], &thread);
		if (finding == FOUND) {
			complete(threads, jni, list[i], thread);
			found(argument, jni, list[i], thread);
			atomic_store(&thread->is_notifying, false);
		}
		skipped += finding == NOT_TOLD;
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	profile_deallocate(profile, list);
	return skipped;
}

/* The thread, which then can't end; NULL if it is unknown or already ending. *busy: another
 * thread is notifying the modes of it. */
static struct java_thread *hold_known(struct java_threads *threads, jthread object, bool *busy)
{
	os_mutex_lock(&threads->lock);
	struct java_thread *thread = stored(threads, object);
	if (thread == &threads->ended ||
	    (thread != NULL && (thread->is_virtual || thread->leaving)))
		thread = NULL;
	*busy = thread != NULL && atomic_exchange(&thread->is_notifying, true);
	os_mutex_unlock(&threads->lock);
	return *busy ? NULL : thread;
}

size_t java_threads_notify_known(struct java_threads *threads, JNIEnv *jni,
                                 java_thread_notify *found, void *argument)
{
	struct profile *profile = threads->profile;
	uint64_t deadline_ns = os_monotonic_ns() + PATIENCE_NS;
	jint count = 0;
	jthread *list = NULL;
	size_t missed = 0;

	(void)(*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &list);
	for (jint i = 0; i < count; i++) {
		bool busy;
		struct java_thread *thread = hold_known(threads, list[i], &busy);
		while (busy && os_monotonic_ns() < deadline_ns) {
			os_sleep_until(os_monotonic_ns() + LOOK_NS);
			thread = hold_known(threads, list[i], &busy);
		}
		missed += busy;
		if (thread != NULL) {
			found(argument, jni, list[i], thread);
			atomic_store(&thread->is_notifying, false);
		}
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	profile_deallocate(profile, list);
	return missed;
}

void java_threads_live(struct java_threads *threads, JNIEnv *jni)
{
	struct profile *profile = threads->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread *list = NULL;

	threads->virtual_class = virtual_threads_class(jvmti, jni);
	os_mutex_lock(&threads->lock);
	threads->live = true;
	if ((*jvmti)->GetAllThreads(jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		void *early = NULL;
		(void)(*jvmti)->GetThreadLocalStorage(jvmti, list[i], &early);
		struct java_thread *thread = early;
		if (thread != NULL && thread != &threads->ended && thread->record == NULL)
			complete(threads, jni, list[i], thread);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	os_mutex_unlock(&threads->lock);
	profile_deallocate(profile, list);
}

void java_threads_visit(struct java_threads *threads, JNIEnv *jni,
                        void (*visit)(void *context, JNIEnv *jni, jthread object,
                                      const struct java_thread *thread),
                        void *context)
{
	struct profile *profile = threads->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread *list = NULL;

	os_mutex_lock(&threads->lock);
	if ((*jvmti)->GetAllThreads(jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		void *known = NULL;
		(void)(*jvmti)->GetThreadLocalStorage(jvmti, list[i], &known);
		const struct java_thread *thread = known;
		if (thread != NULL && thread->record != NULL)
			visit(context, jni, list[i], thread);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	os_mutex_unlock(&threads->lock);
	profile_deallocate(profile, list);
}

void java_threads_update_names(struct java_threads *threads, JNIEnv *jni)
{
	struct profile *profile = threads->profile;
	jint count = 0;
	jthread *list = NULL;

	os_mutex_lock(&threads->lock);
	if ((*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		struct java_thread *thread = stored(threads, list[i]);
		/* One that is about to end does it itself. */
		if (thread != NULL && thread != &threads->ended && !thread->leaving)
			java_threads_update_name(threads, jni, list[i], thread);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	os_mutex_unlock(&threads->lock);
	profile_deallocate(profile, list);
}

void java_threads_visit_known(struct java_threads *threads,
                              void (*visit)(void *context, const struct java_thread *thread),
                              void *context)
{
	const struct java_thread *thread;

	os_mutex_lock(&threads->lock);
	DL_FOREACH(threads->list, thread)
	{
		if (thread->record != NULL)
			visit(context, thread);
	}
	os_mutex_unlock(&threads->lock);
}

void java_threads_visit_strangers(struct java_threads *threads, JNIEnv *jni,
                                  void (*visit)(void *context, JNIEnv *jni, jthread object),
                                  void *context)
{
	struct profile *profile = threads->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	jint count = 0;
	jthread *list = NULL;

	/* The VM does not list threads of agents. */
	for (unsigned i = 0; i < atomic_load(&threads->hidden_count); i++)
		visit(context, jni, atomic_load(&threads->hidden[i]));
	if ((*jvmti)->GetAllThreads(jvmti, &count, &list) != JVMTI_ERROR_NONE)
		count = 0;
	for (jint i = 0; i < count; i++) {
		const struct java_thread *thread = stored(threads, list[i]);
		if ((thread == NULL || thread == &threads->ended) &&
		    !is_hidden(threads, jni, list[i]))
			visit(context, jni, list[i]);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	profile_deallocate(profile, list);
}

struct java_thread *java_threads_current(struct java_threads *threads)
{
	struct java_thread *thread = stored(threads, NULL);
	return thread == &threads->ended ? NULL : thread;
}

struct java_thread *java_threads_mark_ending(struct java_threads *threads)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;

	os_mutex_lock(&threads->lock);
	struct java_thread *thread = stored(threads, NULL);
	if (thread == NULL)
		(void)(*jvmti)->SetThreadLocalStorage(jvmti, NULL, &threads->ended);
	else if (thread != &threads->ended)
		thread->leaving = true;
	os_mutex_unlock(&threads->lock);
	if (thread == NULL || thread == &threads->ended)
		return NULL;
	while (atomic_load(&thread->is_notifying))
		os_sleep_until(os_monotonic_ns() + LOOK_NS);
	return thread;
}

/* Makes the java_thread of a virtual thread, with that serial. Holds the lock. */
static struct java_thread *add_virtual(struct java_threads *threads, JNIEnv *jni, jthread object,
                                       uint32_t serial)
{
	struct profile *profile = threads->profile;
	struct java_thread *thread = calloc(1, sizeof(*thread));

	if (thread == NULL) {
		profile_out_of_memory(profile);
		return NULL;
	}
	/* One that has ended takes none. */
	if ((*profile->jvmti)->SetThreadLocalStorage(profile->jvmti, object, thread) !=
	    JVMTI_ERROR_NONE) {
		free(thread);
		return NULL;
	}
	thread->is_virtual = true;
	thread->serial = serial;
	DL_APPEND(threads->list, thread);
	complete(threads, jni, object, thread);
	return thread;
}

/* A thread that is being attached has no object yet, and NULL is an instance of any class. */
static bool is_virtual(const struct java_threads *threads, JNIEnv *jni, jthread object)
{
	return threads->virtual_class != NULL && object != NULL &&
	       (*jni)->IsInstanceOf(jni, object, threads->virtual_class);
}

/* Finds any thread. Holds the lock. */
static struct java_thread *find_locked(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	void *found = NULL;

	if ((*jvmti)->GetThreadLocalStorage(jvmti, object, &found) != JVMTI_ERROR_NONE ||
	    found == &threads->ended)
		return NULL;
	if (found == NULL && is_virtual(threads, jni, object))
		return add_virtual(threads, jni, object,
		                   thread_table_next_serial(threads->profile->model.threads));
	return found;
}

struct java_thread *java_threads_find_or_add(struct java_threads *threads, JNIEnv *jni,
                                             jthread object)
{
	struct java_thread *thread = java_threads_current(threads);

	if (thread != NULL || !is_virtual(threads, jni, object))
		return thread;
	os_mutex_lock(&threads->lock);
	thread = find_locked(threads, jni, object);
	os_mutex_unlock(&threads->lock);
	return thread;
}

uint32_t java_threads_serial(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	os_mutex_lock(&threads->lock);
	struct java_thread *thread = find_locked(threads, jni, object);
	if (thread != NULL && thread->is_virtual && thread->object == NULL)
		thread->object = (*jni)->NewWeakGlobalRef(jni, object);
	/* Without a record the output knows nothing of it. */
	uint32_t serial = thread != NULL && thread->record != NULL ? thread->serial : 0;
	os_mutex_unlock(&threads->lock);
	return serial;
}

uint32_t java_threads_add_mounted(struct java_threads *threads, JNIEnv *jni, jthread object,
                                  const struct mounted_serial *mounted, uint32_t serial)
{
	uint32_t known = serial;

	os_mutex_lock(&threads->lock);
	if (mounted_serial_is_new(mounted, serial)) {
		struct java_thread *thread = stored(threads, object);
		if (thread == NULL)
			thread = add_virtual(threads, jni, object, serial);
		known = thread != NULL && thread->record != NULL ? thread->serial : 0;
	}
	os_mutex_unlock(&threads->lock);
	return known;
}

static bool is_carrier_field(struct java_threads *threads, jclass class, jfieldID field)
{
	struct profile *profile = threads->profile;
	char *name = NULL;

	if ((*profile->jvmti)->GetFieldName(profile->jvmti, class, field, &name, NULL, NULL) !=
	    JVMTI_ERROR_NONE)
		return false;
	bool is_it = strcmp(name, "carrierThread") == 0;
	profile_deallocate(profile, name);
	return is_it;
}

/* By JVM TI: when JNI does not find a field it allocates an exception, and this is called for
 * allocations. NULL also for a virtual thread that is its own carrier. */
static jfieldID find_carrier_field(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	struct profile *profile = threads->profile;
	jclass class = (*jni)->GetObjectClass(jni, object);
	jfieldID *fields = NULL;
	jfieldID found = NULL;
	jint count = 0;

	(void)(*profile->jvmti)->GetClassFields(profile->jvmti, class, &count, &fields);
	for (jint i = 0; i < count && found == NULL; i++) {
		if (is_carrier_field(threads, class, fields[i]))
			found = fields[i];
	}
	profile_deallocate(profile, fields);
	(*jni)->DeleteLocalRef(jni, class);
	return found;
}

/* The carrier of a mounted virtual thread: a local reference, or NULL. Read from the field: the
 * VM's function requires a capability that slows down all mounts. */
static jthread find_carrier(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	jfieldID field = atomic_load_explicit(&threads->carrier_field, memory_order_acquire);

	if (field == NULL && !atomic_load(&threads->lacks_carrier_field)) {
		field = find_carrier_field(threads, jni, object);
		atomic_store_explicit(&threads->carrier_field, field, memory_order_release);
		atomic_store(&threads->lacks_carrier_field, field == NULL);
	}
	return field == NULL ? NULL : (*jni)->GetObjectField(jni, object, field);
}

/* What names a virtual thread, the calling one, that has no java_thread, is past its end event, or
 * is not to be named itself. NULL if nothing does. */
static struct java_thread *find_namer(struct java_threads *threads, JNIEnv *jni, jthread object)
{
	if (threads->profile->settings->virtual_threads && stored(threads, NULL) != &threads->ended)
		return java_threads_find_or_add(threads, jni, object);
	jthread carrier = find_carrier(threads, jni, object);
	if (carrier == NULL)
		return NULL;
	struct java_thread *thread = stored(threads, carrier);
	(*jni)->DeleteLocalRef(jni, carrier);
	return thread;
}

uint32_t java_threads_current_serial(struct java_threads *threads, JNIEnv *jni)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	struct java_thread *thread = stored(threads, NULL);
	bool is_sure = thread != NULL && thread != &threads->ended &&
	               (!thread->is_virtual || threads->profile->settings->virtual_threads);
	jthread object = NULL;

	if (!is_sure && threads->virtual_class != NULL &&
	    (*jvmti)->GetCurrentThread(jvmti, &object) == JVMTI_ERROR_NONE) {
		if (is_virtual(threads, jni, object))
			thread = find_namer(threads, jni, object);
		(*jni)->DeleteLocalRef(jni, object);
	}
	return thread == NULL || thread == &threads->ended ? 0 : thread->serial;
}

uint32_t java_threads_serial_by_object_id(struct java_threads *threads, uint64_t object_id)
{
	struct java_thread *thread;
	uint32_t serial = 0;

	os_mutex_lock(&threads->lock);
	DL_FOREACH(threads->list, thread)
	{
		if (thread->record != NULL && thread->record->object_id == object_id)
			serial = thread->serial;
	}
	os_mutex_unlock(&threads->lock);
	return serial;
}

/* Writes THREAD END and frees the thread, which is out of the list. */
static void end(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread)
{
	struct profile *profile = threads->profile;

	if (thread->record != NULL) {
		writer_thread_end(profile->writer, thread->record);
		thread_table_remove(profile->model.threads, thread->record);
	}
	if (thread->object != NULL)
		(*jni)->DeleteWeakGlobalRef(jni, thread->object);
	free(thread);
}

static bool has_ended(struct java_threads *threads, JNIEnv *jni, const struct java_thread *thread)
{
	jvmtiEnv *jvmti = threads->profile->jvmti;
	jint state = 0;
	jobject object = (*jni)->NewLocalRef(jni, thread->object);

	if (object == NULL)
		return true;
	bool ended = (*jvmti)->GetThreadState(jvmti, object, &state) == JVMTI_ERROR_NONE &&
	             (state & JVMTI_THREAD_STATE_TERMINATED) != 0;
	(*jni)->DeleteLocalRef(jni, object);
	return ended;
}

void java_threads_sweep(struct java_threads *threads, JNIEnv *jni)
{
	struct java_thread *thread;
	struct java_thread *next;

	os_mutex_lock(&threads->lock);
	DL_FOREACH_SAFE(threads->list, thread, next)
	{
		/* The VM reports a thread as ended once its last callback has returned. */
		if (thread->object == NULL || thread->monitoring != NULL ||
		    !has_ended(threads, jni, thread))
			continue;
		DL_DELETE(threads->list, thread);
		end(threads, jni, thread);
	}
	os_mutex_unlock(&threads->lock);
}

void java_threads_end(struct java_threads *threads, JNIEnv *jni, struct java_thread *thread)
{
	struct profile *profile = threads->profile;

	/* A dump of monitors may still ask for a virtual thread. With vthreads=y samples do so too
	 * often: it would get a second THREAD START. */
	bool may_return = thread->is_virtual && !profile->settings->virtual_threads;
	(void)(*profile->jvmti)
	        ->SetThreadLocalStorage(profile->jvmti, NULL, may_return ? NULL : &threads->ended);
	os_mutex_lock(&threads->lock);
	DL_DELETE(threads->list, thread);
	os_mutex_unlock(&threads->lock);
	end(threads, jni, thread);
}
