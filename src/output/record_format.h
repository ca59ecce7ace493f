/*
 * record_format.h: what a format implements. The record writer calls these under
 * its record lock, one at a time, and looks at out->error after each: a record
 * that failed is taken out of the buffer again, and nothing is asked of the
 * format any more.
 */
#ifndef HPROF_OUTPUT_RECORD_FORMAT_H
#define HPROF_OUTPUT_RECORD_FORMAT_H

#include "output/byte_buffer.h"
#include "output/record_writer.h"

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

#endif
