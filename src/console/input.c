/*
 * input.c: see input.h. Compressed files are unpacked member by member: the agent writes many
 * members into one file.
 */
#include "console/input.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PACKED_BYTES = 64 * 1024, GZIP_WINDOW = 16 + MAX_WBITS };

struct input {
	struct byte_source source;
	struct os_file file;
	const uint8_t *memory; /* for tests, instead of the file */
	size_t memory_left;
	uint8_t packed[PACKED_BYTES]; /* bytes of the file, compressed or not */
	size_t packed_at;
	size_t packed_length;
	bool file_ended;
	bool compressed;
	bool in_member;
	z_stream unpacker;
	uint8_t peeked[INPUT_PEEK_BYTES]; /* the first unpacked bytes */
	size_t peeked_at;
	size_t peeked_length;
	int peek_error; /* error of the read that ended peeking */
	uint64_t delivered;
};

static int read_file(struct input *input, void *bytes, size_t size, size_t *got)
{
	if (input->memory == NULL)
		return os_file_read(&input->file, bytes, size, got);
	*got = size < input->memory_left ? size : input->memory_left;
	memcpy(bytes, input->memory, *got);
	input->memory += *got;
	input->memory_left -= *got;
	return 0;
}

/* Ensures that packed has at least one byte, unless the file has ended. */
static int fill(struct input *input)
{
	size_t got = 0;
	if (input->packed_at < input->packed_length || input->file_ended)
		return 0;
	int error = read_file(input, input->packed, sizeof(input->packed), &got);
	if (error != 0)
		return error;
	input->packed_at = 0;
	input->packed_length = got;
	input->file_ended = got == 0;
	return 0;
}

static int read_plain(struct input *input, void *bytes, size_t size, size_t *got)
{
	size_t held = input->packed_length - input->packed_at;
	if (held == 0)
		return read_file(input, bytes, size, got);
	*got = held < size ? held : size;
	memcpy(bytes, input->packed + input->packed_at, *got);
	input->packed_at += *got;
	return 0;
}

/* One step of unpacking; *got may be 0 although there is more. */
static int unpack(struct input *input, void *bytes, size_t size, size_t *got)
{
	z_stream *unpacker = &input->unpacker;
	size_t held = input->packed_length - input->packed_at;
	uInt room = size < UINT32_MAX / 2 ? (uInt)size : UINT32_MAX / 2;

	if (held == 0)
		return INPUT_BROKEN; /* the file ends within a member */
	unpacker->next_in = input->packed + input->packed_at;
	unpacker->avail_in = (uInt)held;
	unpacker->next_out = bytes;
	unpacker->avail_out = room;
	int result = inflate(unpacker, Z_NO_FLUSH);
	input->packed_at += held - unpacker->avail_in;
	*got = room - unpacker->avail_out;
	if (result == Z_MEM_ERROR)
		return OS_NO_MEMORY;
	if (result == Z_STREAM_END)
		input->in_member = false;
	else if (result != Z_OK && result != Z_BUF_ERROR)
		return INPUT_BROKEN;
	return 0;
}

static int read_unpacked(struct input *input, void *bytes, size_t size, size_t *got)
{
	while (*got == 0) {
		int error = fill(input);
		if (error != 0)
			return error;
		if (!input->in_member) {
			if (input->packed_at == input->packed_length)
				return 0;
			if (inflateReset(&input->unpacker) != Z_OK)
				return INPUT_BROKEN;
			input->in_member = true;
		}
		error = unpack(input, bytes, size, got);
		if (error != 0)
			return error;
	}
	return 0;
}

static int read_on(struct input *input, void *bytes, size_t size, size_t *got)
{
	*got = 0;
	return input->compressed ? read_unpacked(input, bytes, size, got)
	                         : read_plain(input, bytes, size, got);
}

static int read_input(struct byte_source *source, void *bytes, size_t size, size_t *got)
{
	struct input *input = (struct input *)source;
	size_t held = input->peeked_length - input->peeked_at;

	if (held == 0 && input->peek_error != 0)
		return input->peek_error;
	if (held == 0) {
		int error = read_on(input, bytes, size, got);
		input->delivered += *got;
		return error;
	}
	*got = held < size ? held : size;
	memcpy(bytes, input->peeked + input->peeked_at, *got);
	input->peeked_at += *got;
	input->delivered += *got;
	return 0;
}

/* Reads the first bytes, and detects compression. */
static int begin(struct input *input)
{
	static const uint8_t magic[] = {0x1f, 0x8b};
	int error = fill(input);

	if (error != 0)
		return error;
	if (input->packed_length >= sizeof(magic) &&
	    memcmp(input->packed, magic, sizeof(magic)) == 0) {
		if (inflateInit2(&input->unpacker, GZIP_WINDOW) != Z_OK)
			return OS_NO_MEMORY;
		input->compressed = true;
	}
	size_t got = 1;
	while (input->peek_error == 0 && got > 0 && input->peeked_length < INPUT_PEEK_BYTES) {
		input->peek_error = read_on(input, input->peeked + input->peeked_length,
		                            INPUT_PEEK_BYTES - input->peeked_length, &got);
		input->peeked_length += got;
	}
	return 0;
}

static struct input *create(void)
{
	struct input *input = calloc(1, sizeof(*input));
	if (input != NULL) {
		input->source.read = read_input;
		input->file.handle = -1;
	}
	return input;
}

int input_open(const char *name, struct input **input)
{
	struct os_file file;
	int error = strcmp(name, "-") == 0 ? os_file_standard(OS_STANDARD_INPUT, &file)
	                                   : os_file_open_any(name, &file);

	*input = NULL;
	return error != 0 ? error : input_open_file(&file, input);
}

int input_open_file(struct os_file *file, struct input **input)
{
	struct input *opened = create();

	*input = NULL;
	if (opened == NULL) {
		(void)os_file_close(file);
		return OS_NO_MEMORY;
	}
	opened->file = *file;
	int error = begin(opened);
	if (error != 0)
		input_close(opened);
	else
		*input = opened;
	return error;
}

struct input *input_of_bytes(const void *bytes, size_t length)
{
	struct input *input = create();
	if (input == NULL)
		return NULL;
	input->memory = bytes;
	input->memory_left = length;
	if (begin(input) == 0)
		return input;
	input_close(input);
	return NULL;
}

void input_close(struct input *input)
{
	if (input->compressed)
		(void)inflateEnd(&input->unpacker);
	(void)os_file_close(&input->file);
	free(input);
}

bool input_begins_with(struct input *input, const char *text)
{
	size_t length = strlen(text);
	return input->peeked_length >= length && memcmp(input->peeked, text, length) == 0;
}

void input_first_text(const struct input *input, char text[INPUT_PEEK_BYTES])
{
	memcpy(text, input->peeked, input->peeked_length);
	text[input->peeked_length < INPUT_PEEK_BYTES ? input->peeked_length
	                                             : INPUT_PEEK_BYTES - 1] = '\0';
}

uint64_t input_length(const struct input *input)
{
	return input->delivered;
}

struct byte_source *input_source(struct input *input)
{
	return &input->source;
}
