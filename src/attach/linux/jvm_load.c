/*
 * jvm_load.c: has a HotSpot JVM load a library, as jcmd does, without a JDK. For the hprof
 * command: one thread, no lock.
 *
 * All of it happens in a child process with the rights of the JVM's own user. What that user,
 * or another one, has put into the directories of the JVM can then do nothing to root that it
 * could not do to the JVM.
 */
#include "attach/jvm_load.h"
#include "attach/jvm_request.h"
#include "attach/linux/jvm_perf_file.h"
#include "attach/linux/jvm_process.h"
#include "attach/linux/jvm_socket.h"
#include "attach/perf_file.h"
#include "os/os_programs.h"
#include "os/posix/descriptor.h"
#include "os/posix/interrupts.h"
#include "os/time_units.h"

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
	CHILD_MS = SOCKET_MS + ANSWER_MS + 30 * 1000,
	LOOK_MS = 20
};

struct attach_request {
	const char *library;
	const char *options;
	enum attach_interrupts interrupts;
	bool catches; /* requests to end are caught here, not by the caller */
};

/* ---- in the child ------------------------------------------------------------------------ */

/* Whether the JVM can open the library where we have it. */
static bool look_at_library(const struct jvm_process *process, const char *library,
                            struct attach_result *result)
{
	int fd = -1;
	int error = jvm_process_open_path(process, library, O_RDONLY | O_NONBLOCK | O_NOCTTY, &fd);

	if (error == 0) {
		(void)close(fd);
		return true;
	}
	jvm_attach_failed(result, error, "open", "it");
	/* We have found it there. */
	result->outcome = error == ENOENT || error == ENOTDIR ? ATTACH_LIBRARY_ELSEWHERE
	                                                      : ATTACH_LIBRARY_UNREADABLE;
	return false;
}

static bool become(const struct jvm_process *process, struct attach_result *result)
{
	const char *call;
	int error = jvm_process_become(process, &call);

	/* Nor may that user inspect this process: it ran as root before. */
	if (error == 0 && prctl(PR_SET_DUMPABLE, 0) != 0) {
		call = "prctl";
		error = errno;
	}
	if (error == 0)
		return true;
	jvm_attach_failed(result, error, call, "for its user");
	result->outcome = ATTACH_NOT_PERMITTED;
	return false;
}

/* False if it is known to refuse: it would print a thread dump for each signal of ours. A JVM
 * without the file, or that is about to write it, is asked. */
static bool lets_attach(const struct jvm_process *process, struct attach_result *result)
{
	char capabilities[2] = ""; /* cut to the first one */
	struct os_file file;

	if (!jvm_perf_file_open(process, &file))
		return true;
	(void)perf_file_text(&file, PERF_CAPABILITIES, capabilities, sizeof(capabilities));
	(void)os_file_close(&file);
	if (capabilities[0] != '0')
		return true;
	result->outcome = ATTACH_DISABLED;
	return false;
}

/* The JVM is about to get the request, and nothing of ours is left until then. */
static bool goes_on(const struct attach_request *request, struct attach_result *result)
{
	if (request->interrupts == ATTACH_INTERRUPTS_END && request->catches)
		interrupts_release();
	if (request->interrupts == ATTACH_INTERRUPTS_WAIT || !os_interrupted())
		return true;
	result->outcome = ATTACH_INTERRUPTED;
	return false;
}

static void load(const struct jvm_process *process, const struct attach_request *request,
                 struct attach_result *result)
{
	struct os_socket socket = {.handle = -1};

	if (!become(process, result) || !look_at_library(process, request->library, result) ||
	    !lets_attach(process, result))
		return;
	jvm_socket_connect(process, SOCKET_MS, request->interrupts != ATTACH_INTERRUPTS_WAIT,
	                   &socket, result);
	if (result->outcome != ATTACH_ANSWERED)
		return;
	if (goes_on(request, result)) {
		result->error = jvm_request_load(&socket, request->library, request->options,
		                                 ANSWER_MS, result->answer, sizeof(result->answer));
		result->outcome = result->error == 0 ? ATTACH_ANSWERED : ATTACH_NO_ANSWER;
	}
	os_socket_close(&socket);
}

/* Writes the whole result to the pipe and ends. */
static void report(int pipe, const struct attach_result *result)
{
	struct os_file file = {.shared = false};
	int error = descriptor_to_file(pipe, &file);
	if (error == 0)
		error = os_file_write(&file, result, sizeof(*result));
	_exit(error == 0 ? 0 : 1);
}

/* ---- in the parent ------------------------------------------------------------------------ */

/* Passes on a request to end, once: another process may have sent it to this one alone. */
static void pass_interrupt(pid_t child, bool *passed)
{
	if (*passed || !os_interrupted())
		return;
	*passed = true;
	(void)kill(child, SIGTERM);
}

/* What the child has reported; an error when it ended before, or takes too long. */
static int collect(pid_t child, int pipe, struct attach_result *result)
{
	uint64_t end_ns = os_monotonic_ns() + CHILD_MS * NS_PER_MS;
	size_t used = 0;
	bool passed = false;

	while (used < sizeof(*result)) {
		struct pollfd ready = {.fd = pipe, .events = POLLIN};
		if (os_monotonic_ns() >= end_ns)
			return OS_TIMED_OUT;
		pass_interrupt(child, &passed);
		int count = poll(&ready, 1, LOOK_MS);
		if (count == 0)
			continue;
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

static void load_in_child(const struct jvm_process *process, const struct attach_request *request,
                          struct attach_result *result)
{
	int ends[2];

	result->outcome = ATTACH_FAILED;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		jvm_attach_failed(result, errno, "pipe2", "for a process");
		return;
	}
	pid_t child = fork();
	if (child == 0) {
		load(process, request, result);
		report(ends[1], result);
	}
	if (child < 0)
		jvm_attach_failed(result, errno, "fork", "a process");
	(void)close(ends[1]);
	if (child > 0) {
		int error = collect(child, ends[0], result);
		end_child(child);
		if (error != 0) {
			result->outcome = ATTACH_NO_ANSWER;
			result->error = error;
		}
	}
	(void)close(ends[0]);
}

int jvm_load(uint64_t pid, const char *library, const char *options,
             enum attach_interrupts interrupts, struct attach_result *result)
{
	struct jvm_process process;
	const struct attach_request request = {library, options, interrupts,
	                                       !interrupts_are_caught()};

	if (strlen(library) > ATTACH_TEXT_MAX || strlen(options) > ATTACH_TEXT_MAX) {
		memset(result, 0, sizeof(*result));
		result->outcome = ATTACH_TEXT_TOO_LONG;
		return 0;
	}
	jvm_process_open(pid, &process, result);
	if (result->outcome == ATTACH_ANSWERED) {
		/* So that this process is there until the child has removed its file. */
		if (request.catches)
			os_interrupts_catch();
		load_in_child(&process, &request, result);
		if (request.catches)
			interrupts_release();
	}
	jvm_process_close(&process);
	return 0;
}
