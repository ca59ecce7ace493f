/*
 * sink_file.c: a sink into a file. A regular file can have a provisional tail; a pipe
 * or a device can only be appended to. Called under the record writer's sink lock.
 */
#include "output/sink.h"

#include "base/byte_buffer.h"

#include <stdbool.h>
#include <stdlib.h>

/* A heap dump within a dump. */
enum { GROUPS_MAX = 2 };

struct file_sink {
	struct sink sink; /* first, so that a sink is its file_sink */
	struct os_file file;
	uint64_t length; /* of the appended bytes; the tail begins there */
	uint64_t kept;   /* of those, what stays when a write fails; less only in a group */
	uint64_t group_at[GROUPS_MAX]; /* where open groups begin */
	unsigned groups;               /* that are open */
	bool has_tail;                 /* the file has more than the appended bytes */

	/* The last tail that was in the file. It is restored if a later write
	 * fails, so that on a full disk the file still ends in a summary. */
	struct byte_buffer last_tail;
};

static struct file_sink *file_sink_of(struct sink *sink)
{
	return (struct file_sink *)sink;
}

/* Cuts the file back to the appended bytes. */
static int remove_tail(struct file_sink *file)
{
	if (!file->has_tail)
		return 0;
	int error = os_file_truncate(&file->file, file->length);
	if (error == 0)
		file->has_tail = false;
	return error;
}

/* After a failed write, or to remove a group: restores the file to its state when its appended
 * bytes had that length, if possible. Errors are ignored here, since the caller reports the first
 * one. */
static void restore(struct file_sink *file, uint64_t length)
{
	file->length = length;
	file->has_tail = true;
	if (remove_tail(file) != 0 || file->last_tail.length == 0)
		return;
	file->has_tail = true;
	if (os_file_write(&file->file, file->last_tail.bytes, file->last_tail.length) != 0)
		(void)remove_tail(file);
}

static int regular_write(struct sink *sink, const void *bytes, size_t length)
{
	struct file_sink *file = file_sink_of(sink);
	int error = remove_tail(file);

	if (error == 0)
		error = os_file_write(&file->file, bytes, length);
	if (error != 0) {
		restore(file, file->kept);
		return error;
	}
	file->length += length;
	if (file->groups == 0)
		file->kept = file->length;
	return 0;
}

static int regular_set_tail(struct sink *sink, const void *bytes, size_t length)
{
	struct file_sink *file = file_sink_of(sink);
	int error = remove_tail(file);

	if (error == 0 && length > 0) {
		file->has_tail = true;
		error = os_file_write(&file->file, bytes, length);
	}
	if (error != 0) {
		restore(file, file->kept);
		return error;
	}

	/* Without memory there is no copy, and no tail to restore. */
	byte_buffer_truncate(&file->last_tail, 0);
	byte_buffer_add(&file->last_tail, bytes, length);
	return 0;
}

static void regular_begin_group(struct sink *sink)
{
	struct file_sink *file = file_sink_of(sink);

	file->group_at[file->groups++] = file->length;
}

static void regular_end_group(struct sink *sink, bool keep)
{
	struct file_sink *file = file_sink_of(sink);
	uint64_t began = file->group_at[--file->groups];
	uint64_t stays = began > file->kept ? began : file->kept;

	if (keep) {
		file->kept = file->length;
		byte_buffer_truncate(&file->last_tail, 0);
	} else if (file->length > stays) {
		restore(file, stays);
	}
}

static int stream_write(struct sink *sink, const void *bytes, size_t length)
{
	return os_file_write(&file_sink_of(sink)->file, bytes, length);
}

static int close_file(struct sink *sink)
{
	struct file_sink *file = file_sink_of(sink);
	int error = os_file_close(&file->file);

	byte_buffer_free(&file->last_tail);
	free(file);
	return error;
}

static const struct sink_ops regular_ops = {
        .write = regular_write,
        .set_tail = regular_set_tail,
        .begin_group = regular_begin_group,
        .end_group = regular_end_group,
        .close = close_file,
};

static const struct sink_ops stream_ops = {
        .write = stream_write,
        .close = close_file,
};

struct sink *sink_file_create(const struct os_file *file)
{
	struct file_sink *created = calloc(1, sizeof(*created));
	if (!created)
		return NULL;
	created->file = *file;
	byte_buffer_init(&created->last_tail);
	/* The first write removes earlier contents, as it would a tail. */
	created->has_tail = true;
	created->sink.ops = os_file_seekable(file) ? &regular_ops : &stream_ops;
	return &created->sink;
}
