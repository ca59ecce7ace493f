/*
 * json_stream.h: writes a JSON document piece by piece, so that memory does not grow with it. The
 * elements of open arrays and objects are values of the JSON library, which writes them. One
 * thread; no lock.
 */
#ifndef HPROF_EXPORT_JSON_STREAM_H
#define HPROF_EXPORT_JSON_STREAM_H

#include "console/output.h"
#include "model/strings.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { JSON_LEVELS_MAX = 8 };

/* An open array or object. */
struct json_level {
	json_t *pending; /* elements that are not written yet */
	bool has_written;
};

/* Errors are those of the output's text, and sticky. */
struct json_stream {
	struct output *output;
	struct json_level levels[JSON_LEVELS_MAX];
	unsigned depth;
	struct byte_buffer scratch;
};

/* Begins a document that is an object. */
void json_stream_begin(struct json_stream *stream, struct output *output);

/* Ends the document, and all that is open. Returns whether all has been written. To be called
 * after an error too. */
bool json_stream_end(struct json_stream *stream);

/* In an object each element has a key, a constant of this program; in an array key is NULL. */

void json_stream_open_object(struct json_stream *stream, const char *key);
void json_stream_open_array(struct json_stream *stream, const char *key);
void json_stream_close(struct json_stream *stream);

/* Takes ownership of value; NULL is an error: out of memory. */
void json_stream_add(struct json_stream *stream, const char *key, json_t *value);

/* The largest number is INT64_MAX. */
void json_stream_add_number(struct json_stream *stream, const char *key, uint64_t number);
void json_stream_add_real(struct json_stream *stream, const char *key, double number);

/* Text of the profile, with any bytes; see utf8_text.h. */
void json_stream_add_text(struct json_stream *stream, const char *key, const char *text,
                          size_t length);
void json_stream_add_string(struct json_stream *stream, const char *key,
                            const struct string *string);

/* Text of this program. */
void json_stream_add_words(struct json_stream *stream, const char *key, const char *words);

/* A value of the library for text of the profile; NULL when out of memory. */
json_t *json_stream_text(struct json_stream *stream, const char *text, size_t length);

/* Whether anything has failed, so that the caller may stop. */
bool json_stream_is_good(const struct json_stream *stream);

#endif
