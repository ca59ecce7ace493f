/*
 * gzip_output.c: see gzip_output.h.
 */
#include "export/gzip_output.h"

/* zlib's window of 32 KiB, and 16 for a gzip header. */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8, CHUNK_BYTES = 32 * 1024 };

static bool is_good(const struct gzip_output *gzip)
{
	return output_is_good(gzip->output);
}

void gzip_output_begin(struct gzip_output *gzip, struct output *output)
{
	*gzip = (struct gzip_output){.output = output};
	gzip->begun = deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS,
	                           MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	if (!gzip->begun)
		byte_buffer_fail(&output->text, BYTES_NO_MEMORY);
}

/* Compresses what the stream has as input, and all to its end with Z_FINISH. */
static void compress_input(struct gzip_output *gzip, int flush)
{
	int status = Z_OK;

	do {
		struct byte_buffer *text = &gzip->output->text;
		uint8_t *room = byte_buffer_extend(text, CHUNK_BYTES);
		if (room == NULL)
			return;
		gzip->stream.next_out = room;
		gzip->stream.avail_out = CHUNK_BYTES;
		status = deflate(&gzip->stream, flush);
		byte_buffer_truncate(text, text->length - gzip->stream.avail_out);
		if (status == Z_STREAM_ERROR)
			byte_buffer_fail(text, BYTES_NO_MEMORY);
		if (!output_continue(gzip->output))
			return;
	} while (gzip->stream.avail_out == 0 || (flush == Z_FINISH && status != Z_STREAM_END));
}

void gzip_output_add(struct gzip_output *gzip, const void *bytes, size_t length)
{
	const uint8_t *at = bytes;

	output_count(gzip->output, length);
	while (length > 0 && is_good(gzip)) {
		uInt part = length > INT32_MAX ? INT32_MAX : (uInt)length;
		gzip->stream.next_in = (Bytef *)(uintptr_t)at;
		gzip->stream.avail_in = part;
		compress_input(gzip, Z_NO_FLUSH);
		at += part;
		length -= part;
	}
}

bool gzip_output_end(struct gzip_output *gzip)
{
	gzip->stream.avail_in = 0;
	if (is_good(gzip))
		compress_input(gzip, Z_FINISH);
	if (gzip->begun)
		(void)deflateEnd(&gzip->stream);
	return is_good(gzip);
}
