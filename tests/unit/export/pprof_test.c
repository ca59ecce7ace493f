/*
 * Tests of the format of pprof: the messages have the stacks, numbers, names and facts of the
 * profile.
 */
#include "run_suite.h"
#include "stack_fixture.h"

#include "export/pprof.h"
#include "export/profile.pb-c.h"

#include <string.h>
#include <zlib.h>

static Perftools__Profiles__Profile *profile;

static void set_up(void)
{
	ck_assert(stack_set_up());
	profile = NULL;
}

static void tear_down(void)
{
	if (profile != NULL)
		perftools__profiles__profile__free_unpacked(profile, NULL);
	stack_tear_down();
}

static void load(void)
{
	static uint8_t bytes[64 * 1024];
	enum { GZIP = 15 + 16 };
	z_stream stream = {.next_out = bytes, .avail_out = sizeof(bytes)};

	ck_assert(stack_profile_write_pprof(&stacks, &stack_output));
	stream.next_in = stack_output.text.bytes;
	stream.avail_in = (uInt)stack_output.text.length;
	ck_assert_int_eq(inflateInit2(&stream, GZIP), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.avail_in, 0);
	profile = perftools__profiles__profile__unpack(NULL, stream.total_out, bytes);
	ck_assert_int_eq(inflateEnd(&stream), Z_OK);
	ck_assert_ptr_nonnull(profile);
}

static void write_and_load(void)
{
	read_all();
	load();
}

static const char *text(int64_t number)
{
	ck_assert_int_ge(number, 0);
	ck_assert_uint_lt((uint64_t)number, profile->n_string_table);
	return profile->string_table[number];
}

START_TEST(each_kind_has_its_types)
{
	static const struct {
		const char *type;
		const char *unit;
		int64_t total;
	} expected[] = {
	        {"samples", "count", 10},        {"cpu", "nanoseconds", 200000000},
	        {"calls", "count", 11},          {"cpu", "nanoseconds", 123},
	        {"contentions", "count", 3},     {"delay", "nanoseconds", 7},
	        {"alloc_objects", "count", 100}, {"alloc_space", "bytes", 10000},
	        {"inuse_objects", "count", 10},  {"inuse_space", "bytes", 1000},
	};
	const size_t count = sizeof(expected) / sizeof(expected[0]);

	write_and_load();
	ck_assert_uint_eq(profile->n_sample_type, count);
	for (size_t i = 0; i < count; i++) {
		int64_t total = 0;
		ck_assert_str_eq(text(profile->sample_type[i]->type), expected[i].type);
		ck_assert_str_eq(text(profile->sample_type[i]->unit), expected[i].unit);
		for (size_t j = 0; j < profile->n_sample; j++) {
			ck_assert_uint_eq(profile->sample[j]->n_value, count);
			total += profile->sample[j]->value[i];
		}
		ck_assert_int_eq(total, expected[i].total);
	}
	ck_assert_str_eq(text(profile->default_sample_type), "cpu");
}
END_TEST

START_TEST(stacks_have_functions_files_and_lines)
{
	write_and_load();
	ck_assert_str_eq(text(0), "");
	const Perftools__Profiles__Sample *sample = profile->sample[0];
	ck_assert_uint_eq(sample->n_location_id, 2);
	ck_assert_uint_eq(sample->location_id[0], profile->location[0]->id);
	const Perftools__Profiles__Line *line = profile->location[0]->line[0];
	ck_assert_int_eq(line->line, 12);
	ck_assert_uint_eq(line->function_id, profile->function[0]->id);
	ck_assert_str_eq(text(profile->function[0]->name), "A.inner");
	ck_assert_str_eq(text(profile->function[0]->filename), "A.java");
	ck_assert_str_eq(text(profile->function[1]->name), "B.\"m\\ain;</script>");
	/* Another line of it is another location of the same function. */
	ck_assert_int_eq(profile->location[2]->line[0]->line, 13);
	ck_assert_uint_eq(profile->location[2]->line[0]->function_id, profile->function[0]->id);
	ck_assert_str_eq(text(profile->function[2]->name),
	                 "C.bad\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	ck_assert_str_eq(text(profile->function[2]->filename), "");
}
END_TEST

START_TEST(samples_have_their_thread)
{
	write_and_load();
	ck_assert_uint_eq(profile->sample[0]->n_label, 1);
	ck_assert_str_eq(text(profile->sample[0]->label[0]->key), "thread");
	ck_assert_str_eq(text(profile->sample[0]->label[0]->str), "ma;in\"</script>");
	ck_assert_str_eq(text(profile->sample[1]->label[0]->str), "thread 200002");
	ck_assert_uint_eq(profile->sample[2]->n_label, 0);
}
END_TEST

START_TEST(facts_are_those_of_the_profile)
{
	write_and_load();
	ck_assert_int_eq(profile->time_nanos, 1795543828123000000);
	ck_assert_int_eq(profile->period, 20000000);
	ck_assert_str_eq(text(profile->period_type->type), "cpu");
	ck_assert_uint_eq(profile->n_comment, 2);
	ck_assert_str_eq(text(profile->comment[0]), "program: a.Main \"x\" <y>");
}
END_TEST

START_TEST(without_an_interval_samples_have_no_time)
{
	read_all();
	stack_read_profile.facts.interval_ms = 0;
	load();
	ck_assert_uint_eq(profile->n_sample_type, 9);
	ck_assert_str_eq(text(profile->default_sample_type), "samples");
	ck_assert_ptr_null(profile->period_type);
	ck_assert_int_eq(profile->period, 0);
}
END_TEST

static Suite *pprof_suite(void)
{
	Suite *suite = suite_create("pprof");
	TCase *tests = tcase_create("messages");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, each_kind_has_its_types);
	tcase_add_test(tests, stacks_have_functions_files_and_lines);
	tcase_add_test(tests, samples_have_their_thread);
	tcase_add_test(tests, facts_are_those_of_the_profile);
	tcase_add_test(tests, without_an_interval_samples_have_no_time);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(pprof_suite());
}
