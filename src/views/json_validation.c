/*
 * json_validation.c: see json_reports.h.
 */
#include "views/json_reports.h"

#include "views/json_frames.h"

#include <string.h>

static void add_count(struct json_stream *json, const char *name, const struct check_count *count)
{
	if (count->records == 0)
		return;
	json_stream_open_object(json, NULL);
	json_stream_add_words(json, "name", name);
	json_stream_add_number(json, "number", count->records);
	json_stream_add_number(json, "bytes", count->bytes);
	json_stream_close(json);
}

/* name_of gives NULL for a tag that the format does not have: those are one count. */
static void add_counts(struct json_stream *json, const char *key,
                       const struct check_count counts[CHECK_TAGS],
                       const char *(*name_of)(unsigned tag))
{
	struct check_count unknown = {0};

	json_stream_open_array(json, key);
	for (unsigned tag = 0; tag < CHECK_TAGS; tag++) {
		const char *name = name_of(tag);
		if (name != NULL) {
			add_count(json, name, &counts[tag]);
			continue;
		}
		unknown.records += counts[tag].records;
		unknown.bytes += counts[tag].bytes;
	}
	add_count(json, "unknown", &unknown);
	json_stream_close(json);
}

static void add_errors(struct json_stream *json, const struct check_result *result)
{
	json_stream_add_number(json, "error_count", result->error_count);
	json_stream_open_array(json, "errors");
	for (uint64_t i = 0; i < result->error_count && i < CHECK_ERRORS_KEPT; i++) {
		const char *text = result->errors[i].text;
		json_stream_open_object(json, NULL);
		json_stream_add_number(json, "offset", result->errors[i].offset);
		json_stream_add_text(json, "text", text, strlen(text));
		json_stream_close(json);
	}
	json_stream_close(json);
}

static void add_header(struct json_stream *json, const struct check_result *result)
{
	json_stream_open_object(json, "header");
	json_stream_add_words(json, "version", hprof_versions[result->version]);
	json_stream_add_number(json, "id_size", result->id_size);
	json_stream_add_number(json, "created_ms", result->created_ms);
	json_stream_close(json);
}

bool json_validation_write(const struct check_result *result, const char *name,
                           struct output *output)
{
	struct json_stream json;

	json_stream_begin(&json, output);
	json_stream_add_words(&json, "format", "hprof-check-file");
	json_stream_add_number(&json, "version", JSON_REPORTS_VERSION);
	json_add_file(&json, "profile", name);
	json_stream_add(&json, "is_valid",
	                json_boolean(result->error_count == 0 && result->read_error == 0));
	json_stream_add(&json, "is_whole", json_boolean(result->read_error == 0));
	if (result->header_read)
		add_header(&json, result);
	add_counts(&json, "records", result->records, check_record_name);
	add_counts(&json, "subrecords", result->subrecords, check_subrecord_name);
	add_errors(&json, result);
	json_stream_add_number(&json, "missing_objects", result->missing.objects);
	json_stream_add_number(&json, "missing_classes", result->missing.classes);
	return json_stream_end(&json);
}
