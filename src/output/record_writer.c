/*
 * record_writer.c: accepts records from any thread, lets the format encode them in
 * memory, and moves them to the sink.
 *
 * Two locks, so that a slow disk or peer does not delay threads that write
 * records: sink_lock for the sink, taken first, and record_lock for the records in
 * memory. A flush holds record_lock only to swap two buffers.
 */
#include "output/record_writer.h"

#include "base/byte_buffer.h"
#include "hprof/heap_format.h"
#include "hprof/record_format.h"
#include "hprof/written_set.h"
#include "os/os.h"

#include <stdatomic.h>
#include <stdlib.h>

/* From this size on, the thread that has written a record flushes. */
#define HIGH_WATER_BYTES ((size_t)256 * 1024)

/* A buffer that a huge record has grown beyond this is freed after use. */
#define KEPT_BYTES (4 * HIGH_WATER_BYTES)

/* The owner when no tail is open: 0 is never a thread. */
#define NO_THREAD 0

struct record_writer {
	const struct record_format *format;
	struct sink *sink;
	unsigned id_size;
	_Atomic int error; /* the first failure */

	struct os_mutex record_lock; /* guards these */
	void *state;                 /* the format's; NULL when it keeps none */
	struct byte_buffer pending;  /* records not yet passed to the sink */
	struct byte_buffer tail;     /* records of the open tail */
	struct written_set traces;   /* those written, by serial minus TRACE_SERIAL_EMPTY */
	bool has_thread;             /* a THREAD START has been written */
	os_thread tail_owner;        /* the thread that has a tail open */
	bool streaming;              /* the sink belongs to a stream; records stay pending */

	struct os_mutex sink_lock;   /* guards these and the sink; taken first */
	struct byte_buffer outgoing; /* records on their way to the sink */
	struct byte_buffer
	        beside;   /* copies of records that were written between a stream's parts */
	bool sink_failed; /* nothing more is written to the sink */
	bool has_tail;    /* the output ends in a tail */
};

static void fail(struct record_writer *writer, int error)
{
	int none = 0;
	if (error != 0)
		atomic_compare_exchange_strong(&writer->error, &none, error);
}

unsigned writer_id_size(const struct record_writer *writer)
{
	return writer->id_size;
}

int writer_error(const struct record_writer *writer)
{
	return atomic_load(&writer->error);
}

/* ---- to the sink ------------------------------------------------------ */

/* Empties a buffer after its bytes were passed to the sink. */
static void recycle(struct byte_buffer *buffer)
{
	if (buffer->capacity > KEPT_BYTES)
		byte_buffer_free(buffer);
	else
		byte_buffer_truncate(buffer, 0);
}

/* Appends outgoing to the sink. Holds sink_lock. */
static void append_outgoing(struct record_writer *writer)
{
	/* After an error no new tail can be written, so the current tail is worth more
	 * than the records that would replace it. */
	bool keep_tail = writer->has_tail && writer_error(writer) != 0;

	if (writer->outgoing.length > 0 && !writer->sink_failed && !keep_tail) {
		int error = writer->sink->ops->write(writer->sink, writer->outgoing.bytes,
		                                     writer->outgoing.length);
		writer->sink_failed = error != 0;
		writer->has_tail = false;
		fail(writer, error);
	}
	recycle(&writer->outgoing);
}

/* Moves pending to outgoing, which is empty. Holds both locks. */
static void take_pending(struct record_writer *writer)
{
	struct byte_buffer empty = writer->outgoing;
	writer->outgoing = writer->pending;
	writer->pending = empty;
}

/* Flushes when at least this much is pending. */
static void flush_from(struct record_writer *writer, size_t length)
{
	os_mutex_lock(&writer->sink_lock);
	os_mutex_lock(&writer->record_lock);
	bool enough = writer->pending.length >= length && !writer->streaming;
	if (enough)
		take_pending(writer);
	os_mutex_unlock(&writer->record_lock);
	if (enough)
		append_outgoing(writer);
	os_mutex_unlock(&writer->sink_lock);
}

void writer_flush(struct record_writer *writer)
{
	flush_from(writer, 1);
}

/* ---- tails ------------------------------------------------------------ */

bool writer_tail_begin(struct record_writer *writer)
{
	if (writer_error(writer) != 0 || !writer->sink->ops->set_tail)
		return false;
	os_mutex_lock(&writer->record_lock);
	writer->tail_owner = os_self_thread();
	os_mutex_unlock(&writer->record_lock);
	return true;
}

void writer_tail_end(struct record_writer *writer)
{
	os_mutex_lock(&writer->sink_lock);
	os_mutex_lock(&writer->record_lock);
	struct byte_buffer tail = writer->tail;
	byte_buffer_init(&writer->tail);
	writer->tail_owner = NO_THREAD;
	take_pending(writer);
	os_mutex_unlock(&writer->record_lock);

	append_outgoing(writer);
	if (writer_error(writer) == 0) {
		int error = writer->sink->ops->set_tail(writer->sink, tail.bytes, tail.length);
		writer->sink_failed = error != 0;
		writer->has_tail = error == 0 && tail.length > 0;
		fail(writer, error);
	}
	os_mutex_unlock(&writer->sink_lock);
	byte_buffer_free(&tail);
}

/* ---- records ---------------------------------------------------------- */

/* A record that is being written. */
struct open_record {
	struct byte_buffer *out; /* where it goes; NULL when none is to be written */
	size_t start;            /* where it begins in out */
};

/* Takes record_lock, unless the result has no buffer: when the format has no such record, and
 * after a failure. fits_tail: the record goes to the tail that its thread has open. */
static struct open_record begin_record(struct record_writer *writer, bool has_function,
                                       bool fits_tail)
{
	struct open_record record = {NULL, 0};

	if (!has_function || writer_error(writer) != 0)
		return record;
	os_mutex_lock(&writer->record_lock);
	/* Another thread may have failed since the first check. The state of the format then
	 * counts its record as written, which it is not: a later record must not refer to it. */
	if (writer_error(writer) != 0) {
		os_mutex_unlock(&writer->record_lock);
		return record;
	}
	record.out = &writer->pending;
	if (fits_tail && writer->tail_owner != NO_THREAD && writer->tail_owner == os_self_thread())
		record.out = &writer->tail;
	record.start = record.out->length;
	return record;
}

/* Ends the record: removes it again if it has failed, releases record_lock, and flushes when
 * the buffer has reached its high-water mark. */
static void end_record(struct record_writer *writer, struct open_record record)
{
	struct byte_buffer *out = record.out;

	if (out->error != 0) {
		byte_buffer_truncate(out, record.start);
		fail(writer, out->error);
	}
	bool flush = writer->pending.length >= HIGH_WATER_BYTES && !writer->streaming;
	os_mutex_unlock(&writer->record_lock);
	if (flush)
		flush_from(writer, HIGH_WATER_BYTES);
}

/* Runs the statement that follows once, to append a record to open.out with record_lock held,
 * if the format has the function hook and nothing has failed. The statement must not leave the
 * loop by return, break or goto. */
#define WITH_RECORD(writer, fits_tail, hook, open)                                        \
	for (struct open_record open =                                                    \
	             begin_record((writer), (writer)->format->hook != NULL, (fits_tail)); \
	     (open).out != NULL; end_record((writer), (open)), (open).out = NULL)

/* Writes a record that refers to no other: calls the function hook of the format with the
 * remaining arguments. */
#define WRITE_RECORD(writer, fits_tail, hook, ...)  \
	WITH_RECORD(writer, fits_tail, hook, open_) \
	(writer)->format->hook((writer)->state, open_.out, __VA_ARGS__)

/* Writes a record after the traces of its rows. */
#define WRITE_TRACED_RECORD(writer, hook, record)                                  \
	WITH_RECORD(writer, true, hook, open_) {                                   \
		for (size_t i_ = 0; i_ < (record)->row_count; i_++)                \
			need_trace((writer), open_.out, (record)->rows[i_].trace); \
		(writer)->format->hook((writer)->state, open_.out, (record));      \
	}

/* After a failure, drops the incomplete bytes of pending from start on, and fails the record
 * in out, too. */
static void drop_if_failed(struct byte_buffer *pending, size_t start, struct byte_buffer *out)
{
	if (pending->error == 0)
		return;
	byte_buffer_truncate(pending, start);
	byte_buffer_fail(out, pending->error);
}

/* Writes the trace, unless it has been written, before a record in out that refers to it. It
 * goes to pending even if out is the tail, since the tail will be replaced. Holds
 * record_lock. */
static void need_trace(struct record_writer *writer, struct byte_buffer *out,
                       const struct trace *trace)
{
	struct byte_buffer *pending = &writer->pending;
	size_t start = pending->length;

	if (!writer->format->trace || out->error != 0)
		return;
	switch (written_set_add(&writer->traces, trace->serial - TRACE_SERIAL_EMPTY)) {
	case WRITTEN_BEFORE:
		return;
	case WRITTEN_NEVER:
		writer->format->trace(writer->state, pending, trace);
		break;
	case WRITTEN_NO_MEMORY:
		byte_buffer_fail(pending, BYTES_NO_MEMORY);
		break;
	}
	drop_if_failed(pending, start, out);
}

/* As need_trace(), for a class, in a format with class records. */
static void need_class(struct record_writer *writer, struct byte_buffer *out,
                       const struct class_record *class)
{
	struct byte_buffer *pending = &writer->pending;
	size_t start = pending->length;

	if (!writer->format->class_load || out->error != 0)
		return;
	writer->format->class_load(writer->state, pending, class);
	drop_if_failed(pending, start, out);
}

void writer_thread_start(struct record_writer *writer, const struct thread_record *thread)
{
	WITH_RECORD(writer, false, thread_start, open) {
		writer->format->thread_start(writer->state, open.out, thread);
		writer->has_thread = true;
	}
}

void writer_thread_end(struct record_writer *writer, const struct thread_record *thread)
{
	WRITE_RECORD(writer, false, thread_end, thread);
}

void writer_class_load(struct record_writer *writer, const struct class_record *class)
{
	WRITE_RECORD(writer, false, class_load, class);
}

void writer_class_unload(struct record_writer *writer, const struct class_record *class)
{
	WRITE_RECORD(writer, false, class_unload, class);
}

/* may_wait: before the first thread, the trace is left to the first record that refers to
 * it. */
static void write_trace(struct record_writer *writer, const struct trace *trace, bool may_wait)
{
	WITH_RECORD(writer, false, trace, open) {
		if (!may_wait || writer->has_thread || !writer->format->threads_first)
			need_trace(writer, open.out, trace);
	}
}

void writer_trace(struct record_writer *writer, const struct trace *trace)
{
	write_trace(writer, trace, true);
}

void writer_trace_again(struct record_writer *writer, const struct trace *trace)
{
	WITH_RECORD(writer, false, trace, open) {
		if (written_set_has(&writer->traces, trace->serial - TRACE_SERIAL_EMPTY))
			writer->format->trace(writer->state, open.out, trace);
		else
			need_trace(writer, open.out, trace);
	}
}

void writer_traces(struct record_writer *writer, struct trace_table *table)
{
	uint32_t count = trace_table_count(table);

	for (uint32_t i = 0; i < count; i++)
		write_trace(writer, trace_table_find(table, TRACE_SERIAL_EMPTY + i), false);
}

void writer_cpu_samples(struct record_writer *writer, const struct cpu_samples_record *record)
{
	WITH_RECORD(writer, true, cpu_samples, open) {
		for (size_t i = 0; i < record->row_count; i++) {
			if (record->rows[i].count > 0)
				need_trace(writer, open.out, record->rows[i].trace);
		}
		writer->format->cpu_samples(writer->state, open.out, record);
	}
}

void writer_times(struct record_writer *writer, const struct times_record *record)
{
	WRITE_TRACED_RECORD(writer, times, record);
}

void writer_sample_times(struct record_writer *writer, const struct sample_times_record *record)
{
	WRITE_TRACED_RECORD(writer, sample_times, record);
}

void writer_trace_costs(struct record_writer *writer, const struct trace_costs_record *record)
{
	WRITE_TRACED_RECORD(writer, trace_costs, record);
}

void writer_call_pairs(struct record_writer *writer, const struct call_pair_row *rows,
                       size_t row_count)
{
	WRITE_RECORD(writer, true, call_pairs, rows, row_count);
}

void writer_microstates(struct record_writer *writer, const struct microstates_record *record)
{
	WRITE_RECORD(writer, true, microstates, record);
}

void writer_trace_states(struct record_writer *writer, const struct trace_states_record *record)
{
	WRITE_TRACED_RECORD(writer, trace_states, record);
}

void writer_heap_summary(struct record_writer *writer, const struct heap_summary_record *record)
{
	WRITE_RECORD(writer, true, heap_summary, record);
}

void writer_monitor_wait(struct record_writer *writer, const struct monitor_wait_record *record)
{
	WRITE_RECORD(writer, false, monitor_wait, record);
}

void writer_monitor_times(struct record_writer *writer, const struct monitor_times_record *record)
{
	WRITE_TRACED_RECORD(writer, monitor_times, record);
}

void writer_monitor_dump(struct record_writer *writer, const struct monitor_dump_record *record)
{
	WITH_RECORD(writer, false, monitor_dump, open) {
		for (size_t i = 0; i < record->thread_count; i++)
			need_trace(writer, open.out, record->threads[i].trace);
		writer->format->monitor_dump(writer->state, open.out, record);
	}
}

void writer_sites(struct record_writer *writer, const struct sites_record *record)
{
	WITH_RECORD(writer, true, sites, open) {
		for (size_t i = 0; i < record->row_count; i++) {
			need_trace(writer, open.out, record->rows[i].trace);
			need_class(writer, open.out, record->rows[i].class);
		}
		writer->format->sites(writer->state, open.out, record);
	}
}

void writer_control_settings(struct record_writer *writer, uint32_t flags, uint16_t depth)
{
	WRITE_RECORD(writer, false, control_settings, flags, depth);
}

void writer_note(struct record_writer *writer, const char *text)
{
	WRITE_RECORD(writer, true, note, text);
}

/* ---- heap dumps ------------------------------------------------------- */

void writer_fail(struct record_writer *writer, int error)
{
	fail(writer, error);
}

const struct heap_format *writer_heap_format(const struct record_writer *writer)
{
	return writer->format->heap;
}

/* Moves what is pending to the sink. Holds sink_lock. */
static void flush_locked(struct record_writer *writer)
{
	os_mutex_lock(&writer->record_lock);
	take_pending(writer);
	os_mutex_unlock(&writer->record_lock);
	append_outgoing(writer);
}

/* Sets whether a stream owns the sink, and moves what is pending to the sink. Holds sink_lock, but
 * not for the whole stream, which may take long: a thread that flushes gets the lock at once and
 * finds that it must not. */
static void set_streaming(struct record_writer *writer, bool streaming)
{
	os_mutex_lock(&writer->record_lock);
	writer->streaming = streaming;
	os_mutex_unlock(&writer->record_lock);
	flush_locked(writer);
}

static bool has_groups(const struct record_writer *writer)
{
	return writer->sink->ops->begin_group != NULL;
}

void writer_group_begin(struct record_writer *writer)
{
	os_mutex_lock(&writer->sink_lock);
	flush_locked(writer);
	if (has_groups(writer))
		writer->sink->ops->begin_group(writer->sink);
	os_mutex_unlock(&writer->sink_lock);
}

void writer_group_end(struct record_writer *writer)
{
	os_mutex_lock(&writer->sink_lock);
	flush_locked(writer);
	if (has_groups(writer))
		writer->sink->ops->end_group(writer->sink, writer_error(writer) == 0);
	os_mutex_unlock(&writer->sink_lock);
}

void writer_stream_begin(struct record_writer *writer)
{
	os_mutex_lock(&writer->sink_lock);
	set_streaming(writer, true);
	if (has_groups(writer))
		writer->sink->ops->begin_group(writer->sink);
	os_mutex_unlock(&writer->sink_lock);
}

void writer_stream_write(struct record_writer *writer, const void *bytes, size_t length)
{
	os_mutex_lock(&writer->sink_lock);
	if (length > 0 && !writer->sink_failed && writer_error(writer) == 0) {
		int error = writer->sink->ops->write(writer->sink, bytes, length);
		writer->sink_failed = error != 0;
		writer->has_tail = false;
		fail(writer, error);
	}
	os_mutex_unlock(&writer->sink_lock);
}

/* After any error the stream is incomplete: it may end within a record. */
void writer_stream_end(struct record_writer *writer)
{
	os_mutex_lock(&writer->sink_lock);
	set_streaming(writer, false);
	bool whole = writer_error(writer) == 0;
	if (has_groups(writer))
		writer->sink->ops->end_group(writer->sink, whole);
	writer->sink_failed = !whole;
	byte_buffer_free(&writer->beside);
	os_mutex_unlock(&writer->sink_lock);
}

bool writer_stream_remove(struct record_writer *writer)
{
	os_mutex_lock(&writer->sink_lock);
	bool can_remove =
	        has_groups(writer) && writer->beside.error == 0 && writer_error(writer) == 0;
	if (can_remove) {
		writer->sink->ops->end_group(writer->sink, false);
		byte_buffer_free(&writer->outgoing);
		writer->outgoing = writer->beside;
		byte_buffer_init(&writer->beside);
		append_outgoing(writer);
		set_streaming(writer, false);
	}
	os_mutex_unlock(&writer->sink_lock);
	return can_remove;
}

void writer_heap_names(struct record_writer *writer, const struct heap_class *class)
{
	WRITE_RECORD(writer, false, heap->names, class);
}

void writer_heap_segment(struct record_writer *writer, uint64_t length)
{
	size_t records = 0; /* bytes before the head */

	os_mutex_lock(&writer->sink_lock);
	WITH_RECORD(writer, false, heap->segment, open) {
		/* Another thread's record must not come between the head and the segment's bytes.
		 */
		writer->format->heap->segment(writer->state, open.out, length);
		if (open.out->error == 0) {
			records = open.start;
			take_pending(writer);
		}
	}
	if (has_groups(writer))
		byte_buffer_add(&writer->beside, writer->outgoing.bytes, records);
	append_outgoing(writer);
	os_mutex_unlock(&writer->sink_lock);
}

void writer_heap_segments_end(struct record_writer *writer)
{
	WITH_RECORD(writer, false, heap->segments_end, open)
		writer->format->heap->segments_end(writer->state, open.out);
}

/* ---- life ------------------------------------------------------------- */

/* Frees everything except the sink. */
static void destroy(struct record_writer *writer)
{
	if (writer->state)
		writer->format->destroy(writer->state);
	byte_buffer_free(&writer->pending);
	byte_buffer_free(&writer->tail);
	byte_buffer_free(&writer->outgoing);
	byte_buffer_free(&writer->beside);
	written_set_free(&writer->traces);
	os_mutex_destroy(&writer->record_lock);
	os_mutex_destroy(&writer->sink_lock);
	free(writer);
}

/* A zeroed writer with initialized locks, or NULL. */
static struct record_writer *allocate(void)
{
	struct record_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return NULL;
	if (os_mutex_init(&writer->record_lock) != 0) {
		free(writer);
		return NULL;
	}
	if (os_mutex_init(&writer->sink_lock) != 0) {
		os_mutex_destroy(&writer->record_lock);
		free(writer);
		return NULL;
	}
	return writer;
}

struct record_writer *writer_create(const struct record_format *format, struct sink *sink,
                                    unsigned id_size, int64_t created_wall_ms)
{
	struct record_writer *writer = allocate();
	if (!writer)
		return NULL;
	writer->format = format;
	writer->id_size = id_size;
	writer->sink = sink;

	if (format->create) {
		writer->state = format->create(id_size, created_wall_ms);
		if (!writer->state) {
			destroy(writer);
			return NULL;
		}
	}
	format->header(writer->state, &writer->pending, created_wall_ms);
	/* The format writes the empty trace itself. */
	if (written_set_add(&writer->traces, 0) == WRITTEN_NO_MEMORY)
		byte_buffer_fail(&writer->pending, BYTES_NO_MEMORY);
	if (writer->pending.error != 0) {
		destroy(writer);
		return NULL;
	}
	writer_flush(writer);
	return writer;
}

int writer_finish(struct record_writer *writer)
{
	writer_flush(writer);

	os_mutex_lock(&writer->sink_lock);
	struct sink *sink = writer->sink;
	writer->sink = NULL;
	writer->sink_failed = true;
	os_mutex_unlock(&writer->sink_lock);

	/* Without the lock: closing may take long, and threads that still write records
	 * need not wait for it. */
	if (sink)
		fail(writer, sink->ops->close(sink));

	int error = writer_error(writer);
	fail(writer, OS_CLOSED);
	return error;
}

int writer_close(struct record_writer *writer)
{
	int error = writer_finish(writer);
	destroy(writer);
	return error;
}
