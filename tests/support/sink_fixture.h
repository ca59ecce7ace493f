/*
 * sink_fixture.h: what the tests of the sinks share: a sink on a file of its own.
 */
#ifndef HPROF_TESTS_SINK_FIXTURE_H
#define HPROF_TESTS_SINK_FIXTURE_H

#include "output/sink.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[256];
static char path[300];
static struct sink *sink;

static inline struct sink *open_sink(const char *name)
{
	struct os_file file;
	ck_assert_int_eq(os_file_create(name, OS_FILE_OVERWRITE, &file), 0);
	struct sink *created = sink_file_create(&file);
	ck_assert_ptr_nonnull(created);
	return created;
}

static inline void make_file(void)
{
	const char *parent = getenv("TMPDIR");
	snprintf(directory, sizeof(directory), "%s/hprof-sink-XXXXXX", parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/profile", directory);
	sink = open_sink(path);
}

static inline void remove_file(void)
{
	unlink(path);
	rmdir(directory);
}

static inline int append(const char *text)
{
	return sink->ops->write(sink, text, strlen(text));
}

static inline int set_tail(const char *text)
{
	return sink->ops->set_tail(sink, text, strlen(text));
}

static inline void begin_group(void)
{
	sink->ops->begin_group(sink);
}

static inline void end_group(bool keep)
{
	sink->ops->end_group(sink, keep);
}

static inline void expect_file(const char *text)
{
	char bytes[4096];
	FILE *file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	size_t length = fread(bytes, 1, sizeof(bytes) - 1, file);
	fclose(file);
	bytes[length] = '\0';
	ck_assert_str_eq(bytes, text);
}

#endif
