/*
 * record_writer.h: writes the records of a profile (records.h) in one of the formats
 * of record_format.h, from any thread, to a sink.
 *
 * Locking: each function takes the writer's record lock for one record, so
 * records of several threads never mix. Bytes collect in memory; the agent's own
 * thread calls writer_flush() at least once a second, which does its I/O under
 * another lock. A thread of the program does I/O, and waits for that of others,
 * only when the buffer is past its high-water mark (256 KiB).
 *
 * Errors: the first failure is kept, everything after it is dropped, and
 * writer_error() tells it: the sink's code, BYTES_NO_MEMORY, or BYTES_TOO_LARGE
 * for a record that the format can't hold (see byte_buffer.h). A record is
 * dropped as a whole. Those that were complete before a failure that was not the
 * sink's still go out.
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

/* Makes a writer of format into sink, which it takes over, and flushes the file
 * header, so that writer_error() tells at once whether the sink takes anything. The
 * empty trace (TRACE_SERIAL_EMPTY) is written unasked. id_size is 4 or 8 (binary).
 * created_wall_ms is the moment in the header; TIME fields count from it. NULL
 * without memory (the sink is then still the caller's). */
struct record_writer *writer_create(const struct record_format *format, struct sink *sink,
                                    unsigned id_size, int64_t created_wall_ms);

/* Flushes and closes the sink; the writer stays, and drops whatever is written
 * to it from now on. For the end of a VM some of whose threads still run. Returns
 * the first failure until now, closing included, or 0. Not while a tail is open. */
int writer_finish(struct record_writer *writer);

/* Flushes, closes the sink and frees the writer. Returns what writer_error()
 * would. No other thread may be using the writer. A tail that nothing followed
 * stays in the file. */
int writer_close(struct record_writer *writer);

/* THREAD START / START THREAD. */
void writer_thread_start(struct record_writer *writer, const struct thread_record *thread);
/* THREAD END / END THREAD. */
void writer_thread_end(struct record_writer *writer, const struct thread_record *thread);
/* LOAD CLASS, UNLOAD CLASS: binary only, nothing in text. A class that a frame
 * refers to is written by itself when it has not been, and none is written
 * twice; the end of a class that was never written is left out. */
void writer_class_load(struct record_writer *writer, const struct class_record *class);
void writer_class_unload(struct record_writer *writer, const struct class_record *class);
/* TRACE / STACK TRACE with the STRING, LOAD CLASS and STACK FRAME records that it
 * needs, unless it has been written. Records whose rows name traces write those that
 * are missing first, so that no thread depends on another one's call. In text nothing
 * before the first THREAD START: the trace comes with the first record that names it. */
void writer_trace(struct record_writer *writer, const struct trace *trace);
/* The same, even if it has been written: the answer to a command. */
void writer_trace_again(struct record_writer *writer, const struct trace *trace);
/* Writes those of a table's traces that have not been written. */
void writer_traces(struct record_writer *writer, struct trace_table *table);
/* CPU SAMPLES. */
void writer_cpu_samples(struct record_writer *writer, const struct cpu_samples_record *record);
/* CPU TIME, OFF-CPU TIME: text only. */
void writer_times(struct record_writer *writer, const struct times_record *record);
/* SITES / ALLOC SITES with the LOAD CLASS records that it needs. */
void writer_sites(struct record_writer *writer, const struct sites_record *record);
/* The table of the older format; nothing in the others. */
void writer_call_pairs(struct record_writer *writer, const struct call_pair_row *rows,
                       size_t row_count);
/* THREAD MICROSTATES: text only. */
void writer_microstates(struct record_writer *writer, const struct microstates_record *record);
/* HEAP SUMMARY: binary only. */
void writer_heap_summary(struct record_writer *writer, const struct heap_summary_record *record);
/* WAIT, WAITED; MONITOR TIME; MONITOR DUMP: text only. The last is never a part
 * of a tail. */
void writer_monitor_wait(struct record_writer *writer, const struct monitor_wait_record *record);
void writer_monitor_times(struct record_writer *writer, const struct monitor_times_record *record);
void writer_monitor_dump(struct record_writer *writer, const struct monitor_dump_record *record);
/* CONTROL SETTINGS: binary only. */
void writer_control_settings(struct record_writer *writer, uint32_t flags, uint16_t depth);
/* A line "NOTE: text" in text, nothing in binary. A newline in text would be
 * escaped. */
void writer_note(struct record_writer *writer, const char *text);

/* The size of identifiers, 4 or 8. Any thread, no lock. */
unsigned writer_id_size(const struct record_writer *writer);

/* Moves everything that was written to the sink. Any thread. */
void writer_flush(struct record_writer *writer);

/* Between these two, the CPU SAMPLES and notes of the calling thread go to a
 * provisional tail. Its other records, and all those of other threads, are
 * written as ever. end flushes them, so that the traces are out that the tail
 * refers to, and then replaces the tail that was in the file (see sink.h). The
 * next flush of a record removes it. begin returns false, and end must not be
 * called, when the sink has no tails or something has failed. One thread at a
 * time. */
bool writer_tail_begin(struct record_writer *writer);
void writer_tail_end(struct record_writer *writer);

/* ---- heap dumps, for heap_writer ------------------------------------- */

/* How the format writes heap dumps, or NULL. */
const struct heap_format *writer_heap_format(const struct record_writer *writer);

/* From begin to end the sink is the caller's: what it streams follows the records that
 * were written before begin; others collect in memory, however many, until the next
 * segment, or else the end. One thread at a time; nobody else waits for the end, and
 * a flush of theirs does nothing until then. No tail meanwhile. */
void writer_stream_begin(struct record_writer *writer);
void writer_stream_write(struct record_writer *writer, const void *bytes, size_t length);
void writer_stream_end(struct record_writer *writer);

/* The records that a class dump refers to. */
void writer_heap_names(struct record_writer *writer, const struct heap_class *class);

/* During a stream: all records until now, and the head of a segment with that many
 * bytes, which the caller streams next. */
void writer_heap_segment(struct record_writer *writer, uint64_t length);
/* The end of all segments. */
void writer_heap_segments_end(struct record_writer *writer);

/* Makes error the writer's, unless it has failed before. */
void writer_fail(struct record_writer *writer, int error);

/* 0, or the first failure: a code for os_error_text(). Any thread, no lock. */
int writer_error(const struct record_writer *writer);

#endif
