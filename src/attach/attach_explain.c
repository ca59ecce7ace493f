/*
 * attach_explain.c: see attach_explain.h.
 */
#include "attach/attach_explain.h"

#include "attach/jvm_load.h"
#include "attach/jvm_names.h"
#include "console/messages.h"

#include <stdio.h>

/* A number that means nothing here may be one within a container. */
static bool explain_inner(uint64_t pid)
{
	uint64_t outer;

	if (!jvm_find_inner(pid, &outer))
		return false;
	(void)console_failed("process %llu is no JVM here; the JVM with that number in its own PID "
	                     "namespace is process %llu: write that",
	                     (unsigned long long)pid, (unsigned long long)outer);
	return true;
}

/* The error, with what was asked of the system if that is known. */
static struct shown why(const struct attach_result *attach)
{
	const struct shown reason = console_reason(attach->error);
	char text[sizeof(attach->failed) + sizeof(reason) + 2];

	if (attach->failed[0] == '\0')
		return reason;
	(void)snprintf(text, sizeof(text), "%s: %s", attach->failed, reason.text);
	return console_shown(text);
}

/* It has another user, or what is needed to act as that user is refused. */
static int explain_rights(uint64_t pid, const struct attach_result *attach)
{
	const unsigned long long number = pid;
	const unsigned long long uid = attach->uid;
	const unsigned long long gid = attach->gid;

	if (attach->error == 0)
		return console_failed("process %llu runs as user %llu, group %llu; run hprof "
		                      "attach as that user and group, or as root",
		                      number, uid, gid);
	return console_failed("can't act as user %llu, group %llu of process %llu: %s; run hprof "
	                      "attach as that user and group, or as root with all capabilities",
	                      uid, gid, number, why(attach).text);
}

int attach_explain(uint64_t pid, const char *library, const struct attach_result *attach)
{
	const struct shown reason = why(attach);
	const struct shown shown = console_shown(library);
	const unsigned long long number = pid;
	const unsigned long long uid = attach->uid;

	if ((attach->outcome == ATTACH_NO_PROCESS || attach->outcome == ATTACH_NO_JVM) &&
	    explain_inner(pid))
		return EXIT_FAILED;
	switch (attach->outcome) {
	case ATTACH_NO_PROCESS:
		return console_failed("no process %llu; write the process ID of a running JVM",
		                      number);
	case ATTACH_NO_JVM:
		return console_failed("process %llu is not a JVM that accepts agents: it is not "
		                      "HotSpot, is still starting, or runs with -Xrs; write the "
		                      "process ID of another one",
		                      number);
	case ATTACH_NOT_PERMITTED:
		return explain_rights(pid, attach);
	case ATTACH_LIBRARY_ELSEWHERE:
		return console_failed("process %llu runs in another mount namespace or root "
		                      "directory, which has no %s; install hprof there and write "
		                      "--libpath with the path that it has there",
		                      number, shown.text);
	case ATTACH_LIBRARY_UNREADABLE:
		return console_failed("process %llu, user %llu, can't read %s: %s; let that user "
		                      "read the file and enter its directories",
		                      number, uid, shown.text, reason.text);
	case ATTACH_TEXT_TOO_LONG:
		return console_failed("the options or the library's path are too long: process "
		                      "%llu accepts %d bytes of each; write shorter ones",
		                      number, ATTACH_TEXT_MAX);
	case ATTACH_INTERRUPTED:
		return console_failed("interrupted: process %llu is not profiled", number);
	case ATTACH_DISABLED:
		return console_failed("process %llu accepts no agents: it runs with "
		                      "-XX:+DisableAttachMechanism; start it with hprof run, or "
		                      "without that option",
		                      number);
	case ATTACH_NO_SOCKET:
		return console_failed("process %llu does not open its attach socket: it is "
		                      "stopped, or runs with -XX:+DisableAttachMechanism; "
		                      "continue it, or start it with hprof run",
		                      number);
	case ATTACH_SOCKET_FOREIGN:
		return console_failed("/tmp/.java_pid%llu is the socket of another process than "
		                      "%llu, perhaps of a JVM that was killed; remove it",
		                      (unsigned long long)attach->inner_pid, number);
	case ATTACH_NO_ANSWER:
		return console_failed(
		        "process %llu accepted the request but did not answer: %s; see its "
		        "standard error",
		        number, reason.text);
	default:
		return console_failed("can't attach to process %llu: %s", number, reason.text);
	}
}
