/*
 * check.h: checks a file in the HPROF binary format against the format ("Binary Dump Format" of
 * the HPROF manual), record by record. Memory grows with what the file defines, not with what
 * its length fields claim. One thread; no lock.
 */
#ifndef HPROF_CHECK_CHECK_H
#define HPROF_CHECK_CHECK_H

#include "base/byte_buffer.h"
#include "check/dump_links.h"
#include "hprof/hprof_reader.h"

#include <stdint.h>

enum { CHECK_ERRORS_KEPT = 10, CHECK_ERROR_MAX = 160, CHECK_TAGS = 256 };

struct check_error {
	uint64_t offset; /* of the record or sub-record, in the unpacked file */
	char text[CHECK_ERROR_MAX];
};

struct check_count {
	uint64_t records;
	uint64_t bytes; /* including headers */
};

struct check_result {
	bool header_read; /* the next three members are set */
	unsigned version; /* HPROF_VERSION_ */
	unsigned id_size;
	uint64_t created_ms;                       /* since 1970 */
	struct check_count records[CHECK_TAGS];    /* by tag */
	struct check_count subrecords[CHECK_TAGS]; /* of heap dumps, by tag */
	/* In all dumps; a warning only, because the JVM's own dumper omits class objects of
	 * classes that are not loaded, and old versions of classes that are roots. */
	struct missing_links missing;
	uint64_t error_count;
	struct check_error errors[CHECK_ERRORS_KEPT]; /* the first of them */
	int read_error; /* 0, or why the file could not be read to its end */
};

/* Reads all of source. */
void check_profile(struct byte_source *source, struct check_result *result);

/* Appends the counts and the errors as text; name is the name of the file. */
void check_describe(struct byte_buffer *out, const char *name, const struct check_result *result);

/* What a record or sub-record with that tag, less than CHECK_TAGS, is called; NULL: the format has
 * none. */
const char *check_record_name(unsigned tag);
const char *check_subrecord_name(unsigned tag);

#endif
