/* marks: posix */
/*
 * Tests that each allocation of `hprof check --baseline` may fail: there is no verdict then, and
 * standard error says why. The address sanitizer checks that nothing leaks.
 */
#include "failing_allocation.h"
#include "run_suite.h"

#include "command/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GREW = 1, NO_VERDICT = 2, ALLOCATIONS_LEAST = 60 };

static const char start[] =
        "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n"
        "--------\n"
        "NOTE: options: cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y\n"
        "NOTE: heap: every allocation (reported by bytecode, objects not tracked; x)\n"
        "TRACE 300001:\n"
        "\tApp.lambda$main$0(App.java:12)\n"
        "\tApp.main(App.java:1)\n"
        "TRACE 300002:\n"
        "\tjava.util.ImmutableCollections$SetN.iterator(ImmutableCollections.java:1)\n"
        "\tApp.find(App.java:1)\n"
        "CPU TIME (ms) BEGIN (total = 1) Sat Nov 21 02:55:44 2026\n";

static const char old_rows[] = "1 50.00% 50.00% 5 300001 App.lambda$main$0\n"
                               "2 50.00% 100.00% 1 300002 App.find\n"
                               "CPU TIME (ms) END\n"
                               "SITES BEGIN (ordered by allocated bytes, live not counted) Sat\n"
                               "1 0.00% 100.00% 0 0 16 1 300001 byte[]\n"
                               "SITES END\n";

static const char new_rows[] = "1 50.00% 50.00% 6 300001 App.lambda$main$0\n"
                               "2 50.00% 100.00% 2 300002 App.find\n"
                               "CPU TIME (ms) END\n"
                               "SITES BEGIN (ordered by allocated bytes, live not counted) Sat\n"
                               "1 0.00% 100.00% 0 0 32 2 300001 byte[]\n"
                               "2 0.00% 100.00% 0 0 16 1 300001 App$$Lambda$1/0x1\n"
                               "SITES END\n";

static char directory[] = "/tmp/hprof-gate-XXXXXX";
static char old_name[64];
static char new_name[64];
static char budget_name[64];
static char junit_name[64];
static int messages; /* what goes to standard error */
static int nowhere;  /* and to standard output */

static void write_file(char name[64], const char *file, const char *first, const char *second)
{
	(void)snprintf(name, 64, "%s/%s", directory, file);
	FILE *stream = fopen(name, "w");
	ck_assert_ptr_nonnull(stream);
	ck_assert(fputs(first, stream) >= 0 && fputs(second, stream) >= 0);
	ck_assert_int_eq(fclose(stream), 0);
}

static void set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	write_file(old_name, "old", start, old_rows);
	write_file(new_name, "new", start, new_rows);
	write_file(budget_name, "budget", "# none of the program\n", "com.acme.* +5%\n");
	write_file(junit_name, "messages", "", "");
	messages = open(junit_name, O_RDWR | O_TRUNC | O_APPEND | O_CLOEXEC);
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(messages, 0);
	ck_assert_int_ge(nowhere, 0);
	ck_assert_int_eq(remove(junit_name), 0);
	(void)snprintf(junit_name, sizeof(junit_name), "%s/junit.xml", directory);
}

static void tear_down(void)
{
	(void)remove(old_name);
	(void)remove(new_name);
	(void)remove(budget_name);
	(void)remove(junit_name);
	(void)remove(directory);
	(void)close(messages);
	(void)close(nowhere);
}

/* The exit code, while allocations fail. */
static int run_gate(void)
{
	char *arguments[] = {"--baseline", old_name,  "--budget", budget_name, "--classes",
	                     "App*",       "--junit", junit_name, new_name,    NULL};

	/* The command closes its standard output. */
	(void)dup2(nowhere, STDOUT_FILENO);
	(void)dup2(messages, STDERR_FILENO);
	return command_gate((int)(sizeof(arguments) / sizeof(arguments[0])) - 1, arguments);
}

START_TEST(each_failing_allocation_is_reported)
{
	bool failed = true;
	unsigned number = 0;

	while (failed) {
		char printed[4096] = "";
		number++;
		(void)remove(junit_name);
		ck_assert_int_eq(ftruncate(messages, 0), 0);
		fail_allocations(number, number);
		int code = run_gate();
		failed = stop_failing();
		(void)fflush(stderr);
		ck_assert(pread(messages, printed, sizeof(printed) - 1, 0) >= 0);
		ck_assert_msg(code == (failed ? NO_VERDICT : GREW), "allocation %u: code %d: %s",
		              number, code, printed);
		ck_assert_msg((strstr(printed, "memory") != NULL) == failed, "allocation %u: %s",
		              number, printed);
	}
	ck_assert_uint_gt(number, ALLOCATIONS_LEAST);
}
END_TEST

static Suite *command_gate_oom_suite(void)
{
	Suite *suite = suite_create("command_gate_oom");
	TCase *tests = tcase_create("allocations");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, each_failing_allocation_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(command_gate_oom_suite());
}
