/*
 * check.c: see check.h. A second thread, by the platform layer's verbs, watches the
 * time that each test takes. No lock: the two share atomics only.
 */
#include "check.h"

#include "os.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { TESTS_MAX = 512, CASES_MAX = 32, WATCH_MS = 200, DEFAULT_TIMEOUT_S = 60 };

#define NS_PER_SECOND 1e9

struct test {
	const char *name;
	check_test *run;
	int start;
	int end;
};

struct tcase {
	const char *name;
	double timeout_s;
	check_fixture *set_up;
	check_fixture *tear_down;
	struct test tests[TESTS_MAX];
	size_t count;
};

struct suite {
	const char *name;
	TCase *cases[CASES_MAX];
	size_t count;
};

struct srunner {
	Suite *suite;
	int run;
	int failed;
};

/* The running test. */
static jmp_buf leave;
static os_thread runner_thread;
static const char *_Atomic running;
static _Atomic uint64_t due_ns; /* 0 when none runs */
static struct os_event end_of_watch;

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);
	if (memory == NULL) {
		(void)fprintf(stderr, "check: out of memory\n");
		exit(EXIT_FAILURE);
	}
	return memory;
}

Suite *suite_create(const char *name)
{
	Suite *suite = allocate(sizeof(*suite));
	suite->name = name;
	return suite;
}

TCase *tcase_create(const char *name)
{
	TCase *tcase = allocate(sizeof(*tcase));
	tcase->name = name;
	tcase->timeout_s = DEFAULT_TIMEOUT_S;
	return tcase;
}

static void no_more_room(const char *of)
{
	(void)fprintf(stderr, "check: no more room for %s; make the table larger\n", of);
	exit(EXIT_FAILURE);
}

void suite_add_tcase(Suite *suite, TCase *tcase)
{
	if (suite->count == CASES_MAX)
		no_more_room("test cases");
	suite->cases[suite->count++] = tcase;
}

void tcase_set_timeout(TCase *tcase, double seconds)
{
	tcase->timeout_s = seconds;
}

void tcase_add_checked_fixture(TCase *tcase, check_fixture *set_up, check_fixture *tear_down)
{
	tcase->set_up = set_up;
	tcase->tear_down = tear_down;
}

void check_add_test(TCase *tcase, const char *name, check_test *test, int start, int end)
{
	if (tcase->count == TESTS_MAX)
		no_more_room("tests");
	tcase->tests[tcase->count++] = (struct test){name, test, start, end};
}

void check_fail(const char *file, int line, const char *format, ...)
{
	va_list arguments;
	(void)printf("%s:%d: %s: ", file, line, atomic_load(&running));
	va_start(arguments, format);
	(void)vprintf(format, arguments);
	va_end(arguments);
	(void)printf("\n");
	(void)fflush(stdout);
	/* Another thread of the test can't be left from here. */
	if (os_self_thread() != runner_thread)
		_Exit(EXIT_FAILURE);
	longjmp(leave, 1);
}

static void watch(void *argument)
{
	(void)argument;
	while (!os_event_wait(&end_of_watch, WATCH_MS)) {
		uint64_t due = atomic_load(&due_ns);
		if (due == 0 || os_monotonic_ns() < due)
			continue;
		(void)printf("%s: takes too long\n", atomic_load(&running));
		(void)fflush(stdout);
		_Exit(EXIT_FAILURE);
	}
}

static bool run_one(const TCase *tcase, const struct test *test, int i)
{
	atomic_store(&running, test->name);
	atomic_store(&due_ns, os_monotonic_ns() + (uint64_t)(tcase->timeout_s * NS_PER_SECOND));
	bool failed = setjmp(leave) != 0;
	if (!failed) {
		if (tcase->set_up != NULL)
			tcase->set_up();
		test->run(i);
		if (tcase->tear_down != NULL)
			tcase->tear_down();
	}
	atomic_store(&due_ns, 0);
	if (failed && test->end - test->start > 1)
		(void)printf("  (loop %d)\n", i);
	return !failed;
}

static void run_case(SRunner *runner, const TCase *tcase)
{
	for (size_t i = 0; i < tcase->count; i++) {
		const struct test *test = &tcase->tests[i];
		for (int j = test->start; j < test->end; j++) {
			runner->run++;
			runner->failed += !run_one(tcase, test, j);
		}
	}
}

SRunner *srunner_create(Suite *suite)
{
	SRunner *runner = allocate(sizeof(*runner));
	runner->suite = suite;
	return runner;
}

void srunner_set_fork_status(SRunner *runner, enum fork_status status)
{
	(void)runner;
	(void)status;
}

void srunner_run_all(SRunner *runner, enum print_output mode)
{
	struct os_thread_handle watcher;
	(void)mode;
	runner_thread = os_self_thread();
	if (os_event_init(&end_of_watch) != 0 || os_thread_start(&watcher, watch, NULL) != 0) {
		runner->failed = 1;
		return;
	}
	for (size_t i = 0; i < runner->suite->count; i++)
		run_case(runner, runner->suite->cases[i]);
	os_event_signal(&end_of_watch);
	os_thread_join(&watcher);
	(void)printf("%s: %d of %d passed\n", runner->suite->name, runner->run - runner->failed,
	             runner->run);
}

int srunner_ntests_failed(SRunner *runner)
{
	return runner->failed;
}

void srunner_free(SRunner *runner)
{
	for (size_t i = 0; i < runner->suite->count; i++)
		free(runner->suite->cases[i]);
	free(runner->suite);
	free(runner);
}
