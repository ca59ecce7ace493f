/*
 * Tests that each allocation of `hprof check` and `hprof report` may fail: the failure is
 * reported and nothing leaks, which the address sanitizer checks.
 */
#include "failing_allocation.h"
#include "heap_fixture.h"
#include "run_suite.h"

#include "check/check.h"
#include "console/input.h"
#include "export/collapsed.h"
#include "export/flame.h"
#include "report/report_table.h"
#include "report/stack_tree.h"

static const char text[] = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
                           "--------\n"
                           "THREAD START (obj=5, id = 200001, name=\"main\", group=\"main\")\n"
                           "TRACE 300001: (thread=200001)\n"
                           "\tA.inner(A.java:12)\n"
                           "\tB.main(B.java:1)\n"
                           "CPU SAMPLES BEGIN (total = 10) Sat Nov 21 02:55:44 2026\n"
                           "rank   self  accum   count trace method\n"
                           "   1 100.00% 100.00%      10 300001 A.inner\n"
                           "CPU SAMPLES END\n"
                           "MONITOR TIME BEGIN (total = 12 ms) Sat Nov 21 02:55:45 2026\n"
                           "   1 75.00% 75.00%       3 300001 LA; (Java)\n"
                           "MONITOR TIME END\n"
                           "HEAP DUMP BEGIN (1 objects, 16 bytes) Sat Nov 21 02:55:44 2026\n"
                           "OBJ 8 (sz=16, trace=300001, class=A@7)\n"
                           "HEAP DUMP END\n";

static struct byte_buffer binary;

static void set_up(void)
{
	static const uint8_t values[8];
	byte_buffer_init(&binary);
	add_header(&binary, "JAVA PROFILE 1.0.2", 8);
	add_string(&binary, 1, "A");
	add_load_class(&binary, 1, 0x1000, 1);
	size_t frame = begin_record(&binary, 0x04);
	for (uint64_t id = 0; id < 4; id++)
		byte_buffer_add_u8(&binary, id < 3 ? 1 : 0);
	byte_buffer_add_u4(&binary, 1);
	byte_buffer_add_u4(&binary, 12);
	end_record(&binary, frame);
	size_t trace = begin_record(&binary, 0x05);
	for (uint32_t number = 0; number < 3; number++)
		byte_buffer_add_u4(&binary, number == 1 ? 0 : 1);
	byte_buffer_add_u8(&binary, 1);
	end_record(&binary, trace);
	size_t samples = begin_record(&binary, 0x0d);
	for (uint32_t number = 0; number < 4; number++)
		byte_buffer_add_u4(&binary, 1);
	end_record(&binary, samples);
	size_t segment = begin_record(&binary, HPROF_RECORD_HEAP_DUMP_SEGMENT);
	add_class_head(&binary, 0x1000, 0, 8);
	byte_buffer_add_u4(&binary, 0);
	byte_buffer_add_u2(&binary, 1);
	byte_buffer_add_u8(&binary, 1);
	byte_buffer_add_u1(&binary, HPROF_TYPE_LONG);
	add_instance_head(&binary, 0x3000, 0x1000, 8);
	byte_buffer_add(&binary, values, sizeof(values));
	end_record(&binary, segment);
	end_record(&binary, begin_record(&binary, HPROF_RECORD_HEAP_DUMP_END));
}

static void tear_down(void)
{
	byte_buffer_free(&binary);
}

/* Each gives whether all went well. The test library needs memory, too: what else is wrong
 * is noted until allocations work again. */
static bool wrong;

static bool check_it(const void *bytes, size_t length)
{
	static struct check_result result;
	struct input *input = input_of_bytes(bytes, length);
	if (input == NULL)
		return false;
	check_profile(input_source(input), &result);
	input_close(input);
	wrong = wrong || result.error_count != 0 ||
	        (result.read_error != 0 && result.read_error != OS_NO_MEMORY);
	return result.read_error == 0;
}

static bool read_it(const void *bytes, size_t length, struct report_profile *profile,
                    struct report_visitor *visitor)
{
	struct report_error error;
	struct input *input = input_of_bytes(bytes, length);
	if (input == NULL)
		return false;
	bool whole = bytes == text
	                     ? report_read_text(input_source(input), profile, visitor, &error)
	                     : report_read_binary(input_source(input), profile, visitor, &error);
	input_close(input);
	wrong = wrong || error.text[0] != '\0';
	return whole;
}

static bool tables(const void *bytes, size_t length)
{
	struct output output = {.file = {.handle = -1}};
	struct report_profile profile;
	struct table_visitor visitor;

	byte_buffer_init(&output.text);
	table_visitor_init(&visitor, &output, 0);
	bool good = report_profile_init(&profile) &&
	            read_it(bytes, length, &profile, &visitor.base) && output.text.error == 0;
	report_profile_free(&profile);
	byte_buffer_free(&output.text);
	return good;
}

/* Of the trees; NULL: whole trees. */
static const struct os_regex *below;

static bool pictures_of(const void *bytes, size_t length, enum section_kind kind)
{
	struct output output = {.file = {.handle = -1}};
	struct report_profile profile;
	struct tree_visitor visitor;
	struct stack_tree tree;

	byte_buffer_init(&output.text);
	bool good = report_profile_init(&profile);
	good = stack_tree_init(&tree) && good;
	tree_visitor_init(&visitor, &tree);
	visitor.any_kind = false;
	visitor.kind = kind;
	visitor.threads = true;
	visitor.below.regex = below;
	good = good && read_it(bytes, length, &profile, &visitor.base) &&
	       tree_visitor_finish(&visitor, &profile) &&
	       stack_tree_write_collapsed(&tree, &output) &&
	       stack_tree_write_flame(&tree, NULL, "title", "samples", &output) &&
	       output.text.error == 0;
	tree_visitor_free(&visitor);
	stack_tree_free(&tree);
	report_profile_free(&profile);
	byte_buffer_free(&output.text);
	return good;
}

static bool pictures(const void *bytes, size_t length)
{
	return pictures_of(bytes, length, SECTION_SAMPLES);
}

static bool pictures_below(const void *bytes, size_t length)
{
	char error[OS_ERROR_TEXT_MAX];
	struct os_regex *regex = NULL;

	int result = os_regex_compile("main$", &regex, error, sizeof(error));
	below = regex;
	bool good = pictures_of(bytes, length, SECTION_SAMPLES);
	below = NULL;
	os_regex_free(regex);
	return good && (result == 0 || result == OS_UNSUPPORTED);
}

static bool monitor_pictures(const void *bytes, size_t length)
{
	return pictures_of(bytes, length, SECTION_MONITORS);
}

static void fail_each(bool (*work)(const void *, size_t), const void *bytes, size_t length)
{
	bool failed = true;
	unsigned number = 0;
	while (failed) {
		number++;
		fail_allocations(number, number);
		bool good = work(bytes, length);
		failed = stop_failing();
		ck_assert_msg(good != failed && !wrong, "allocation %u", number);
	}
	ck_assert_uint_gt(number, 5);
}

START_TEST(check_tells_each_failing_allocation)
{
	fail_each(check_it, binary.bytes, binary.length);
}
END_TEST

START_TEST(tables_tell_each_failing_allocation)
{
	fail_each(tables, text, sizeof(text) - 1);
	fail_each(tables, binary.bytes, binary.length);
}
END_TEST

START_TEST(pictures_tell_each_failing_allocation)
{
	fail_each(pictures, text, sizeof(text) - 1);
	fail_each(pictures_below, text, sizeof(text) - 1);
	fail_each(monitor_pictures, text, sizeof(text) - 1);
	fail_each(pictures, binary.bytes, binary.length);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("the command without memory");
	TCase *tests = tcase_create("oom");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, check_tells_each_failing_allocation);
	tcase_add_test(tests, tables_tell_each_failing_allocation);
	tcase_add_test(tests, pictures_tell_each_failing_allocation);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
