/*
 * json_frames.c: see json_frames.h.
 */
#include "views/json_frames.h"

#include "report/frame_place.h"

#include <string.h>

/* Of a stack in a tree, which has as many as profiles that are compared exactly: with all frames
 * the output of a hostile profile would grow with its square. */
enum { FRAMES_MAX = 1024 };

void json_add_percent(struct json_stream *json, const char *key, uint32_t share)
{
	json_stream_add_real(json, key, (double)share / 100);
}

void json_add_file(struct json_stream *json, const char *key, const char *name)
{
	json_stream_open_object(json, key);
	json_stream_add_text(json, "file", name, strlen(name));
	json_stream_close(json);
}

/* "java.util.HashMap.getNode" in two parts; a name without a dot is a method. */
static void add_method(struct json_stream *json, const struct string *name)
{
	size_t dot = name->length;

	while (dot > 0 && name->text[dot - 1] != '.')
		dot--;
	if (dot > 0)
		json_stream_add_text(json, "class", name->text, dot - 1);
	json_stream_add_text(json, "method", name->text + dot, name->length - dot);
}

static void add_frame(struct json_stream *json, const struct report_frame *frame)
{
	const struct frame_place place = frame_place_of(frame->place);

	json_stream_open_object(json, NULL);
	add_method(json, frame->method);
	if (place.file_length > 0)
		json_stream_add_text(json, "file", place.file, place.file_length);
	if (place.line > 0)
		json_stream_add_number(json, "line", place.line);
	if (place.native)
		json_stream_add(json, "native", json_true());
	json_stream_close(json);
}

void json_add_trace(struct json_stream *json, const struct report_profile *profile, uint32_t serial)
{
	const struct report_trace *trace = serial == 0 ? NULL : report_find_trace(profile, serial);

	if (trace == NULL)
		return;
	const struct string *thread =
	        trace->thread == 0 ? NULL : report_find_thread(profile, trace->thread);
	if (trace->thread != 0)
		json_stream_add_number(json, "thread", trace->thread);
	if (thread != NULL)
		json_stream_add_string(json, "thread_name", thread);
	json_stream_open_array(json, "frames");
	for (uint32_t i = 0; i < trace->depth && json_stream_is_good(json); i++)
		add_frame(json, &trace->frames[i]);
	json_stream_close(json);
}

void json_add_stack(struct json_stream *json, const struct stack_tree *tree, uint32_t node)
{
	uint32_t frames = 0;

	json_stream_open_array(json, "stack");
	for (uint32_t at = node; at != 0 && frames < FRAMES_MAX; at = tree->nodes[at].parent) {
		json_stream_add_string(json, NULL, tree->nodes[at].name);
		frames++;
	}
	json_stream_close(json);
	json_stream_add_number(json, "frames_left_out", tree->nodes[node].depth - frames);
}
