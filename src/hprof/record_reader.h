/*
 * record_reader.h: reads the records of a binary profile, each after hprof_next_record(); the
 * sub-records of heap dumps are in heap_reader.h. One thread; no lock.
 *
 * Each function reads the fields of its struct in the order of the file. It returns false after
 * an error: the record or the file ends before them, and those that it lacks are 0. What follows
 * the fields is for the caller to read or to skip.
 */
#ifndef HPROF_HPROF_RECORD_READER_H
#define HPROF_HPROF_RECORD_READER_H

#include "hprof/hprof_reader.h"

#include <stdbool.h>
#include <stdint.h>

/* A STRING. Its text follows. */
struct hprof_string {
	uint64_t id;
	uint64_t length; /* of the text, in bytes */
};

struct hprof_load_class {
	uint32_t serial;
	uint64_t object_id;
	uint32_t trace_serial;
	uint64_t name_id;
};

/* A STACK FRAME. */
struct hprof_frame {
	uint64_t id;
	uint64_t name_id; /* of the method */
	uint64_t signature_id;
	uint64_t source_id; /* 0: none */
	uint32_t class_serial;
	int32_t line; /* > 0, or one of LINE_* (model/methods.h) */
};

/* A STACK TRACE. The ids of its frames follow, depth of them: hprof_read_id(). */
struct hprof_trace {
	uint32_t serial;
	uint32_t thread_serial;
	uint32_t depth;
};

/* A START THREAD. The ids of three names follow: its own, that of its group and that of the
 * parent group; each is read by hprof_read_id(), and may be 0. */
struct hprof_thread {
	uint32_t serial;
	uint64_t object_id;
	uint32_t trace_serial;
};
enum { HPROF_THREAD_NAMES = 3 };

/* A CPU SAMPLES. Its rows follow. */
struct hprof_samples {
	uint32_t total;
	uint32_t row_count;
};

/* One of its rows, HPROF_SAMPLE_BYTES. */
struct hprof_sample {
	uint32_t count;
	uint32_t trace_serial;
};

/* What is live, and what has been allocated. */
struct hprof_totals {
	uint64_t live_bytes;
	uint64_t live_objects;
	uint64_t allocated_bytes;
	uint64_t allocated_objects;
};

/* An ALLOC SITES. Its rows follow. */
struct hprof_sites {
	uint16_t flags; /* enum hprof_sites_flag */
	uint32_t row_count;
};

/* One of its rows, HPROF_SITE_BYTES. */
struct hprof_site {
	uint8_t type; /* of an array's elements; 0: the class is not an array */
	uint32_t class_serial;
	uint32_t trace_serial;
};

struct hprof_control_settings {
	uint32_t flags; /* CONTROL_ (records.h) */
	uint16_t depth;
};

/* UNLOAD CLASS and END THREAD have one field, a serial number: hprof_read_u4(). */
bool hprof_read_string(struct hprof_reader *reader, struct hprof_string *string);
bool hprof_read_load_class(struct hprof_reader *reader, struct hprof_load_class *class);
bool hprof_read_frame(struct hprof_reader *reader, struct hprof_frame *frame);
bool hprof_read_trace(struct hprof_reader *reader, struct hprof_trace *trace);
bool hprof_read_thread(struct hprof_reader *reader, struct hprof_thread *thread);
bool hprof_read_samples(struct hprof_reader *reader, struct hprof_samples *samples);
bool hprof_read_sample(struct hprof_reader *reader, struct hprof_sample *sample);
bool hprof_read_control_settings(struct hprof_reader *reader,
                                 struct hprof_control_settings *settings);

/* totals and counts may be NULL: they are skipped. */
bool hprof_read_heap_summary(struct hprof_reader *reader, struct hprof_totals *totals);
bool hprof_read_sites(struct hprof_reader *reader, struct hprof_sites *sites,
                      struct hprof_totals *totals);
bool hprof_read_site(struct hprof_reader *reader, struct hprof_site *site,
                     struct hprof_totals *counts);

#endif
