/*
 * Tests of the command line of hprof, and of its commands to the agent: invalid arguments are
 * refused with exit code 2 before anything is done, and the agent's own parser accepts what
 * `hprof listen` sends.
 */
#include "run_suite.h"

#include "agent/net_command_parser.h"
#include "command/command.h"
#include "command/peer_commands.h"

#include <string.h>

enum { ID_SIZE = 8, SERIAL = 77, ARGUMENTS_MAX = 9 };

/* ---- the command line ------------------------------------------------------------- */

static int run(const char *const *line)
{
	char texts[ARGUMENTS_MAX][64];
	char *arguments[ARGUMENTS_MAX + 1];
	int count = 0;
	for (; line[count] != NULL; count++) {
		ck_assert_int_lt(count, ARGUMENTS_MAX);
		(void)strlcpy(texts[count], line[count], sizeof(texts[count]));
		arguments[count] = texts[count];
	}
	arguments[count] = NULL;
	return command_main(count, arguments);
}

START_TEST(a_wrong_command_line_is_refused)
{
	static const char *const wrong[][ARGUMENTS_MAX] = {
	        {"hprof"},
	        {"hprof", "nothing"},
	        {"hprof", "check"},
	        {"hprof", "check", "a", "b"},
	        {"hprof", "check", "-x"},
	        {"hprof", "report"},
	        {"hprof", "report", "a", "b"},
	        {"hprof", "report", "--nothing", "a"},
	        {"hprof", "report", "a", "-o"},
	        {"hprof", "report", "--top", "x", "a"},
	        {"hprof", "report", "--top", "-1", "a"},
	        {"hprof", "report", "--flame", "--of", "nothing", "a"},
	        {"hprof", "report", "--by", "nothing", "a"},
	        {"hprof", "report", "--min", "101", "a"},
	        {"hprof", "report", "--filter", "(", "a"},
	        {"hprof", "report", "--ignore", "a", "--ignore", "[", "a"},
	        {"hprof", "report", "-o", "nothing", "a"},
	        {"hprof", "report", "-o", "a.hprof", "a"},
	        {"hprof", "listen"},
	        {"hprof", "listen", "x"},
	        {"hprof", "listen", "65536"},
	        {"hprof", "listen", "-1"},
	        {"hprof", "listen", ":4000"},
	        {"hprof", "listen", "a:b:4000"},
	        {"hprof", "listen", "[]:4000"},
	        {"hprof", "listen", "unix:"},
	        {"hprof", "listen", "unix:/"},
	        {"hprof", "listen", "unix:name"},
	        {"hprof", "listen", "4000", "4001"},
	        {"hprof", "listen", "4000", "-o"},
	        {"hprof", "listen", "4000", "--send", "nothing"},
	        {"hprof", "run"},
	        {"hprof", "run", "cpu=samples"},
	        {"hprof", "run", "cpu=samples", "java", "Main"},
	        {"hprof", "run", "cpu=samples", "--"},
	        {"hprof", "run", "cpu=samples", "--", "javac"},
	        {"hprof", "attach"},
	        {"hprof", "attach", "0", "stop"},
	        {"hprof", "attach", "1", "cpu=bogus"},
	        {"hprof", "attach", "-d", "1"},
	        {"hprof", "attach", "-d", "x", "1"},
	        {"hprof", "attach", "-d", "30d", "1"},
	        {"hprof", "attach", "-e", "nothing", "1"},
	        {"hprof", "attach", "-o", "a.unknown", "1"},
	        {"hprof", "attach", "-d", "1", "1", "stop"},
	        {"hprof", "attach", "--libpath", "relative", "1"},
	        {"hprof", "attach", "1", "-o"},
	        {"hprof", "attach", "-x", "1"},
	        {"hprof", "run", "-e", "--", "java"},
	        {"hprof", "run", "-e", "nothing", "--", "java"},
	        {"hprof", "run", "-o", "a.unknown", "--", "java"},
	        {"hprof", "run", "-e", "cpu", "-e", "calls", "--", "java"},
	        {"hprof", "run", "-e", "cpu", "file=a.txt", "--", "java"},
	        {"hprof", "attach", "1", "stop", "more"},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(run(wrong[i]) == EXIT_USAGE, "line %d", (int)i);
}
END_TEST

START_TEST(files_that_are_not_there_are_failures)
{
	static const char *const lines[][ARGUMENTS_MAX] = {
	        {"hprof", "check", "/nonexistent/file"},
	        {"hprof", "report", "/nonexistent/file"},
	        {"hprof", "attach", "no.such.Main", "stop"},
	        {"hprof", "attach", "-o", "/nonexistent/a.txt", "no.such.Main"},
	        {"hprof", "run", "-o", "/nonexistent/a.txt", "--", "java"},
	        {"hprof", "run", "--", "/nonexistent/java"},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_int_eq(run(lines[i]), EXIT_FAILED);
}
END_TEST

START_TEST(help_names_every_subcommand)
{
	static const char *const help[] = {"hprof", "help", NULL};
	static const char *const version[] = {"hprof", "--version", NULL};
	ck_assert_int_eq(run(help), EXIT_DONE);
	ck_assert_int_eq(run(version), EXIT_DONE);
	for (const struct subcommand *row = command_table; row->name != NULL; row++) {
		ck_assert_ptr_nonnull(row->synopsis);
		ck_assert_ptr_nonnull(row->summary);
		ck_assert(row->run != NULL);
	}
}
END_TEST

START_TEST(every_subcommand_has_help_of_its_own)
{
	for (const struct subcommand *row = command_table; row->name != NULL; row++) {
		const char *const after[] = {"hprof", row->name, "--help", NULL};
		const char *const before[] = {"hprof", "help", row->name, NULL};
		ck_assert_ptr_nonnull(strstr(row->details, "hprof "));
		ck_assert_int_eq(run(after), EXIT_DONE);
		ck_assert_int_eq(run(before), EXIT_DONE);
	}
	static const char *const unknown[] = {"hprof", "help", "dance", NULL};
	static const char *const program[] = {"hprof",  "run", "--", "/nonexistent/java",
	                                      "--help", NULL};
	ck_assert_int_eq(run(unknown), EXIT_USAGE);
	ck_assert_int_eq(run(program), EXIT_FAILED);
}
END_TEST

/* ---- commands to the agent --------------------------------------------------------- */

/* What the agent's parser makes of the bytes of a command. */
static struct net_command sent(const char *text, unsigned id_size)
{
	struct net_command_parser parser;
	struct net_command command;
	uint8_t bytes[PEER_COMMAND_MAX];
	char error[PEER_ERROR_MAX] = "";
	size_t length = 0;
	size_t taken = 0;

	ck_assert_msg(peer_command_encode(text, id_size, SERIAL, bytes, &length, error), "%s: %s",
	              text, error);
	ck_assert_uint_le(length, PEER_COMMAND_MAX);
	net_command_parser_init(&parser, id_size);
	enum net_command_parse parsed =
	        net_command_parser_feed(&parser, bytes, length, &taken, &command);
	ck_assert_msg(parsed == NET_COMMAND_PARSE_DONE, "%s: %s", text, parser.error);
	ck_assert_uint_eq(taken, length);
	return command;
}

START_TEST(commands_are_what_the_agent_reads)
{
	static const struct {
		const char *text;
		enum net_command_kind kind;
	} commands[] = {
	        {"force gc", COMMAND_FORCE_GC},
	        {"  dump   heap\r", COMMAND_DUMP_HEAP},
	        {"alloc sites", COMMAND_ALLOC_SITES},
	        {"heap summary", COMMAND_HEAP_SUMMARY},
	        {"exit", COMMAND_EXIT_VM},
	        {"dump traces", COMMAND_DUMP_TRACES},
	        {"cpu samples", COMMAND_CPU_SAMPLES},
	        {"control alloc traces on", COMMAND_ALLOC_TRACES_ON},
	        {"control alloc traces off", COMMAND_ALLOC_TRACES_OFF},
	        {"control cpu sampling on", COMMAND_CPU_SAMPLING_ON},
	        {"control cpu sampling off", COMMAND_CPU_SAMPLING_OFF},
	        {"control clear", COMMAND_CPU_CLEAR},
	        {"control depth 3", COMMAND_MAX_DEPTH},
	        {"eof", COMMAND_EOF},
	};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct net_command command = sent(commands[i].text, ID_SIZE);
		ck_assert_int_eq(command.kind, commands[i].kind);
		if (command.kind != COMMAND_EOF)
			ck_assert_uint_eq(command.serial, SERIAL);
	}
}
END_TEST

START_TEST(operands_are_what_was_written)
{
	struct net_command command = sent("alloc sites gc incremental allocated 0.25", ID_SIZE);
	ck_assert_uint_eq(command.flags, ALLOC_SITES_INCREMENTAL | ALLOC_SITES_BY_ALLOCATION |
	                                         ALLOC_SITES_FORCE_GC);
	ck_assert(command.cutoff == 0.25);
	command = sent("cpu samples .5", ID_SIZE);
	ck_assert(command.cutoff == 0.5);
	command = sent("control cpu sampling off 0x12345678a", 8);
	ck_assert(command.thread_id == UINT64_C(0x12345678a));
	command = sent("control cpu sampling on 0xffffffff", 4);
	ck_assert(command.thread_id == UINT32_MAX);
	command = sent("control depth 65535", ID_SIZE);
	ck_assert_uint_eq(command.depth, 65535);
}
END_TEST

START_TEST(what_is_no_command_is_refused_with_what_to_write)
{
	static const char *const texts[] = {
	        "nothing",
	        "dump",
	        "dump heap now",
	        "eof eof",
	        "alloc sites 1.5",
	        "alloc sites nan",
	        "alloc sites more",
	        "cpu samples -0.1",
	        "cpu samples 0.1 0.2",
	        "control",
	        "control depth",
	        "control depth 65536",
	        "control depth -1",
	        "control cpu sampling on 0x100000000",
	        "control cpu sampling on thread",
	        "control cpu sampling on 1 2",
	        "control clear all",
	        "a b c d e f g h i j",
	        "averyverylongwordthatisnocommandofanykind",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint8_t bytes[PEER_COMMAND_MAX];
		char error[PEER_ERROR_MAX] = "";
		size_t length;
		ck_assert_msg(!peer_command_encode(texts[i], 4, SERIAL, bytes, &length, error),
		              "%s", texts[i]);
		ck_assert_msg(strstr(error, "write ") != NULL, "%s: %s", texts[i], error);
	}
}
END_TEST

static Suite *command_line_suite(void)
{
	Suite *suite = suite_create("command_line");
	TCase *tests = tcase_create("command line");
	tcase_add_test(tests, a_wrong_command_line_is_refused);
	tcase_add_test(tests, files_that_are_not_there_are_failures);
	tcase_add_test(tests, help_names_every_subcommand);
	tcase_add_test(tests, every_subcommand_has_help_of_its_own);
	tcase_add_test(tests, commands_are_what_the_agent_reads);
	tcase_add_test(tests, operands_are_what_was_written);
	tcase_add_test(tests, what_is_no_command_is_refused_with_what_to_write);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(command_line_suite());
}
