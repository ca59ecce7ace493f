/*
 * load.c: the entry point at the start of the JVM: Agent_OnLoad (-agentlib:hprof, -agentpath,
 * and -Xrunhprof in JVMs that still map it). Runs before the VM is up, on its first thread.
 * Only here does a bad option or an unusable output end the process, with one line.
 */
#include "agent/start.h"
#include "agent/stop.h"
#include "options/options.h"

#include <stdlib.h>

enum { EXIT_OK = 0, EXIT_REFUSED = 1 };

/* Exits here, since the JVM would print lines of its own after an error return. */
static void refuse(const char *line)
{
	message_print("%s", line);
	exit(EXIT_REFUSED);
}

static void read_options(struct agent *agent, const char *text)
{
	switch (agent_read_options(agent, text, "")) {
	case START_HELP:
		options_help(stdout);
		exit(EXIT_OK);
	case START_STOP:
		refuse("option stop ends the profile of a running JVM; remove it at the start");
		break;
	case START_REFUSED:
		exit(EXIT_REFUSED);
	case START_PROFILE:
		break;
	}
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;

	struct agent *agent = agent_create();
	if (agent == NULL)
		exit(EXIT_REFUSED);
	read_options(agent, options);
	if (!agent_claim(agent))
		refuse("the agent is given twice; write one -agentlib:hprof option");
	if (!agent_start(agent, vm))
		exit(EXIT_REFUSED);
	return JNI_OK;
}
