/*
 * speedscope.c: writes the JSON format of speedscope, "$schema" names its specification. A frame
 * is a method, whatever the line, so that all lines of a method add up. Frames are numbered while
 * samples are written, and listed at the end.
 */
#include "export/speedscope.h"

#include "export/entry_list.h"
#include "export/json_stream.h"
#include "export/numbering.h"
#include "report/frame_place.h"

#include <stdlib.h>
#include <string.h>

const bool json_is_available = true;

struct speedscope {
	const struct stack_profile *stacks;
	struct json_stream json;
	struct numbering methods; /* by name */
	struct entry_list frames; /* struct stack_frame by number: where it was first seen */
};

static void fail(struct speedscope *speedscope)
{
	byte_buffer_fail(&speedscope->json.output->text, BYTES_NO_MEMORY);
}

/* ---- frames ------------------------------------------------------------------------- */

static uint32_t frame_number(struct speedscope *speedscope, const struct stack_frame *frame)
{
	uint32_t number = 0;
	bool is_new = false;

	if (!numbering_find(&speedscope->methods, numbering_key(frame->name, NULL), &number,
	                    &is_new) ||
	    (is_new && !entry_list_add(&speedscope->frames, frame, sizeof(*frame))))
		fail(speedscope);
	return number;
}

static void add_frame(struct speedscope *speedscope, const struct stack_frame *frame)
{
	struct json_stream *json = &speedscope->json;
	json_t *object = json_object();
	struct frame_place place = {.file_length = 0};

	if (frame->place != NULL)
		place = frame_place_of(frame->place);
	int failed = json_object_set_new(
	        object, "name", json_stream_text(json, frame->name->text, frame->name->length));
	if (place.file_length > 0)
		failed |= json_object_set_new(
		        object, "file", json_stream_text(json, place.file, place.file_length));
	if (failed != 0)
		fail(speedscope);
	json_stream_add(json, NULL, object);
}

/* ---- samples ------------------------------------------------------------------------ */

/* The numbers of a stack's frames, outermost first. */
static void add_stack(struct speedscope *speedscope, const struct stack_series *series, size_t row)
{
	const struct stack_frames frames = stack_frames_of(speedscope->stacks, series, row);

	json_stream_open_array(&speedscope->json, NULL);
	for (uint32_t i = frames.depth; i > 0 && json_stream_is_good(&speedscope->json); i--) {
		const struct stack_frame frame = stack_frame_at(&frames, i - 1);
		json_stream_add_number(&speedscope->json, NULL, frame_number(speedscope, &frame));
	}
	json_stream_close(&speedscope->json);
}

static const char *unit_of(enum section_kind kind)
{
	return kind == SECTION_SAMPLES ? "none" : kind == SECTION_SITES ? "bytes" : "nanoseconds";
}

static void add_name(struct speedscope *speedscope, const struct stack_series *series,
                     uint32_t thread)
{
	struct byte_buffer text;

	byte_buffer_init(&text);
	stack_series_add_name(speedscope->stacks, series, thread, &text);
	if (text.error != 0)
		fail(speedscope);
	else
		json_stream_add_text(&speedscope->json, "name", (const char *)text.bytes,
		                     text.length);
	byte_buffer_free(&text);
}

/* Makes one sample of those that follow each other with one stack. Returns how many there are. */
static size_t join_samples(struct stack_sample *samples, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && samples[kept - 1].row == samples[i].row)
			samples[kept - 1].cost =
			        report_sum(samples[kept - 1].cost, samples[i].cost);
		else
			samples[kept++] = samples[i];
	}
	return kept;
}

/* The samples of one thread. */
static void add_profile(struct speedscope *speedscope, const struct stack_series *series,
                        struct stack_sample *samples, size_t count)
{
	struct json_stream *json = &speedscope->json;
	uint64_t total = 0;

	count = join_samples(samples, count);

	json_stream_open_object(json, NULL);
	json_stream_add_words(json, "type", "sampled");
	add_name(speedscope, series, count == 0 ? 0 : samples[0].thread);
	json_stream_add_words(json, "unit", unit_of(series->section.kind));
	json_stream_open_array(json, "samples");
	for (size_t i = 0; i < count && json_stream_is_good(json); i++) {
		add_stack(speedscope, series, samples[i].row);
		total = report_sum(total, samples[i].cost);
	}
	json_stream_close(json);
	json_stream_open_array(json, "weights");
	for (size_t i = 0; i < count && json_stream_is_good(json); i++)
		json_stream_add_number(json, NULL, samples[i].cost);
	json_stream_close(json);
	json_stream_add_number(json, "startValue", 0);
	json_stream_add_number(json, "endValue", total);
	json_stream_close(json);
}

static void add_series(struct speedscope *speedscope, const struct stack_series *series)
{
	struct stack_sample *samples;
	size_t count;

	if (!stack_series_samples(speedscope->stacks, series, &samples, &count)) {
		fail(speedscope);
		return;
	}
	size_t from = 0;
	do {
		size_t to = from;
		while (to < count && samples[to].thread == samples[from].thread)
			to++;
		add_profile(speedscope, series, samples + from, to - from);
		from = to;
	} while (from < count);
	free(samples);
}

/* ---- the file ----------------------------------------------------------------------- */

bool stack_profile_write_speedscope(const struct stack_profile *stacks, const char *name,
                                    struct output *output)
{
	struct speedscope speedscope = {.stacks = stacks};
	struct json_stream *json = &speedscope.json;

	numbering_init(&speedscope.methods, 0);
	json_stream_begin(json, output);
	json_stream_add_words(json, "$schema",
	                      "https://www.speedscope.app/file-format-schema.json");
	json_stream_add_text(json, "name", name, strlen(name));
	json_stream_add_words(json, "exporter", "hprof");
	json_stream_open_array(json, "profiles");
	for (size_t i = 0; i < stacks->series_count && json_stream_is_good(json); i++)
		add_series(&speedscope, &stacks->series[i]);
	json_stream_close(json);
	json_stream_open_object(json, "shared");
	json_stream_open_array(json, "frames");
	const struct stack_frame *frames = speedscope.frames.entries;
	for (size_t i = 0; i < speedscope.frames.count && json_stream_is_good(json); i++)
		add_frame(&speedscope, &frames[i]);
	bool good = json_stream_end(json);
	numbering_free(&speedscope.methods);
	free(speedscope.frames.entries);
	return good;
}
