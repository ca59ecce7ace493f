/*
 * libFuzzer harness of the merge of a heap dump (heapdump/dump_merge.h): the first byte chooses
 * the form of the output, the rest is the file. Apart from what the sanitizers find, it stops
 * when progress exceeds its total or the writer fails. `make fuzz` builds and runs it.
 */
#include "heapdump/dump_merge.h"
#include "hprof/record_format.h"
#include "output/record_writer.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 256, RUNS_OF_A_MODEL = 1000 };

static struct model model;

/* ---- functions of the merge ----------------------------------------------------- */

static const struct class_record *class_of(void *context, uint64_t id, const char *name,
                                           size_t length)
{
	static struct class_record classes[CLASSES];
	uint64_t at = id / 8 % CLASSES;
	(void)context;

	classes[at] =
	        (struct class_record){.serial = 100001 + (uint32_t)at,
	                              .object_id = 0x50000010 + at,
	                              .name = string_table_intern(model.strings, name, length)};
	return classes[at].name == NULL ? NULL : &classes[at];
}

static struct merge_thread thread_of(void *context, uint64_t object_id, uint64_t tid)
{
	(void)context;
	return (struct merge_thread){.serial = 200001 + (uint32_t)(tid % 10),
	                             .object_id = object_id % 3 == 0 ? 0 : 0x50000077};
}

static uint32_t trace_of(void *context, uint64_t object_id)
{
	(void)context;
	(void)object_id;
	return TRACE_SERIAL_EMPTY;
}

static uint64_t instance_size(void *context, const struct class_record *class)
{
	(void)context;
	return class->serial % 64;
}

static uint64_t array_size(void *context, uint8_t type, uint32_t length)
{
	(void)context;
	return 16 + (uint64_t)length * type;
}

static void progress(void *context, uint64_t done, uint64_t total)
{
	(void)context;
	if (total != 0 && done > total)
		abort();
}

static const struct merge_ops ops = {
        .class_of = class_of,
        .thread_of = thread_of,
        .trace_of = trace_of,
        .instance_size = instance_size,
        .array_size = array_size,
        .progress = progress,
};

/* ---- an output that only counts ---------------------------------------------------- */

static int count_bytes(struct sink *sink, const void *bytes, size_t length)
{
	(void)sink;
	(void)bytes;
	(void)length;
	return 0;
}

static int close_nothing(struct sink *sink)
{
	(void)sink;
	return 0;
}

static const struct sink_ops sink_ops = {
        .write = count_bytes,
        .set_tail = count_bytes,
        .close = close_nothing,
};

static int merge(struct os_file *file, uint8_t choice)
{
	struct sink sink = {.ops = &sink_ops};
	struct record_writer *writer = writer_create(
	        (choice & 1) != 0 ? &record_format_text : &record_format_binary, &sink, 4, 0);
	if (writer == NULL)
		abort();
	struct dump_merge asked = {
	        .ops = &ops,
	        .model = &model,
	        .writer = writer,
	        .addresses = (choice & 2) != 0,
	        .lines = (choice & 4) != 0,
	        .thread_traces = (choice & 8) != 0,
	};
	struct dump_merger *merger = dump_merge_begin(&asked);
	if (merger == NULL)
		abort();
	int error = dump_merge_read(merger, file, NULL, NULL);
	if (error == 0)
		error = dump_merge_write(merger, file, 1);
	dump_merge_end(merger);
	if (writer_close(writer) != 0)
		abort();
	return error;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct os_file file;
	static unsigned runs;

	if (size < 1)
		return 0;
	if (runs == 0 && os_file_temporary(NULL, &file) != 0)
		abort();
	/* Creating a model takes long, and each run adds little to it. */
	if (runs % RUNS_OF_A_MODEL == 0 && !model_init(&model))
		abort();
	if (os_file_truncate(&file, 0) != 0 || os_file_write(&file, data + 1, size - 1) != 0 ||
	    os_file_rewind(&file) != 0)
		abort();
	(void)merge(&file, data[0]);
	if (++runs % RUNS_OF_A_MODEL == 0)
		model_destroy(&model);
	return 0;
}
