/*
 * dump_merge_fixture.h: shared by the tests of the merge of a heap dump: a small dump, in memory
 * and in a file, and its merge into a memory sink.
 */
#ifndef HPROF_TESTS_DUMP_MERGE_FIXTURE_H
#define HPROF_TESTS_DUMP_MERGE_FIXTURE_H

#include "heap_fixture.h"
#include "writer_fixture.h"

#include "heapdump/dump_merge.h"

#include <stdlib.h>

/* Strings, classes and objects of the file. */
enum { OBJECT = 1, NODE, NEXT, COUNT, THREAD, TID, ARRAY, STATIC, RUN, SIGNATURE, SOURCE };
enum { C_OBJECT = 0x1000, C_NODE = 0x1008, C_THREAD = 0x1010, C_ARRAY = 0x1018 };
enum { O_FIRST = 0x2000, O_SECOND = 0x2008, O_THREAD = 0x2010, O_ARRAY = 0x2018, O_BYTES = 0x2020 };

extern struct byte_buffer bytes;
extern struct os_file file;
extern struct model model;
extern struct memory_sink *memory;
extern struct record_writer *writer;
extern size_t header;
extern uint64_t reported_read;
extern uint64_t reported_written;
extern uint64_t reported_total;

void add_list(struct byte_buffer *to, unsigned count);
void add_field(struct byte_buffer *to, uint64_t name, uint8_t type);
void add_names(void);
void add_classes(void);
void add_node(uint64_t id, uint64_t next, uint32_t count);

/* Fills bytes with the whole dump. */
void make_dump(void);

extern const struct merge_ops ops;

/* Called before and after the merge of a dump; may be NULL. */
extern void (*before_merge)(void);
extern void (*after_merge)(void);
extern uint64_t object_count;
extern int writing_error; /* the writer's */

/* Makes the file one that is still being written; NULL: it is complete. */
extern hprof_more *more;

/* Merges the dump in bytes, or its first length bytes. */
int merge_first(const struct record_format *format, size_t length);
int merge_all(const struct record_format *format);

void set_up(void);
void tear_down(void);

#endif
