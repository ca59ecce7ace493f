/* marks: posix */
/*
 * Tests of the queue in temporary files.
 */
#include "output/spill.h"
#include "os/os.h"
#include "os_load_posix.h"
#include "run_suite.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct spill spill;

static void set_up(void)
{
	spill_init(&spill);
}

static void tear_down(void)
{
	spill_free(&spill);
}

static void expect(const char *text, size_t most)
{
	char bytes[64];
	size_t got;
	ck_assert_int_eq(spill_take(&spill, bytes, most, &got), 0);
	ck_assert_uint_eq(got, strlen(text));
	ck_assert_mem_eq(bytes, text, got);
}

START_TEST(bytes_come_out_in_order)
{
	expect("", 10);
	ck_assert_int_eq(spill_append(&spill, "one two", 7), 0);
	ck_assert_uint_eq(spill.length, 7);
	expect("one ", 4);
	ck_assert_int_eq(spill_append(&spill, " three", 6), 0);
	expect("two three", 60);
	ck_assert_uint_eq(spill.length, 0);
	expect("", 10);
	ck_assert_int_eq(spill_append(&spill, "again", 5), 0);
	expect("again", 60);
}
END_TEST

START_TEST(an_empty_spill_keeps_no_file)
{
	int before = open_descriptors();
	ck_assert_int_eq(spill_append(&spill, "x", 1), 0);
	ck_assert_int_eq(open_descriptors(), before + 1);
	expect("x", 10);
	ck_assert_int_eq(open_descriptors(), before);
	ck_assert_int_eq(spill_append(&spill, "x", 1), 0);
	spill_free(&spill);
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

START_TEST(disk_space_is_released_piece_by_piece)
{
	enum { PIECE = 1 << 20, PIECES = 140 };
	uint8_t *bytes = malloc(PIECE);
	int before = open_descriptors();
	size_t got;

	ck_assert_ptr_nonnull(bytes);
	for (int i = 0; i < PIECES; i++) {
		memset(bytes, i, PIECE);
		ck_assert_int_eq(spill_append(&spill, bytes, PIECE), 0);
	}
	ck_assert_int_eq(open_descriptors(), before + 3);
	for (int i = 0; i < PIECES; i++) {
		ck_assert_int_eq(spill_take(&spill, bytes, PIECE, &got), 0);
		ck_assert_uint_eq(got, PIECE);
		ck_assert_int_eq(bytes[0], i);
		ck_assert_int_eq(bytes[PIECE - 1], i);
		if (i == 100)
			ck_assert_int_eq(open_descriptors(), before + 2);
	}
	ck_assert_int_eq(open_descriptors(), before);
	free(bytes);
}
END_TEST

START_TEST(a_full_disk_is_an_error_and_drops_the_whole_piece)
{
	struct rlimit limit;

	ck_assert_int_eq(spill_append(&spill, "whole", 5), 0);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = 8;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(spill_append(&spill, "no room for this", 16), EFBIG);
	expect("whole", 60);
	expect("", 60);
}
END_TEST

START_TEST(a_temporary_file_has_no_name_and_is_the_owners)
{
	struct os_file file;
	struct stat status;
	char text[4] = "";

	ck_assert_int_eq(setenv("TMPDIR", "/no such directory", 1), 0);
	ck_assert_int_eq(os_file_temporary(NULL, &file), 0);
	ck_assert_int_eq(fstat((int)file.handle, &status), 0);
	ck_assert_uint_eq(status.st_nlink, 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0600);
	ck_assert_int_eq(os_file_write(&file, "abcdef", 6), 0);
	ck_assert_int_eq(os_file_read_at(&file, 2, text, 3), 0);
	ck_assert_str_eq(text, "cde");
	ck_assert_int_eq(os_file_read_at(&file, 4, text, 3), EIO);
	ck_assert_int_eq(os_file_close(&file), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spill");
	TCase *tests = tcase_create("spill");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, bytes_come_out_in_order);
	tcase_add_test(tests, an_empty_spill_keeps_no_file);
	tcase_add_test(tests, disk_space_is_released_piece_by_piece);
	tcase_add_test(tests, a_full_disk_is_an_error_and_drops_the_whole_piece);
	tcase_add_test(tests, a_temporary_file_has_no_name_and_is_the_owners);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
