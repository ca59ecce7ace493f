/* marks: posix */
/*
 * Tests of heap dumps into files that can't grow: whichever write of a dump fails, and after
 * however many bytes, the file ends with whole records, and has the last tail. Files are read by
 * the command's own checker or, as text, line by line.
 */
#include "run_suite.h"
#include "sink_fixture.h"
#include "writer_fixture.h"

#include "check/check.h"
#include "console/input.h"
#include "output/heap_writer.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

enum { ID_SIZE = 4, INSTANCES = 40000, ARRAY_BYTES = 1200000, ELEMENTS = 300000, PIECE = 65536 };
enum { WRITES_MAX = 64 };

/* What is written: where each write ended, of the run that did not fail; and a sink around the
 * tested one that notes it. */
static struct sink *inner;
static uint64_t ends[WRITES_MAX];
static size_t end_count;

static uint64_t file_length(void)
{
	return os_file_length(path);
}

static void note_end(void)
{
	ck_assert_uint_lt(end_count, WRITES_MAX);
	ends[end_count++] = file_length();
}

static int noted_write(struct sink *outer, const void *bytes, size_t length)
{
	(void)outer;
	int error = inner->ops->write(inner, bytes, length);
	note_end();
	return error;
}

static int noted_tail(struct sink *outer, const void *bytes, size_t length)
{
	(void)outer;
	int error = inner->ops->set_tail(inner, bytes, length);
	note_end();
	return error;
}

static void noted_begin(struct sink *outer)
{
	(void)outer;
	inner->ops->begin_group(inner);
}

static void noted_end(struct sink *outer, bool keep)
{
	(void)outer;
	inner->ops->end_group(inner, keep);
}

static int noted_close(struct sink *outer)
{
	(void)outer;
	return inner->ops->close(inner);
}

static const struct sink_ops noted_ops = {
        .write = noted_write,
        .set_tail = noted_tail,
        .begin_group = noted_begin,
        .end_group = noted_end,
        .close = noted_close,
};

/* ---- a profile with a tail and two dumps ------------------------------- */

static const struct heap_field fields[] = {{.name = &name_work, .type = HPROF_TYPE_OBJECT},
                                           {.name = &name_run, .type = HPROF_TYPE_LONG}};
static const struct heap_class sample_class = {.class = &class_sample,
                                               .trace_serial = 300000,
                                               .instance_size = 12,
                                               .field_count = 2,
                                               .fields = fields};
static const struct heap_root root = {.kind = HPROF_SUB_ROOT_UNKNOWN, .object_id = 0x801};
static const uint8_t values[12] = {0, 0, 8, 1};
static const struct heap_instance instance = {.object_id = 0x801,
                                              .trace_serial = 300001,
                                              .class = &class_sample,
                                              .values = values,
                                              .values_length = sizeof(values),
                                              .field_count = 2,
                                              .fields = fields};

static void write_bytes(struct heap_writer *heap)
{
	static const uint8_t piece[PIECE];
	const struct heap_array bytes = {.object_id = 0x902,
	                                 .trace_serial = 300001,
	                                 .length = ARRAY_BYTES,
	                                 .type = HPROF_TYPE_BYTE};

	heap_writer_primitive_array(heap, &bytes);
	for (size_t left = ARRAY_BYTES; left > 0;) {
		size_t length = left < PIECE ? left : PIECE;
		heap_writer_bytes(heap, piece, length);
		left -= length;
	}
}

static void write_objects(struct heap_writer *heap)
{
	static uint64_t ids[ELEMENTS];
	const struct heap_array objects = {.object_id = 0x901,
	                                   .trace_serial = 300001,
	                                   .length = ELEMENTS,
	                                   .class = &class_sample,
	                                   .type = HPROF_TYPE_OBJECT};

	for (size_t i = 0; i < ELEMENTS; i++)
		ids[i] = 0x801;
	heap_writer_object_array(heap, &objects);
	heap_writer_elements(heap, ids, ELEMENTS / 2);
	heap_writer_elements(heap, ids + ELEMENTS / 2, ELEMENTS / 2);
}

/* Writes a dump of that number of instances and, if there are any, of two large arrays. Returns the
 * writer's error. broken: the dump is ended within an array by an error that is none of the sink.
 */
static int write_dump(struct record_writer *writer, int instances, bool broken)
{
	const struct heap_begin begin = {.wall_ms = CREATED_WALL_MS, .object_count = INSTANCES + 2};
	struct heap_writer *heap = heap_writer_begin(writer, &begin);

	if (heap == NULL)
		return writer_error(writer);
	heap_writer_root(heap, &root);
	heap_writer_class(heap, &sample_class);
	for (int i = 0; i < instances; i++)
		heap_writer_instance(heap, &instance);
	writer_trace(writer, &trace_locked);
	if (instances > 0) {
		write_bytes(heap);
		if (broken)
			writer_fail(writer, BYTES_NO_MEMORY);
		write_objects(heap);
	}
	heap_writer_end(heap);
	return writer_error(writer);
}

static void write_tail(struct record_writer *writer)
{
	if (writer_tail_begin(writer)) {
		writer_cpu_samples(writer, &samples);
		writer_tail_end(writer);
	}
}

struct output {
	const struct record_format *format;
	bool compressed;
};

static struct sink *open_output(const struct output *output)
{
	struct sink *file = open_sink(path);
	struct sink *created = output->compressed ? sink_gzip_create(file) : file;

	ck_assert_ptr_nonnull(created);
	return created;
}

/* Has no assertions: they would write to a file, too, which the limit is for as well. */
static int write_profile(const struct output *output, struct sink *to)
{
	struct record_writer *writer = writer_create(output->format, to, ID_SIZE, CREATED_WALL_MS);

	if (writer == NULL)
		abort();
	writer_thread_start(writer, &thread_main);
	writer_trace(writer, &trace_work);
	write_tail(writer);
	(void)write_dump(writer, 0, false);
	write_tail(writer);
	(void)write_dump(writer, INSTANCES, false);
	write_tail(writer);
	return writer_close(writer);
}

/* ---- what is left ----------------------------------------------------------- */

static void expect_valid_binary(struct input *input, const char *what)
{
	static struct check_result result;

	check_profile(input_source(input), &result);
	ck_assert_msg(result.read_error == 0 && result.error_count == 0, "%s: error %d, %s", what,
	              result.read_error, result.errors[0].text);
}

/* Each section that begins ends, before another one begins; and lines are whole. */
static void expect_valid_text(struct input *input, const char *what)
{
	static char text[64 * 1024 * 1024];
	struct byte_source *source = input_source(input);
	char section[32] = "";
	size_t length = 0;
	size_t got = 0;

	do {
		ck_assert_int_eq(source->read(source, (uint8_t *)text + length,
		                              sizeof(text) - 1 - length, &got),
		                 0);
		length += got;
	} while (got > 0);
	text[length] = '\0';
	ck_assert_msg(length == 0 || text[length - 1] == '\n', "%s: half a line", what);
	for (char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
		bool dump = strncmp(line, "HEAP DUMP ", 10) == 0;
		bool samples_line = strncmp(line, "CPU SAMPLES ", 12) == 0;
		if (!dump && !samples_line)
			continue;
		const char *name = dump ? "dump" : "samples";
		bool begins = strncmp(strstr(line, dump ? "DUMP " : "SAMPLES ") + (dump ? 5 : 8),
		                      "BEGIN", 5) == 0;
		ck_assert_msg(strcmp(section, begins ? "" : name) == 0, "%s: %.40s within %s", what,
		              line, section);
		(void)snprintf(section, sizeof(section), "%s", begins ? name : "");
	}
	ck_assert_msg(section[0] == '\0', "%s: it ends within %s", what, section);
}

static void expect_valid(const struct output *output, const char *what)
{
	struct input *input = NULL;

	ck_assert_int_eq(input_open(path, &input), 0);
	if (output->format == &record_format_text)
		expect_valid_text(input, what);
	else
		expect_valid_binary(input, what);
	input_close(input);
}

/* ---- every write fails ------------------------------------------------------- */

/* Makes writes past this length fail, the first one after a part, as on a full disk. */
static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	(void)signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
		abort();
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		abort();
}

static void fail_at(const struct output *output, uint64_t limit, uint64_t whole)
{
	char what[64];

	(void)snprintf(what, sizeof(what), "at most %llu bytes", (unsigned long long)limit);
	struct sink *to = open_output(output);
	limit_file_size((rlim_t)limit);
	int error = write_profile(output, to);
	limit_file_size(RLIM_INFINITY);
	/* The times of records make the length of a compressed file differ by some bytes. */
	bool fits = output->compressed ? error == 0 : limit >= whole;
	ck_assert_msg(error == (fits ? 0 : EFBIG), "%s: error %d", what, error);
	if (file_length() > 0)
		expect_valid(output, what);
}

/* Before, within and after each write of a run in which none failed. */
static void fail_at_each_write(const struct output *output)
{
	struct sink noted = {.ops = &noted_ops};
	uint64_t before = 0;
	uint64_t most = 0;

	end_count = 0;
	inner = open_output(output);
	ck_assert_int_eq(write_profile(output, &noted), 0);
	expect_valid(output, "no limit");
	ck_assert_uint_ge(end_count, 10);
	for (size_t i = 0; i < end_count; i++)
		most = ends[i] > most ? ends[i] : most;
	for (size_t i = 0; i < end_count; i++) {
		if (ends[i] > before) {
			fail_at(output, before + 1, most);
			fail_at(output, before + (ends[i] - before) / 2, most);
			fail_at(output, ends[i] - 1, most);
		}
		before = ends[i];
	}
	fail_at(output, most, most);
}

static const struct output outputs[] = {
        {.format = &record_format_binary_segments},
        {.format = &record_format_text},
        {.format = &record_format_binary_segments, .compressed = true},
        {.format = &record_format_text, .compressed = true},
};

enum { OUTPUTS = sizeof(outputs) / sizeof(outputs[0]) };

START_TEST(a_dump_that_does_not_fit_leaves_whole_records)
{
	fail_at_each_write(&outputs[_i]);
}
END_TEST

START_TEST(a_dump_ended_by_another_error_leaves_whole_records)
{
	const struct output *output = &outputs[_i];
	struct record_writer *writer =
	        writer_create(output->format, open_output(output), ID_SIZE, CREATED_WALL_MS);

	ck_assert_ptr_nonnull(writer);
	writer_trace(writer, &trace_work);
	writer_thread_start(writer, &thread_main);
	write_tail(writer);
	uint64_t whole = file_length();
	ck_assert_int_eq(write_dump(writer, INSTANCES, true), BYTES_NO_MEMORY);
	ck_assert_uint_eq(file_length(), whole);
	ck_assert_int_eq(writer_close(writer), BYTES_NO_MEMORY);
	ck_assert_uint_eq(file_length(), whole);
	expect_valid(output, "out of memory");
}
END_TEST

/* Whose objects could not be read to the end. What others wrote meanwhile is in the file, before
 * what refers to it. */
START_TEST(a_discarded_dump_leaves_the_records_beside_it)
{
	const struct output *output = &outputs[_i];
	const struct heap_begin begin = {.wall_ms = CREATED_WALL_MS, .object_count = INSTANCES};
	struct record_writer *writer =
	        writer_create(output->format, open_output(output), ID_SIZE, CREATED_WALL_MS);

	ck_assert_ptr_nonnull(writer);
	writer_thread_start(writer, &thread_main);
	write_tail(writer);
	struct heap_writer *heap = heap_writer_begin(writer, &begin);
	ck_assert_ptr_nonnull(heap);
	heap_writer_class(heap, &sample_class);
	writer_trace(writer, &trace_work);
	writer_trace(writer, &trace_locked);
	write_objects(heap);
	heap_writer_object_array(heap, &(struct heap_array){.length = 3, .class = &class_sample});
	uint64_t most = file_length();
	heap_writer_discard(heap);
	ck_assert_uint_lt(file_length(), most);
	expect_valid(output, "discarded");
	ck_assert_int_eq(write_dump(writer, INSTANCES, false), 0);
	write_tail(writer);
	ck_assert_int_eq(writer_close(writer), 0);
	expect_valid(output, "after a discarded dump");
}
END_TEST

static void make_path(void)
{
	make_file();
	ck_assert_int_eq(sink->ops->close(sink), 0);
}

static void remove_limited_file(void)
{
	limit_file_size(RLIM_INFINITY);
	remove_file();
}

int main(void)
{
	Suite *suite = suite_create("dump faults");
	TCase *faults = tcase_create("faults");

	tcase_set_timeout(faults, 120);
	tcase_add_checked_fixture(faults, make_path, remove_limited_file);
	tcase_add_loop_test(faults, a_dump_that_does_not_fit_leaves_whole_records, 0, OUTPUTS);
	tcase_add_loop_test(faults, a_dump_ended_by_another_error_leaves_whole_records, 0, OUTPUTS);
	tcase_add_loop_test(faults, a_discarded_dump_leaves_the_records_beside_it, 0, OUTPUTS);
	suite_add_tcase(suite, faults);
	return run_suite(suite);
}
