/*
 * record_writer.h: the records of a profile, whatever the format. Text and
 * binary are two implementations of struct record_format; a third is a new file.
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

#include "model/model.h"
#include "os/os.h"
#include "output/monitor_records.h"
#include "output/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_writer;
struct record_format;
struct heap_class;
struct heap_format;

/* The two classic formats, and the older one of cpu=old, which has nothing but
 * its own section. Text has a version that marks frames of native methods. Binary has a
 * version of its own for files with heap dumps, which come in segments. */
extern const struct record_format record_format_text;
extern const struct record_format record_format_text_native;
extern const struct record_format record_format_binary;
extern const struct record_format record_format_binary_segments;
extern const struct record_format record_format_old;

/* One row of a CPU SAMPLES section. */
struct cost_row {
	const struct trace *trace;
	uint64_t count;
};

/* A CPU SAMPLES section: rows come sorted and cut off by the caller (see
 * cost_table.h), and rows without samples are left out; total counts the rows
 * that were cut off too. */
struct cpu_samples_record {
	int64_t wall_ms;
	uint64_t total;
	size_t row_count;
	const struct cost_row *rows;
};

/* One row of a CPU TIME or OFF-CPU TIME section. */
struct time_row {
	const struct trace *trace;
	uint64_t calls;
	uint64_t self_ns;
};

enum time_section { TIME_SECTION_CPU, TIME_SECTION_OFF_CPU };

/* A CPU TIME or OFF-CPU TIME section; rows and total as for CPU SAMPLES. */
struct times_record {
	enum time_section section;
	int64_t wall_ms;
	uint64_t total_ns;
	size_t row_count;
	const struct time_row *rows;
};

/* One row of the older format: calls of a method by another, or by one that is
 * not known. */
struct call_pair_row {
	const struct method *callee;
	const struct method *caller; /* NULL when not known */
	uint64_t calls;
	uint64_t total_ns; /* CPU time of the calls and of all that they called */
};

/* One row of a THREAD MICROSTATES section. */
struct microstates_row {
	uint32_t thread_serial;
	const struct string *name;
	struct os_microstates states; /* nothing in known: the thread's are not known */
};

/* A THREAD MICROSTATES section. */
struct microstates_record {
	int64_t wall_ms;
	size_t row_count;
	const struct microstates_row *rows;
};

/* HEAP SUMMARY. */
struct heap_summary_record {
	uint64_t live_bytes;
	uint64_t live_instances;
	uint64_t allocated_bytes; /* since the start; 0 when nobody counts them */
	uint64_t allocated_instances;
};

/* One row of a SITES section or an ALLOC SITES record. */
struct site_row {
	const struct trace *trace;
	const struct class_record *class;
	uint64_t live_bytes;
	uint64_t live_objects;
	uint64_t allocated_bytes;
	uint64_t allocated_objects;
};

/* A SITES section, the ALLOC SITES record: rows come sorted and cut off by the caller;
 * the sums count the rows that were cut off too. Without live, objects were not
 * followed, and the live columns are 0. */
struct sites_record {
	int64_t wall_ms;
	bool live;
	bool by_allocation; /* else rows are sorted by live bytes */
	bool incremental;   /* allocated counts begin at the last such record */
	bool forced_gc;     /* the garbage was collected before */
	uint32_t sampled;   /* bytes between sampled allocations; 0: all count */
	double cutoff;
	struct site_row sums; /* its trace and class are NULL */
	size_t row_count;
	const struct site_row *rows;
};

/* CONTROL SETTINGS flags (HPROF binary format). */
enum { CONTROL_ALLOC_TRACES = 0x1, CONTROL_CPU_SAMPLING = 0x2 };

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
void writer_stream(struct record_writer *writer, const void *bytes, size_t length);
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
