/*
 * writer_fixture.h: shared by the tests of the record writer: a sink in memory that
 * can fail on request, records to write, and comparisons that print the difference.
 * Records are plain structs, so the model's tables are not needed.
 */
#ifndef HPROF_TESTS_WRITER_FIXTURE_H
#define HPROF_TESTS_WRITER_FIXTURE_H

#include "hprof/record_format.h"
#include "output/record_writer.h"

#include <check.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The error that the test sink returns. */
#define SINK_BROKEN 4711

/* Sat Nov 21 02:55:43 2026, in UTC */
#define CREATED_WALL_MS INT64_C(1795229743123)

/* ---- a sink in memory ------------------------------------------------- */

struct memory_sink {
	struct sink sink;
	uint8_t bytes[16 * 1024 * 1024];
	size_t appended;  /* bytes without the tail */
	size_t length;    /* with the tail */
	unsigned calls;   /* of write and set_tail */
	unsigned fail_at; /* the call that fails; 0: none */
	bool failed;
	unsigned calls_after_failure;
	unsigned closed; /* calls of close */
	int close_error;
};

int memory_write(struct sink *to, const void *bytes, size_t length);
int memory_close(struct sink *to);
extern const struct sink_ops memory_ops;

/* The one memory sink of a test program, emptied. */
struct memory_sink *memory_sink_reset(void);

/* ---- records ---------------------------------------------------------- */

#define STRING(number, words)                                                \
	{                                                                    \
		.id = (number), .length = sizeof(words) - 1, .text = (words) \
	}

extern const struct string name_main;
extern const struct string name_group;
extern const struct string name_none;
extern const struct string name_class;
extern const struct string name_work;
extern const struct string name_locked;
extern const struct string name_source;
extern const struct string name_signature;
extern const struct string name_run;
extern const struct thread_record thread_main;
extern const struct class_record class_sample;
extern const struct class_record class_lambda;
extern const struct method method_work;
extern const struct method method_locked;
extern const struct frame frame_work;
extern const struct frame frame_locked;
extern const struct frame frame_run;
extern const struct frame *const frames_locked[];
extern const struct trace trace_empty;
extern const struct trace trace_work;
extern const struct trace trace_locked;
extern const struct cost_row sample_rows[];
extern const struct cpu_samples_record samples;

/* ---- comparisons ------------------------------------------------------ */

/* Checks that bytes match the pattern: two hexadecimal digits for a byte,
 * ?? for any byte, 'text' for its characters. Spaces are for the reader. */
void expect_bytes(const uint8_t *bytes, size_t length, const char *pattern);

/* Checks that bytes are exactly this text. */
void expect_text(const uint8_t *bytes, size_t length, const char *text);

#endif
