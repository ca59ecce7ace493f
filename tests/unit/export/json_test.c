/*
 * Tests of the JSON formats: what is written is one JSON document whatever the names and the
 * number of elements, and sums are those of the profile.
 */
#include "run_suite.h"
#include "stack_fixture.h"

#include "export/firefox.h"
#include "export/json_stream.h"
#include "export/speedscope.h"

#include <string.h>

static json_t *document;

static void set_up(void)
{
	ck_assert(stack_set_up());
	document = NULL;
}

static void tear_down(void)
{
	json_decref(document);
	stack_tear_down();
}

/* Strict: names in an object are unique, and nothing follows the document. */
static void load(void)
{
	json_error_t error;
	ck_assert_int_eq(stack_output.text.error, 0);
	json_decref(document);
	document = json_loadb((const char *)stack_output.text.bytes, stack_output.text.length,
	                      JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(document != NULL, "%d: %s", error.position, error.text);
}

static double sum_of(const json_t *numbers)
{
	double sum = 0;
	for (size_t i = 0; i < json_array_size(numbers); i++)
		sum += json_number_value(json_array_get(numbers, i));
	return sum;
}

START_TEST(long_arrays_are_written_in_parts)
{
	enum { NUMBERS = 5000 };
	static const struct string name = {.length = 3, .text = "a\"\xff"};
	struct json_stream json;

	json_stream_begin(&json, &stack_output);
	json_stream_add_number(&json, "first", UINT64_MAX);
	json_stream_open_array(&json, "numbers");
	for (uint64_t i = 0; i < NUMBERS; i++)
		json_stream_add_number(&json, NULL, i);
	json_stream_open_object(&json, NULL);
	json_stream_close(&json);
	json_stream_open_array(&json, NULL);
	json_stream_close(&json);
	json_stream_add_real(&json, NULL, 0.25);
	json_stream_close(&json);
	json_stream_add_string(&json, "text", &name);
	json_stream_add_text(&json, "empty", "", 0);
	ck_assert(json_stream_end(&json));
	load();
	const json_t *numbers = json_object_get(document, "numbers");
	ck_assert_uint_eq(json_array_size(numbers), NUMBERS + 3);
	for (size_t i = 0; i < NUMBERS; i++)
		ck_assert_int_eq(json_integer_value(json_array_get(numbers, i)), (json_int_t)i);
	ck_assert_double_eq(json_real_value(json_array_get(numbers, NUMBERS + 2)), 0.25);
	ck_assert_int_eq(json_integer_value(json_object_get(document, "first")), INT64_MAX);
	ck_assert_str_eq(json_string_value(json_object_get(document, "text")), "a\"\xef\xbf\xbd");
	ck_assert_str_eq(json_string_value(json_object_get(document, "empty")), "");
}
END_TEST

START_TEST(speedscope_has_a_profile_for_each_kind)
{
	static const struct {
		const char *unit;
		double total;
	} expected[] = {{"none", 10}, {"nanoseconds", 123}, {"nanoseconds", 7}, {"bytes", 1000}};
	read_all();
	ck_assert(stack_profile_write_speedscope(&stacks, "na\"me", &stack_output));
	load();
	const json_t *profiles = json_object_get(document, "profiles");
	ck_assert_uint_eq(json_array_size(profiles), 4);
	for (size_t i = 0; i < 4; i++) {
		const json_t *profile = json_array_get(profiles, i);
		ck_assert_str_eq(json_string_value(json_object_get(profile, "unit")),
		                 expected[i].unit);
		ck_assert_double_eq(sum_of(json_object_get(profile, "weights")), expected[i].total);
		ck_assert_double_eq(json_number_value(json_object_get(profile, "endValue")),
		                    expected[i].total);
	}
}
END_TEST

START_TEST(frames_of_speedscope_are_methods)
{
	static const struct {
		const char *name;
		const char *file;
	} expected[] = {
	        {"B.\"m\\ain;</script>", "B.java"},
	        {"A.inner", "A.java"},
	        {"<empty trace>", NULL},
	        {"C.bad\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", NULL},
	        {"[below the cutoff]", NULL},
	};
	stacks.kind_given = true;
	stacks.kind = SECTION_SAMPLES;
	read_all();
	ck_assert(stack_profile_write_speedscope(&stacks, "", &stack_output));
	load();
	const json_t *frames = json_object_get(json_object_get(document, "shared"), "frames");
	ck_assert_uint_eq(json_array_size(frames), 5);
	for (size_t i = 0; i < 5; i++) {
		const json_t *frame = json_array_get(frames, i);
		const char *file = json_string_value(json_object_get(frame, "file"));
		ck_assert_str_eq(json_string_value(json_object_get(frame, "name")),
		                 expected[i].name);
		ck_assert(file == NULL ? expected[i].file == NULL
		                       : strcmp(file, expected[i].file) == 0);
	}
}
END_TEST

START_TEST(threads_are_profiles_with_their_names)
{
	static const char *const names[] = {"[no thread]", "ma;in\"</script>", "thread 200002"};
	stacks.kind_given = true;
	stacks.kind = SECTION_SAMPLES;
	stacks.threads = true;
	read_all();
	ck_assert(stack_profile_write_speedscope(&stacks, "", &stack_output));
	load();
	const json_t *profiles = json_object_get(document, "profiles");
	ck_assert_uint_eq(json_array_size(profiles), 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_str_eq(
		        json_string_value(json_object_get(json_array_get(profiles, i), "name")),
		        names[i]);
}
END_TEST

static const json_t *thread_at(size_t i)
{
	return json_array_get(json_object_get(document, "threads"), i);
}

START_TEST(firefox_has_a_thread_for_each_kind)
{
	static const struct {
		const char *type;
		double total;
	} expected[] = {
	        {"samples", 10}, {"tracing-ms", 123e-6}, {"tracing-ms", 7e-6}, {"bytes", 1000}};
	read_all();
	ck_assert(stack_profile_write_firefox(&stacks, &stack_output));
	load();
	ck_assert_uint_eq(json_array_size(json_object_get(document, "threads")), 4);
	for (size_t i = 0; i < 4; i++) {
		const json_t *samples = json_object_get(thread_at(i), "samples");
		ck_assert_str_eq(json_string_value(json_object_get(samples, "weightType")),
		                 expected[i].type);
		ck_assert_double_eq_tol(sum_of(json_object_get(samples, "weight")),
		                        expected[i].total, 1e-12);
	}
}
END_TEST

START_TEST(samples_of_firefox_stay_in_their_time)
{
	/* At 20 ms each: 1 and 2 without a time, then 1 at 0, 3 at 100, 1 at 200, 2 at 300 ms. */
	static const double times[] = {0, 20, 60, 100, 200, 300};
	read_all();
	ck_assert(stack_profile_write_firefox(&stacks, &stack_output));
	load();
	const json_t *time = json_object_get(json_object_get(thread_at(0), "samples"), "time");
	ck_assert_uint_eq(json_array_size(time), 6);
	for (size_t i = 0; i < 6; i++)
		ck_assert_double_eq(json_number_value(json_array_get(time, i)), times[i]);
}
END_TEST

START_TEST(frames_of_firefox_have_lines_and_categories)
{
	stacks.kind_given = true;
	stacks.kind = SECTION_SAMPLES;
	read_all();
	ck_assert(stack_profile_write_firefox(&stacks, &stack_output));
	load();
	const json_t *frames = json_object_get(thread_at(0), "frameTable");
	char *lines = json_dumps(json_object_get(frames, "line"), JSON_COMPACT);
	char *categories = json_dumps(json_object_get(frames, "category"), JSON_COMPACT);
	/* B.main, A.inner, the empty trace, C.bad, A.inner again, the rest. */
	ck_assert_str_eq(lines, "[1,12,null,null,13,null]");
	ck_assert_str_eq(categories, "[1,1,0,2,1,0]");
	free(lines);
	free(categories);
}
END_TEST

static Suite *json_suite(void)
{
	Suite *suite = suite_create("json");
	TCase *tests = tcase_create("formats");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, long_arrays_are_written_in_parts);
	tcase_add_test(tests, speedscope_has_a_profile_for_each_kind);
	tcase_add_test(tests, frames_of_speedscope_are_methods);
	tcase_add_test(tests, threads_are_profiles_with_their_names);
	tcase_add_test(tests, firefox_has_a_thread_for_each_kind);
	tcase_add_test(tests, samples_of_firefox_stay_in_their_time);
	tcase_add_test(tests, frames_of_firefox_have_lines_and_categories);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(json_suite());
}
