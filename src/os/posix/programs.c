/*
 * programs.c: other programs, for the hprof command. Its one thread; no lock.
 */
#include "os.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a shell gives for a program that could not be started, and adds to a signal. */
enum { NOT_STARTED = 127, SIGNAL_BASE = 128 };

/* The arguments in execvp()'s type; it does not change them. */
static char *const *as_vector(const char *const *arguments)
{
	union {
		const char *const *ours;
		char *const *systems;
	} vector = {.ours = arguments};
	return vector.systems;
}

int os_program_become(const char *const *arguments)
{
	(void)execvp(arguments[0], as_vector(arguments));
	return errno;
}

/* In the child: its streams, then the program. The reason for a failure goes to the
 * pipe report, which the program's start closes. */
static void start(const char *const *arguments, int output, int report)
{
	int input = open("/dev/null", O_RDONLY);
	if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	    dup2(output, STDERR_FILENO) >= 0)
		(void)execvp(arguments[0], as_vector(arguments));
	int error = errno;
	ssize_t written = write(report, &error, sizeof(error));
	_exit(written > 0 ? NOT_STARTED : NOT_STARTED + 1);
}

static ssize_t read_retrying(int fd, void *bytes, size_t size)
{
	ssize_t got;
	do
		got = read(fd, bytes, size);
	while (got < 0 && errno == EINTR);
	return got;
}

/* All of it is read, so that the program never waits; what fits is kept. */
static void collect(int fd, char *output, size_t size)
{
	char piece[4096];
	size_t used = 0;
	ssize_t got;

	while ((got = read_retrying(fd, piece, sizeof(piece))) > 0) {
		size_t room = size - 1 - used;
		size_t kept = (size_t)got < room ? (size_t)got : room;
		memcpy(output + used, piece, kept);
		used += kept;
	}
	output[used] = '\0';
}

static int wait_for(pid_t child, int *exit_code)
{
	int status = 0;
	pid_t ended;
	do
		ended = waitpid(child, &status, 0);
	while (ended < 0 && errno == EINTR);
	if (ended < 0)
		return errno;
	*exit_code = WIFSIGNALED(status) ? SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
	return 0;
}

static int make_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return errno;
	/* Not those numbers that the child's streams get. */
	ends[0] = descriptor_above_standard(ends[0]);
	ends[1] = descriptor_above_standard(ends[1]);
	if (ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
	    fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
		return 0;
	int error = errno;
	(void)close(ends[0]);
	(void)close(ends[1]);
	return error;
}

static int run(const char *const *arguments, const int output_ends[2], const int report_ends[2],
               char *output, size_t size, int *exit_code)
{
	int reason = 0;
	pid_t child = fork();

	if (child == 0)
		start(arguments, output_ends[1], report_ends[1]);
	(void)close(output_ends[1]);
	(void)close(report_ends[1]);
	if (child < 0)
		return errno;
	bool failed = read_retrying(report_ends[0], &reason, sizeof(reason)) == sizeof(reason);
	collect(output_ends[0], output, size);
	int error = wait_for(child, exit_code);
	return failed ? reason : error;
}

int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code)
{
	int output_ends[2];
	int report_ends[2];

	output[0] = '\0';
	int error = make_pipe(output_ends);
	if (error != 0)
		return error;
	error = make_pipe(report_ends);
	if (error != 0) {
		(void)close(output_ends[0]);
		(void)close(output_ends[1]);
		return error;
	}
	error = run(arguments, output_ends, report_ends, output, size, exit_code);
	(void)close(output_ends[0]);
	(void)close(report_ends[0]);
	return error;
}
