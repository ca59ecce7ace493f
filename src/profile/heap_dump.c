/*
 * heap_dump.c: the mode heap=dump: at each dump all live objects, their classes and the
 * roots that keep them. The objects come as a file, from the VM's own dumper or by
 * following references (JVM TI), and are put into the output by output/heap_splice.
 * Under the profile's dump lock.
 */
#include "profile/heap_dump.h"

#include "model/address_map.h"
#include "output/hprof_reader.h"
#include "profile/java_threads.h"
#include "profile/mode.h"
#include "profile/object_sizes.h"

#include <stdlib.h>

struct heap_dump {
	struct profile *profile;
	vm_dump_heap dumper;        /* the VM's; NULL when it has none */
	struct object_sizes *sizes; /* for text; NULL in binary */
	jfieldID tid;               /* Thread.tid */
	bool failed;                /* a dump has failed, which is told once */

	/* Of the dump under way. */
	struct heap_dump_run run;
	struct address_map threads; /* by Thread.getId(), to its java_thread's facts */
	struct heap_splice_thread *thread_list;
	size_t thread_count;
	size_t thread_capacity;
};

static bool heap_dump_wanted(const struct settings *settings)
{
	return settings->heap == HEAP_DUMP || settings->heap == HEAP_ALL;
}

static void *heap_dump_create(struct profile *profile, struct mode_needs *needs)
{
	struct heap_dump *mode = calloc(1, sizeof(*mode));
	if (mode == NULL) {
		message_print("out of memory");
		return NULL;
	}
	mode->profile = profile;
	needs->capabilities.can_tag_objects = 1;
	return mode;
}

static void heap_dump_live(void *state, JNIEnv *jni)
{
	struct heap_dump *mode = state;
	const struct settings *settings = mode->profile->settings;

	if (settings->dumper != DUMPER_JVMTI)
		mode->dumper = vm_heap_dumper(mode->profile->vm, jni);
	if (settings->dumper == DUMPER_VM && mode->dumper == NULL)
		message_print("this JVM has no heap dumper that the agent knows; references are "
		              "followed instead");
	if (settings->format == FORMAT_TEXT)
		mode->sizes = object_sizes_create(mode->profile, jni);
	jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
	if (thread != NULL)
		mode->tid = (*jni)->GetFieldID(jni, thread, "tid", "J");
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	if (thread != NULL)
		(*jni)->DeleteLocalRef(jni, thread);
}

const char *heap_dump_beside(const struct profile *profile)
{
	return profile->settings->net_host[0] == '\0' ? profile->output_name : NULL;
}

void heap_dump_explain(struct heap_dump_run *run, const char *what, int code)
{
	char text[OS_ERROR_TEXT_MAX];
	os_error_text(code, text, sizeof(text));
	(void)snprintf(run->reason, sizeof(run->reason), "%s: %s", what, text);
}

/* ---- what the splice asks --------------------------------------------- */

static void note_thread(void *context, JNIEnv *jni, jthread object,
                        const struct java_thread *thread)
{
	struct heap_dump *mode = context;

	if (mode->tid == NULL || mode->thread_count == mode->thread_capacity)
		return;
	jlong tid = (*jni)->GetLongField(jni, object, mode->tid);
	if (tid == 0 || !address_map_set(&mode->threads, (uint64_t)tid, mode->thread_count))
		return;
	struct heap_splice_thread *known = &mode->thread_list[mode->thread_count++];
	known->serial = thread->serial;
	known->object_id = thread->record->object_id;
}

/* Which thread has which number; without memory threads stay unknown. */
static void note_threads(struct heap_dump *mode, JNIEnv *jni)
{
	enum { THREADS_MAX = 65536 };

	mode->thread_list = calloc(THREADS_MAX, sizeof(*mode->thread_list));
	mode->thread_capacity = mode->thread_list == NULL ? 0 : THREADS_MAX;
	java_threads_visit(mode->profile->threads, jni, note_thread, mode);
}

static const struct class_record *class_of(void *context, uint64_t id, const char *name,
                                           size_t length)
{
	struct heap_dump *mode = context;
	return loaded_classes_find(mode->run.classes, id, name, length);
}

/* The file of the other dumper has the ids of our own classes. */
static const struct class_record *class_of_own(void *context, uint64_t id, const char *name,
                                               size_t length)
{
	struct heap_dump *mode = context;
	(void)name;
	(void)length;
	return loaded_classes_of_id(mode->run.classes, id);
}

/* A thread that the profile does not have (one of the VM, or virtual) gets a number that
 * no other has. */
static struct heap_splice_thread thread_of(void *context, uint64_t object_id, uint64_t tid)
{
	struct heap_dump *mode = context;
	const uint64_t *index = address_map_find(&mode->threads, tid);
	(void)object_id;

	if (index != NULL)
		return mode->thread_list[*index];
	struct heap_splice_thread unknown = {
	        .serial = thread_serial_next(mode->profile->model.threads)};
	return unknown;
}

static uint32_t trace_of(void *context, uint64_t object_id)
{
	const struct heap_dump *mode = context;
	if (mode->run.traces == NULL)
		return TRACE_SERIAL_EMPTY;
	return object_traces_find(mode->run.traces, object_id);
}

static uint64_t instance_size(void *context, const struct class_record *class)
{
	const struct heap_dump *mode = context;
	return object_sizes_instance(mode->sizes, class);
}

static uint64_t array_size(void *context, uint8_t type, uint32_t length)
{
	const struct heap_dump *mode = context;
	return object_sizes_array(mode->sizes, type, length);
}

/* ---- a dump ----------------------------------------------------------- */

static bool splice(struct heap_dump *mode, bool by_vm)
{
	struct profile *profile = mode->profile;
	struct heap_splice_ops ops = {.class_of = by_vm ? class_of : class_of_own};
	struct heap_splice splice = {
	        .ops = &ops,
	        .context = mode,
	        .model = &profile->model,
	        .writer = profile->writer,
	        .addresses = by_vm,
	        .lines = profile->settings->lineno,
	        .thread_traces = profile->settings->thread,
	        .wall_ms = os_wall_ms(),
	};

	if (by_vm) {
		ops.thread_of = thread_of;
		ops.trace_of = trace_of;
		if (mode->run.traces != NULL)
			object_traces_index(mode->run.traces);
	}
	if (mode->sizes != NULL && object_sizes_learn(mode->sizes)) {
		ops.instance_size = instance_size;
		ops.array_size = array_size;
	}
	int error = heap_splice(&splice, &mode->run.file);
	if (error == HPROF_BROKEN)
		(void)snprintf(mode->run.reason, sizeof(mode->run.reason),
		               "the dump has a form that is not understood");
	else if (error != 0)
		heap_dump_explain(&mode->run, "can't read the dump", error);
	return error == 0;
}

/* Whether the VM's dumper will do: it knows no traces but by address. */
static bool wants_vm(const struct heap_dump *mode)
{
	const struct heap_tracking *tracking = mode->profile->heap_tracking;
	return mode->dumper != NULL && (mode->profile->settings->dumper == DUMPER_VM ||
	                                tracking == NULL || object_traces_by_address(tracking));
}

static bool dump_objects(struct heap_dump *mode)
{
	struct profile *profile = mode->profile;
	struct heap_tracking *tracking = profile->heap_tracking;

	if (!wants_vm(mode))
		return reference_heap_dump(&mode->run);
	note_threads(mode, mode->run.jni);
	if (tracking != NULL && object_traces_by_address(tracking))
		mode->run.traces = object_traces_prepare(tracking);
	return vm_heap_dump(&mode->run, mode->dumper, true);
}

static void release(struct heap_dump *mode)
{
	struct heap_dump_run *run = &mode->run;

	(void)os_file_close(&run->file);
	object_traces_free(run->traces);
	loaded_classes_destroy(run->classes, run->jni);
	address_map_free(&mode->threads);
	free(mode->thread_list);
	mode->thread_list = NULL;
	mode->thread_count = 0;
}

static void heap_dump_dump(void *state, JNIEnv *jni)
{
	struct heap_dump *mode = state;
	struct heap_dump_run *run = &mode->run;

	*run = (struct heap_dump_run){.profile = mode->profile, .jni = jni, .file = {.handle = -1}};
	run->classes = loaded_classes_create(mode->profile, jni);
	if (run->classes == NULL)
		return;
	bool by_vm = wants_vm(mode);
	bool dumped = dump_objects(mode) && splice(mode, by_vm);
	if (!dumped && !mode->failed)
		message_print("can't dump the heap: %s; the program runs on", run->reason);
	mode->failed = mode->failed || !dumped;
	release(mode);
}

const struct mode_ops heap_dump_mode = {
        .title = "Java heap",
        .wanted = heap_dump_wanted,
        .create = heap_dump_create,
        .live = heap_dump_live,
        .dump = heap_dump_dump,
};
