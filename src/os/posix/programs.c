/*
 * programs.c: other programs, for the hprof command. Its one thread; no lock.
 */
#include "os_programs.h"
#include "program_child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void os_program_arguments(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
}

bool os_program_passes_path(const char *path)
{
	(void)path;
	return true;
}

int os_program_become(const char *const *arguments)
{
	(void)execvp(arguments[0], program_vector(arguments));
	return errno;
}

/* In the child: its streams, then the program. */
static void start(const char *const *arguments, int output, int report)
{
	int input = open("/dev/null", O_RDONLY);
	if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	    dup2(output, STDERR_FILENO) >= 0)
		(void)execvp(arguments[0], program_vector(arguments));
	program_child_failed(report, errno);
}

/* All of it is read, so that the program never waits; what fits is kept. */
static void collect(int fd, char *output, size_t size)
{
	char piece[4096];
	size_t used = 0;
	ssize_t got;

	while ((got = program_read(fd, piece, sizeof(piece))) > 0) {
		size_t room = size - 1 - used;
		size_t kept = (size_t)got < room ? (size_t)got : room;
		memcpy(output + used, piece, kept);
		used += kept;
	}
	output[used] = '\0';
}

static int run(const char *const *arguments, const int output_ends[2], const int report_ends[2],
               char *output, size_t size, int *exit_code)
{
	pid_t child = fork();

	if (child == 0)
		start(arguments, output_ends[1], report_ends[1]);
	(void)close(output_ends[1]);
	(void)close(report_ends[1]);
	if (child < 0)
		return errno;
	int reason = program_failure(report_ends[0]);
	collect(output_ends[0], output, size);
	int error = program_wait(child, exit_code);
	return reason != 0 ? reason : error;
}

int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code)
{
	int output_ends[2];
	int report_ends[2];

	output[0] = '\0';
	int error = program_pipe(output_ends);
	if (error != 0)
		return error;
	error = program_pipe(report_ends);
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
