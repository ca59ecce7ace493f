/*
 * program_child.c: see program_child.h. One thread; no lock.
 */
#include "program_child.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a shell gives for a program that could not be started, and adds to a signal. */
enum { NOT_STARTED = 127, SIGNAL_BASE = 128 };

char *const *program_vector(const char *const *arguments)
{
	union {
		const char *const *ours;
		char *const *systems;
	} vector = {.ours = arguments};
	return vector.systems;
}

int program_pipe(int ends[2])
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

void program_child_failed(int report, int error)
{
	ssize_t written = write(report, &error, sizeof(error));
	_exit(written > 0 ? NOT_STARTED : NOT_STARTED + 1);
}

ssize_t program_read(int fd, void *bytes, size_t size)
{
	ssize_t got;
	do
		got = read(fd, bytes, size);
	while (got < 0 && errno == EINTR);
	return got;
}

int program_failure(int report)
{
	int reason = 0;
	return program_read(report, &reason, sizeof(reason)) == sizeof(reason) ? reason : 0;
}

int program_wait(pid_t child, int *exit_code)
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
