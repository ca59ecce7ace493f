/*
 * walk_files.c: see walk_files.h.
 */
#include "heapdump/walk_files.h"

#include "hprof/record_format.h"

static int walk_files_write(struct sink *sink, const void *bytes, size_t length)
{
	struct walk_sink *to = (struct walk_sink *)sink;
	return os_file_write(to->file, bytes, length);
}

static int walk_files_close(struct sink *sink)
{
	(void)sink;
	return 0;
}

static const struct sink_ops sink_ops = {.write = walk_files_write, .close = walk_files_close};

bool walk_file_begin(struct walk_file *file, struct dump_run *run, size_t index)
{
	static const struct heap_begin nothing;

	*file = (struct walk_file){.run = run};
	file->to = (struct walk_sink){.sink = {.ops = &sink_ops}, .file = &run->files[index]};
	int error = os_file_temporary(dump_run_beside(run), file->to.file);
	if (error != 0) {
		dump_run_explain(run, "can't create a temporary file", error);
		return false;
	}
	file->writer = writer_create(&record_format_binary_segments, &file->to.sink,
	                             sizeof(uint64_t), os_wall_ms());
	if (file->writer != NULL)
		file->heap = heap_writer_begin(file->writer, &nothing);
	if (file->heap == NULL)
		dump_run_explain(run, "can't write a temporary file",
		                 file->writer == NULL ? OS_NO_MEMORY : writer_error(file->writer));
	return file->heap != NULL;
}

bool walk_file_end(struct walk_file *file)
{
	struct dump_run *run = file->run;
	bool begun = file->heap != NULL;

	if (begun)
		heap_writer_end(file->heap);
	int error = file->writer == NULL ? 0 : writer_close(file->writer);
	if (error != 0 && run->reason[0] == '\0')
		dump_run_explain(run, "can't write a temporary file", error);
	return error == 0 && begun;
}

static void write_class(struct heap_writer *heap, const struct class_layouts *layouts,
                        const struct class_layout *layout)
{
	const struct class_layout *super =
	        layout->super == 0 ? NULL : class_layouts_find(layouts, layout->super);
	struct heap_class dump = {
	        .class = layout->record,
	        .trace_serial = TRACE_SERIAL_EMPTY,
	        .super_id = super == NULL ? 0 : super->record->object_id,
	        .loader_id = layout->loader_id,
	        .signers_id = layout->signers_id,
	        .domain_id = layout->domain_id,
	        .instance_size = layout->values_length,
	        .constant_count = (uint16_t)layout->constant_count,
	        .constants = layout->constants,
	        .static_count = layout->static_count,
	        .statics = layout->statics,
	        .field_count = layout->field_count,
	        .fields = layout->fields,
	};
	heap_writer_class(heap, &dump);
}

bool walk_files_write_classes(struct dump_run *run, size_t index,
                              const struct class_layouts *layouts)
{
	struct walk_file file;
	uint32_t serial = 0;

	if (walk_file_begin(&file, run, index)) {
		for (const struct class_layout *layout = class_layouts_next(layouts, &serial);
		     layout != NULL; layout = class_layouts_next(layouts, &serial))
			write_class(file.heap, layouts, layout);
	}
	return walk_file_end(&file);
}
