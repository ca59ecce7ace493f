/*
 * binary_records.c: see binary_records.h.
 */
#include "hprof/binary_records.h"

#include "os/os.h"
#include "os/time_units.h"

#include <stdlib.h>

/* The string id for a missing name. */
#define STRING_NONE 0

void *binary_state_create(unsigned id_size, int64_t created_wall_ms)
{
	struct binary_state *binary = calloc(1, sizeof(*binary));
	if (!binary)
		return NULL;
	binary->id_size = id_size;

	/* The wall clock is read only once, so that TIME does not jump when it is set. */
	int64_t age_ms = os_wall_ms() - created_wall_ms;
	if (age_ms < 0)
		age_ms = 0;
	binary->origin_ns = os_monotonic_ns() - (uint64_t)age_ms * NS_PER_MS;

	written_set_init(&binary->strings);
	written_set_init(&binary->classes);
	written_set_init(&binary->frames);
	return binary;
}

void binary_state_destroy(void *state)
{
	struct binary_state *binary = state;

	written_set_free(&binary->strings);
	written_set_free(&binary->classes);
	written_set_free(&binary->frames);
	free(binary);
}

void binary_record_begin(const struct binary_state *binary, struct byte_buffer *out,
                         enum hprof_record_tag tag, uint64_t length)
{
	if (length > UINT32_MAX) {
		byte_buffer_fail(out, BYTES_TOO_LARGE);
		return;
	}
	byte_buffer_add_u1(out, (uint8_t)tag);
	byte_buffer_add_u4(out, (uint32_t)((os_monotonic_ns() - binary->origin_ns) / NS_PER_US));
	byte_buffer_add_u4(out, (uint32_t)length);
}

/* Adds an id to a set; true if its record must be written now. */
static bool is_new(struct written_set *set, struct byte_buffer *out, uint32_t id)
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

void binary_need_string(struct binary_state *binary, struct byte_buffer *out,
                        const struct string *string)
{
	if (!string || !is_new(&binary->strings, out, string->id))
		return;
	binary_record_begin(binary, out, HPROF_RECORD_STRING,
	                    (uint64_t)binary->id_size + string->length);
	byte_buffer_add_id(out, binary->id_size, string->id);
	byte_buffer_add(out, string->text, string->length);
}

void binary_need_class(struct binary_state *binary, struct byte_buffer *out,
                       const struct class_record *class)
{
	if (!is_new(&binary->classes, out, class->serial - CLASS_SERIAL_BASE))
		return;
	binary_need_string(binary, out, class->name);
	binary_record_begin(binary, out, HPROF_RECORD_LOAD_CLASS,
	                    4 + 4 + 2 * (uint64_t)binary->id_size);
	byte_buffer_add_u4(out, class->serial);
	byte_buffer_add_id(out, binary->id_size, class->object_id);
	byte_buffer_add_u4(out,
	                   class->trace_serial == 0 ? TRACE_SERIAL_EMPTY : class->trace_serial);
	byte_buffer_add_id(out, binary->id_size, class->name->id);
}

void binary_need_frame(struct binary_state *binary, struct byte_buffer *out,
                       const struct frame *frame)
{
	const struct method *method = frame->method;

	if (!is_new(&binary->frames, out, frame->id))
		return;
	binary_need_class(binary, out, method->class);
	binary_need_string(binary, out, method->name);
	binary_need_string(binary, out, method->signature);
	binary_need_string(binary, out, method->source);

	binary_record_begin(binary, out, HPROF_RECORD_STACK_FRAME,
	                    4 + 4 + 4 * (uint64_t)binary->id_size);
	byte_buffer_add_id(out, binary->id_size, frame->id);
	byte_buffer_add_id(out, binary->id_size, method->name->id);
	byte_buffer_add_id(out, binary->id_size, method->signature->id);
	byte_buffer_add_id(out, binary->id_size, method->source ? method->source->id : STRING_NONE);
	byte_buffer_add_u4(out, method->class->serial);
	byte_buffer_add_u4(out, (uint32_t)frame->line);
}
