/*
 * jvm_attach.c: has a HotSpot JVM load a library, as jcmd does, without a JDK. For the hprof
 * command: one thread, no lock.
 *
 * All of it happens in a child process with the rights of the JVM's own user. What that user,
 * or another one, has put into the directories of the JVM can then do nothing to root that it
 * could not do to the JVM.
 */
#include "descriptor.h"
#include "jvm_process.h"
#include "jvm_request.h"
#include "jvm_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The agent's start and its end, with a dump of the heap, take long in large programs. */
enum {
	SOCKET_MS = 10 * 1000,
	ANSWER_MS = 15 * 60 * 1000,
	CHILD_MS = SOCKET_MS + ANSWER_MS + 30 * 1000
};

#define NS_PER_MS UINT64_C(1000000)

/* ---- in the child ------------------------------------------------------------------------ */

/* Whether the JVM can open the library where we have it. */
static enum os_attach_outcome look_at_library(const struct jvm_process *process,
                                              const char *library, int *error)
{
	int fd = -1;

	*error = jvm_process_open_path(process, library, O_RDONLY | O_NONBLOCK | O_NOCTTY, &fd);
	if (*error == 0) {
		(void)close(fd);
		return OS_ATTACH_ANSWERED;
	}
	/* We have found it there. */
	return *error == ENOENT || *error == ENOTDIR ? OS_ATTACH_LIBRARY_ELSEWHERE
	                                             : OS_ATTACH_LIBRARY_UNREADABLE;
}

static enum os_attach_outcome load(const struct jvm_process *process, const char *library,
                                   const char *options, struct os_attach *result)
{
	struct os_socket socket = {.handle = -1};

	/* Nor may that user inspect this process: it ran as root before. */
	if (jvm_process_become(process) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
		return OS_ATTACH_NOT_PERMITTED;
	enum os_attach_outcome outcome = look_at_library(process, library, &result->error);
	if (outcome == OS_ATTACH_ANSWERED)
		outcome = jvm_socket_connect(process, SOCKET_MS, &socket, &result->error);
	if (outcome != OS_ATTACH_ANSWERED)
		return outcome;
	result->error = jvm_request_load(&socket, library, options, ANSWER_MS, result->answer,
	                                 sizeof(result->answer));
	os_socket_close(&socket);
	return result->error == 0 ? OS_ATTACH_ANSWERED : OS_ATTACH_NO_ANSWER;
}

/* Writes the whole result to the pipe and ends. */
static void report(int pipe, const struct os_attach *result)
{
	struct os_file file = {.shared = false};
	int error = descriptor_to_file(pipe, &file);
	if (error == 0)
		error = os_file_write(&file, result, sizeof(*result));
	_exit(error == 0 ? 0 : 1);
}

/* ---- in the parent ------------------------------------------------------------------------ */

/* What the child has reported; an error when it ended before, or takes too long. */
static int collect(int pipe, struct os_attach *result)
{
	uint64_t end_ns = os_monotonic_ns() + CHILD_MS * NS_PER_MS;
	size_t used = 0;

	while (used < sizeof(*result)) {
		struct pollfd ready = {.fd = pipe, .events = POLLIN};
		uint64_t now_ns = os_monotonic_ns();
		int count = now_ns >= end_ns
		                    ? 0
		                    : poll(&ready, 1, (int)((end_ns - now_ns) / NS_PER_MS) + 1);
		if (count == 0)
			return OS_TIMED_OUT;
		ssize_t got =
		        count < 0 ? -1 : read(pipe, (char *)result + used, sizeof(*result) - used);
		if (got < 0 && errno != EINTR)
			return errno;
		if (got == 0)
			return OS_CLOSED;
		used += got > 0 ? (size_t)got : 0;
	}
	result->answer[sizeof(result->answer) - 1] = '\0';
	return 0;
}

static void end_child(pid_t child)
{
	(void)kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

static void load_in_child(const struct jvm_process *process, const char *library,
                          const char *options, struct os_attach *result)
{
	int ends[2];

	result->outcome = OS_ATTACH_FAILED;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		result->error = errno;
		return;
	}
	pid_t child = fork();
	if (child == 0) {
		result->outcome = load(process, library, options, result);
		report(ends[1], result);
	}
	result->error = child < 0 ? errno : 0;
	(void)close(ends[1]);
	if (child > 0) {
		int error = collect(ends[0], result);
		end_child(child);
		if (error != 0) {
			result->outcome = OS_ATTACH_NO_ANSWER;
			result->error = error;
		}
	}
	(void)close(ends[0]);
}

int os_jvm_load(uint64_t pid, const char *library, const char *options, struct os_attach *result)
{
	struct jvm_process process;

	memset(result, 0, sizeof(*result));
	if (strlen(library) > OS_ATTACH_TEXT_MAX || strlen(options) > OS_ATTACH_TEXT_MAX) {
		result->outcome = OS_ATTACH_TEXT_TOO_LONG;
		return 0;
	}
	result->outcome = jvm_process_open(pid, &process, &result->error);
	result->uid = process.uid;
	result->gid = process.gid;
	result->inner_pid = (uint64_t)process.inner_pid;
	if (result->outcome == OS_ATTACH_ANSWERED)
		load_in_child(&process, library, options, result);
	jvm_process_close(&process);
	return 0;
}
