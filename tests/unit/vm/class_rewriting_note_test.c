/*
 * Tests of the note about methods and classes that could not be rewritten.
 */
#include "run_suite.h"
#include "vm/class_rewriting.h"
#include "writer_fixture.h"

#include <string.h>

static struct class_rewriting rewriting;

/* Checks what class_rewriting_write_note() writes as text after the file's header. */
static void expect_note(const char *text)
{
	struct memory_sink *memory = memory_sink_reset();
	struct record_writer *writer =
	        writer_create(&record_format_text, &memory->sink, 8, CREATED_WALL_MS);
	size_t header;

	ck_assert_ptr_nonnull(writer);
	/* The writer writes the empty trace before the first record. */
	writer_note(writer, "first");
	writer_flush(writer);
	header = memory->length;
	class_rewriting_write_note(&rewriting, writer, "they are slow");
	ck_assert_int_eq(writer_close(writer), 0);
	expect_text(memory->bytes + header, memory->length - header, text);
}

START_TEST(the_note_has_both_counts_and_the_consequence)
{
	rewriting.methods_skipped = 3;
	rewriting.classes_refused = 1;
	expect_note("NOTE: 3 methods and 1 classes could not be instrumented; they are slow\n");
	rewriting.methods_skipped = 0;
	expect_note("NOTE: 0 methods and 1 classes could not be instrumented; they are slow\n");
}
END_TEST

START_TEST(without_failures_there_is_no_note)
{
	rewriting.methods_grown_huge = 1;
	expect_note("");
}
END_TEST

static void set_up(void)
{
	memset(&rewriting, 0, sizeof(rewriting));
}

int main(void)
{
	Suite *suite = suite_create("class_rewriting_note");
	TCase *tests = tcase_create("class_rewriting_note");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, the_note_has_both_counts_and_the_consequence);
	tcase_add_test(tests, without_failures_there_is_no_note);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
