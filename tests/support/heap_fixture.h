/*
 * heap_fixture.h: what the tests of heap dumps share: files in the HPROF binary format
 * that are put together here, record by record, with ids of 8 bytes as the VM has them.
 */
#ifndef HPROF_TESTS_HEAP_FIXTURE_H
#define HPROF_TESTS_HEAP_FIXTURE_H

#include "base/byte_buffer.h"
#include "hprof/heap_records.h"
#include "hprof/hprof_reader.h"

#include <check.h>
#include <string.h>

enum { FILE_HEADER_BYTES = 19 + 4 + 8 };

void add_header(struct byte_buffer *file, const char *version, uint32_t id_size);

/* Begins a record; the answer goes to end_record(). */
size_t begin_record(struct byte_buffer *file, uint8_t tag);
void put_u4(struct byte_buffer *file, size_t at, uint32_t value);
void end_record(struct byte_buffer *file, size_t start);
void add_string(struct byte_buffer *file, uint64_t id, const char *text);
void add_load_class(struct byte_buffer *file, uint32_t serial, uint64_t id, uint64_t name);

/* The beginning of a CLASS DUMP, up to its lists. */
void add_class_head(struct byte_buffer *file, uint64_t id, uint64_t super, uint32_t size);

/* The beginnings of objects, up to their values or elements. */
void add_instance_head(struct byte_buffer *file, uint64_t id, uint64_t class, uint32_t length);
void add_object_array_head(struct byte_buffer *file, uint64_t id, uint64_t class, uint32_t length);
void add_primitive_array_head(struct byte_buffer *file, uint64_t id, uint8_t type, uint32_t length);

/* Puts other bytes into a file, in the place of all. */
void change_input(struct os_file *file, const uint8_t *bytes, size_t length);

#endif
