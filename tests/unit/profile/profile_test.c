/*
 * Tests of what all modes share: the first error ends the profile, and notes.
 */
#include "profile/profile.h"

#include "run_suite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct settings settings;
static struct profile profile;
static unsigned messages;
static char message[256]; /* the last one */
static char note[256];    /* the same */

/* ---- stand-ins --------------------------------------------------------- */

void message_print(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	messages++;
}

void writer_control_settings(struct record_writer *writer, uint32_t flags, uint16_t depth)
{
	(void)writer;
	(void)flags;
	(void)depth;
	ck_abort_msg("not expected here");
}

void writer_note(struct record_writer *writer, const char *text)
{
	(void)writer;
	(void)snprintf(note, sizeof(note), "%s", text);
}

/* ---- tests ------------------------------------------------------------- */

static void set_up(void)
{
	memset(&settings, 0, sizeof(settings));
	memset(&profile, 0, sizeof(profile));
	profile.settings = &settings;
	profile.output_name = "out.txt";
	messages = 0;
	ck_assert_int_eq(os_event_init(&profile.wake), 0);
}

static void tear_down(void)
{
	os_event_destroy(&profile.wake);
}

START_TEST(first_error_ends_the_profile)
{
	ck_assert(!profile_is_stopped(&profile));
	profile_fail(&profile, "error %d", 7);
	ck_assert(profile_is_stopped(&profile));
	ck_assert_str_eq(message, "error 7; profiling has ended, the program continues");
	ck_assert(os_event_wait(&profile.wake, 0));
	profile_fail(&profile, "error %d", 8);
	profile_out_of_memory(&profile);
	ck_assert_uint_eq(messages, 1);
	ck_assert(!os_event_wait(&profile.wake, 0));
}
END_TEST

START_TEST(output_error_names_the_output)
{
	profile_check_output(&profile, 0);
	ck_assert(!profile_is_stopped(&profile));
	ck_assert_uint_eq(messages, 0);
	profile_check_output(&profile, ENOSPC);
	ck_assert(profile_is_stopped(&profile));
	ck_assert_ptr_nonnull(strstr(message, "out.txt"));
}
END_TEST

START_TEST(note_is_formatted)
{
	profile_note(&profile, "%u classes", 3);
	ck_assert_str_eq(note, "3 classes");
	ck_assert(!profile_is_stopped(&profile));
}
END_TEST

static Suite *profile_suite(void)
{
	Suite *suite = suite_create("profile");
	TCase *tests = tcase_create("profile");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, first_error_ends_the_profile);
	tcase_add_test(tests, output_error_names_the_output);
	tcase_add_test(tests, note_is_formatted);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(profile_suite());
}
