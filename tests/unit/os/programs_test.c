/* marks: timed, not_emulated */
/*
 * Tests of the verbs that start programs and read files of the user's choice: a program gets
 * just the arguments that it was given, and its output and exit code come back. The program
 * is this one.
 */
#include "run_suite.h"

#include "os/os_programs.h"

#include <stdio.h>
#include <string.h>

enum { ECHOED = 7, OUTPUT_BYTES = 512, PATH_BYTES = 1024 };

static char self[PATH_BYTES];
static char output[OUTPUT_BYTES];

/* ---- what the program does when it is started by a test --------------------------- */

/* Prints the arguments in brackets. */
static int echo(int count, char **arguments)
{
	for (int i = 0; i < count; i++)
		(void)printf("[%s]", arguments[i]);
	(void)fflush(stdout);
	(void)fputs("(end)", stderr);
	return ECHOED;
}

static int become(int count, char **arguments)
{
	const char *words[] = {self, "--echo", count > 0 ? arguments[0] : "", NULL};
	(void)os_program_become(words);
	return 1;
}

/* Attends a program that echoes, and prints its exit code after what it has printed. */
static int attend(int count, char **arguments)
{
	const char *words[] = {self, "--echo", count > 0 ? arguments[0] : "", NULL};
	int code = -1;
	int error = os_program_attend(words, &code);
	(void)printf("(%d %d)", error, code);
	return 0;
}

/* More than a pipe holds. */
static int talk(void)
{
	for (int i = 0; i < 100000; i++)
		(void)printf("0123456789");
	return 0;
}

/* ---- tests ------------------------------------------------------------------------ */

START_TEST(arguments_arrive_as_they_are)
{
	static const char wanted[] =
	        "[][a b][quote\"s][back\\slash\\][\\\\\"][%PATH%][$HOME;&|](end)";
	const char *words[] = {self,     "--echo", "",         "a b", "quote\"s", "back\\slash\\",
	                       "\\\\\"", "%PATH%", "$HOME;&|", NULL};
	int code = -1;
	ck_assert_int_eq(os_program_run(words, output, sizeof(output), &code), 0);
	ck_assert_str_eq(output, wanted);
	ck_assert_int_eq(code, ECHOED);
}
END_TEST

/* Whatever letters the system's own encoding has. */
START_TEST(arguments_have_letters_of_any_script)
{
	static const char slavic[] = "\xd0\x96\xd1\x83\xd0\xba a\"";
	static const char others[] = "Gr\xc3\xb6sse \xf0\x9f\x90\x9e";
	const char *words[] = {self, "--echo", slavic, others, NULL};
	char wanted[OUTPUT_BYTES];
	int code = -1;
	(void)snprintf(wanted, sizeof(wanted), "[%s][%s](end)", slavic, others);
	ck_assert_int_eq(os_program_run(words, output, sizeof(output), &code), 0);
	ck_assert_str_eq(output, wanted);
	ck_assert_int_eq(code, ECHOED);
}
END_TEST

START_TEST(a_program_in_the_place_of_this_one_gives_its_exit_code)
{
	const char *words[] = {self, "--become", "x y", NULL};
	int code = -1;
	ck_assert_int_eq(os_program_run(words, output, sizeof(output), &code), 0);
	ck_assert_str_eq(output, "[x y](end)");
	ck_assert_int_eq(code, ECHOED);
}
END_TEST

START_TEST(an_attended_program_has_the_streams_and_gives_its_exit_code)
{
	const char *words[] = {self, "--attend", "x y", NULL};
	int code = -1;
	ck_assert_int_eq(os_program_run(words, output, sizeof(output), &code), 0);
	ck_assert_str_eq(output, "[x y](end)(0 7)");
	ck_assert_int_eq(code, 0);
}
END_TEST

START_TEST(a_path_is_made_absolute)
{
	char path[PATH_BYTES];
	char little[4];
	ck_assert_int_eq(os_path_absolute("a/b.txt", path, sizeof(path)), 0);
	ck_assert_uint_gt(strlen(path), strlen("a/b.txt"));
	ck_assert_int_eq(os_path_absolute(self, path, sizeof(path)), 0);
	ck_assert_str_eq(path, self);
	ck_assert_int_ne(os_path_absolute("a/b.txt", little, sizeof(little)), 0);
}
END_TEST

START_TEST(output_is_cut_and_read_to_its_end)
{
	const char *words[] = {self, "--talk", NULL};
	char little[6];
	int code = -1;
	ck_assert_int_eq(os_program_run(words, little, sizeof(little), &code), 0);
	ck_assert_str_eq(little, "01234");
	ck_assert_int_eq(code, 0);
}
END_TEST

START_TEST(a_program_that_is_not_there_is_an_error)
{
	const char *named[] = {"no-such-program-of-hprof", NULL};
	const char *at_path[] = {"/no/such/program", NULL};
	int code = -1;
	ck_assert_int_ne(os_program_run(named, output, sizeof(output), &code), 0);
	ck_assert_int_ne(os_program_run(at_path, output, sizeof(output), &code), 0);
	ck_assert_int_ne(os_program_attend(named, &code), 0);
	ck_assert_int_ne(os_program_attend(at_path, &code), 0);
	ck_assert_int_ne(os_program_become(named), 0);
	ck_assert_int_ne(os_program_become(at_path), 0);
}
END_TEST

START_TEST(a_directory_is_what_is_before_the_name)
{
	ck_assert_uint_eq(os_path_directory_length("name"), 0);
	ck_assert_uint_eq(os_path_directory_length("a/b/name"), 4);
	ck_assert_uint_eq(os_path_directory_length("/name"), 1);
	ck_assert_uint_eq(os_path_directory_length("a/"), 2);
}
END_TEST

START_TEST(files_of_anybody_are_read_and_directories_are_not)
{
	char directory[PATH_BYTES];
	struct os_file file;
	char byte;
	size_t got = 0;

	ck_assert_int_eq(os_file_open_any(self, &file), 0);
	ck_assert_int_eq(os_file_read(&file, &byte, 1, &got), 0);
	ck_assert_uint_eq(got, 1);
	ck_assert_int_eq(os_file_close(&file), 0);
	(void)strlcpy(directory, self, sizeof(directory));
	directory[os_path_directory_length(directory)] = '\0';
	ck_assert_int_ne(os_file_open_any(directory, &file), 0);
	ck_assert_int_ne(os_file_open_any("/no/such/file", &file), 0);
}
END_TEST

/* Who asks for one address is not reached by others of this machine. */
START_TEST(one_address_is_listened_on)
{
	struct os_socket listener;
	struct os_socket client;
	struct os_socket accepted;
	uint16_t port = 0;

	ck_assert_int_eq(os_socket_listen_on("127.0.0.1", 0, &listener, &port), 0);
	ck_assert_uint_ne(port, 0);
	ck_assert_int_ne(os_socket_connect("127.0.0.2", port, 1000, &client), 0);
	ck_assert_int_eq(os_socket_connect("127.0.0.1", port, 1000, &client), 0);
	ck_assert_int_eq(os_socket_accept(&listener, 1000, &accepted), 0);
	os_socket_close(&accepted);
	os_socket_close(&client);
	os_socket_close(&listener);
	ck_assert_int_ne(os_socket_listen_on("no.such.host.invalid", 0, &listener, &port), 0);
}
END_TEST

static Suite *os_programs_suite(void)
{
	Suite *suite = suite_create("os_programs");
	TCase *tests = tcase_create("programs");
	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, arguments_arrive_as_they_are);
	tcase_add_test(tests, arguments_have_letters_of_any_script);
	tcase_add_test(tests, a_program_in_the_place_of_this_one_gives_its_exit_code);
	tcase_add_test(tests, an_attended_program_has_the_streams_and_gives_its_exit_code);
	tcase_add_test(tests, a_path_is_made_absolute);
	tcase_add_test(tests, output_is_cut_and_read_to_its_end);
	tcase_add_test(tests, a_program_that_is_not_there_is_an_error);
	tcase_add_test(tests, a_directory_is_what_is_before_the_name);
	tcase_add_test(tests, files_of_anybody_are_read_and_directories_are_not);
	tcase_add_test(tests, one_address_is_listened_on);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(int count, char **arguments)
{
	os_program_arguments(&count, &arguments);
	if (os_library_path(self, sizeof(self)) != 0)
		return 1;
	if (count > 1 && strcmp(arguments[1], "--echo") == 0)
		return echo(count - 2, arguments + 2);
	if (count > 1 && strcmp(arguments[1], "--become") == 0)
		return become(count - 2, arguments + 2);
	if (count > 1 && strcmp(arguments[1], "--attend") == 0)
		return attend(count - 2, arguments + 2);
	if (count > 1 && strcmp(arguments[1], "--talk") == 0)
		return talk();
	return run_suite(os_programs_suite());
}
