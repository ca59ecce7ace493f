/*
 * libFuzzer harness of the formats of other programs that `hprof report -o` writes of a profile,
 * text or binary: whatever could be read of it is a file that their libraries read, with the
 * costs of the profile. `make fuzz` builds and runs it.
 */
#include "reading.h"

#include "export/firefox.h"
#include "export/pprof.h"
#include "export/profile.pb-c.h"
#include "export/speedscope.h"

#include <jansson.h>
#include <math.h>
#include <sys/mman.h>
#include <zlib.h>

typedef Perftools__Profiles__Profile pprof_profile;

static void *allocated(void *memory)
{
	require(memory != NULL);
	return memory;
}

/* ---- what has been written --------------------------------------------------------- */

/* Standard output is a file in memory, the same each time. */
static int file = -1;

static void open_memory(struct output *output)
{
	if (file < 0)
		file = memfd_create("export", MFD_CLOEXEC);
	require(file > STDERR_FILENO && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
	require(dup2(file, STDOUT_FILENO) >= 0 && output_open(output, NULL));
}

/* The caller frees *bytes. */
static size_t close_memory(struct output *output, unsigned char **bytes)
{
	require(output_close(output, true));
	off_t length = lseek(file, 0, SEEK_END);
	require(length > 0);
	*bytes = allocated(malloc((size_t)length));
	require(pread(file, *bytes, (size_t)length, 0) == length);
	return (size_t)length;
}

/* ---- expected numbers -------------------------------------------------------------- */

/* Whether no cost is above what the formats can have. */
static bool is_exact(const struct stack_profile *stacks)
{
	uint64_t total = 0;
	for (size_t i = 0; i < stacks->series_count; i++)
		total = report_sum(total, stack_series_total(&stacks->series[i]));
	return total <= INT64_MAX;
}

static uint64_t total_of(const struct stack_profile *stacks)
{
	uint64_t total = 0;
	for (size_t i = 0; i < stacks->series_count; i++)
		total += stack_series_total(&stacks->series[i]);
	return total;
}

/* ---- JSON -------------------------------------------------------------------------- */

static json_t *load(const unsigned char *bytes, size_t length)
{
	json_error_t error;
	json_t *top = json_loadb((const char *)bytes, length, JSON_REJECT_DUPLICATES, &error);
	require(top != NULL);
	return top;
}

static void check_speedscope_profile(const json_t *profile, size_t frame_count, uint64_t *total)
{
	const json_t *samples = json_object_get(profile, "samples");
	const json_t *weights = json_object_get(profile, "weights");

	require(json_is_string(json_object_get(profile, "name")));
	require(json_array_size(samples) == json_array_size(weights));
	for (size_t i = 0; i < json_array_size(samples); i++) {
		const json_t *stack = json_array_get(samples, i);
		json_int_t weight = json_integer_value(json_array_get(weights, i));
		require(json_array_size(stack) > 0);
		for (size_t j = 0; j < json_array_size(stack); j++) {
			const json_t *number = json_array_get(stack, j);
			require((size_t)json_integer_value(number) < frame_count);
		}
		require(weight > 0);
		*total += (uint64_t)weight;
	}
}

static void check_speedscope(const struct stack_profile *stacks)
{
	struct output output;
	unsigned char *bytes;
	uint64_t total = 0;

	open_memory(&output);
	require(stack_profile_write_speedscope(stacks, "na\"me\xff", &output));
	size_t length = close_memory(&output, &bytes);
	json_t *top = load(bytes, length);
	const json_t *frames = json_object_get(json_object_get(top, "shared"), "frames");
	const json_t *profiles = json_object_get(top, "profiles");
	require(json_array_size(profiles) >= stacks->series_count);
	for (size_t i = 0; i < json_array_size(profiles); i++)
		check_speedscope_profile(json_array_get(profiles, i), json_array_size(frames),
		                         &total);
	require(!is_exact(stacks) || total == total_of(stacks));
	json_decref(top);
	free(bytes);
}

static void check_firefox_thread(const json_t *thread)
{
	const json_t *samples = json_object_get(thread, "samples");
	size_t count = (size_t)json_integer_value(json_object_get(samples, "length"));
	size_t stacks = (size_t)json_integer_value(
	        json_object_get(json_object_get(thread, "stackTable"), "length"));
	const json_t *times = json_object_get(samples, "time");
	double last = 0;

	require(json_array_size(json_object_get(samples, "stack")) == count);
	require(json_array_size(json_object_get(samples, "weight")) == count);
	require(json_array_size(times) == count);
	for (size_t i = 0; i < count; i++) {
		const json_t *stack = json_array_get(json_object_get(samples, "stack"), i);
		double time = json_number_value(json_array_get(times, i));
		require((size_t)json_integer_value(stack) < stacks);
		require(isfinite(time) && time >= last);
		last = time;
	}
}

static void check_firefox(const struct stack_profile *stacks)
{
	struct output output;
	unsigned char *bytes;

	open_memory(&output);
	require(stack_profile_write_firefox(stacks, &output));
	size_t length = close_memory(&output, &bytes);
	json_t *top = load(bytes, length);
	const json_t *threads = json_object_get(top, "threads");
	require(json_array_size(threads) >= stacks->series_count);
	for (size_t i = 0; i < json_array_size(threads); i++)
		check_firefox_thread(json_array_get(threads, i));
	json_decref(top);
	free(bytes);
}

/* ---- pprof ------------------------------------------------------------------------- */

static pprof_profile *unpack(unsigned char *bytes, size_t length)
{
	enum { GZIP = 15 + 16, GROWTH = 2, FIRST = 64 * 1024 };
	z_stream stream = {.next_in = bytes, .avail_in = (uInt)length};
	size_t capacity = FIRST;
	unsigned char *raw = allocated(malloc(capacity));
	int status;

	require(inflateInit2(&stream, GZIP) == Z_OK);
	do {
		if (stream.total_out == capacity)
			raw = allocated(realloc(raw, capacity *= GROWTH));
		stream.next_out = raw + stream.total_out;
		stream.avail_out = (uInt)(capacity - stream.total_out);
		status = inflate(&stream, Z_NO_FLUSH);
		require(status == Z_OK || status == Z_STREAM_END);
	} while (status != Z_STREAM_END);
	require(stream.avail_in == 0);
	pprof_profile *profile = perftools__profiles__profile__unpack(NULL, stream.total_out, raw);
	require(profile != NULL && inflateEnd(&stream) == Z_OK);
	free(raw);
	return profile;
}

/* Identifiers are numbers from 1 on, without a gap. */
static void check_tables(const pprof_profile *profile)
{
	require(profile->n_string_table > 0 && profile->string_table[0][0] == '\0');
	for (size_t i = 0; i < profile->n_function; i++) {
		require(profile->function[i]->id == i + 1);
		require((uint64_t)profile->function[i]->name < profile->n_string_table);
		require((uint64_t)profile->function[i]->filename < profile->n_string_table);
	}
	for (size_t i = 0; i < profile->n_location; i++) {
		require(profile->location[i]->id == i + 1 && profile->location[i]->n_line == 1);
		require(profile->location[i]->line[0]->function_id - 1 < profile->n_function);
	}
}

static void check_samples(const pprof_profile *profile)
{
	for (size_t i = 0; i < profile->n_sample; i++) {
		const Perftools__Profiles__Sample *sample = profile->sample[i];
		require(sample->n_value == profile->n_sample_type && sample->n_location_id > 0);
		for (size_t j = 0; j < sample->n_location_id; j++)
			require(sample->location_id[j] - 1 < profile->n_location);
		for (size_t j = 0; j < sample->n_label; j++)
			require((uint64_t)sample->label[j]->str < profile->n_string_table);
	}
}

/* What `--of samples` writes has the samples. */
static void check_total(const struct stack_profile *stacks, const pprof_profile *profile)
{
	uint64_t total = 0;
	for (size_t i = 0; i < profile->n_sample; i++)
		total += (uint64_t)profile->sample[i]->value[0];
	if (stacks->series_count == 1 && stacks->series[0].section.kind == SECTION_SAMPLES)
		require(total == total_of(stacks));
}

static void check_pprof(const struct stack_profile *stacks)
{
	struct output output;
	unsigned char *bytes;

	open_memory(&output);
	require(stack_profile_write_pprof(stacks, &output));
	size_t length = close_memory(&output, &bytes);
	pprof_profile *profile = unpack(bytes, length);
	check_tables(profile);
	check_samples(profile);
	if (is_exact(stacks))
		check_total(stacks, profile);
	perftools__profiles__profile__free_unpacked(profile, NULL);
	free(bytes);
}

/* ------------------------------------------------------------------------------------ */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input *input = input_of(data, size);
	struct report_profile profile;
	struct report_error error;
	struct stack_profile stacks;

	require(report_profile_init(&profile) && stack_profile_init(&stacks, &profile));
	stacks.threads = size % 2 == 0;
	stacks.last = size % 4 < 2;
	stacks.kind_given = size % 3 == 0;
	stacks.kind = SECTION_SAMPLES;
	(void)reader_of(data, size)(input_source(input), &profile, &stacks.base, &error);
	input_close(input);
	require(stack_profile_merge(&stacks));
	check_speedscope(&stacks);
	check_firefox(&stacks);
	check_pprof(&stacks);
	stack_profile_free(&stacks);
	report_profile_free(&profile);
	return 0;
}
