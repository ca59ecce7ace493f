/*
 * text_format.c: records as lines of text. Its state is whether the empty trace has been
 * written: that is after the first thread, since readers expect threads before traces.
 * Called by the record writer under its record lock.
 */
#include "hprof/record_format.h"

#include "hprof/heap_format.h"
#include "hprof/text_details.h"
#include "hprof/text_monitors.h"
#include "hprof/text_pairs.h"
#include "hprof/text_parts.h"
#include "hprof/text_preamble.h"
#include "hprof/text_ranked.h"
#include "hprof/text_sites.h"
#include "hprof/text_states.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct text_state {
	bool marks_native;
	bool empty_trace_written;
};

static void *create(bool marks_native)
{
	struct text_state *state = calloc(1, sizeof(*state));
	if (state != NULL)
		state->marks_native = marks_native;
	return state;
}

static void *text_create(unsigned id_size, int64_t created_wall_ms)
{
	(void)id_size;
	(void)created_wall_ms;
	return create(false);
}

static void *native_create(unsigned id_size, int64_t created_wall_ms)
{
	(void)id_size;
	(void)created_wall_ms;
	return create(true);
}

static void text_thread_end(void *state, struct byte_buffer *out,
                            const struct thread_record *thread)
{
	(void)state;
	byte_buffer_printf(out, "THREAD END (id = %" PRIu32 ")\n", thread->serial);
}

/* The classic agent wrote "Unknown line" for frames of native methods, too, and readers know
 * no other form; marks_native is for those that do. */
static void add_frame(struct byte_buffer *out, const struct frame *frame, bool marks_native)
{
	byte_buffer_add_u1(out, '\t');
	text_add_method(out, frame->method);
	byte_buffer_add_u1(out, '(');
	if (frame->method->source)
		text_add_name(out, frame->method->source);
	else
		byte_buffer_add_text(out, "<Unknown Source>");

	if (frame->line > 0)
		byte_buffer_printf(out, ":%" PRId32 ")\n", frame->line);
	else if (frame->line == LINE_NATIVE && marks_native)
		byte_buffer_add_text(out, ":Native method)\n");
	else
		byte_buffer_add_text(out, ":Unknown line)\n");
}

static void add_trace(const struct text_state *state, struct byte_buffer *out,
                      const struct trace *trace)
{
	byte_buffer_printf(out, "TRACE %" PRIu32 ":", trace->serial);
	if (trace->thread_serial != 0)
		byte_buffer_printf(out, " (thread=%" PRIu32 ")", trace->thread_serial);
	byte_buffer_add_u1(out, '\n');

	for (uint32_t i = 0; i < trace->depth; i++)
		add_frame(out, trace->frames[i], state->marks_native);
	if (trace->depth == 0)
		byte_buffer_add_text(out, "\t<empty>\n");
}

static void need_empty_trace(struct text_state *state, struct byte_buffer *out)
{
	static const struct trace empty = {.serial = TRACE_SERIAL_EMPTY};

	if (state->empty_trace_written)
		return;
	state->empty_trace_written = true;
	add_trace(state, out, &empty);
}

static void text_trace(void *state, struct byte_buffer *out, const struct trace *trace)
{
	need_empty_trace(state, out);
	add_trace(state, out, trace);
}

static void text_thread_start(void *state, struct byte_buffer *out,
                              const struct thread_record *thread)
{
	byte_buffer_printf(out, "THREAD START (obj=%" PRIx64 ", id = %" PRIu32 ", name=\"",
	                   thread->object_id, thread->serial);
	text_add_name(out, thread->name);
	byte_buffer_add_text(out, "\", group=\"");
	text_add_name(out, thread->group);
	byte_buffer_add_text(out, "\")\n");
	need_empty_trace(state, out);
}

static void text_header(void *state, struct byte_buffer *out, int64_t created_wall_ms)
{
	(void)state;
	byte_buffer_add_text(out, "JAVA PROFILE 1.0.1, created ");
	text_add_local_time(out, created_wall_ms);
	byte_buffer_add_text(out, "\n\n");
	text_preamble_write(out);
}

static void text_note(void *state, struct byte_buffer *out, const char *text)
{
	(void)state;
	byte_buffer_add_text(out, "NOTE: ");
	text_add_escaped(out, text, strlen(text));
	byte_buffer_add_u1(out, '\n');
}

/* The records of both versions. */
#define TEXT_RECORDS                                                                             \
	.threads_first = true, .destroy = free, .header = text_header,                           \
	.thread_start = text_thread_start, .thread_end = text_thread_end, .trace = text_trace,   \
	.cpu_samples = text_cpu_samples, .sample_times = text_sample_times, .times = text_times, \
	.trace_costs = text_trace_costs, .call_pairs = text_call_pairs,                          \
	.microstates = text_microstates, .trace_states = text_trace_states,                      \
	.monitor_wait = text_monitor_wait, .monitor_times = text_monitor_times,                  \
	.monitor_dump = text_monitor_dump, .sites = text_sites, .note = text_note,               \
	.heap = &heap_format_text

const struct record_format record_format_text = {
        TEXT_RECORDS,
        .create = text_create,
};

const struct record_format record_format_text_native = {
        TEXT_RECORDS,
        .create = native_create,
};
