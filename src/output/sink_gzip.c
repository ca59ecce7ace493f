/*
 * sink_gzip.c: a sink that compresses its bytes for another sink. Called under the
 * record writer's sink lock.
 *
 * A gzip file is a sequence of members. Here each write is one member, and so is the
 * tail: after each, any gzip reader can read the file to its end, and the inner sink
 * can cut the tail off at the end of a member.
 */
#define ZLIB_CONST /* zlib reads its input only */

#include "output/sink.h"

#include "base/byte_buffer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Threads of the program may wait for the compression, so speed is preferred. */
enum { LEVEL = 2, MEMORY_LEVEL = 8, GZIP_WINDOW_BITS = 15 + 16, CHUNK_BYTES = 32 * 1024 };

/* zlib counts its input in an unsigned int. */
#define INPUT_MAX ((size_t)1 << 30)

/* A buffer that has grown beyond this is freed after its member. */
#define KEPT_BYTES ((size_t)1024 * 1024)

struct gzip_sink {
	struct sink sink; /* first, so that a sink is its gzip_sink */
	struct sink *inner;
	z_stream stream; /* between two members */
	struct byte_buffer member;
};

static struct gzip_sink *gzip_sink_of(struct sink *sink)
{
	return (struct gzip_sink *)sink;
}

/* Appends one compressed piece to the member: all of the input, and with Z_FINISH the end
 * of the member. */
static void deflate_piece(struct gzip_sink *gzip, int flush)
{
	uint8_t chunk[CHUNK_BYTES];

	do {
		gzip->stream.next_out = chunk;
		gzip->stream.avail_out = sizeof(chunk);
		/* The only error here: an inconsistent stream state. */
		if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR) {
			byte_buffer_fail(&gzip->member, BYTES_NO_MEMORY);
			return;
		}
		byte_buffer_add(&gzip->member, chunk, sizeof(chunk) - gzip->stream.avail_out);
	} while (gzip->stream.avail_out == 0 && gzip->member.error == 0);
}

/* Compresses bytes into a new member; 0 or a code. */
static int make_member(struct gzip_sink *gzip, const void *bytes, size_t length)
{
	const uint8_t *rest = bytes;

	byte_buffer_truncate(&gzip->member, 0);
	while (length > 0 && gzip->member.error == 0) {
		size_t piece = length < INPUT_MAX ? length : INPUT_MAX;
		length -= piece;
		gzip->stream.next_in = rest;
		gzip->stream.avail_in = (uInt)piece;
		deflate_piece(gzip, length == 0 ? Z_FINISH : Z_NO_FLUSH);
		rest += piece;
	}
	if (deflateReset(&gzip->stream) != Z_OK)
		byte_buffer_fail(&gzip->member, BYTES_NO_MEMORY);
	return gzip->member.error;
}

static void recycle(struct gzip_sink *gzip)
{
	if (gzip->member.capacity > KEPT_BYTES)
		byte_buffer_free(&gzip->member);
}

static int gzip_write(struct sink *sink, const void *bytes, size_t length)
{
	struct gzip_sink *gzip = gzip_sink_of(sink);
	int error = make_member(gzip, bytes, length);

	if (error == 0)
		error = gzip->inner->ops->write(gzip->inner, gzip->member.bytes,
		                                gzip->member.length);
	recycle(gzip);
	return error;
}

static int gzip_set_tail(struct sink *sink, const void *bytes, size_t length)
{
	struct gzip_sink *gzip = gzip_sink_of(sink);
	int error = make_member(gzip, bytes, length);

	if (error == 0)
		error = gzip->inner->ops->set_tail(gzip->inner, gzip->member.bytes,
		                                   gzip->member.length);
	recycle(gzip);
	return error;
}

static void gzip_begin_group(struct sink *sink)
{
	struct sink *inner = gzip_sink_of(sink)->inner;

	if (inner->ops->begin_group != NULL)
		inner->ops->begin_group(inner);
}

static void gzip_end_group(struct sink *sink, bool keep)
{
	struct sink *inner = gzip_sink_of(sink)->inner;

	if (inner->ops->end_group != NULL)
		inner->ops->end_group(inner, keep);
}

static int gzip_close(struct sink *sink)
{
	struct gzip_sink *gzip = gzip_sink_of(sink);
	int error = gzip->inner->ops->close(gzip->inner);

	(void)deflateEnd(&gzip->stream);
	byte_buffer_free(&gzip->member);
	free(gzip);
	return error;
}

static const struct sink_ops tailed_ops = {
        .write = gzip_write,
        .set_tail = gzip_set_tail,
        .begin_group = gzip_begin_group,
        .end_group = gzip_end_group,
        .close = gzip_close,
};

static const struct sink_ops forward_ops = {
        .write = gzip_write,
        .close = gzip_close,
};

struct sink *sink_gzip_create(struct sink *inner)
{
	struct gzip_sink *created = calloc(1, sizeof(*created));
	if (created == NULL)
		return NULL;
	if (deflateInit2(&created->stream, LEVEL, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL,
	                 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(created);
		return NULL;
	}
	created->inner = inner;
	byte_buffer_init(&created->member);
	created->sink.ops = inner->ops->set_tail ? &tailed_ops : &forward_ops;
	return &created->sink;
}
