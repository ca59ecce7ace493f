/*
 * monitor_dump.c: see monitor_dump.h. The order is: stacks and states of all platform
 * threads at once; then, for each thread, what it owns and waits for; then, for each
 * monitor, its usage as the VM reports it, completed from what the threads reported.
 *
 * JVM TI does not list virtual threads and leaves them out of a monitor's usage. Those
 * that are mounted, or known from their events, are queried one by one. Only if threads
 * wait for a monitor without a known owner are all virtual threads searched for on the
 * heap, which costs a heap iteration.
 */
#include "monitor/monitor_dump.h"

#include "base/array.h"
#include "monitor/monitor_list.h"
#include "profile/jni_frame.h"
#include "vm/java_thread_serials.h"
#include "vm/stack_traces.h"
#include "vm/virtual_threads.h"

#include <stdlib.h>
#include <string.h>

/* Capacity for local references to threads and monitors; the VM extends it if required. */
enum { LOCAL_REFERENCES = 4096 };

struct monitor_dump {
	struct profile *profile;
	struct monitor_threads *threads;
	jvmtiEnv *tags; /* see monitor_list.h; no monitor is tagged between dumps */
	virtual_thread_of *virtual_thread_of; /* NULL without virtual threads */
};

/* A thread of the dump. */
struct snapshot_thread {
	jthread object; /* local reference */
	bool is_virtual;
	size_t waits_for; /* index of the monitor, or MONITOR_NONE */
	jint state;
	struct monitor_dump_thread row;
};

struct snapshot {
	struct monitor_dump *dump;
	struct profile *profile;
	JNIEnv *jni;
	struct monitor_list monitors;
	struct snapshot_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	struct monitor_thread_view *views;
	size_t view_count;
	bool failed; /* out of memory; monitor_dump_write() reports it */
};

/* ---- threads ------------------------------------------------------------- */

/* Adds a thread to the list and returns it; NULL when out of memory. */
static struct snapshot_thread *append_thread(struct snapshot *snapshot, jthread object,
                                             uint32_t serial, bool is_virtual)
{
	if (!array_grow(&snapshot->threads, &snapshot->thread_capacity, snapshot->thread_count,
	                sizeof(*snapshot->threads))) {
		snapshot->failed = true;
		return NULL;
	}
	struct snapshot_thread *thread = &snapshot->threads[snapshot->thread_count++];
	*thread = (struct snapshot_thread){
	        .object = object,
	        .is_virtual = is_virtual,
	        .waits_for = MONITOR_NONE,
	        .row = {.serial = serial},
	};
	return thread;
}

static uint32_t serial_of(struct snapshot *snapshot, jthread object)
{
	return java_threads_serial(snapshot->profile->threads, snapshot->jni, object);
}

static void add_platform_threads(struct snapshot *snapshot)
{
	struct profile *profile = snapshot->profile;
	jint count = 0;
	jthread *objects = NULL;

	if ((*profile->jvmti)->GetAllThreads(profile->jvmti, &count, &objects) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		uint32_t serial = serial_of(snapshot, objects[i]);
		if (serial != 0)
			(void)append_thread(snapshot, objects[i], serial, false);
	}
	profile_deallocate(profile, objects);
}

static bool is_listed(const struct snapshot *snapshot, size_t from, uint32_t serial)
{
	for (size_t i = from; i < snapshot->thread_count; i++) {
		if (snapshot->threads[i].row.serial == serial)
			return true;
	}
	return false;
}

static void add_mounted_threads(struct snapshot *snapshot)
{
	struct monitor_dump *dump = snapshot->dump;
	size_t platform_count = snapshot->thread_count;

	for (size_t i = 0; dump->virtual_thread_of != NULL && i < platform_count; i++) {
		jthread object = NULL;
		if (dump->virtual_thread_of(snapshot->profile->jvmti, snapshot->threads[i].object,
		                            &object) != JVMTI_ERROR_NONE ||
		    object == NULL)
			continue;
		uint32_t serial = serial_of(snapshot, object);
		if (serial != 0 && !is_listed(snapshot, platform_count, serial))
			(void)append_thread(snapshot, object, serial, true);
	}
}

/* Adds the unmounted virtual threads that have waited for a monitor. list_monitors() drops
 * those that own and wait for none now. */
static void add_unmounted_threads(struct snapshot *snapshot, size_t mounted)
{
	size_t mounted_end = snapshot->thread_count;

	for (size_t i = 0; i < snapshot->view_count; i++) {
		const struct monitor_thread_view *view = &snapshot->views[i];
		bool is_mounted = false;
		for (size_t at = mounted; at < mounted_end; at++)
			is_mounted |= snapshot->threads[at].row.serial == view->serial;
		if (view->object != NULL && !is_mounted)
			(void)append_thread(snapshot, view->object, view->serial, true);
	}
}

/* ---- traces and states --------------------------------------------------- */

/* The trace of a stack. NULL when out of memory. */
static const struct trace *trace_of(struct snapshot *snapshot, uint32_t serial,
                                    const jvmtiFrameInfo *stack, jint count)
{
	const struct settings *settings = snapshot->profile->settings;
	jint depth = (uint32_t)count < settings->depth ? count : (jint)settings->depth;
	const struct trace *trace = trace_from_frames(snapshot->profile, snapshot->jni, stack,
	                                              depth, settings->thread ? serial : 0);

	if (trace == NULL)
		snapshot->failed = true;
	return trace;
}

/* Reads the stacks and states of all platform threads at one safepoint. The list contains
 * only platform threads yet. */
static void read_platform_stacks(struct snapshot *snapshot)
{
	struct profile *profile = snapshot->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	size_t count = snapshot->thread_count;
	jvmtiStackInfo *infos = NULL;
	jthread *objects = calloc(count + 1, sizeof(jthread));

	if (objects == NULL) {
		snapshot->failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		objects[i] = snapshot->threads[i].object;
	if (count > 0 && (*jvmti)->GetThreadListStackTraces(jvmti, (jint)count, objects,
	                                                    (jint)profile->settings->depth,
	                                                    &infos) != JVMTI_ERROR_NONE)
		infos = NULL;
	for (size_t i = 0; i < count; i++) {
		struct snapshot_thread *thread = &snapshot->threads[i];
		thread->state = infos == NULL ? 0 : infos[i].state;
		thread->row.trace = trace_of(snapshot, thread->row.serial,
		                             infos == NULL ? NULL : infos[i].frame_buffer,
		                             infos == NULL ? 0 : infos[i].frame_count);
	}
	profile_deallocate(profile, infos);
	free(objects);
}

static void read_virtual_stack(struct snapshot *snapshot, struct snapshot_thread *thread)
{
	struct profile *profile = snapshot->profile;
	jvmtiEnv *jvmti = profile->jvmti;
	size_t depth = profile->settings->depth;
	jvmtiFrameInfo *stack = malloc((depth + 1) * sizeof(*stack));
	jint count = 0;

	if (stack == NULL) {
		snapshot->failed = true;
		return;
	}
	if (depth > 0 && (*jvmti)->GetStackTrace(jvmti, thread->object, 0, (jint)depth, stack,
	                                         &count) != JVMTI_ERROR_NONE)
		count = 0;
	thread->row.trace = trace_of(snapshot, thread->row.serial, stack, count);
	free(stack);
}

static jint state_of(struct snapshot *snapshot, jthread object)
{
	jvmtiEnv *jvmti = snapshot->profile->jvmti;
	jint state = 0;

	(void)(*jvmti)->GetThreadState(jvmti, object, &state);
	return state;
}

static enum monitor_thread_status status_of(jint state)
{
	if ((state & JVMTI_THREAD_STATE_ALIVE) == 0)
		return MONITOR_THREAD_ENDED;
	if ((state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0)
		return MONITOR_THREAD_ENTERS;
	if ((state & JVMTI_THREAD_STATE_WAITING) != 0)
		return MONITOR_THREAD_WAITS;
	return MONITOR_THREAD_RUNS;
}

/* ---- monitors that threads own and wait for ------------------------------ */

/* Returns how many monitors a thread owns, and in *monitors local references to them, an
 * array for profile_deallocate(). */
static jint owned_monitors(struct snapshot *snapshot, jthread object, jobject **monitors)
{
	jvmtiEnv *jvmti = snapshot->profile->jvmti;
	jint count = 0;

	*monitors = NULL;
	if ((*jvmti)->GetOwnedMonitorInfo(jvmti, object, &count, monitors) != JVMTI_ERROR_NONE)
		return 0;
	return count;
}

/* Adds the monitors that the thread owns. Returns whether it owns any. */
static bool list_owned(struct snapshot *snapshot, const struct snapshot_thread *thread)
{
	jobject *objects;
	jint count = owned_monitors(snapshot, thread->object, &objects);

	for (jint i = 0; i < count; i++)
		(void)monitor_list_add(&snapshot->monitors, objects[i]);
	profile_deallocate(snapshot->profile, objects);
	return count > 0;
}

static int compare_views(const void *left, const void *right)
{
	const struct monitor_thread_view *a = left;
	const struct monitor_thread_view *b = right;
	return (a->serial > b->serial) - (a->serial < b->serial);
}

/* The monitor that the thread waits to be notified by, according to its events, or NULL. */
static jobject awaited_by_events(const struct snapshot *snapshot,
                                 const struct snapshot_thread *thread)
{
	struct monitor_thread_view key = {.serial = thread->row.serial};

	if (status_of(thread->state) == MONITOR_THREAD_RUNS)
		return NULL;
	const struct monitor_thread_view *view =
	        bsearch(&key, snapshot->views, snapshot->view_count, sizeof(key), compare_views);
	return view == NULL ? NULL : view->waits_for;
}

/* Adds the monitor that the thread waits for. Returns whether there is one. Some VMs report
 * only a monitor that the thread waits to enter. */
static bool list_awaited(struct snapshot *snapshot, struct snapshot_thread *thread)
{
	jvmtiEnv *jvmti = snapshot->profile->jvmti;
	jobject object = NULL;

	if ((*jvmti)->GetCurrentContendedMonitor(jvmti, thread->object, &object) !=
	    JVMTI_ERROR_NONE)
		object = NULL;
	if (object == NULL)
		object = awaited_by_events(snapshot, thread);
	if (object != NULL)
		thread->waits_for = monitor_list_add(&snapshot->monitors, object);
	return object != NULL;
}

/* Adds the monitors of the threads from index from on. With drop, removes those threads that
 * own and wait for none. */
static void list_monitors(struct snapshot *snapshot, size_t from, bool drop)
{
	size_t kept = from;

	for (size_t i = from; i < snapshot->thread_count; i++) {
		struct snapshot_thread thread = snapshot->threads[i];
		if (thread.is_virtual)
			thread.state = state_of(snapshot, thread.object);
		bool owns = list_owned(snapshot, &thread);
		bool awaits = list_awaited(snapshot, &thread);
		if (!drop || owns || awaits)
			snapshot->threads[kept++] = thread;
	}
	snapshot->thread_count = kept;
}

/* ---- monitors that virtual threads own ----------------------------------- */

/* Sets the thread as the owner of its listed monitors that have none yet; with serial 0 it
 * only looks. Returns whether any of its monitors is in the list. */
static bool claim_monitors(struct snapshot *snapshot, jthread object, uint32_t serial)
{
	jobject *objects;
	jint count = owned_monitors(snapshot, object, &objects);
	bool any = false;

	for (jint i = 0; i < count; i++) {
		size_t index = monitor_list_find(&snapshot->monitors, objects[i]);
		if (index != MONITOR_NONE) {
			any = true;
			if (serial != 0)
				monitor_list_set_owner(&snapshot->monitors, index, serial);
		}
		(*snapshot->jni)->DeleteLocalRef(snapshot->jni, objects[i]);
	}
	profile_deallocate(snapshot->profile, objects);
	return any;
}

static const jlong virtual_thread_tag = INT64_MAX;

/* Heap callback, at a safepoint: may not call JNI or JVM TI. */
static jint JNICALL mark_virtual_thread(jlong class_tag, jlong size, jlong *tag, jint length,
                                        void *user)
{
	(void)class_tag;
	(void)size;
	(void)length;
	(void)user;
	if (*tag == 0)
		*tag = virtual_thread_tag;
	return 0;
}

/* Finds and tags all virtual threads on the heap. Returns how many, in *objects local
 * references to them, an array for profile_deallocate(), and in *state_field what
 * virtual_threads_has_started() needs. */
static jint find_virtual_threads(struct snapshot *snapshot, jobject **objects,
                                 jfieldID *state_field)
{
	jvmtiEnv *tags = snapshot->dump->tags;
	JNIEnv *jni = snapshot->jni;
	jvmtiHeapCallbacks callbacks;
	jint count = 0;
	jclass class = virtual_threads_used_class(snapshot->profile->jvmti, jni);

	*objects = NULL;
	if (class == NULL)
		return 0;
	*state_field = virtual_threads_state_field(jni, class);
	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.heap_iteration_callback = mark_virtual_thread;
	if (*state_field != NULL &&
	    (*tags)->IterateThroughHeap(tags, 0, class, &callbacks, NULL) == JVMTI_ERROR_NONE &&
	    (*tags)->GetObjectsWithTags(tags, 1, &virtual_thread_tag, &count, objects, NULL) !=
	            JVMTI_ERROR_NONE)
		count = 0;
	(*jni)->DeleteLocalRef(jni, class);
	return count;
}

/* Searches all virtual threads for owners and adds those found to the list. */
static void find_owners(struct snapshot *snapshot)
{
	jvmtiEnv *tags = snapshot->dump->tags;
	jobject *objects;
	jfieldID state_field = NULL;
	jint count = find_virtual_threads(snapshot, &objects, &state_field);

	for (jint i = 0; i < count; i++) {
		(void)(*tags)->SetTag(tags, objects[i], 0);
		if (!virtual_threads_has_started(snapshot->jni, objects[i], state_field) ||
		    !claim_monitors(snapshot, objects[i], 0)) {
			(*snapshot->jni)->DeleteLocalRef(snapshot->jni, objects[i]);
			continue;
		}
		uint32_t serial = serial_of(snapshot, objects[i]);
		if (serial == 0 || is_listed(snapshot, 0, serial))
			continue;
		(void)claim_monitors(snapshot, objects[i], serial);
		struct snapshot_thread *thread = append_thread(snapshot, objects[i], serial, true);
		if (thread != NULL)
			thread->state = state_of(snapshot, objects[i]);
	}
	profile_deallocate(snapshot->profile, objects);
}

/* ---- the snapshot -------------------------------------------------------- */

/* Adds the waiting threads that the VM left out of the monitors' usage. */
static void complete_waiters(struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->thread_count; i++) {
		const struct snapshot_thread *thread = &snapshot->threads[i];
		if (thread->waits_for != MONITOR_NONE)
			monitor_list_add_waiter(&snapshot->monitors, thread->waits_for,
			                        thread->row.serial,
			                        status_of(thread->state) != MONITOR_THREAD_WAITS);
	}
}

static void take_snapshot(struct snapshot *snapshot)
{
	add_platform_threads(snapshot);
	read_platform_stacks(snapshot);
	size_t platform_end = snapshot->thread_count;
	add_mounted_threads(snapshot);
	size_t mounted_end = snapshot->thread_count;
	list_monitors(snapshot, 0, false);
	add_unmounted_threads(snapshot, platform_end);
	list_monitors(snapshot, mounted_end, true);

	monitor_list_query(&snapshot->monitors);
	for (size_t i = platform_end; i < snapshot->thread_count; i++)
		(void)claim_monitors(snapshot, snapshot->threads[i].object,
		                     snapshot->threads[i].row.serial);
	for (size_t i = platform_end; i < snapshot->thread_count; i++)
		read_virtual_stack(snapshot, &snapshot->threads[i]);
	complete_waiters(snapshot);

	size_t known_end = snapshot->thread_count;
	if (snapshot->dump->virtual_thread_of != NULL &&
	    monitor_list_has_ownerless(&snapshot->monitors))
		find_owners(snapshot);
	for (size_t i = known_end; i < snapshot->thread_count; i++)
		read_virtual_stack(snapshot, &snapshot->threads[i]);
}

static int by_serial(const void *left, const void *right)
{
	const struct monitor_dump_thread *a = left;
	const struct monitor_dump_thread *b = right;
	return (a->serial > b->serial) - (a->serial < b->serial);
}

static void fill_rows(const struct snapshot *snapshot, struct monitor_dump_thread *rows)
{
	for (size_t i = 0; i < snapshot->thread_count; i++) {
		const struct snapshot_thread *thread = &snapshot->threads[i];
		rows[i] = thread->row;
		rows[i].status = status_of(thread->state);
		rows[i].suspended = (thread->state & JVMTI_THREAD_STATE_SUSPENDED) != 0;
		rows[i].interrupted = (thread->state & JVMTI_THREAD_STATE_INTERRUPTED) != 0;
	}
	qsort(rows, snapshot->thread_count, sizeof(*rows), by_serial);
}

/* Copies the monitors except those that no thread owns or waits for any more. Returns how
 * many. */
static size_t fill_monitors(const struct snapshot *snapshot, struct monitor_dump_monitor *monitors)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->monitors.count; i++) {
		const struct monitor_dump_monitor *monitor = &snapshot->monitors.monitors[i];
		if (monitor->owned || monitor->entering.count > 0 || monitor->waiting.count > 0)
			monitors[count++] = *monitor;
	}
	return count;
}

static void write_record(struct snapshot *snapshot)
{
	struct monitor_dump_thread *rows = calloc(snapshot->thread_count + 1, sizeof(*rows));
	struct monitor_dump_monitor *monitors =
	        calloc(snapshot->monitors.count + 1, sizeof(*monitors));

	if (rows != NULL && monitors != NULL) {
		fill_rows(snapshot, rows);
		struct monitor_dump_record record = {
		        .thread_count = snapshot->thread_count,
		        .threads = rows,
		        .monitor_count = fill_monitors(snapshot, monitors),
		        .monitors = monitors,
		};
		writer_monitor_dump(snapshot->profile->writer, &record);
	} else {
		snapshot->failed = true;
	}
	free(rows);
	free(monitors);
}

void monitor_dump_write(struct monitor_dump *dump, JNIEnv *jni)
{
	struct profile *profile = dump->profile;
	struct snapshot snapshot = {
	        .dump = dump,
	        .profile = profile,
	        .jni = jni,
	        .monitors = {.profile = profile, .jni = jni, .tags = dump->tags},
	};

	if (!jni_frame_push(jni, LOCAL_REFERENCES))
		return;
	snapshot.views = monitor_threads_view(dump->threads, jni, &snapshot.view_count);
	snapshot.failed = snapshot.views == NULL;
	if (!snapshot.failed) {
		qsort(snapshot.views, snapshot.view_count, sizeof(*snapshot.views), compare_views);
		take_snapshot(&snapshot);
	}
	if (!snapshot.failed && !snapshot.monitors.failed)
		write_record(&snapshot);
	if (snapshot.failed || snapshot.monitors.failed)
		profile_out_of_memory(profile);
	monitor_list_free(&snapshot.monitors);
	free(snapshot.threads);
	free(snapshot.views);
	jni_frame_pop(jni);
}

/* ---- life ---------------------------------------------------------------- */

static jvmtiEnv *create_tag_environment(JavaVM *vm)
{
	jvmtiEnv *tags = NULL;
	jvmtiCapabilities capabilities;

	memset(&capabilities, 0, sizeof(capabilities));
	capabilities.can_tag_objects = 1;
	if ((*vm)->GetEnv(vm, (void **)&tags, JVMTI_VERSION_1_2) != JNI_OK)
		return NULL;
	if ((*tags)->AddCapabilities(tags, &capabilities) == JVMTI_ERROR_NONE)
		return tags;
	(void)(*tags)->DisposeEnvironment(tags);
	return NULL;
}

struct monitor_dump *monitor_dump_create(struct profile *profile, struct monitor_threads *threads)
{
	struct monitor_dump *dump = calloc(1, sizeof(*dump));

	if (dump == NULL)
		return NULL;
	dump->profile = profile;
	dump->threads = threads;
	dump->virtual_thread_of = virtual_threads_find(profile->jvmti);
	dump->tags = create_tag_environment(profile->vm);
	if (dump->tags == NULL) {
		monitor_dump_destroy(dump);
		return NULL;
	}
	return dump;
}

void monitor_dump_destroy(struct monitor_dump *dump)
{
	if (dump == NULL)
		return;
	if (dump->tags != NULL)
		(void)(*dump->tags)->DisposeEnvironment(dump->tags);
	free(dump);
}
