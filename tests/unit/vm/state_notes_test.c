/*
 * Tests of the notes after a section TRACE MICROSTATES: which there are, and when.
 */
#include "vm/state_notes.h"
#include "output/record_writer.h"
#include "run_suite.h"

#include <stdio.h>
#include <string.h>

#define NO_ACCOUNT "waits for a CPU are part of slp: the system does not account them\n"
#define NO_SAFEPOINTS                                                                     \
	"stw has collections only: this JVM has no performance data (-XX:+UsePerfData); " \
	"other pauses are part of slp\n"

static char memory[1024];
static size_t length;
static char writer_memory;

void writer_note(struct record_writer *writer, const char *text)
{
	ck_assert_ptr_eq(writer, &writer_memory);
	int printed = snprintf(memory + length, sizeof(memory) - length, "%s\n", text);
	ck_assert_int_gt(printed, 0);
	length += (size_t)printed;
	ck_assert_uint_lt(length, sizeof(memory));
}

static const char *notes(bool has_safepoints, uint32_t queues, uint32_t queueless)
{
	static uint64_t counter;
	struct vm_pauses pauses = {.memory = NULL};

	length = 0;
	memory[0] = '\0';
	if (has_safepoints)
		atomic_store(&pauses.safepoints, &counter);
	state_notes_write((struct record_writer *)(void *)&writer_memory, &pauses, queues,
	                  queueless);
	return memory;
}

START_TEST(nothing_is_noted_if_all_is_known)
{
	ck_assert_str_eq(notes(true, 1, 0), "");
	ck_assert_str_eq(notes(true, 200, 0), "");
}
END_TEST

START_TEST(without_an_account_of_the_system_waits_for_a_cpu_are_slp)
{
	ck_assert_str_eq(notes(true, 0, 0), NO_ACCOUNT);
}
END_TEST

START_TEST(threads_without_a_descriptor_are_counted)
{
	static const char note[] = "4000000000 threads had no file descriptor to read their waits "
	                           "for a CPU from; these are part of slp, not lat\n";
	ck_assert_str_eq(notes(true, 5, UINT32_C(4000000000)), note);
	ck_assert_str_eq(notes(true, 0, UINT32_C(4000000000)), note);
}
END_TEST

START_TEST(without_counters_of_safepoints_stw_has_collections_only)
{
	ck_assert_str_eq(notes(false, 1, 0), NO_SAFEPOINTS);
}
END_TEST

START_TEST(both_kinds_of_notes_may_be_there)
{
	ck_assert_str_eq(notes(false, 0, 0), NO_ACCOUNT NO_SAFEPOINTS);
	ck_assert_str_eq(notes(false, 1, 3),
	                 "3 threads had no file descriptor to read their waits for a CPU from; "
	                 "these are part of slp, not lat\n" NO_SAFEPOINTS);
}
END_TEST

static Suite *state_notes_suite(void)
{
	Suite *suite = suite_create("state_notes");
	TCase *tests = tcase_create("notes");

	tcase_add_test(tests, nothing_is_noted_if_all_is_known);
	tcase_add_test(tests, without_an_account_of_the_system_waits_for_a_cpu_are_slp);
	tcase_add_test(tests, threads_without_a_descriptor_are_counted);
	tcase_add_test(tests, without_counters_of_safepoints_stw_has_collections_only);
	tcase_add_test(tests, both_kinds_of_notes_may_be_there);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(state_notes_suite());
}
