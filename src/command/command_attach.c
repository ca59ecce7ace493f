/*
 * command_attach.c: `hprof attach`: makes a running JVM load the agent.
 */
#include "command/agent_library.h"
#include "command/attach_answer.h"
#include "command/command.h"
#include "command/jcmd.h"

enum { PATH_BYTES = 4096, TEXT_BYTES = 512 };

/* Prints why the JVM could not be reached. Returns the exit code. */
static int explain(uint64_t pid, const char *library, const struct os_attach *attach)
{
	const struct shown reason = command_reason(attach->error);
	const struct shown shown = command_shown(library);
	const unsigned long long number = pid;
	const unsigned long long uid = attach->uid;
	const unsigned long long gid = attach->gid;

	switch (attach->outcome) {
	case OS_ATTACH_NO_PROCESS:
		return command_failed("no process %llu; write the process ID of a running JVM",
		                      number);
	case OS_ATTACH_NO_JVM:
		return command_failed("process %llu is not a JVM that accepts agents: it is not "
		                      "HotSpot, is still starting, or runs with -Xrs; write the "
		                      "process ID of another one",
		                      number);
	case OS_ATTACH_NOT_PERMITTED:
		return command_failed("process %llu runs as user %llu, group %llu; run hprof "
		                      "attach as that user and group, or as root",
		                      number, uid, gid);
	case OS_ATTACH_LIBRARY_ELSEWHERE:
		return command_failed("process %llu runs in another mount namespace or root "
		                      "directory, which has no %s; install hprof at the same "
		                      "path there",
		                      number, shown.text);
	case OS_ATTACH_LIBRARY_UNREADABLE:
		return command_failed("process %llu, user %llu, can't read %s: %s; let that user "
		                      "read the file and enter its directories",
		                      number, uid, shown.text, reason.text);
	case OS_ATTACH_TEXT_TOO_LONG:
		return command_failed("the options or the library's path are too long: process "
		                      "%llu accepts %d bytes of each; write shorter ones",
		                      number, OS_ATTACH_TEXT_MAX);
	case OS_ATTACH_NO_SOCKET:
		return command_failed("process %llu does not open its attach socket: it is "
		                      "stopped, or runs with -XX:+DisableAttachMechanism; "
		                      "continue it, or start it without that option",
		                      number);
	case OS_ATTACH_SOCKET_FOREIGN:
		return command_failed("another process than %llu listens at /tmp/.java_pid%llu; "
		                      "find out which one created that socket",
		                      number, (unsigned long long)attach->inner_pid);
	case OS_ATTACH_NO_ANSWER:
		return command_failed(
		        "process %llu accepted the request but did not answer: %s; see its "
		        "standard error",
		        number, reason.text);
	default:
		return command_failed("can't attach to process %llu: %s", number, reason.text);
	}
}

static int judge(uint64_t pid, const char *answer)
{
	char text[TEXT_BYTES];

	switch (attach_answer_judge(answer, pid, text, sizeof(text))) {
	case ATTACH_LOADED:
		return COMMAND_DONE;
	case ATTACH_AGENT_REFUSED:
		return command_failed("the agent refused; the standard error of process %llu has "
		                      "the reason",
		                      (unsigned long long)pid);
	default:
		return command_failed(
		        "process %llu can't load the agent: %s", (unsigned long long)pid,
		        text[0] == '\0' ? "it gave no reason" : command_shown(text).text);
	}
}

static int attach(uint64_t pid, const char *options)
{
	static char library[PATH_BYTES];
	static struct os_attach result;

	if (!agent_library_find(library, sizeof(library)))
		return COMMAND_FAILED;
	if (os_jvm_load(pid, library, options, &result) == OS_UNSUPPORTED) {
		if (!jcmd_load(pid, library, options, result.answer, sizeof(result.answer)))
			return COMMAND_FAILED;
	} else if (result.outcome != OS_ATTACH_ANSWERED) {
		return explain(pid, library, &result);
	}
	return judge(pid, result.answer);
}

int command_attach(int count, char **arguments)
{
	long long pid;

	if (count < 1 || count > 2 || !command_number(arguments[0], 1, INT64_MAX, &pid))
		return command_usage("write hprof attach PID OPTIONS, with the process ID of a JVM "
		                     "and OPTIONS such as cpu=samples, or hprof attach PID stop");
	return attach((uint64_t)pid, count == 2 ? arguments[1] : "");
}
