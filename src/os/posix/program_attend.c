/*
 * program_attend.c: a program that runs to its end with the streams of this process, as if it
 * were in its place. For the hprof command: one thread, no lock.
 */
#include "os_programs.h"
#include "program_child.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The terminal sends these to every process of the group, so to the program too. */
static const int left_to_program[] = {SIGINT, SIGQUIT};
static const int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

enum {
	LEFT_COUNT = sizeof(left_to_program) / sizeof(left_to_program[0]),
	PASSED_COUNT = sizeof(passed_on) / sizeof(passed_on[0])
};

/* How this process handled signals before, and what it blocked. */
struct former_signals {
	sigset_t blocked;
	struct sigaction left[LEFT_COUNT];
	struct sigaction passed[PASSED_COUNT];
	struct sigaction child;
};

/* Set while the handler is installed, and the process has not been waited for. */
static volatile pid_t attended;

/* What the system sends, such as SIGHUP of a terminal, goes to the whole group. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	(void)context;
	if (info->si_code <= 0)
		(void)kill(attended, number);
	errno = saved;
}

/* Until signals_attend() or signals_release() no signal is delivered. SIGCHLD must not be ignored,
 * or there would be no exit code. */
static void signals_hold(struct former_signals *former)
{
	struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t all;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &former->blocked);
	(void)sigaction(SIGCHLD, &normal, &former->child);
}

static void signals_release(const struct former_signals *former)
{
	(void)sigaction(SIGCHLD, &former->child, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &former->blocked, NULL);
}

static void signals_attend(struct former_signals *former)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction pass = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};

	for (int i = 0; i < LEFT_COUNT; i++)
		(void)sigaction(left_to_program[i], &ignore, &former->left[i]);
	for (int i = 0; i < PASSED_COUNT; i++) {
		(void)sigaction(passed_on[i], NULL, &former->passed[i]);
		if (former->passed[i].sa_handler != SIG_IGN)
			(void)sigaction(passed_on[i], &pass, NULL);
	}
	(void)pthread_sigmask(SIG_SETMASK, &former->blocked, NULL);
}

/* Waits until the program has ended; until program_wait() its number is not used again. */
static void wait_for_end(pid_t child)
{
	siginfo_t info;
	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
}

static void signals_restore(const struct former_signals *former)
{
	sigset_t all;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < LEFT_COUNT; i++)
		(void)sigaction(left_to_program[i], &former->left[i], NULL);
	for (int i = 0; i < PASSED_COUNT; i++)
		(void)sigaction(passed_on[i], &former->passed[i], NULL);
	os_interrupts_catch();
	signals_release(former);
}

static int attend(const char *const *arguments, const int report_ends[2], int *exit_code)
{
	struct former_signals former;

	signals_hold(&former);
	pid_t child = fork();
	if (child == 0) {
		/* The program gets the signals as this process did. */
		signals_release(&former);
		(void)execvp(arguments[0], program_vector(arguments));
		program_child_failed(report_ends[1], errno);
	}
	int error = child < 0 ? errno : 0;
	(void)close(report_ends[1]);
	if (child < 0) {
		os_interrupts_catch();
		signals_release(&former);
		return error;
	}
	attended = child;
	signals_attend(&former);
	int reason = program_failure(report_ends[0]);
	wait_for_end(child);
	signals_restore(&former);
	error = program_wait(child, exit_code);
	return reason != 0 ? reason : error;
}

int os_program_attend(const char *const *arguments, int *exit_code)
{
	int report_ends[2];
	int error = program_pipe(report_ends);

	if (error != 0) {
		os_interrupts_catch();
		return error;
	}
	error = attend(arguments, report_ends, exit_code);
	(void)close(report_ends[0]);
	return error;
}
