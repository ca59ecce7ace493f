/*
 * firefox.c: writes the processed profile format of the Firefox Profiler, version 56: each thread
 * has tables of columns, and the strings are shared. The tables of a thread are numbered while its
 * samples are written, and follow them.
 */
#include "export/firefox.h"

#include "export/firefox_tables.h"
#include "export/profile_time.h"
#include "os/time_units.h"

#include <stdlib.h>

enum { FORMAT_VERSION = 56, GECKO_VERSION = 31, INTERVAL_DEFAULT_MS = 10 };

struct firefox {
	const struct stack_profile *stacks;
	struct json_stream json;
	struct firefox_strings strings;
	uint64_t start_ms;
	uint32_t interval_ms;
	unsigned threads;
};

/* ---- samples ------------------------------------------------------------------------ */

static const char *weight_type(enum section_kind kind)
{
	return kind == SECTION_SAMPLES ? "samples" : kind == SECTION_SITES ? "bytes" : "tracing-ms";
}

static double weight_of(enum section_kind kind, uint64_t cost)
{
	return kind == SECTION_SAMPLES || kind == SECTION_SITES ? (double)cost
	                                                        : (double)cost / (double)NS_PER_MS;
}

static void add_weight(struct firefox *firefox, enum section_kind kind, uint64_t cost)
{
	if (kind == SECTION_SAMPLES || kind == SECTION_SITES)
		json_stream_add_number(&firefox->json, NULL, cost);
	else
		json_stream_add_real(&firefox->json, NULL, weight_of(kind, cost));
}

/* How long a sample is, in ms: its CPU time, or a step for each byte. */
static double length_of(const struct firefox *firefox, enum section_kind kind, uint64_t cost)
{
	double weight = weight_of(kind, cost);
	return kind == SECTION_SAMPLES ? weight * firefox->interval_ms
	       : kind == SECTION_SITES ? 1
	                               : weight;
}

/* Samples follow each other, but do not leave the time in which they were taken if that is
 * known. */
static void add_times(struct firefox *firefox, enum section_kind kind,
                      const struct stack_sample *samples, size_t count)
{
	double last = 0;
	double next = 0;

	json_stream_open_array(&firefox->json, "time");
	for (size_t i = 0; i < count && json_stream_is_good(&firefox->json); i++) {
		const struct stack_sample *sample = &samples[i];
		if (sample->at_ms > firefox->start_ms) {
			double at = (double)(sample->at_ms - firefox->start_ms);
			next = next < at ? at : next;
			next = next > at + sample->width_ms ? at + sample->width_ms : next;
		}
		last = next > last ? next : last;
		json_stream_add_real(&firefox->json, NULL, last);
		next = last + length_of(firefox, kind, sample->cost);
	}
	json_stream_close(&firefox->json);
}

static void add_samples(struct firefox *firefox, struct firefox_tables *tables,
                        const struct stack_series *series, const struct stack_sample *samples,
                        size_t count)
{
	struct json_stream *json = &firefox->json;
	enum section_kind kind = series->section.kind;

	json_stream_open_object(json, "samples");
	json_stream_open_array(json, "stack");
	for (size_t i = 0; i < count && json_stream_is_good(json); i++) {
		const struct stack_frames frames =
		        stack_frames_of(firefox->stacks, series, samples[i].row);
		json_stream_add_number(json, NULL, firefox_tables_stack(tables, &frames));
	}
	json_stream_close(json);
	add_times(firefox, kind, samples, count);
	json_stream_open_array(json, "weight");
	for (size_t i = 0; i < count && json_stream_is_good(json); i++)
		add_weight(firefox, kind, samples[i].cost);
	json_stream_close(json);
	json_stream_add_words(json, "weightType", weight_type(kind));
	json_stream_add_number(json, "length", count);
	json_stream_close(json);
}

/* ---- threads ------------------------------------------------------------------------ */

static void add_empty_columns(struct json_stream *json, const char *table,
                              const char *const *columns)
{
	json_stream_open_object(json, table);
	for (; *columns != NULL; columns++)
		json_stream_add(json, *columns, json_array());
	json_stream_add_number(json, "length", 0);
	json_stream_close(json);
}

static void add_empty_tables(struct json_stream *json)
{
	static const char *const markers[] = {"data",  "name",     "startTime", "endTime",
	                                      "phase", "category", NULL};
	static const char *const resources[] = {"lib", "name", "host", "type", NULL};
	static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};

	add_empty_columns(json, "markers", markers);
	add_empty_columns(json, "resourceTable", resources);
	add_empty_columns(json, "nativeSymbols", symbols);
}

static void add_thread_facts(struct firefox *firefox, const struct stack_series *series,
                             uint32_t thread)
{
	struct json_stream *json = &firefox->json;
	struct byte_buffer name;

	json_stream_add_words(json, "processType", "default");
	json_stream_add_number(json, "processStartupTime", 0);
	json_stream_add(json, "processShutdownTime", json_null());
	json_stream_add_number(json, "registerTime", 0);
	json_stream_add(json, "unregisterTime", json_null());
	json_stream_add(json, "pausedRanges", json_array());
	json_stream_add(json, "isMainThread", json_boolean(firefox->threads == 0));
	json_stream_add_words(json, "pid", "0");
	json_stream_add_number(json, "tid", firefox->threads);
	byte_buffer_init(&name);
	stack_series_add_name(firefox->stacks, series, thread, &name);
	if (name.error != 0)
		byte_buffer_fail(&json->output->text, name.error);
	else
		json_stream_add_text(json, "name", (const char *)name.bytes, name.length);
	byte_buffer_free(&name);
	firefox->threads++;
}

static void add_thread(struct firefox *firefox, const struct stack_series *series,
                       const struct stack_sample *samples, size_t count)
{
	struct json_stream *json = &firefox->json;
	struct firefox_tables tables;

	firefox_tables_init(&tables, &firefox->strings, firefox->stacks->profile->strings,
	                    &json->output->text);
	json_stream_open_object(json, NULL);
	add_thread_facts(firefox, series, count == 0 ? 0 : samples[0].thread);
	add_samples(firefox, &tables, series, samples, count);
	firefox_tables_write(&tables, json);
	add_empty_tables(json);
	json_stream_close(json);
	firefox_tables_free(&tables);
}

static void add_series(struct firefox *firefox, const struct stack_series *series)
{
	struct stack_sample *samples;
	size_t count;

	if (!stack_series_samples(firefox->stacks, series, &samples, &count)) {
		byte_buffer_fail(&firefox->json.output->text, BYTES_NO_MEMORY);
		return;
	}
	size_t from = 0;
	do {
		size_t to = from;
		while (to < count && samples[to].thread == samples[from].thread)
			to++;
		add_thread(firefox, series, samples + from, to - from);
		from = to;
	} while (from < count && json_stream_is_good(&firefox->json));
	free(samples);
}

/* ---- the file ----------------------------------------------------------------------- */

static void add_category(struct json_stream *json, const char *name, const char *color)
{
	json_stream_open_object(json, NULL);
	json_stream_add_words(json, "name", name);
	json_stream_add_words(json, "color", color);
	json_stream_open_array(json, "subcategories");
	json_stream_add_words(json, NULL, "Other");
	json_stream_close(json);
	json_stream_close(json);
}

static void add_meta(struct firefox *firefox)
{
	struct json_stream *json = &firefox->json;
	const struct report_facts *facts = &firefox->stacks->profile->facts;

	json_stream_open_object(json, "meta");
	json_stream_add_number(json, "interval", firefox->interval_ms);
	json_stream_add_number(json, "startTime", firefox->start_ms);
	json_stream_add_number(json, "processType", 0);
	json_stream_add_number(json, "stackwalk", 1);
	json_stream_add_number(json, "version", GECKO_VERSION);
	json_stream_add_number(json, "preprocessedProfileVersion", FORMAT_VERSION);
	json_stream_add_words(json, "importedFrom", "hprof");
	if (facts->program != NULL)
		json_stream_add_string(json, "product", facts->program);
	else
		json_stream_add_words(json, "product", "Java");
	if (facts->jvm != NULL)
		json_stream_add_string(json, "misc", facts->jvm);
	if (facts->options != NULL)
		json_stream_add_string(json, "arguments", facts->options);
	json_stream_add(json, "markerSchema", json_array());
	json_stream_add(json, "symbolicated", json_true());
	json_stream_add(json, "symbolicationNotSupported", json_true());
	json_stream_add(json, "usesOnlyOneStackType", json_true());
	json_stream_add(json, "sourceCodeIsNotOnSearchfox", json_true());
	json_stream_open_array(json, "categories");
	add_category(json, "Other", "grey");
	add_category(json, "Java", "green");
	add_category(json, "Native", "blue");
	json_stream_close(json);
	json_stream_close(json);
}

bool stack_profile_write_firefox(const struct stack_profile *stacks, struct output *output)
{
	struct firefox firefox = {.stacks = stacks, .start_ms = profile_start_ms(stacks)};
	struct json_stream *json = &firefox.json;

	firefox.interval_ms = stacks->profile->facts.interval_ms;
	if (firefox.interval_ms == 0)
		firefox.interval_ms = INTERVAL_DEFAULT_MS;
	firefox_strings_init(&firefox.strings);
	json_stream_begin(json, output);
	add_meta(&firefox);
	json_stream_add(json, "libs", json_array());
	json_stream_open_array(json, "threads");
	for (size_t i = 0; i < stacks->series_count && json_stream_is_good(json); i++)
		add_series(&firefox, &stacks->series[i]);
	json_stream_close(json);
	json_stream_open_object(json, "shared");
	firefox_strings_write(&firefox.strings, json);
	bool good = json_stream_end(json);
	firefox_strings_free(&firefox.strings);
	return good;
}
