/*
 * heap_reader.h: reads the sub-records of a heap dump. One thread; no lock.
 */
#ifndef HPROF_HPROF_HEAP_READER_H
#define HPROF_HPROF_HEAP_READER_H

#include "hprof/heap_records.h"
#include "hprof/hprof_reader.h"

#include <stdbool.h>
#include <stdint.h>

struct hprof_constant {
	uint16_t index;
	uint8_t type;
	uint64_t value;
};

struct hprof_field {
	uint64_t name_id;
	uint64_t value; /* static fields only */
	uint8_t type;
};

/* A CLASS DUMP. The sub-record owns the arrays; they are valid until the next class is read. */
struct hprof_class {
	uint64_t super_id;
	uint64_t loader_id;
	uint64_t signers_id;
	uint64_t domain_id;
	uint32_t instance_size;
	uint16_t constant_count;
	uint16_t static_count;
	uint16_t field_count;
	struct hprof_constant *constants; /* each array has room for 65535 */
	struct hprof_field *statics;
	struct hprof_field *fields;
};

/* A sub-record; fields that its kind does not have are not set. */
struct hprof_sub_record {
	uint8_t tag; /* enum hprof_sub_tag */
	uint64_t object_id;
	uint64_t jni_id;
	uint64_t name_id; /* of a HEAP DUMP INFO: that of the heap that follows */
	uint32_t thread_serial;
	uint32_t frame;
	uint32_t trace_serial;
	uint64_t class_id; /* of an instance or an array of objects */
	uint32_t length;   /* bytes of an instance's values, elements of an array */
	uint8_t type;      /* of a primitive array's elements */
	struct hprof_class class;
};

/* Whether sub-records with that tag name a thread, in thread_serial. */
bool hprof_has_thread(uint8_t tag);

/* Allocates the arrays for classes; false without memory. */
bool hprof_sub_record_init(struct hprof_sub_record *sub);
void hprof_sub_record_free(struct hprof_sub_record *sub);

/* Reads the next sub-record of the record, except the values of an instance and the elements
 * of an array, which are the next bytes of the reader: see hprof_body_length(). If the reader joins
 * segments, these may be missing, which reading or skipping them shows. False at the record's end
 * and after an error. */
bool hprof_read_sub_record(struct hprof_reader *reader, struct hprof_sub_record *sub);

/* The size of an object before its values or elements, with ids of 8 bytes. */
#define HPROF_OBJECT_HEAD_BYTES 25

/* The number of bytes after the sub-record that the caller must read or skip. */
uint64_t hprof_body_length(const struct hprof_reader *reader, const struct hprof_sub_record *sub);

#endif
