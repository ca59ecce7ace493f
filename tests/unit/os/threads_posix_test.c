/* marks: timed, tsan, posix */
/*
 * Tests of what threads and events have to do with signals, of whether the system
 * tells who runs, and of what the process knows about itself.
 */
#include "os_load_posix.h"
#include "os_machine.h"
#include "run_suite.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct shared {
	struct os_event event;
	_Atomic os_thread thread;
	atomic_bool flag;
	sigset_t mask;
};

static struct shared shared;

static void set_up(void)
{
	memset(&shared, 0, sizeof(shared));
	ck_assert_int_eq(os_event_init(&shared.event), 0);
}

static void tear_down(void)
{
	os_event_destroy(&shared.event);
}

static void note_thread(void *arg)
{
	struct shared *s = arg;
	(void)pthread_sigmask(SIG_BLOCK, NULL, &s->mask);
}

START_TEST(started_thread_blocks_the_programs_signals_but_not_faults)
{
	struct os_thread_handle handle;
	ck_assert_int_eq(os_thread_start(&handle, note_thread, &shared), 0);
	os_thread_join(&handle);
	static const int blocked[] = {SIGPROF, SIGTERM, SIGINT, SIGCHLD, SIGPIPE, SIGUSR1, SIGALRM};
	static const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++)
		ck_assert_int_eq(sigismember(&shared.mask, blocked[i]), 1);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		ck_assert_int_eq(sigismember(&shared.mask, open[i]), 0);
}
END_TEST

START_TEST(starting_a_thread_leaves_the_callers_signals_alone)
{
	sigset_t before;
	sigset_t after;
	struct os_thread_handle handle;
	(void)pthread_sigmask(SIG_BLOCK, NULL, &before);
	ck_assert_int_eq(os_thread_start(&handle, note_thread, &shared), 0);
	(void)pthread_sigmask(SIG_BLOCK, NULL, &after);
	os_thread_join(&handle);
	for (int signal = 1; signal < 32; signal++)
		ck_assert_int_eq(sigismember(&before, signal), sigismember(&after, signal));
}
END_TEST

static void wait_long(void *arg)
{
	struct shared *s = arg;
	atomic_store(&s->thread, os_self_thread());
	atomic_store(&s->flag, os_event_wait(&s->event, 60000));
}

static void signal_event(int signal)
{
	(void)signal;
	os_event_signal(&shared.event);
}

START_TEST(event_is_signalled_from_a_signal_handler_and_keeps_errno)
{
	struct sigaction action = {.sa_handler = signal_event};
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	struct os_thread_handle handle;
	ck_assert_int_eq(os_thread_start(&handle, wait_long, &shared), 0);
	sleep_ms(20);
	errno = 4711;
	(void)pthread_kill(pthread_self(), SIGUSR1);
	int after = errno;
	os_thread_join(&handle);
	ck_assert_int_eq(after, 4711);
	ck_assert(shared.flag);
}
END_TEST

START_TEST(system_tells_whether_a_thread_runs)
{
	struct os_thread_handle handle;
	ck_assert_int_eq(os_thread_start(&handle, wait_long, &shared), 0);
	while (atomic_load(&shared.thread) == 0)
		sleep_ms(1);
	sleep_ms(20);
	/* On a busy machine it takes time to fall asleep. */
	while (os_thread_runnable(shared.thread) == OS_YES)
		sleep_ms(1);
	ck_assert_int_eq(os_thread_running(os_self_thread()), OS_YES);
	ck_assert_int_eq(os_thread_running(shared.thread), OS_NO);
	os_event_signal(&shared.event);
	os_thread_join(&handle);
}
END_TEST

START_TEST(process_knows_its_id_and_file)
{
	char path[4096];
	char exe[4096];
	ck_assert_uint_eq(os_pid(), (uint64_t)getpid());
	ck_assert_int_eq(os_library_path(path, sizeof(path)), 0);
	ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	ck_assert_int_gt(length, 0);
	exe[length] = '\0';
	ck_assert_str_eq(path, exe);
	ck_assert_int_eq(os_library_path(path, 3), ENAMETOOLONG);
}
END_TEST

START_TEST(symbol_is_found_in_the_library_of_an_address_only)
{
	void *exit_function = os_symbol_beside(stdout, "exit");
	ck_assert_ptr_nonnull(exit_function);
	ck_assert_ptr_null(os_symbol_beside(stdout, "no_such_symbol_anywhere"));
	ck_assert_ptr_nonnull(os_symbol_beside(exit_function, "malloc"));
	/* This program uses the C library but is not it. */
	ck_assert_ptr_null(os_symbol_beside(&shared, "malloc"));
	ck_assert_ptr_null(os_symbol_beside(NULL, "malloc"));
}
END_TEST

static Suite *os_threads_posix_suite(void)
{
	Suite *suite = suite_create("os_threads_posix");
	TCase *signals = tcase_create("signals");
	TCase *process = tcase_create("process");
	tcase_set_timeout(signals, 60);
	tcase_add_checked_fixture(signals, set_up, tear_down);
	tcase_add_test(signals, started_thread_blocks_the_programs_signals_but_not_faults);
	tcase_add_test(signals, starting_a_thread_leaves_the_callers_signals_alone);
	tcase_add_test(signals, event_is_signalled_from_a_signal_handler_and_keeps_errno);
	tcase_add_test(signals, system_tells_whether_a_thread_runs);
	tcase_add_test(process, process_knows_its_id_and_file);
	tcase_add_test(process, symbol_is_found_in_the_library_of_an_address_only);
	suite_add_tcase(suite, signals);
	suite_add_tcase(suite, process);
	return suite;
}

int main(void)
{
	return run_suite(os_threads_posix_suite());
}
