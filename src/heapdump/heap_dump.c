/*
 * heap_dump.c: the mode heap=dump. Each dump has all live objects, their classes and the roots
 * that keep them alive. The objects come as files, from the VM's own dumper (vm_dump) or from a
 * walk by JVM TI references (walk_dump), and dump_merge merges them into the output. Under the
 * profile's dump lock.
 */
#include "heapdump/heap_dump_mode.h"
#include "heapdump/vm_dump.h"
#include "heapdump/walk_dump.h"
#include "hotspot/vm_flags.h"
#include "hprof/hprof_reader.h"
#include "vm/object_sizes.h"

#include <stdlib.h>

struct heap_dump {
	struct profile *profile;
	jmm_dump_heap dumper;       /* of the VM; NULL when it has none */
	struct object_sizes *sizes; /* text format only; NULL for binary */
	struct dumped_threads *threads;
	bool failed; /* a dump has failed, which has been reported */

	/* The current dump. */
	struct dump_run run;
	struct merge_ops ops;
	struct dump_merge merge;
};

static void *heap_dump_create(struct profile *profile, struct mode_needs *needs)
{
	struct heap_dump *mode = calloc(1, sizeof(*mode));
	if (mode == NULL) {
		message_print("out of memory");
		return NULL;
	}
	mode->profile = profile;
	mode->threads = dumped_threads_create(profile);
	if (mode->threads == NULL) {
		message_print("out of memory");
		free(mode);
		return NULL;
	}
	needs->capabilities.can_tag_objects = 1;
	return mode;
}

static void heap_dump_live(void *state, JNIEnv *jni)
{
	struct heap_dump *mode = state;
	const struct settings *settings = mode->profile->settings;

	/* A dump begins with a collection, which would wait for the threads of a concurrent
	 * collector; these are gone when the VM exits. */
	bool may_use =
	        settings->dumper != DUMPER_JVMTI && !vm_collects_concurrently(mode->profile->jvmti);
	if (may_use)
		mode->dumper = jmm_heap_dumper(mode->profile->vm, jni);
	if (may_use && settings->dumper == DUMPER_BEST && mode->dumper == NULL)
		profile_note(mode->profile, "heap dumps follow references (this JVM has no heap "
		                            "dumper that the agent knows, which would be faster)");
	if (settings->dumper == DUMPER_VM && mode->dumper == NULL)
		message_print("dumper=vm is unavailable: this JVM has no heap dumper that the "
		              "agent can use; references are followed instead");
	if (settings->format == FORMAT_TEXT)
		mode->sizes = object_sizes_create(mode->profile, jni);
}

/* ---- functions of the merge --------------------------------------------- */

static const struct class_record *heap_dump_class_of(void *context, uint64_t id, const char *name,
                                                     size_t length)
{
	struct heap_dump *mode = context;
	return loaded_classes_find(mode->run.classes, id, name, length);
}

/* The files of walk_dump have the ids of our own classes. */
static const struct class_record *heap_dump_class_of_own(void *context, uint64_t id,
                                                         const char *name, size_t length)
{
	struct heap_dump *mode = context;
	(void)name;
	(void)length;
	return loaded_classes_find_by_id(mode->run.classes, id);
}

static struct merge_thread heap_dump_thread_of(void *context, uint64_t object_id, uint64_t tid)
{
	struct heap_dump *mode = context;
	(void)object_id;
	return dumped_threads_find(mode->threads, mode->run.jni, tid);
}

static uint32_t heap_dump_trace_of(void *context, uint64_t object_id)
{
	const struct heap_dump *mode = context;
	if (mode->run.traces == NULL)
		return TRACE_SERIAL_EMPTY;
	return object_traces_find(mode->run.traces, object_id);
}

static uint64_t heap_dump_instance_size(void *context, const struct class_record *class)
{
	const struct heap_dump *mode = context;
	return object_sizes_instance(mode->sizes, class);
}

static uint64_t heap_dump_array_size(void *context, uint8_t type, uint32_t length)
{
	const struct heap_dump *mode = context;
	return object_sizes_array(mode->sizes, type, length);
}

/* The dump is read twice; the number of objects is known after the first time. */
static void heap_dump_progress(void *context, uint64_t done, uint64_t total)
{
	struct heap_dump *mode = context;
	progress_update(&mode->profile->progress, done, total,
	                total == 0 ? "objects read" : "objects");
}

/* ---- a dump ----------------------------------------------------------- */

static void prepare_merge(struct heap_dump *mode, bool by_address)
{
	struct profile *profile = mode->profile;

	mode->ops = (struct merge_ops){.class_of = by_address ? heap_dump_class_of
	                                                      : heap_dump_class_of_own,
	                               .thread_of = heap_dump_thread_of};
	if (by_address)
		mode->ops.trace_of = heap_dump_trace_of;
	mode->merge = (struct dump_merge){
	        .ops = &mode->ops,
	        .context = mode,
	        .model = &profile->model,
	        .writer = profile->writer,
	        .addresses = by_address,
	        .lines = profile->settings->lineno,
	        .thread_traces = profile->settings->thread,
	};
}

/* Reads the files for the index, unless dump_tail has done so while they were written. */
static int read_files(struct heap_dump *mode)
{
	struct dump_run *run = &mode->run;
	int error = 0;

	if (run->read)
		return 0;
	dump_merge_end(run->merger);
	run->merger = dump_merge_begin(&mode->merge);
	if (run->merger == NULL)
		return OS_NO_MEMORY;
	for (size_t i = 0; i < run->file_count && error == 0; i++)
		error = dump_merge_read(run->merger, &run->files[i], NULL, NULL);
	return error;
}

static bool merge(struct heap_dump *mode)
{
	struct dump_run *run = &mode->run;

	mode->merge.wall_ms = os_wall_ms();
	mode->ops.progress = heap_dump_progress;
	if (run->traces != NULL)
		object_traces_index(run->traces);
	if (mode->sizes != NULL && object_sizes_learn(mode->sizes)) {
		mode->ops.instance_size = heap_dump_instance_size;
		mode->ops.array_size = heap_dump_array_size;
	}
	int error = read_files(mode);
	if (error == 0)
		error = dump_merge_write(run->merger, run->files, run->file_count);
	if (error == HPROF_BROKEN)
		(void)snprintf(run->reason, sizeof(run->reason), "the dump has an unknown format");
	else if (error != 0)
		dump_run_explain(run, "can't read the dump", error);
	return error == 0;
}

/* The VM's dumper, where possible: it needs traces by address. */
static const struct dump_source *choose_source(const struct heap_dump *mode)
{
	const struct alloc *alloc = mode->profile->alloc;
	bool by_vm = mode->dumper != NULL && (mode->profile->settings->dumper == DUMPER_VM ||
	                                      alloc == NULL || object_traces_by_address(alloc));
	return by_vm ? &vm_dump_source : &walk_dump_source;
}

/* Prepares what is needed during a dump by address. */
static void prepare_addresses(struct heap_dump *mode)
{
	struct alloc *alloc = mode->profile->alloc;

	if (alloc != NULL && object_traces_by_address(alloc))
		mode->run.traces = object_traces_prepare(alloc);
	/* Sizes, which only text has, are read by JVM TI, which is impossible during the
	 * dump. */
	if (mode->sizes == NULL)
		mode->run.merger = dump_merge_begin(&mode->merge);
}

static void release(struct heap_dump *mode)
{
	struct dump_run *run = &mode->run;

	dump_merge_end(run->merger);
	(void)os_file_close(&run->files[0]);
	(void)os_file_close(&run->files[1]);
	object_traces_free(run->traces);
	loaded_classes_destroy(run->classes, run->jni);
}

static bool heap_dump_dump(void *state, JNIEnv *jni)
{
	struct heap_dump *mode = state;
	struct dump_run *run = &mode->run;

	*run = (struct dump_run){
	        .profile = mode->profile, .jni = jni, .files = {{.handle = -1}, {.handle = -1}}};
	run->classes = loaded_classes_create(mode->profile, jni);
	run->threads = mode->threads;
	run->dumper = mode->dumper;
	if (!dumped_threads_begin(mode->threads) || run->classes == NULL) {
		profile_out_of_memory(mode->profile);
		release(mode);
		return false;
	}
	const struct dump_source *source = choose_source(mode);
	prepare_merge(mode, source->by_address);
	if (source->by_address)
		prepare_addresses(mode);
	bool dumped = source->produce(run) && merge(mode);
	if (!dumped && !mode->failed)
		message_print("can't dump the heap: %s; the program continues", run->reason);
	mode->failed = mode->failed || !dumped;
	if (dumped)
		dumped_threads_end(mode->threads);
	release(mode);
	/* The dump has collected garbage: later sections must not count those objects. */
	if (mode->profile->alloc != NULL)
		object_traces_sweep(mode->profile->alloc, jni);
	return dumped;
}

static bool heap_dump_command(void *state, JNIEnv *jni, const struct net_command *command)
{
	if (command->kind != COMMAND_DUMP_HEAP)
		return false;
	(void)heap_dump_dump(state, jni);
	return true;
}

static void heap_dump_destroy(void *state, JNIEnv *jni)
{
	struct heap_dump *mode = state;
	(void)jni;
	object_sizes_destroy(mode->sizes);
	dumped_threads_destroy(mode->threads);
	free(mode);
}

const struct mode_ops heap_dump_mode = {
        .title = "Java heap",
        .is_selected = settings_dump_heap,
        .create = heap_dump_create,
        .live = heap_dump_live,
        .dump = heap_dump_dump,
        .command = heap_dump_command,
        .destroy = heap_dump_destroy,
};

const struct mode_ops heap_dump_answers_mode = {
        .create = heap_dump_create,
        .live = heap_dump_live,
        .command = heap_dump_command,
        .destroy = heap_dump_destroy,
};
