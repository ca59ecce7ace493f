/*
 * binary_format.c: records in the HPROF binary format ("Binary Dump Format" of
 * the HPROF manual). It remembers which strings, classes and frames are out and
 * puts those that are not before the record that needs them. Called by the
 * record writer under its record lock.
 */
#include "output/record_format.h"

#include "os/os.h"
#include "output/binary_sites.h"
#include "output/binary_names.h"
#include "output/heap_format.h"
#include "output/written_set.h"

#include <stdlib.h>
#include <string.h>

enum tag {
	TAG_STRING = 0x01,
	TAG_LOAD_CLASS = 0x02,
	TAG_UNLOAD_CLASS = 0x03,
	TAG_STACK_FRAME = 0x04,
	TAG_STACK_TRACE = 0x05,
	TAG_HEAP_SUMMARY = 0x07,
	TAG_START_THREAD = 0x0a,
	TAG_END_THREAD = 0x0b,
	TAG_CPU_SAMPLES = 0x0d,
	TAG_CONTROL_SETTINGS = 0x0e,
	TAG_HEAP_DUMP_SEGMENT = 0x1c,
	TAG_HEAP_DUMP_END = 0x2c
};

/* The string id of a name that does not exist. */
#define STRING_NONE 0

struct binary_state {
	unsigned id_size;
	uint64_t origin_ns; /* os_monotonic_ns() at the moment in the header */
	struct written_set strings;
	struct written_set classes;
	struct written_set frames;
};

static void *binary_create(unsigned id_size, int64_t created_wall_ms)
{
	struct binary_state *state = calloc(1, sizeof(*state));
	if (!state)
		return NULL;
	state->id_size = id_size;

	/* TIME must not jump when the wall clock is set, so it is read once. */
	int64_t age_ms = os_wall_ms() - created_wall_ms;
	if (age_ms < 0)
		age_ms = 0;
	state->origin_ns = os_monotonic_ns() - (uint64_t)age_ms * 1000000;

	written_set_init(&state->strings);
	written_set_init(&state->classes);
	written_set_init(&state->frames);
	return state;
}

static void binary_destroy(void *state)
{
	struct binary_state *binary = state;
	written_set_free(&binary->strings);
	written_set_free(&binary->classes);
	written_set_free(&binary->frames);
	free(binary);
}

static uint32_t saturate_u4(uint64_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* Appends TAG, TIME and LENGTH. A length that the field can't hold makes the
 * record fail. */
static void begin_record(const struct binary_state *binary, struct byte_buffer *out, enum tag tag,
                         uint64_t length)
{
	if (length > UINT32_MAX) {
		byte_buffer_fail(out, BYTES_TOO_LARGE);
		return;
	}
	byte_buffer_add_u1(out, (uint8_t)tag);
	byte_buffer_add_u4(out, (uint32_t)((os_monotonic_ns() - binary->origin_ns) / 1000));
	byte_buffer_add_u4(out, (uint32_t)length);
}

/* Adds an id to a set; true when its record is to be written now. */
static bool needs_record(struct written_set *set, struct byte_buffer *out, uint32_t id)
{
	switch (written_set_add(set, id)) {
	case WRITTEN_NEVER:
		return true;
	case WRITTEN_BEFORE:
		return false;
	case WRITTEN_NO_MEMORY:
		break;
	}
	byte_buffer_fail(out, BYTES_NO_MEMORY);
	return false;
}

static void need_string(struct binary_state *binary, struct byte_buffer *out,
                        const struct string *string)
{
	if (!string || !needs_record(&binary->strings, out, string->id))
		return;
	begin_record(binary, out, TAG_STRING, (uint64_t)binary->id_size + string->length);
	byte_buffer_add_id(out, binary->id_size, string->id);
	byte_buffer_add(out, string->text, string->length);
}

static void need_class(struct binary_state *binary, struct byte_buffer *out,
                       const struct class_record *class)
{
	if (!needs_record(&binary->classes, out, class->serial - CLASS_SERIAL_BASE))
		return;
	need_string(binary, out, class->name);
	begin_record(binary, out, TAG_LOAD_CLASS, 4 + 4 + 2 * (uint64_t)binary->id_size);
	byte_buffer_add_u4(out, class->serial);
	byte_buffer_add_id(out, binary->id_size, class->object_id);
	byte_buffer_add_u4(out,
	                   class->trace_serial == 0 ? TRACE_SERIAL_EMPTY : class->trace_serial);
	byte_buffer_add_id(out, binary->id_size, class->name->id);
}

static void need_frame(struct binary_state *binary, struct byte_buffer *out,
                       const struct frame *frame)
{
	const struct method *method = frame->method;

	if (!needs_record(&binary->frames, out, frame->id))
		return;
	need_class(binary, out, method->class);
	need_string(binary, out, method->name);
	need_string(binary, out, method->signature);
	need_string(binary, out, method->source);

	begin_record(binary, out, TAG_STACK_FRAME, 4 + 4 + 4 * (uint64_t)binary->id_size);
	byte_buffer_add_id(out, binary->id_size, frame->id);
	byte_buffer_add_id(out, binary->id_size, method->name->id);
	byte_buffer_add_id(out, binary->id_size, method->signature->id);
	byte_buffer_add_id(out, binary->id_size, method->source ? method->source->id : STRING_NONE);
	byte_buffer_add_u4(out, method->class->serial);
	byte_buffer_add_u4(out, (uint32_t)frame->line);
}

static void binary_trace(void *state, struct byte_buffer *out, const struct trace *trace)
{
	struct binary_state *binary = state;

	for (uint32_t i = 0; i < trace->depth; i++)
		need_frame(binary, out, trace->frames[i]);
	begin_record(binary, out, TAG_STACK_TRACE,
	             4 + 4 + 4 + (uint64_t)binary->id_size * trace->depth);
	byte_buffer_add_u4(out, trace->serial);
	byte_buffer_add_u4(out, trace->thread_serial);
	byte_buffer_add_u4(out, trace->depth);
	for (uint32_t i = 0; i < trace->depth; i++)
		byte_buffer_add_id(out, binary->id_size, trace->frames[i]->id);
}

/* format_name goes out with its NUL. */
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

	need_string(binary, out, thread->name);
	need_string(binary, out, thread->group);
	need_string(binary, out, thread->parent_group);
	begin_record(binary, out, TAG_START_THREAD, 4 + 4 + 4 * (uint64_t)binary->id_size);
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
	begin_record(state, out, TAG_END_THREAD, 4);
	byte_buffer_add_u4(out, thread->serial);
}

static void binary_class_load(void *state, struct byte_buffer *out,
                              const struct class_record *class)
{
	need_class(state, out, class);
}

/* A class that no record has named does not exist for a reader, and does not
 * end for it either. */
static void binary_class_unload(void *state, struct byte_buffer *out,
                                const struct class_record *class)
{
	const struct binary_state *binary = state;

	if (!written_set_has(&binary->classes, class->serial - CLASS_SERIAL_BASE))
		return;
	begin_record(binary, out, TAG_UNLOAD_CLASS, 4);
	byte_buffer_add_u4(out, class->serial);
}

static void binary_cpu_samples(void *state, struct byte_buffer *out,
                               const struct cpu_samples_record *record)
{
	uint64_t row_count = 0;

	for (size_t i = 0; i < record->row_count; i++)
		row_count += record->rows[i].count > 0;
	begin_record(state, out, TAG_CPU_SAMPLES, 4 + 4 + 8 * row_count);
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
	begin_record(state, out, TAG_HEAP_SUMMARY, 4 + 4 + 8 + 8);
	byte_buffer_add_u4(out, saturate_u4(record->live_bytes));
	byte_buffer_add_u4(out, saturate_u4(record->live_instances));
	byte_buffer_add_u8(out, record->allocated_bytes);
	byte_buffer_add_u8(out, record->allocated_instances);
}

static void binary_control_settings(void *state, struct byte_buffer *out, uint32_t flags,
                                    uint16_t depth)
{
	begin_record(state, out, TAG_CONTROL_SETTINGS, 4 + 2);
	byte_buffer_add_u4(out, flags);
	byte_buffer_add_u2(out, depth);
}

void binary_record_begin(void *state, struct byte_buffer *out, uint8_t tag, uint64_t length)
{
	begin_record(state, out, (enum tag)tag, length);
}

void binary_heap_names(void *state, struct byte_buffer *out, const struct heap_class *class)
{
	need_class(state, out, class->class);
	for (uint16_t i = 0; i < class->static_count; i++)
		need_string(state, out, class->statics[i].name);
	for (uint16_t i = 0; i < class->field_count; i++)
		need_string(state, out, class->fields[i].name);
}

void binary_heap_segment(void *state, struct byte_buffer *out, uint64_t length)
{
	begin_record(state, out, TAG_HEAP_DUMP_SEGMENT, length);
}

void binary_heap_segments_end(void *state, struct byte_buffer *out)
{
	begin_record(state, out, TAG_HEAP_DUMP_END, 0);
}

/* What both versions of the format have. */
#define BINARY_RECORDS                                                                           \
	.create = binary_create, .destroy = binary_destroy, .thread_start = binary_thread_start, \
	.thread_end = binary_thread_end, .class_load = binary_class_load,                        \
	.class_unload = binary_class_unload, .trace = binary_trace,                              \
	.cpu_samples = binary_cpu_samples, .sites = binary_sites,                                \
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
