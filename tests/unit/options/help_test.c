/*
 * Tests of the text of -agentlib:hprof=help.
 */
#include "options/option_table.h"
#include "options/options.h"
#include "run_suite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *help;
static size_t help_length;

static void write_help(void)
{
	enum { ROOM = 65536 };
	char directory[] = "/tmp/hprof-help-XXXXXX";
	char path[64];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/help", directory);
	FILE *stream = fopen(path, "w+");
	ck_assert_ptr_nonnull(stream);
	options_help(stream);
	rewind(stream);
	help = malloc(ROOM);
	ck_assert_ptr_nonnull(help);
	help_length = fread(help, 1, ROOM - 1, stream);
	help[help_length] = '\0';
	fclose(stream);
	(void)unlink(path);
	(void)rmdir(directory);
	ck_assert_uint_gt(help_length, 0);
	ck_assert_int_eq(help[help_length - 1], '\n');
}

static void free_help(void)
{
	free(help);
}

/* The next line from *at on, terminated in place of its newline; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at;
	if (line[0] == '\0')
		return NULL;
	size_t length = strcspn(line, "\n");
	*at = line + length + (line[length] != '\0' ? 1 : 0);
	line[length] = '\0';
	return line;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);
	size_t end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

START_TEST(each_listed_option_has_one_line_with_values_and_default)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		char *copy = strdup(help);
		char *at = copy;
		char start[64];
		int count = 0;

		ck_assert_ptr_nonnull(copy);
		snprintf(start, sizeof(start), "%s%s%s%s", option->name,
		         option->kind == OPTION_LONE ? "" : "=", option->values,
		         option->description != NULL ? " " : "");
		for (char *line = next_line(&at); line != NULL; line = next_line(&at)) {
			if (strncmp(line, start, strlen(start)) != 0)
				continue;
			count++;
			if (option->description == NULL)
				continue;
			ck_assert_ptr_nonnull(strstr(line, option->description));
			ck_assert_msg(ends_with(line, option->fallback), "no default in: %s", line);
		}
		ck_assert_msg(count == (option->section != SECTION_NONE), "%d lines for %s", count,
		              option->name);
		free(copy);
	}
}
END_TEST

START_TEST(options_that_are_not_described_are_not_named)
{
	ck_assert_ptr_null(strstr(help, "engine"));
	ck_assert_ptr_null(strstr(help, "primfields"));
}
END_TEST

START_TEST(the_defaults_are_those_of_the_parser)
{
	struct settings settings;
	char error[OPTIONS_ERROR_MAX];
	char text[64];

	ck_assert(options_parse("", &settings, error, sizeof(error)));
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->no_effect)
			continue;
		const void *setting = (const char *)&settings + option->offset;
		text[0] = '\0';
		if (option->kind == OPTION_FLAG)
			strcpy(text, *(const bool *)setting ? "y" : "n");
		else if (option->kind == OPTION_NUMBER)
			snprintf(text, sizeof(text), "%u", *(const uint32_t *)setting);
		else if (option->kind == OPTION_RATIO)
			snprintf(text, sizeof(text), "%g", *(const double *)setting);
		if (text[0] != '\0')
			ck_assert_str_eq(option->fallback, text);
	}
}
END_TEST

START_TEST(the_sections_come_in_the_order_of_the_manual)
{
	static const char *const titles[] = {
	        "\nOption Name and Value  Description                    Default\n"
	        "---------------------  -----------                    -------\nheap=",
	        "\n\nAdditional Options\n------------------\n",
	        "\n\nObsolete Options\n----------------\ngc_okay=y|n\n",
	        "\n\nExamples\n--------\n  - ",
	        "\n\nNotes\n-----\n  - ",
	        "\n\nWarnings\n--------\n  - "};
	const char *at = help;

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		const char *found = strstr(at, titles[i]);
		ck_assert_msg(found != NULL, "missing or out of order: %s", titles[i]);
		at = found;
	}
}
END_TEST

START_TEST(the_columns_line_up)
{
	char *at = help;
	size_t description = 0;
	size_t fallback = 0;

	for (char *line = next_line(&at); line != NULL; line = next_line(&at)) {
		if (strncmp(line, "Option Name and Value", 21) == 0) {
			description = (size_t)(strstr(line, "Description") - line);
			fallback = (size_t)(strstr(line, "Default") - line);
			break;
		}
	}
	ck_assert_uint_gt(description, 0);
	ck_assert_uint_gt(fallback, description);
	for (char *line = next_line(&at); line != NULL; line = next_line(&at)) {
		if (strcmp(line, "Obsolete Options") == 0)
			break;
		if (line[0] == '\0' || strchr("A-", line[0]) != NULL)
			continue;
		ck_assert_msg(line[description - 1] == ' ' && line[description] != ' ',
		              "description elsewhere in: %s", line);
		if (strlen(line) > fallback)
			ck_assert_msg(line[fallback - 1] == ' ' && line[fallback] != ' ',
			              "default elsewhere in: %s", line);
	}
}
END_TEST

START_TEST(lines_are_plain_and_fit_a_terminal)
{
	char *at = help;

	for (char *line = next_line(&at); line != NULL; line = next_line(&at)) {
		size_t length = strlen(line);
		ck_assert_msg(length <= 80, "%zu characters: %s", length, line);
		ck_assert_msg(length == 0 || line[length - 1] != ' ', "blanks behind: %s", line);
		for (size_t i = 0; i < length; i++)
			ck_assert(isprint((unsigned char)line[i]));
	}
	ck_assert_str_eq(at, "");
}
END_TEST

START_TEST(the_examples_are_legal)
{
	int count = 0;

	for (char *at = strstr(help, "Examples"); at != NULL;) {
		struct settings settings;
		char error[OPTIONS_ERROR_MAX];
		char options[256];

		at = strstr(at, "-agentlib:hprof=");
		if (at == NULL)
			break;
		at += strlen("-agentlib:hprof=");
		size_t length = strcspn(at, " \n");
		ck_assert_uint_lt(length, sizeof(options));
		memcpy(options, at, length);
		options[length] = '\0';
		ck_assert_msg(options_parse(options, &settings, error, sizeof(error)), "%s", error);
		count++;
	}
	ck_assert_int_gt(count, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("help");
	TCase *text = tcase_create("text");

	tcase_add_checked_fixture(text, write_help, free_help);
	tcase_add_test(text, each_listed_option_has_one_line_with_values_and_default);
	tcase_add_test(text, options_that_are_not_described_are_not_named);
	tcase_add_test(text, the_defaults_are_those_of_the_parser);
	tcase_add_test(text, the_sections_come_in_the_order_of_the_manual);
	tcase_add_test(text, the_columns_line_up);
	tcase_add_test(text, lines_are_plain_and_fit_a_terminal);
	tcase_add_test(text, the_examples_are_legal);
	suite_add_tcase(suite, text);
	return run_suite(suite);
}
