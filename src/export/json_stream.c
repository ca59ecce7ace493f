/*
 * json_stream.c: see json_stream.h. The library writes the elements without the brackets around
 * them (JSON_EMBED), a batch at a time.
 */
#include "export/json_stream.h"

#include "export/utf8_text.h"

#include <string.h>

enum { BATCH_ELEMENTS = 512, DUMP_FLAGS = JSON_COMPACT | JSON_EMBED | JSON_REAL_PRECISION(15) };

static void fail(struct json_stream *stream)
{
	byte_buffer_fail(&stream->output->text, BYTES_NO_MEMORY);
}

bool json_stream_is_good(const struct json_stream *stream)
{
	return output_is_good(stream->output);
}

static struct json_level *innermost(struct json_stream *stream)
{
	return &stream->levels[stream->depth - 1];
}

static bool is_object(const struct json_level *level)
{
	return json_is_object(level->pending);
}

static int append(const char *text, size_t length, void *output)
{
	byte_buffer_add(&((struct output *)output)->text, text, length);
	return 0;
}

static void add_comma(struct json_stream *stream, struct json_level *level)
{
	if (level->has_written)
		byte_buffer_add_u1(&stream->output->text, ',');
	level->has_written = true;
}

static void flush(struct json_stream *stream)
{
	struct json_level *level = innermost(stream);
	size_t size = is_object(level) ? json_object_size(level->pending)
	                               : json_array_size(level->pending);

	if (size == 0)
		return;
	add_comma(stream, level);
	if (json_dump_callback(level->pending, append, stream->output, DUMP_FLAGS) != 0 ||
	    (is_object(level) ? json_object_clear(level->pending)
	                      : json_array_clear(level->pending)) != 0)
		fail(stream);
	(void)output_continue(stream->output);
}

/* ---- arrays and objects ------------------------------------------------------------- */

static void open_level(struct json_stream *stream, json_t *pending)
{
	if (pending == NULL)
		fail(stream);
	byte_buffer_add_u1(&stream->output->text, json_is_object(pending) ? '{' : '[');
	stream->levels[stream->depth++] = (struct json_level){.pending = pending};
}

static void open_element(struct json_stream *stream, const char *key, json_t *pending)
{
	flush(stream);
	add_comma(stream, innermost(stream));
	if (key != NULL) {
		byte_buffer_add_u1(&stream->output->text, '"');
		byte_buffer_add_text(&stream->output->text, key);
		byte_buffer_add_text(&stream->output->text, "\":");
	}
	open_level(stream, pending);
}

void json_stream_begin(struct json_stream *stream, struct output *output)
{
	*stream = (struct json_stream){.output = output};
	byte_buffer_init(&stream->scratch);
	open_level(stream, json_object());
}

void json_stream_open_object(struct json_stream *stream, const char *key)
{
	open_element(stream, key, json_object());
}

void json_stream_open_array(struct json_stream *stream, const char *key)
{
	open_element(stream, key, json_array());
}

void json_stream_close(struct json_stream *stream)
{
	struct json_level *level = innermost(stream);

	flush(stream);
	byte_buffer_add_u1(&stream->output->text, is_object(level) ? '}' : ']');
	json_decref(level->pending);
	stream->depth--;
}

bool json_stream_end(struct json_stream *stream)
{
	while (stream->depth > 0)
		json_stream_close(stream);
	byte_buffer_add_u1(&stream->output->text, '\n');
	byte_buffer_free(&stream->scratch);
	return output_continue(stream->output) && json_stream_is_good(stream);
}

/* ---- elements ----------------------------------------------------------------------- */

void json_stream_add(struct json_stream *stream, const char *key, json_t *value)
{
	struct json_level *level = innermost(stream);
	int failed = is_object(level) ? json_object_set_new_nocheck(level->pending, key, value)
	                              : json_array_append_new(level->pending, value);

	if (failed != 0)
		fail(stream);
	else if (!is_object(level) && json_array_size(level->pending) >= BATCH_ELEMENTS)
		flush(stream);
}

static void add_decimal(struct byte_buffer *out, uint64_t number)
{
	enum { DIGITS_MAX = 20 };
	char digits[DIGITS_MAX];
	size_t at = DIGITS_MAX;

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	byte_buffer_add(out, digits + at, DIGITS_MAX - at);
}

void json_stream_add_number(struct json_stream *stream, const char *key, uint64_t number)
{
	struct json_level *level = innermost(stream);
	uint64_t most = number > INT64_MAX ? INT64_MAX : number;

	if (is_object(level)) {
		json_stream_add(stream, key, json_integer((json_int_t)most));
		return;
	}
	/* Arrays can have millions of them. */
	flush(stream);
	add_comma(stream, level);
	add_decimal(&stream->output->text, most);
	(void)output_continue(stream->output);
}

void json_stream_add_real(struct json_stream *stream, const char *key, double number)
{
	json_stream_add(stream, key, json_real(number));
}

json_t *json_stream_text(struct json_stream *stream, const char *text, size_t length)
{
	byte_buffer_truncate(&stream->scratch, 0);
	utf8_add_text(&stream->scratch, text, length);
	if (stream->scratch.error != 0)
		return NULL;
	return stream->scratch.length == 0
	               ? json_string("")
	               : json_stringn((const char *)stream->scratch.bytes, stream->scratch.length);
}

void json_stream_add_text(struct json_stream *stream, const char *key, const char *text,
                          size_t length)
{
	json_stream_add(stream, key, json_stream_text(stream, text, length));
}

void json_stream_add_string(struct json_stream *stream, const char *key,
                            const struct string *string)
{
	json_stream_add_text(stream, key, string->text, string->length);
}

void json_stream_add_words(struct json_stream *stream, const char *key, const char *words)
{
	json_stream_add(stream, key, json_string(words));
}
