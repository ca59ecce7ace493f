/*
 * record_format.h: the interface of a format, and the formats; to add one, add a file.
 * The record writer calls these functions under its record lock, one at a time, and checks
 * out->error after each: a failed record is removed from the buffer, and the format is not
 * called again.
 */
#ifndef HPROF_HPROF_RECORD_FORMAT_H
#define HPROF_HPROF_RECORD_FORMAT_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_format;

/* Functions that append one record each to out. NULL: the format does not have the record.
 * state is the result of create. */
struct record_format {
	/* Traces are not written before the first thread, unless a record refers to them:
	 * readers of text take the first THREAD START as the end of the preamble. */
	bool threads_first;

	/* Creates the state; NULL without memory. Both are NULL in a format without
	 * state. */
	void *(*create)(unsigned id_size, int64_t created_wall_ms);
	void (*destroy)(void *state);

	/* Appends the start of a profile. The format writes the empty trace itself: here, or
	 * later before the first record that may refer to it. */
	void (*header)(void *state, struct byte_buffer *out, int64_t created_wall_ms);

	void (*thread_start)(void *state, struct byte_buffer *out,
	                     const struct thread_record *thread);
	void (*thread_end)(void *state, struct byte_buffer *out,
	                   const struct thread_record *thread);
	void (*class_load)(void *state, struct byte_buffer *out, const struct class_record *class);
	void (*class_unload)(void *state, struct byte_buffer *out,
	                     const struct class_record *class);
	void (*trace)(void *state, struct byte_buffer *out, const struct trace *trace);
	void (*cpu_samples)(void *state, struct byte_buffer *out,
	                    const struct cpu_samples_record *record);
	void (*sample_times)(void *state, struct byte_buffer *out,
	                     const struct sample_times_record *record);
	void (*times)(void *state, struct byte_buffer *out, const struct times_record *record);
	void (*trace_costs)(void *state, struct byte_buffer *out,
	                    const struct trace_costs_record *record);
	void (*call_pairs)(void *state, struct byte_buffer *out, const struct call_pair_row *rows,
	                   size_t row_count);
	void (*microstates)(void *state, struct byte_buffer *out,
	                    const struct microstates_record *record);
	void (*trace_states)(void *state, struct byte_buffer *out,
	                     const struct trace_states_record *record);
	void (*heap_summary)(void *state, struct byte_buffer *out,
	                     const struct heap_summary_record *record);
	void (*monitor_wait)(void *state, struct byte_buffer *out,
	                     const struct monitor_wait_record *record);
	void (*monitor_times)(void *state, struct byte_buffer *out,
	                      const struct monitor_times_record *record);
	void (*monitor_dump)(void *state, struct byte_buffer *out,
	                     const struct monitor_dump_record *record);
	void (*sites)(void *state, struct byte_buffer *out, const struct sites_record *record);
	void (*control_settings)(void *state, struct byte_buffer *out, uint32_t flags,
	                         uint16_t depth);
	void (*note)(void *state, struct byte_buffer *out, const char *text);

	const struct heap_format *heap; /* for heap dumps; NULL if the format has none */
};

/* The two classic formats, and the older one of cpu=old, which has only one table. Text has a
 * version that marks frames of native methods; binary has a version for files with heap
 * dumps, which are written in segments. */
extern const struct record_format record_format_text;
extern const struct record_format record_format_text_native;
extern const struct record_format record_format_binary;
extern const struct record_format record_format_binary_segments;
extern const struct record_format record_format_old;

#endif
