/*
 * page_pack.c: see page_pack.h.
 */
#include "page/page_pack.h"

#include <stdlib.h>
#include <zlib.h>

/* Bytes that are compressed at once; a multiple of 3, so that only the end is padded. */
enum { CHUNK_BYTES = 48 * 1024, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 9 };

void pack_number(struct byte_buffer *out, uint64_t number)
{
	uint8_t bytes[10];
	size_t length = 0;

	do {
		bytes[length] = (uint8_t)(number & 0x7f);
		number >>= 7;
		if (number != 0)
			bytes[length] |= 0x80;
		length++;
	} while (number != 0);
	byte_buffer_add(out, bytes, length);
}

/* RFC 4648. */
static bool write_base64(const uint8_t *bytes, size_t length, struct output *output)
{
	static const char digits[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t at = 0; at < length; at += 3) {
		size_t left = length - at;
		uint8_t *out = byte_buffer_extend(&output->text, 4);
		uint32_t bits = (uint32_t)bytes[at] << 16;
		if (out == NULL)
			return false;
		if (left > 1)
			bits |= (uint32_t)bytes[at + 1] << 8;
		if (left > 2)
			bits |= bytes[at + 2];
		out[0] = (uint8_t)digits[bits >> 18];
		out[1] = (uint8_t)digits[bits >> 12 & 63];
		out[2] = (uint8_t)(left > 1 ? digits[bits >> 6 & 63] : '=');
		out[3] = (uint8_t)(left > 2 ? digits[bits & 63] : '=');
	}
	return output_continue(output);
}

/* Compresses the input and writes what is complete. */
static bool deflate_all(z_stream *stream, const struct byte_buffer *bytes, uint8_t *chunk,
                        struct output *output)
{
	size_t at = 0;
	int status = Z_OK;

	stream->next_out = chunk;
	stream->avail_out = CHUNK_BYTES;
	while (status != Z_STREAM_END) {
		size_t left = bytes->length - at;
		stream->avail_in = (uInt)(left < CHUNK_BYTES ? left : CHUNK_BYTES);
		stream->next_in = bytes->bytes + at;
		size_t given = stream->avail_in;
		status = deflate(stream, given == left ? Z_FINISH : Z_NO_FLUSH);
		at += given - stream->avail_in;
		if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
			return false;
		if (stream->avail_out > 0 && status != Z_STREAM_END)
			continue;
		if (!write_base64(chunk, CHUNK_BYTES - stream->avail_out, output))
			return false;
		stream->next_out = chunk;
		stream->avail_out = CHUNK_BYTES;
	}
	return true;
}

bool pack_write(const struct byte_buffer *bytes, struct output *output)
{
	z_stream stream = {.next_in = NULL};
	uint8_t *chunk = bytes->error == 0 ? malloc(CHUNK_BYTES) : NULL;
	bool good =
	        chunk != NULL && deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
	                                      MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	if (good) {
		good = deflate_all(&stream, bytes, chunk, output);
		(void)deflateEnd(&stream);
	}
	free(chunk);
	return good;
}
