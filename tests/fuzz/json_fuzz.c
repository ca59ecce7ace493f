/*
 * libFuzzer harness of `hprof report --json`: whatever could be read of a profile, text or binary,
 * is a JSON document of the views' parts, whose costs add up. `make fuzz` builds and runs it, with
 * the messages about damaged profiles closed.
 */
#include "reading.h"

#include "views/format.h"

#include <jansson.h>
#include <sys/mman.h>

/* Standard output is a file in memory, the same each time. */
static int file = -1;

static json_t *written(const struct view_request *request)
{
	struct output output;

	if (file < 0)
		file = memfd_create("json", MFD_CLOEXEC);
	require(file >= 0 && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
	require(dup2(file, STDOUT_FILENO) >= 0 && output_open(&output, NULL));
	(void)profile_format_json.write(request, &output);
	require(output_close(&output, true));
	off_t length = lseek(file, 0, SEEK_END);
	char *bytes = malloc((size_t)length + 1);
	require(bytes != NULL && pread(file, bytes, (size_t)length, 0) == length);
	json_t *top = json_loadb(bytes, (size_t)length, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	return top;
}

static uint64_t sum_of_self(const json_t *rows)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *self = json_object_get(json_array_get(rows, i), "self");
		require(json_integer_value(self) >= 0);
		sum = report_sum(sum, (uint64_t)json_integer_value(self));
	}
	return sum;
}

/* All rows are there, so that they have the total, unless it was too large. */
static void check_costs(const json_t *costs)
{
	for (size_t i = 0; i < json_array_size(costs); i++) {
		const json_t *part = json_array_get(costs, i);
		json_int_t total = json_integer_value(json_object_get(part, "total"));
		uint64_t sum = sum_of_self(json_object_get(part, "rows"));
		sum = report_sum(sum, sum_of_self(json_object_get(part, "rest")));
		require(json_integer_value(json_object_get(part, "rows_left_out")) == 0);
		require(total == INT64_MAX || sum == (uint64_t)total);
	}
}

static void check_tables(const json_t *tables)
{
	for (size_t i = 0; i < json_array_size(tables); i++) {
		const json_t *table = json_array_get(tables, i);
		require(json_is_string(json_object_get(table, "of")));
		require(json_is_array(json_object_get(table, "rows")));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input *input = input_of(data, size);
	const struct view_request request = {
	        .input = input,
	        .input_name = "na\"me\xff",
	        .selection = {.view = (enum profile_view)(size % (VIEW_STATES + 1)),
	                      .group = (enum method_group)(size % METHOD_GROUPS),
	                      .threads = size % 2 == 0,
	                      .last = size % 4 < 2}};
	json_t *top = written(&request);

	input_close(input);
	require(json_is_object(json_object_get(top, "profile")));
	check_costs(json_object_get(top, "costs"));
	check_tables(json_object_get(top, "tables"));
	json_decref(top);
	return 0;
}
