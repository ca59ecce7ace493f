/*
 * Tests that the option table is whole, and that the man page knows it.
 */
#include "options/option_table.h"
#include "run_suite.h"

#include "options/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The parser notes which options were given in an array of this size. */
#define OPTIONS_MAX 64

START_TEST(names_are_unique_words)
{
	size_t count = 0;

	for (const struct option *a = option_table; a->name != NULL; a++, count++) {
		ck_assert_uint_gt(strlen(a->name), 0);
		ck_assert_uint_eq(strcspn(a->name, ",= "), strlen(a->name));
		for (const struct option *b = a + 1; b->name != NULL; b++)
			ck_assert_str_ne(a->name, b->name);
	}
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_le(count, OPTIONS_MAX);
}
END_TEST

START_TEST(every_option_of_the_manual_is_there)
{
	static const char *const names[] = {"heap",    "cpu",   "monitor",  "format", "file",
	                                    "net",     "depth", "interval", "cutoff", "lineno",
	                                    "thread",  "doe",   "msa",      "force",  "verbose",
	                                    "gc_okay", "help"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct option *option = option_table;
		while (option->name != NULL && strcmp(option->name, names[i]) != 0)
			option++;
		ck_assert_msg(option->name != NULL, "no option %s", names[i]);
		ck_assert_msg(option->section != SECTION_NONE, "help does not list %s", names[i]);
	}
}
END_TEST

START_TEST(each_option_has_a_setting_of_its_own)
{
	for (const struct option *a = option_table; a->name != NULL; a++) {
		if (a->no_effect)
			continue;
		ck_assert_uint_lt(a->offset, sizeof(struct settings));
		for (const struct option *b = a + 1; b->name != NULL; b++)
			ck_assert(b->no_effect || a->offset != b->offset);
	}
}
END_TEST

/* The words joined as the help text shows them. */
static void join_words(const struct option_choice *choices, char *text)
{
	text[0] = '\0';
	for (const struct option_choice *choice = choices; choice->word != NULL; choice++) {
		if (choice != choices)
			strcat(text, "|");
		strcat(text, choice->word);
	}
}

START_TEST(the_values_that_are_shown_are_those_that_are_taken)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		char words[256];

		ck_assert_ptr_nonnull(option->values);
		switch (option->kind) {
		case OPTION_WORD:
			ck_assert_ptr_nonnull(option->choices);
			join_words(option->choices, words);
			ck_assert_str_eq(option->values, words);
			break;
		case OPTION_FLAG:
			ck_assert_str_eq(option->values, "y|n");
			break;
		case OPTION_NUMBER:
			ck_assert_int_ge(option->minimum, 0);
			ck_assert_int_lt(option->minimum, option->maximum);
			ck_assert_int_le(option->maximum, UINT32_MAX);
			break;
		case OPTION_LONE:
			ck_assert_str_eq(option->values, "");
			break;
		default: /* shown as what they stand for: <file> */
			ck_assert_int_eq(option->values[0], '<');
			break;
		}
	}
}
END_TEST

START_TEST(options_without_effect_fit_the_settings)
{
	size_t count = 0;

	for (const struct option *option = option_table; option->name != NULL; option++)
		count += option->no_effect;
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_le(count, SETTING_IGNORED_MAX);
}
END_TEST

START_TEST(options_with_a_description_show_a_default)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		bool described = option->section == SECTION_MANUAL || option->section == SECTION_ADDED;
		ck_assert(described == (option->description != NULL));
		if (!described)
			continue;
		ck_assert_uint_gt(strlen(option->description), 0);
		ck_assert_ptr_nonnull(option->fallback);
		if (option->kind != OPTION_LONE)
			ck_assert_uint_gt(strlen(option->fallback), 0);
	}
}
END_TEST

START_TEST(the_legal_values_begin_with_the_option_and_fit_a_message)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		char legal[256];
		size_t length = strlen(option->name);

		memset(legal, '#', sizeof(legal));
		option_legal_values(option, legal, sizeof(legal));
		ck_assert_ptr_nonnull(memchr(legal, '\0', sizeof(legal) - 1));
		ck_assert_int_eq(strncmp(legal, option->name, length), 0);
		ck_assert_int_eq(legal[length], option->kind == OPTION_LONE ? ',' : '=');
		ck_assert_ptr_null(strchr(legal, '\n'));
	}
}
END_TEST

/* ---- the man page ----------------------------------------------------- */

/* The man page, read once; the tests run in the root of the source tree unless
 * the environment says where the page is. */
static const char *man_page(void)
{
	static char text[256 * 1024];
	const char *path = getenv("HPROF_MAN_PAGE");
	FILE *file = fopen(path != NULL ? path : "man/hprof-agent.7", "r");

	ck_assert_msg(file != NULL, "no man page at %s", path != NULL ? path : "man/hprof-agent.7");
	size_t length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	ck_assert_uint_gt(length, 0);
	ck_assert_uint_lt(length, sizeof(text) - 1);
	text[length] = '\0';
	return text;
}

/* Whether the page has the word. */
static bool has_word(const char *page, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = page; (at = strstr(at, word)) != NULL; at++) {
		if (at > page && !isalnum((unsigned char)at[-1]) &&
		    !isalnum((unsigned char)at[length]))
			return true;
	}
	return false;
}

/* How many list items of the page are headed by the option. */
static int count_items(const char *page, const struct option *option)
{
	char heading[64];
	int count = 0;

	snprintf(heading, sizeof(heading), "\n.It Cm %s%s", option->name,
	         option->kind == OPTION_LONE ? "\n" : " Ns = Ns ");
	for (const char *at = page; (at = strstr(at, heading)) != NULL; at++)
		count++;
	return count;
}

START_TEST(the_man_page_has_one_item_for_every_option)
{
	const char *page = man_page();

	for (const struct option *option = option_table; option->name != NULL; option++)
		ck_assert_msg(count_items(page, option) == 1, "%d items for option %s",
		              count_items(page, option), option->name);
}
END_TEST

START_TEST(the_man_page_names_every_word_of_an_option)
{
	const char *page = man_page();

	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->kind != OPTION_WORD)
			continue;
		for (const struct option_choice *c = option->choices; c->word != NULL; c++)
			ck_assert_msg(has_word(page, c->word), "no %s=%s", option->name, c->word);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("option_table");
	TCase *table = tcase_create("table");
	TCase *man = tcase_create("man page");

	tcase_add_test(table, names_are_unique_words);
	tcase_add_test(table, every_option_of_the_manual_is_there);
	tcase_add_test(table, each_option_has_a_setting_of_its_own);
	tcase_add_test(table, the_values_that_are_shown_are_those_that_are_taken);
	tcase_add_test(table, options_without_effect_fit_the_settings);
	tcase_add_test(table, options_with_a_description_show_a_default);
	tcase_add_test(table, the_legal_values_begin_with_the_option_and_fit_a_message);
	tcase_add_test(man, the_man_page_has_one_item_for_every_option);
	tcase_add_test(man, the_man_page_names_every_word_of_an_option);
	suite_add_tcase(suite, table);
	suite_add_tcase(suite, man);
	return run_suite(suite);
}
