/*
 * binary_format.c: records in the HPROF binary format ("Binary Dump Format" of
 * the HPROF manual), in files without heap dumps (1.0.1) and with them (1.0.2). Called
 * by the record writer under its record lock.
 */
#include "hprof/record_format.h"

#include "hprof/binary_records.h"
#include "hprof/binary_sites.h"
#include "hprof/heap_format.h"

#include <string.h>

static void binary_trace(void *state, struct byte_buffer *out, const struct trace *trace)
{
	struct binary_state *binary = state;

	for (uint32_t i = 0; i < trace->depth; i++)
		binary_need_frame(binary, out, trace->frames[i]);
	binary_record_begin(binary, out, HPROF_RECORD_STACK_TRACE,
	                    4 + 4 + 4 + (uint64_t)binary->id_size * trace->depth);
	byte_buffer_add_u4(out, trace->serial);
	byte_buffer_add_u4(out, trace->thread_serial);
	byte_buffer_add_u4(out, trace->depth);
	for (uint32_t i = 0; i < trace->depth; i++)
		byte_buffer_add_id(out, binary->id_size, trace->frames[i]->id);
}

/* format_name is written with its NUL. */
static void add_header(void *state, struct byte_buffer *out, int64_t created_wall_ms,
                       const char *format_name)
{
	static const struct trace empty = {.serial = TRACE_SERIAL_EMPTY};
	const struct binary_state *binary = state;

	byte_buffer_add(out, format_name, strlen(format_name) + 1);
	byte_buffer_add_u4(out, binary->id_size);
	byte_buffer_add_u8(out, (uint64_t)created_wall_ms);
	binary_trace(state, out, &empty);
}

static void binary_header(void *state, struct byte_buffer *out, int64_t created_wall_ms)
{
	add_header(state, out, created_wall_ms, "JAVA PROFILE 1.0.1");
}

static void segments_header(void *state, struct byte_buffer *out, int64_t created_wall_ms)
{
	add_header(state, out, created_wall_ms, "JAVA PROFILE 1.0.2");
}

static void binary_thread_start(void *state, struct byte_buffer *out,
                                const struct thread_record *thread)
{
	struct binary_state *binary = state;

	binary_need_string(binary, out, thread->name);
	binary_need_string(binary, out, thread->group);
	binary_need_string(binary, out, thread->parent_group);
	binary_record_begin(binary, out, HPROF_RECORD_START_THREAD,
	                    4 + 4 + 4 * (uint64_t)binary->id_size);
	byte_buffer_add_u4(out, thread->serial);
	byte_buffer_add_id(out, binary->id_size, thread->object_id);
	byte_buffer_add_u4(out, TRACE_SERIAL_EMPTY);
	byte_buffer_add_id(out, binary->id_size, thread->name->id);
	byte_buffer_add_id(out, binary->id_size, thread->group->id);
	byte_buffer_add_id(out, binary->id_size, thread->parent_group->id);
}

static void binary_thread_end(void *state, struct byte_buffer *out,
                              const struct thread_record *thread)
{
	binary_record_begin(state, out, HPROF_RECORD_END_THREAD, 4);
	byte_buffer_add_u4(out, thread->serial);
}

static void binary_class_load(void *state, struct byte_buffer *out,
                              const struct class_record *class)
{
	binary_need_class(state, out, class);
}

/* Nothing for a class without a LOAD CLASS record: readers don't know it. */
static void binary_class_unload(void *state, struct byte_buffer *out,
                                const struct class_record *class)
{
	const struct binary_state *binary = state;

	if (!written_set_has(&binary->classes, class->serial - CLASS_SERIAL_BASE))
		return;
	binary_record_begin(binary, out, HPROF_RECORD_UNLOAD_CLASS, 4);
	byte_buffer_add_u4(out, class->serial);
}

static void binary_cpu_samples(void *state, struct byte_buffer *out,
                               const struct cpu_samples_record *record)
{
	uint64_t row_count = 0;

	for (size_t i = 0; i < record->row_count; i++)
		row_count += record->rows[i].count > 0;
	binary_record_begin(state, out, HPROF_RECORD_CPU_SAMPLES,
	                    4 + 4 + HPROF_SAMPLE_BYTES * row_count);
	byte_buffer_add_u4(out, saturate_u4(record->total));
	byte_buffer_add_u4(out, (uint32_t)row_count);
	for (size_t i = 0; i < record->row_count; i++) {
		const struct cost_row *row = &record->rows[i];
		if (row->count == 0)
			continue;
		byte_buffer_add_u4(out, saturate_u4(row->count));
		byte_buffer_add_u4(out, row->trace->serial);
	}
}

static void binary_heap_summary(void *state, struct byte_buffer *out,
                                const struct heap_summary_record *record)
{
	binary_record_begin(state, out, HPROF_RECORD_HEAP_SUMMARY, 4 + 4 + 8 + 8);
	byte_buffer_add_u4(out, saturate_u4(record->live_bytes));
	byte_buffer_add_u4(out, saturate_u4(record->live_instances));
	byte_buffer_add_u8(out, record->allocated_bytes);
	byte_buffer_add_u8(out, record->allocated_instances);
}

static void binary_control_settings(void *state, struct byte_buffer *out, uint32_t flags,
                                    uint16_t depth)
{
	binary_record_begin(state, out, HPROF_RECORD_CONTROL_SETTINGS, 4 + 2);
	byte_buffer_add_u4(out, flags);
	byte_buffer_add_u2(out, depth);
}

/* The records of both versions of the format. */
#define BINARY_RECORDS                                                                   \
	.create = binary_state_create, .destroy = binary_state_destroy,                  \
	.thread_start = binary_thread_start, .thread_end = binary_thread_end,            \
	.class_load = binary_class_load, .class_unload = binary_class_unload,            \
	.trace = binary_trace, .cpu_samples = binary_cpu_samples, .sites = binary_sites, \
	.heap_summary = binary_heap_summary, .control_settings = binary_control_settings

const struct record_format record_format_binary = {
        BINARY_RECORDS,
        .header = binary_header,
};

const struct record_format record_format_binary_segments = {
        BINARY_RECORDS,
        .header = segments_header,
        .heap = &heap_format_binary,
};
