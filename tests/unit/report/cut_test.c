/*
 * Tests of profiles that end anywhere: what is whole is read, no part of a line or of an object is
 * taken for whole, and it is reported unless the file ends between two records. Also text with the
 * line ends of DOS, and of other versions.
 */
#include "heap_fixture.h"
#include "report_fixture.h"
#include "run_suite.h"

#include "report/content.h"
#include "report/report_table.h"

#include <stdlib.h>

enum { TEXT_MAX = 4096 };

static const char text[] =
        FIXTURE_TRACES "CPU SAMPLES BEGIN (total = 6) x\nrank   self  accum   count trace method\n"
                       "   1 50.00% 50.00%       3 300001 a.b.A.fib\n"
                       "   2 33.33% 83.33%       2 300002 a.b.A$$Lambda/0x00007f.run\n"
                       "   3 16.67% 100.00%       1 300003 <no_stack>.ring_full\n"
                       "CPU SAMPLES END\n"
                       "SITES BEGIN (ordered by live bytes) x\n"
                       "    1 60.00% 60.00%      600   60       600    60 300001 a.B\n"
                       "    2 40.00% 100.00%     400    4      4000    40 300000 a.C\n"
                       "SITES END\n"
                       "HEAP DUMP BEGIN (2 objects, 32 bytes) x\n"
                       "OBJ 1 (sz=16, trace=0, class=a.B@2)\n"
                       "HEAP DUMP END\n";

static struct report_error error;
static struct report_content content;
static struct byte_buffer bytes;

static void set_up(void)
{
	fixture_set_up();
	byte_buffer_init(&bytes);
	report_content_init(&content, &profile);
}

static void tear_down(void)
{
	byte_buffer_free(&bytes);
	report_content_free(&content);
	fixture_tear_down();
}

/* Reads from a copy of that length, for the address sanitizer. */
static bool read_part(const void *from, size_t length, bool binary)
{
	void *part = malloc(length + 1);
	ck_assert_ptr_nonnull(part);
	memcpy(part, from, length);
	tear_down();
	fixture_set_up();
	byte_buffer_init(&bytes);
	report_content_init(&content, &profile);
	struct input *input = input_of_bytes(part, length);
	ck_assert_ptr_nonnull(input);
	bool whole = (binary ? report_read_binary : report_read_text)(input_source(input), &profile,
	                                                              &content.base, &error);
	input_close(input);
	free(part);
	return whole;
}

static uint64_t cost_of(enum section_kind kind, size_t *rows)
{
	uint64_t cost = 0;

	*rows = 0;
	for (size_t i = 0; i < content.count; i++) {
		const struct report_section *section = &content.items[i].section;
		for (size_t row = 0; section->kind == kind && row < section->row_count; row++) {
			cost += section->rows[row].cost;
			(*rows)++;
		}
	}
	return cost;
}

/* The costs of as many rows as there are. */
static void expect_samples(void)
{
	static const uint64_t sums[] = {0, 3, 5, 6};
	size_t rows;
	uint64_t cost = cost_of(SECTION_SAMPLES, &rows);
	ck_assert_uint_le(rows, 3);
	ck_assert_uint_eq(cost, sums[rows]);
}

static void expect_text(const char *of, size_t length)
{
	size_t rows;
	bool whole = read_part(of, length, false);
	bool between_records = length > 0 && of[length - 1] == '\n';
	size_t line_end = length > 0 && of[length - 1] == '\r' ? length - 1 : length;
	bool after_end = line_end > 4 && memcmp(of + line_end - 4, " END", 4) == 0;

	ck_assert_msg(!whole || between_records || after_end, "%zu bytes are whole", length);
	ck_assert(whole == (error.text[0] == '\0'));
	if (whole)
		ck_assert(length > strlen(FIXTURE_TRACES) || content.count == 0);
	expect_samples();
	uint64_t sites = cost_of(SECTION_SITES, &rows);
	ck_assert(sites == 0 || sites == 600 || sites == 1000);
	uint64_t heap = cost_of(SECTION_HEAP, &rows);
	ck_assert(heap == 0 || heap == 16);
}

START_TEST(text_that_ends_anywhere)
{
	for (size_t length = 0; length < strlen(text); length++)
		expect_text(text, length);
	ck_assert(read_part(text, strlen(text), false));
	ck_assert_uint_eq(content.count, 3);
}
END_TEST

static size_t with_dos_ends(char *to)
{
	size_t used = 0;
	for (size_t i = 0; i < strlen(text); i++) {
		if (text[i] == '\n')
			to[used++] = '\r';
		to[used++] = text[i];
	}
	ck_assert_uint_lt(used, TEXT_MAX);
	return used;
}

static const char *printed(const void *from, size_t length)
{
	struct table_visitor tables;

	ck_assert(read_part(from, length, false));
	table_visitor_init(&tables, &output, 0);
	ck_assert(report_content_visit(&content, &tables.base));
	return fixture_printed();
}

START_TEST(line_ends_of_dos_are_line_ends)
{
	char dos[TEXT_MAX];
	size_t length = with_dos_ends(dos);
	char *expected = strdup(printed(text, strlen(text)));

	ck_assert_ptr_nonnull(expected);
	ck_assert_str_eq(printed(dos, length), expected);
	free(expected);
	for (size_t cut = 0; cut < length; cut++)
		expect_text(dos, cut);
}
END_TEST

START_TEST(text_of_any_version_is_read)
{
	static const char rest[] = ", created Sat Nov 21 02:55:43 2026\n--------\n";
	char begun[TEXT_MAX];

	for (size_t i = 0; i < HPROF_VERSIONS; i++) {
		(void)snprintf(begun, sizeof(begun), "%s%s", hprof_versions[i], rest);
		ck_assert(read_part(begun, strlen(begun), false));
		ck_assert_str_eq(profile.facts.created->text, "Sat Nov 21 02:55:43 2026");
	}
}
END_TEST

/* ---- binary ------------------------------------------------------------------------- */

static void add_samples(void)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_CPU_SAMPLES);
	byte_buffer_add_u4(&bytes, 6);
	byte_buffer_add_u4(&bytes, 3);
	for (uint32_t count = 3; count > 0; count--) {
		byte_buffer_add_u4(&bytes, count);
		byte_buffer_add_u4(&bytes, 7);
	}
	end_record(&bytes, start);
}

static void add_objects(void)
{
	size_t start = begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	for (uint64_t id = 1; id <= 4; id++) {
		add_instance_head(&bytes, id, 2, 8);
		byte_buffer_add_u8(&bytes, id);
	}
	end_record(&bytes, start);
}

START_TEST(a_binary_file_that_ends_anywhere)
{
	struct byte_buffer all;
	size_t rows;

	add_header(&bytes, "JAVA PROFILE 1.0.2", 8);
	size_t header = bytes.length;
	add_samples();
	size_t samples = bytes.length;
	add_objects();
	end_record(&bytes, begin_record(&bytes, HPROF_RECORD_HEAP_DUMP_END));
	all = bytes;
	byte_buffer_init(&bytes);
	for (size_t length = 0; length <= all.length; length++) {
		bool whole = read_part(all.bytes, length, true);
		ck_assert(whole == (length == header || length == samples || length == all.length));
		ck_assert(whole || error.text[0] != '\0');
		expect_samples();
		(void)cost_of(SECTION_SAMPLES, &rows);
		/* Rows that are whole are not lost. */
		ck_assert_uint_eq(rows, length < header + 17 ? 0
		                        : length >= samples  ? 3
		                                             : (length - header - 17) / 8);
		size_t objects = length < samples + 9 ? 0 : (length - samples - 9) / 33;
		ck_assert_uint_eq(cost_of(SECTION_HEAP, &rows), 8 * (objects > 4 ? 4 : objects));
	}
	byte_buffer_free(&all);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profiles that are cut");
	TCase *tests = tcase_create("cut");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, text_that_ends_anywhere);
	tcase_add_test(tests, line_ends_of_dos_are_line_ends);
	tcase_add_test(tests, text_of_any_version_is_read);
	tcase_add_test(tests, a_binary_file_that_ends_anywhere);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
