/*
 * record_format.h: what a format implements, and the formats; another one is a new
 * file. The record writer calls these under its record lock, one at a time, and checks
 * out->error after each: a record that failed is removed from the buffer again, and the
 * format is not called any more.
 */
#ifndef HPROF_HPROF_RECORD_FORMAT_H
#define HPROF_HPROF_RECORD_FORMAT_H

#include "base/byte_buffer.h"
#include "hprof/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_format;

/* Functions that append one record each to out; a function that is NULL stands
 * for a record that the format does not have. state is what create made. */
struct record_format {
	/* A trace that no record names yet waits for the first thread: to readers of the text,
	 * the first THREAD START ends the preamble. */
	bool threads_first;

	/* Makes the state; NULL without memory. Both are NULL in a format that
	 * keeps none. */
	void *(*create)(unsigned id_size, int64_t created_wall_ms);
	void (*destroy)(void *state);

	/* What a profile begins with. The empty trace is in it, or follows unasked before
	 * the first record that may refer to it. */
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
	void (*times)(void *state, struct byte_buffer *out, const struct times_record *record);
	void (*call_pairs)(void *state, struct byte_buffer *out, const struct call_pair_row *rows,
	                   size_t row_count);
	void (*microstates)(void *state, struct byte_buffer *out,
	                    const struct microstates_record *record);
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

	const struct heap_format *heap; /* of heap dumps; NULL when it has none */
};

/* The two classic formats, and the older one of cpu=old, which has nothing but
 * its own section. Text has a version that marks frames of native methods. Binary has a
 * version of its own for files with heap dumps, which come in segments. */
extern const struct record_format record_format_text;
extern const struct record_format record_format_text_native;
extern const struct record_format record_format_binary;
extern const struct record_format record_format_binary_segments;
extern const struct record_format record_format_old;

#endif
