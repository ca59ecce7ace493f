/* marks: posix */
/*
 * Tests of progress lines, on a terminal and in a log. The tests do not wait: they move
 * the start of the progress to an earlier time.
 */
#include "base/progress.h"
#include "os/os.h"
#include "run_suite.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

static struct progress progress;

/* A new file that standard error is redirected to. */
static int file;

static void set_up(void)
{
	char path[] = "/tmp/hprof-progress-XXXXXX";
	file = mkstemp(path);
	ck_assert_int_ge(file, 0);
	unlink(path);
	ck_assert_int_ge(dup2(file, STDERR_FILENO), 0);
	memset(&progress, 0, sizeof(progress));
}

static void expect(const char *text)
{
	char printed[4096] = "";
	fflush(stderr);
	ck_assert_int_ge(pread(file, printed, sizeof(printed) - 1, 0), 0);
	ck_assert_str_eq(printed, text);
}

static void let_pass(uint64_t seconds)
{
	progress.begun_ns -= seconds * SECOND_NS;
	progress.due_ns -= seconds * SECOND_NS;
}

START_TEST(nothing_is_printed_before_the_begin)
{
	progress_update(&progress, 1, 2, "objects");
	progress_begin(&progress, "Dumping");
	progress_end(&progress);
	progress_update(&progress, 1, 2, "objects");
	expect("");
}
END_TEST

START_TEST(a_log_gets_a_line_after_a_second_and_then_every_10_s)
{
	progress_begin(&progress, "Dumping the heap");
	progress_update(&progress, 1, 200, "objects");
	expect("");
	let_pass(1);
	progress_update(&progress, 30, 200, "objects");
	expect("hprof: Dumping the heap ... 15% (30 of 200 objects), 1 s\n");
	let_pass(5);
	progress_update(&progress, 40, 200, "objects");
	expect("hprof: Dumping the heap ... 15% (30 of 200 objects), 1 s\n");
	let_pass(5);
	progress_update(&progress, 300, 0, "objects");
	progress_end(&progress);
	expect("hprof: Dumping the heap ... 15% (30 of 200 objects), 1 s\n"
	       "hprof: Dumping the heap ... 300 objects, 11 s\n");
}
END_TEST

START_TEST(more_than_the_total_is_100_percent)
{
	progress_begin(&progress, "Dumping");
	let_pass(1);
	progress_update(&progress, 7, 5, "objects");
	expect("hprof: Dumping ... 100% (7 of 5 objects), 1 s\n");
}
END_TEST

START_TEST(a_terminal_has_one_line_that_goes_away)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct termios raw;
	char printed[512] = "";
	size_t length = 0;

	ck_assert_int_ge(master, 0);
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(terminal, 0);
	ck_assert_int_eq(tcgetattr(terminal, &raw), 0);
	cfmakeraw(&raw);
	ck_assert_int_eq(tcsetattr(terminal, TCSANOW, &raw), 0);
	ck_assert_int_ge(dup2(terminal, STDERR_FILENO), 0);
	ck_assert(os_is_terminal(OS_STANDARD_ERROR));

	progress_begin(&progress, "Dumping");
	let_pass(1);
	progress_update(&progress, 1, 4, "objects");
	let_pass(1);
	progress_update(&progress, 2, 4, "objects");
	progress_end(&progress);

	static const char expected[] = "\r\033[Khprof: Dumping ... 25% (1 of 4 objects), 1 s"
	                               "\r\033[Khprof: Dumping ... 50% (2 of 4 objects), 2 s"
	                               "\r\033[K";
	while (length < sizeof(expected) - 1) {
		ssize_t got = read(master, printed + length, sizeof(printed) - 1 - length);
		ck_assert_int_gt(got, 0);
		length += (size_t)got;
	}
	ck_assert_str_eq(printed, expected);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("progress");
	TCase *tests = tcase_create("progress");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, nothing_is_printed_before_the_begin);
	tcase_add_test(tests, a_log_gets_a_line_after_a_second_and_then_every_10_s);
	tcase_add_test(tests, more_than_the_total_is_100_percent);
	tcase_add_test(tests, a_terminal_has_one_line_that_goes_away);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
