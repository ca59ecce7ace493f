/*
 * record_writer.h: writes the records of a profile (records.h) in one of the formats
 * of record_format.h, from any thread, to a sink.
 *
 * Locking: each function takes the writer's record lock for one record, so
 * records of several threads never mix. Bytes collect in memory; the agent
 * thread calls writer_flush() at least once a second, which does its I/O under
 * another lock. A thread of the program does I/O, or waits for the I/O of another
 * thread, only when the buffer is past its high-water mark (256 KiB).
 *
 * Errors: the first error is kept and returned by writer_error(), and everything
 * after it is dropped: the sink's code, BYTES_NO_MEMORY, or BYTES_TOO_LARGE for a
 * record that does not fit the format (see byte_buffer.h). A record is dropped as
 * a whole. Records that were complete before the error are still written, unless
 * it was the sink's, or occurred during a heap dump, which is then removed from a file.
 */
#ifndef HPROF_OUTPUT_RECORD_WRITER_H
#define HPROF_OUTPUT_RECORD_WRITER_H

#include "hprof/records.h"
#include "model/model.h"
#include "output/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_writer;
struct record_format;
struct heap_class;
struct heap_format;

/* Creates a writer of the format into sink, which it then owns, and flushes the file
 * header, so that writer_error() shows at once whether the sink works. The writer adds
 * the empty trace (TRACE_SERIAL_EMPTY) itself. id_size is 4 or 8 bytes (binary).
 * created_wall_ms is the time in the header, in ms since 1970; TIME fields count from it.
 * NULL without memory: the caller then still owns the sink. */
struct record_writer *writer_create(const struct record_format *format, struct sink *sink,
                                    unsigned id_size, int64_t created_wall_ms);

/* Flushes and closes the sink. The writer stays valid and drops all further records: for
 * the end of a VM, when threads may still be running. Returns the first error so far,
 * including that of closing, or 0. Must not be called while a tail is open. */
int writer_finish(struct record_writer *writer);

/* Flushes, closes the sink and frees the writer. Returns the first error or 0. No other
 * thread may be using the writer. A tail without later records stays in the file. */
int writer_close(struct record_writer *writer);

/* THREAD START / START THREAD. */
void writer_thread_start(struct record_writer *writer, const struct thread_record *thread);
/* THREAD END / END THREAD. */
void writer_thread_end(struct record_writer *writer, const struct thread_record *thread);
/* LOAD CLASS, UNLOAD CLASS: binary only, nothing in text. A class is written once: here, or
 * before the first frame that refers to it. UNLOAD CLASS is left out for a class that was
 * never written. */
void writer_class_load(struct record_writer *writer, const struct class_record *class);
void writer_class_unload(struct record_writer *writer, const struct class_record *class);
/* TRACE / STACK TRACE with the STRING, LOAD CLASS and STACK FRAME records that it
 * needs, unless it has been written. A record with rows that refer to traces writes missing
 * traces first, so a reference never precedes its trace, whatever other threads do. In text,
 * writes nothing before the first THREAD START: the trace is then written before the first
 * record that refers to it. */
void writer_trace(struct record_writer *writer, const struct trace *trace);
/* As writer_trace(), even if the trace has been written: for the reply to a command. */
void writer_trace_again(struct record_writer *writer, const struct trace *trace);
/* Writes all traces of a table that have not been written. */
void writer_traces(struct record_writer *writer, struct trace_table *table);
/* CPU SAMPLES. */
void writer_cpu_samples(struct record_writer *writer, const struct cpu_samples_record *record);
/* SAMPLE TIMES, TRACE COSTS, which follow their table: text only. */
void writer_sample_times(struct record_writer *writer, const struct sample_times_record *record);
void writer_trace_costs(struct record_writer *writer, const struct trace_costs_record *record);
/* CPU TIME, OFF-CPU TIME: text only. */
void writer_times(struct record_writer *writer, const struct times_record *record);
/* SITES / ALLOC SITES with the LOAD CLASS records that it needs. */
void writer_sites(struct record_writer *writer, const struct sites_record *record);
/* The table of the older format; nothing in the others. */
void writer_call_pairs(struct record_writer *writer, const struct call_pair_row *rows,
                       size_t row_count);
/* THREAD MICROSTATES, TRACE MICROSTATES: text only. */
void writer_microstates(struct record_writer *writer, const struct microstates_record *record);
void writer_trace_states(struct record_writer *writer, const struct trace_states_record *record);
/* HEAP SUMMARY: binary only. */
void writer_heap_summary(struct record_writer *writer, const struct heap_summary_record *record);
/* WAIT, WAITED; MONITOR TIME; MONITOR DUMP: text only. MONITOR DUMP is never part
 * of a tail. */
void writer_monitor_wait(struct record_writer *writer, const struct monitor_wait_record *record);
void writer_monitor_times(struct record_writer *writer, const struct monitor_times_record *record);
void writer_monitor_dump(struct record_writer *writer, const struct monitor_dump_record *record);
/* CONTROL SETTINGS: binary only. */
void writer_control_settings(struct record_writer *writer, uint32_t flags, uint16_t depth);
/* A line "NOTE: text" in text, nothing in binary. Newlines are escaped. */
void writer_note(struct record_writer *writer, const char *text);

/* The size of identifiers, 4 or 8. Any thread, no lock. */
unsigned writer_id_size(const struct record_writer *writer);

/* Moves all records written so far to the sink. Any thread. */
void writer_flush(struct record_writer *writer);

/* Between these two calls, the sections and notes of the calling thread go to a
 * provisional tail. Its other records, and all records of other threads, are
 * written as usual. end flushes those, so that the traces the tail refers to
 * precede it, and then replaces the previous tail of the file (see sink.h). The
 * next flush of a record removes the tail. begin returns false, and end must not
 * be called, if the sink has no tails or after an error. One thread at a time. */
bool writer_tail_begin(struct record_writer *writer);
void writer_tail_end(struct record_writer *writer);

/* Between these two calls, what is written is of use only together: the sections of a dump. After
 * an error the end removes it, where the sink can, except heap dumps that are whole and what is
 * before them; see begin_group in sink.h. One group at a time; a stream may be in it, and no tail.
 */
void writer_group_begin(struct record_writer *writer);
void writer_group_end(struct record_writer *writer);

/* ---- heap dumps, for heap_writer ------------------------------------- */

/* How the format writes heap dumps, or NULL. */
const struct heap_format *writer_heap_format(const struct record_writer *writer);

/* From begin to end the sink belongs to the caller: its bytes are written after the records
 * that precede begin. Records of other threads collect in memory, without a limit, until the
 * next segment or the end; a flush by another thread returns at once and does nothing. One
 * stream at a time, and no tail during a stream. After an error the end removes the stream, and
 * what was written with it, where the sink can. */
void writer_stream_begin(struct record_writer *writer);
void writer_stream_write(struct record_writer *writer, const void *bytes, size_t length);
void writer_stream_end(struct record_writer *writer);

/* Ends the stream and removes it from the sink; records that were written between its parts are
 * written again. False, and the stream goes on, if the sink has no groups, without memory, and
 * after an error. */
bool writer_stream_remove(struct record_writer *writer);

/* The records that a class dump refers to. */
void writer_heap_names(struct record_writer *writer, const struct heap_class *class);

/* During a stream: writes all records so far, and the head of a segment of length bytes,
 * which the caller streams next. */
void writer_heap_segment(struct record_writer *writer, uint64_t length);
/* Writes the record that ends the segments. */
void writer_heap_segments_end(struct record_writer *writer);

/* Sets the writer's error, unless one is set already. Any thread. */
void writer_fail(struct record_writer *writer, int error);

/* 0, or the first error, a code for os_error_text(). Any thread, no lock. */
int writer_error(const struct record_writer *writer);

#endif
