/*
 * walk_threads.c: see walk_threads.h.
 */
#include "heapdump/walk_threads.h"

#include "vm/java_thread_records.h"
#include "vm/java_thread_visits.h"
#include "vm/stack_traces.h"

#include <stdlib.h>

enum { THREADS_MAX = 65536, FRAMES_MAX = 4096 };

struct listed_thread {
	jthread object; /* local reference */
	uint32_t serial;
	uint64_t object_id;
};

/* The live threads, listed first: their stacks must not be read under the lock of the
 * profile's list. */
struct thread_list {
	struct dump_run *run;
	struct listed_thread *threads; /* THREADS_MAX */
	size_t count;
};

static void add_thread(struct thread_list *list, JNIEnv *jni, jthread object, uint32_t serial,
                       uint64_t object_id)
{
	if (list->count == THREADS_MAX)
		return;
	struct listed_thread *thread = &list->threads[list->count];
	thread->object = (*jni)->NewLocalRef(jni, object);
	thread->serial = serial;
	thread->object_id = object_id;
	list->count += thread->object != NULL;
}

static void add_known(void *context, JNIEnv *jni, jthread object, const struct java_thread *thread)
{
	add_thread(context, jni, object, thread->serial, thread->record->object_id);
}

/* Adds a thread that may be none of the profile's, unless it is in the list. */
static void add_other(void *context, JNIEnv *jni, jthread object)
{
	struct thread_list *list = context;
	struct dump_run *run = list->run;
	uint64_t tid = java_threads_tid(run->profile->threads, jni, object);
	struct merge_thread thread = dumped_threads_find(run->threads, jni, tid);

	for (size_t i = 0; i < list->count; i++) {
		if (list->threads[i].serial == thread.serial)
			return;
	}
	if (thread.serial != 0)
		add_thread(list, jni, object, thread.serial, thread.object_id);
}

static void list_threads(struct thread_list *list)
{
	struct dump_run *run = list->run;
	jvmtiEnv *jvmti = run->profile->jvmti;
	jthread current = NULL;

	java_threads_visit(run->profile->threads, run->jni, add_known, list);
	java_threads_visit_unlisted(run->profile->threads, run->jni, add_other, list);
	/* JVM TI does not list the thread that ends the VM. */
	if ((*jvmti)->GetCurrentThread(jvmti, &current) == JVMTI_ERROR_NONE && current != NULL) {
		add_other(list, run->jni, current);
		(*run->jni)->DeleteLocalRef(run->jni, current);
	}
}

/* The whole stack of a thread as a trace of the output; NULL when it cannot be read. */
static const struct trace *find_trace(struct dump_run *run, const struct listed_thread *thread)
{
	struct profile *profile = run->profile;
	jvmtiFrameInfo *stack = calloc(FRAMES_MAX, sizeof(*stack));
	const struct trace *trace = NULL;
	jint count = 0;

	if (stack != NULL &&
	    (*profile->jvmti)
	                    ->GetStackTrace(profile->jvmti, thread->object, 0, FRAMES_MAX, stack,
	                                    &count) == JVMTI_ERROR_NONE)
		trace = trace_from_frames(profile, run->jni, stack, count,
		                          profile->settings->thread ? thread->serial : 0);
	free(stack);
	return trace;
}

/* Tags a thread with its id and writes its root. False when out of memory. */
static bool begin_thread(struct walk_threads *threads, struct dump_run *run,
                         const struct listed_thread *thread)
{
	jvmtiEnv *jvmti = run->profile->jvmti;
	const struct trace *trace = find_trace(run, thread);
	struct heap_root root = {
	        .kind = HPROF_SUB_ROOT_THREAD_OBJECT,
	        .object_id = thread->object_id,
	        .thread_serial = thread->serial,
	        .trace_serial = trace == NULL ? TRACE_SERIAL_EMPTY : trace->serial,
	};

	(void)(*jvmti)->SetTag(jvmti, thread->object, walk_ids_tag(thread->object_id));
	heap_writer_root(threads->heap, &root);
	return address_map_set(&threads->serials, thread->object_id, thread->serial) &&
	       address_map_set(&threads->depths, thread->object_id,
	                       trace == NULL ? 0 : trace->depth);
}

bool walk_threads_begin(struct walk_threads *threads, struct dump_run *run,
                        struct heap_writer *heap)
{
	struct thread_list list = {.run = run};
	bool begun = true;

	*threads = (struct walk_threads){.table = run->profile->model.threads, .heap = heap};
	list.threads = calloc(THREADS_MAX, sizeof(*list.threads));
	if (list.threads == NULL)
		return false;
	list_threads(&list);
	for (size_t i = 0; i < list.count; i++) {
		begun = begin_thread(threads, run, &list.threads[i]) && begun;
		(*run->jni)->DeleteLocalRef(run->jni, list.threads[i].object);
	}
	free(list.threads);
	return begun;
}

void walk_threads_free(struct walk_threads *threads)
{
	address_map_free(&threads->serials);
	address_map_free(&threads->depths);
}

uint32_t walk_threads_serial(struct walk_threads *threads, uint64_t object_id)
{
	const uint64_t *known = address_map_find(&threads->serials, object_id);
	if (known != NULL)
		return (uint32_t)*known;
	uint32_t serial = thread_table_next_serial(threads->table);
	return address_map_set(&threads->serials, object_id, serial) ? serial : 0;
}

uint32_t walk_threads_frame(const struct walk_threads *threads, uint64_t object_id, jint depth)
{
	const uint64_t *frames = address_map_find(&threads->depths, object_id);
	if (frames == NULL || depth < 0 || (uint64_t)depth >= *frames)
		return HEAP_FRAME_NONE;
	return (uint32_t)depth;
}

void walk_threads_end(struct walk_threads *threads)
{
	for (size_t i = 0; i < threads->serials.capacity; i++) {
		const struct address_entry *entry = &threads->serials.entries[i];
		if (entry->key == 0 || address_map_find(&threads->depths, entry->key) != NULL)
			continue;
		struct heap_root root = {
		        .kind = HPROF_SUB_ROOT_THREAD_OBJECT,
		        .object_id = entry->key,
		        .thread_serial = (uint32_t)entry->value,
		        .trace_serial = TRACE_SERIAL_EMPTY,
		};
		heap_writer_root(threads->heap, &root);
	}
}

static bool write_primitive_class(struct dump_run *run, struct walk_ids *ids,
                                  struct walk_objects *objects, jlong of_classes,
                                  const char *wrapper)
{
	JNIEnv *jni = run->jni;
	jvmtiEnv *jvmti = run->profile->jvmti;
	bool has_memory = true;
	jlong tag = 0;

	jclass class = (*jni)->FindClass(jni, wrapper);
	jfieldID field =
	        class == NULL ? NULL
	                      : (*jni)->GetStaticFieldID(jni, class, "TYPE", "Ljava/lang/Class;");
	jobject mirror = field == NULL ? NULL : (*jni)->GetStaticObjectField(jni, class, field);
	if (mirror != NULL && (*jvmti)->GetTag(jvmti, mirror, &tag) == JVMTI_ERROR_NONE) {
		has_memory = walk_ids_assign(ids, &tag, -1) != 0;
		if (has_memory && (*jvmti)->SetTag(jvmti, mirror, tag) == JVMTI_ERROR_NONE) {
			walk_objects_begin(objects, tag, of_classes);
			walk_objects_end(objects);
		}
	}
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, mirror);
	(*jni)->DeleteLocalRef(jni, class);
	return has_memory;
}

bool walk_primitive_classes(struct dump_run *run, struct walk_ids *ids,
                            struct walk_objects *objects, jlong of_classes)
{
	static const char *const wrappers[] = {
	        "java/lang/Boolean", "java/lang/Byte",    "java/lang/Character",
	        "java/lang/Short",   "java/lang/Integer", "java/lang/Long",
	        "java/lang/Float",   "java/lang/Double",  "java/lang/Void"};

	for (size_t i = 0; i < sizeof(wrappers) / sizeof(wrappers[0]); i++) {
		if (!write_primitive_class(run, ids, objects, of_classes, wrappers[i]))
			return false;
	}
	return true;
}
