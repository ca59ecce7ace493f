/*
 * libFuzzer harness of compressed input: any bytes are unpacked, in reads of several sizes,
 * which must not make a difference; and any bytes that are packed into several members
 * come back as they were. `make fuzz` builds and runs it.
 */
#include "reading.h"

#include <zlib.h>

enum { UNPACKED_MAX = 1 << 20 };

struct unpacked {
	uint8_t bytes[UNPACKED_MAX];
	size_t length;
	int error;
};

static struct unpacked one;
static struct unpacked other;

/* Up to UNPACKED_MAX bytes, in reads of step. */
static void unpack(const uint8_t *data, size_t size, size_t step, struct unpacked *unpacked)
{
	struct input *input = input_of(data, size);
	struct byte_source *source = input_source(input);
	size_t got = 1;

	unpacked->length = 0;
	unpacked->error = 0;
	(void)input_begins_with(input, "JAVA PROFILE ");
	while (unpacked->error == 0 && got > 0 && unpacked->length < UNPACKED_MAX) {
		size_t room = UNPACKED_MAX - unpacked->length;
		size_t most = step < room ? step : room;
		unpacked->error =
		        source->read(source, unpacked->bytes + unpacked->length, most, &got);
		if (unpacked->error != 0)
			break;
		if (got > most)
			abort();
		unpacked->length += got;
	}
	input_close(input);
}

static size_t pack(const uint8_t *data, size_t size, uint8_t *packed, size_t room)
{
	z_stream packer;

	memset(&packer, 0, sizeof(packer));
	if (deflateInit2(&packer, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	packer.next_in = (z_const Bytef *)(uintptr_t)data;
	packer.avail_in = (uInt)size;
	packer.next_out = packed;
	packer.avail_out = (uInt)room;
	if (deflate(&packer, Z_FINISH) != Z_STREAM_END)
		abort();
	size_t length = room - packer.avail_out;
	deflateEnd(&packer);
	return length;
}

/* Two members. A reader takes the first two bytes for what tells packed files. */
static void check_round(const uint8_t *data, size_t size)
{
	static uint8_t packed[4 * UNPACKED_MAX];
	size_t half = size / 2;

	if (size > UNPACKED_MAX / 2)
		return;
	size_t length = pack(data, half, packed, sizeof(packed));
	length += pack(data + half, size - half, packed + length, sizeof(packed) - length);
	unpack(packed, length, 1 + size % 300, &one);
	if (one.error != 0 || one.length != size || memcmp(one.bytes, data, size) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unpack(data, size, UNPACKED_MAX, &one);
	unpack(data, size, 1 + size % 100, &other);
	if (one.error != other.error ||
	    (one.error == 0 &&
	     (one.length != other.length || memcmp(one.bytes, other.bytes, one.length) != 0)))
		abort();
	check_round(data, size);
	return 0;
}
