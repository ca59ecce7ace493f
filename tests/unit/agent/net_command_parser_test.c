/*
 * Tests of the parser of the peer's commands.
 */
#include "agent/net_command_parser.h"
#include "quick_check.h"
#include "run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct net_command_parser parser;
static struct net_command command;
static size_t taken;

static void set_up(void)
{
	net_command_parser_init(&parser, 4);
}

static enum net_command_parse feed(const char *bytes, size_t length)
{
	return net_command_parser_feed(&parser, (const uint8_t *)bytes, length, &taken, &command);
}

#define FEED(text) feed(text, sizeof(text) - 1)

static void expect_command(const char *bytes, size_t length, enum net_command_kind kind)
{
	/* Whole, and byte by byte. */
	memset(&command, 0xff, sizeof(command));
	ck_assert_int_eq(feed(bytes, length), NET_COMMAND_PARSE_DONE);
	ck_assert_uint_eq(taken, length);
	ck_assert_int_eq(command.kind, kind);
	memset(&command, 0xff, sizeof(command));
	for (size_t i = 0; i + 1 < length; i++)
		ck_assert_int_eq(feed(bytes + i, 1), NET_COMMAND_PARSE_MORE);
	ck_assert_int_eq(feed(bytes + length - 1, 1), NET_COMMAND_PARSE_DONE);
	ck_assert_int_eq(command.kind, kind);
	ck_assert_uint_eq(command.thread_serial, 0);
}

#define EXPECT(text, kind) expect_command(text, sizeof(text) - 1, kind)

START_TEST(commands_without_a_body)
{
	static const enum net_command_kind kinds[] = {
	        [1] = COMMAND_FORCE_GC, [2] = COMMAND_DUMP_HEAP,   [4] = COMMAND_HEAP_SUMMARY,
	        [5] = COMMAND_EXIT_VM,  [6] = COMMAND_DUMP_TRACES,
	};
	char bytes[] = "?\1\2\3\4\0\0\0\0";

	for (char tag = 1; tag <= 6; tag++) {
		if (tag == 3)
			continue;
		bytes[0] = tag;
		expect_command(bytes, 9, kinds[(int)tag]);
		ck_assert_uint_eq(command.serial, 0x01020304);
		bytes[8] = 1;
		ck_assert_int_eq(feed(bytes, 9), NET_COMMAND_PARSE_REFUSED);
		bytes[8] = 0;
		set_up();
	}
}
END_TEST

START_TEST(flags_and_cutoff)
{
	EXPECT("\3\0\0\0\7\0\0\0\6\0\5\x3f\0\0\0", COMMAND_ALLOC_SITES);
	ck_assert_uint_eq(command.serial, 7);
	ck_assert_uint_eq(command.flags, 5);
	ck_assert_double_eq(command.cutoff, 0.5);
	EXPECT("\7\0\0\0\7\0\0\0\6\xff\xff\x3f\x80\0\0", COMMAND_CPU_SAMPLES);
	ck_assert_uint_eq(command.flags, 0); /* ignored, the manual says */
	ck_assert_double_eq(command.cutoff, 1.0);
	EXPECT("\7\0\0\0\7\0\0\0\6\0\0\0\0\0\0", COMMAND_CPU_SAMPLES);
	ck_assert_double_eq(command.cutoff, 0.0);
}
END_TEST

START_TEST(cutoffs_that_are_no_ratio_are_refused)
{
	ck_assert_int_eq(FEED("\7\0\0\0\7\0\0\0\6\0\0\x3f\x80\0\1"), NET_COMMAND_PARSE_REFUSED);
	set_up();
	ck_assert_int_eq(FEED("\7\0\0\0\7\0\0\0\6\0\0\xbf\0\0\0"), NET_COMMAND_PARSE_REFUSED);
	set_up();
	ck_assert_int_eq(FEED("\7\0\0\0\7\0\0\0\6\0\0\x7f\xc0\0\0"), NET_COMMAND_PARSE_REFUSED);
	set_up();
	ck_assert_int_eq(FEED("\3\0\0\0\7\0\0\0\6\0\0\x7f\x80\0\0"), NET_COMMAND_PARSE_REFUSED);
}
END_TEST

START_TEST(sub_options_of_control)
{
	EXPECT("\10\0\0\0\1\0\0\0\2\0\1", COMMAND_ALLOC_TRACES_ON);
	EXPECT("\10\0\0\0\1\0\0\0\2\0\2", COMMAND_ALLOC_TRACES_OFF);
	EXPECT("\10\0\0\0\1\0\0\0\6\0\3\x50\0\0\1", COMMAND_CPU_SAMPLING_ON);
	ck_assert_uint_eq(command.thread_id, 0x50000001);
	EXPECT("\10\0\0\0\1\0\0\0\6\0\4\0\0\0\0", COMMAND_CPU_SAMPLING_OFF);
	ck_assert_uint_eq(command.thread_id, 0);
	EXPECT("\10\0\0\0\1\0\0\0\2\0\5", COMMAND_CPU_CLEAR);
	EXPECT("\10\0\0\0\1\0\0\0\4\0\6\1\2", COMMAND_MAX_DEPTH);
	ck_assert_uint_eq(command.depth, 0x102);
}
END_TEST

START_TEST(identifiers_have_the_size_of_the_header)
{
	net_command_parser_init(&parser, 8);
	EXPECT("\10\0\0\0\1\0\0\0\12\0\3\1\0\0\0\x50\0\0\1", COMMAND_CPU_SAMPLING_ON);
	ck_assert_uint_eq(command.thread_id, 0x0100000050000001);
	ck_assert_int_eq(FEED("\10\0\0\0\1\0\0\0\6\0\3\x50\0\0\1"), NET_COMMAND_PARSE_REFUSED);
}
END_TEST

START_TEST(sub_options_of_a_wrong_length_or_number_are_refused)
{
	static const char *const bad[] = {
	        "\10\0\0\0\1\0\0\0\2\0\3",         "\10\0\0\0\1\0\0\0\4\0\5\0\0",
	        "\10\0\0\0\1\0\0\0\6\0\6\0\0\0\0", "\10\0\0\0\1\0\0\0\2\0\7",
	        "\10\0\0\0\1\0\0\0\2\0\0",         "\10\0\0\0\1\0\0\0\2\1\1",
	};
	static const size_t lengths[] = {11, 13, 15, 11, 11, 11};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_up();
		ck_assert_msg(feed(bad[i], lengths[i]) == NET_COMMAND_PARSE_REFUSED, "number %zu",
		              i);
		ck_assert_str_ne(parser.error, "");
	}
}
END_TEST

START_TEST(lengths_are_refused_before_a_body_comes)
{
	ck_assert_int_eq(FEED("\3\0\0\0\1\xff\xff\xff\xff"), NET_COMMAND_PARSE_REFUSED);
	ck_assert_str_eq(parser.error, "length 0xffffffff");
	set_up();
	ck_assert_int_eq(FEED("\10\0\0\0\1\0\0\0\0"), NET_COMMAND_PARSE_REFUSED);
	set_up();
	ck_assert_int_eq(FEED("\10\0\0\0\1\0\0\1\6"), NET_COMMAND_PARSE_REFUSED);
}
END_TEST

START_TEST(an_unknown_tag_is_refused_at_once)
{
	for (int tag = 0; tag < 0xff; tag++) {
		char byte = (char)tag;
		if (tag >= 1 && tag <= 8)
			continue;
		set_up();
		ck_assert_int_eq(feed(&byte, 1), NET_COMMAND_PARSE_REFUSED);
	}
	ck_assert_str_eq(parser.error, "tag 0xfe");
}
END_TEST

START_TEST(eof_is_its_tag_alone)
{
	ck_assert_int_eq(FEED("\xff\0\0\0\0\0\0\0\0"), NET_COMMAND_PARSE_DONE);
	ck_assert_uint_eq(taken, 1);
	ck_assert_int_eq(command.kind, COMMAND_EOF);
}
END_TEST

START_TEST(several_commands_in_one_piece)
{
	static const char bytes[] = "\1\0\0\0\1\0\0\0\0"
	                            "\10\0\0\0\2\0\0\0\4\0\6\0\7"
	                            "\2\0\0";
	size_t length = sizeof(bytes) - 1;

	ck_assert_int_eq(feed(bytes, length), NET_COMMAND_PARSE_DONE);
	ck_assert_uint_eq(taken, 9);
	ck_assert_int_eq(command.kind, COMMAND_FORCE_GC);
	ck_assert_int_eq(feed(bytes + 9, length - 9), NET_COMMAND_PARSE_DONE);
	ck_assert_uint_eq(taken, 13);
	ck_assert_uint_eq(command.depth, 7);
	ck_assert_int_eq(feed(bytes + 22, length - 22), NET_COMMAND_PARSE_MORE);
	ck_assert_uint_eq(taken, 3);
	ck_assert_int_eq(FEED("\0\5\0\0\0\0"), NET_COMMAND_PARSE_DONE);
	ck_assert_int_eq(command.kind, COMMAND_DUMP_HEAP);
	ck_assert_uint_eq(command.serial, 5);
}
END_TEST

/* Whatever comes: no byte is taken twice or beyond, and every call gets on. */
START_TEST(any_bytes_do_no_harm)
{
	uint32_t random = 12345;
	uint8_t bytes[64];

	for (int round = 0; round < 200000; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			random = random * 1664525 + 1013904223;
			bytes[i] = (uint8_t)(random >> 24);
			if (random >> 30 != 0) /* most are small, as in commands */
				bytes[i] %= 10;
		}
		net_command_parser_init(&parser, round % 2 == 0 ? 4 : 8);
		size_t at = 0;
		enum net_command_parse result;
		do {
			result = net_command_parser_feed(&parser, bytes + at, sizeof(bytes) - at,
			                                 &taken, &command);
			QUICK_CHECK(taken <= sizeof(bytes) - at, "%zu taken at %zu", taken, at);
			at += taken;
			QUICK_CHECK(taken > 0 || result != NET_COMMAND_PARSE_DONE, "no progress");
			QUICK_CHECK(parser.length <= sizeof(parser.bytes), "%zu kept",
			            (size_t)parser.length);
		} while (result == NET_COMMAND_PARSE_DONE);
		QUICK_CHECK(result == NET_COMMAND_PARSE_REFUSED || at == sizeof(bytes),
		            "it stopped at %zu", at);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net_command_parser");
	TCase *tests = tcase_create("commands");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, commands_without_a_body);
	tcase_add_test(tests, flags_and_cutoff);
	tcase_add_test(tests, cutoffs_that_are_no_ratio_are_refused);
	tcase_add_test(tests, sub_options_of_control);
	tcase_add_test(tests, identifiers_have_the_size_of_the_header);
	tcase_add_test(tests, sub_options_of_a_wrong_length_or_number_are_refused);
	tcase_add_test(tests, lengths_are_refused_before_a_body_comes);
	tcase_add_test(tests, an_unknown_tag_is_refused_at_once);
	tcase_add_test(tests, eof_is_its_tag_alone);
	tcase_add_test(tests, several_commands_in_one_piece);
	tcase_add_test(tests, any_bytes_do_no_harm);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
