/*
 * Tests of which profiles a peer may command, of the depth they make room for, and of the
 * settings that the peer is sent.
 */
#include "profile/control_settings.h"
#include "profile/profile.h"
#include "run_suite.h"
#include "writer_fixture.h"

static struct settings settings;

static void set_up(void)
{
	memset(&settings, 0, sizeof(settings));
	settings.format = FORMAT_BINARY;
	settings.depth = 4;
	strcpy(settings.net_host, "localhost");
}

START_TEST(a_peer_commands_the_binary_format)
{
	ck_assert(profile_is_commanded(&settings));
}
END_TEST

START_TEST(nobody_commands_the_text_format)
{
	settings.format = FORMAT_TEXT;
	ck_assert(!profile_is_commanded(&settings));
	ck_assert_uint_eq(profile_depth_max(&settings), 4);
}
END_TEST

START_TEST(nobody_commands_a_file)
{
	settings.net_host[0] = '\0';
	ck_assert(!profile_is_commanded(&settings));
	ck_assert_uint_eq(profile_depth_max(&settings), 4);
}
END_TEST

START_TEST(a_peer_may_ask_for_128_frames)
{
	ck_assert_uint_eq(profile_depth_max(&settings), 128);
	settings.depth = 127;
	ck_assert_uint_eq(profile_depth_max(&settings), 128);
}
END_TEST

START_TEST(a_greater_depth_option_is_the_limit)
{
	settings.depth = 128;
	ck_assert_uint_eq(profile_depth_max(&settings), 128);
	settings.depth = 65535;
	ck_assert_uint_eq(profile_depth_max(&settings), 65535);
}
END_TEST

START_TEST(flags_are_set_and_cleared_one_by_one)
{
	static struct profile profile;

	profile_control_set(&profile, CONTROL_ALLOC_TRACES, true);
	profile_control_set(&profile, CONTROL_CPU_SAMPLING, true);
	profile_control_set(&profile, CONTROL_ALLOC_TRACES, false);
	ck_assert_uint_eq(atomic_load(&profile.control.flags), CONTROL_CPU_SAMPLING);
	profile_control_set(&profile, CONTROL_CPU_SAMPLING, true);
	ck_assert_uint_eq(atomic_load(&profile.control.flags), CONTROL_CPU_SAMPLING);
}
END_TEST

START_TEST(the_record_has_the_flags_and_the_depth)
{
	static struct profile profile;
	struct memory_sink *memory = memory_sink_reset();

	profile.writer = writer_create(&record_format_binary, &memory->sink, 4, CREATED_WALL_MS);
	ck_assert_ptr_nonnull(profile.writer);
	profile_control_set(&profile, CONTROL_CPU_SAMPLING, true);
	profile_control_depth(&profile, 0x1234);
	profile_control_write(&profile);
	ck_assert_int_eq(writer_close(profile.writer), 0);
	ck_assert_uint_ge(memory->length, 15);
	expect_bytes(memory->bytes + memory->length - 15, 15, "0e ???????? 00000006 00000002 1234");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("control_settings");
	TCase *tests = tcase_create("control settings");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, a_peer_commands_the_binary_format);
	tcase_add_test(tests, nobody_commands_the_text_format);
	tcase_add_test(tests, nobody_commands_a_file);
	tcase_add_test(tests, a_peer_may_ask_for_128_frames);
	tcase_add_test(tests, a_greater_depth_option_is_the_limit);
	tcase_add_test(tests, flags_are_set_and_cleared_one_by_one);
	tcase_add_test(tests, the_record_has_the_flags_and_the_depth);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
