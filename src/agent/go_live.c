/*
 * go_live.c: see go_live.h.
 */
#include "agent/go_live.h"

#include "agent/begin_modes.h"
#include "agent/net_commands.h"
#include "agent/start_line.h"
#include "agent/worker.h"

static void print_start(struct agent *agent)
{
	char line[AGENT_OUTPUT_NAME_MAX + 256];

	bool has_modes = agent->modes.count > 0 || agent->archive_option == NULL;

	if (!agent->settings.verbose || !has_modes || profile_is_stopped(&agent->profile))
		return;
	start_line_format(&agent->settings, agent->output_name, line, sizeof(line));
	message_print("%s", line);
}

void agent_go_live(struct agent *agent, JNIEnv *jni)
{
	agent->beginner = os_self_thread();
	atomic_store(&agent->stage, AGENT_BEGINNING);
	agent->live_ns = os_monotonic_ns();
	print_start(agent);
	begin_modes_live(agent, jni, 0);
	if (agent->misses_threads)
		begin_modes_missed_threads(agent, jni);
	profile_control_write(&agent->profile);
	begin_modes_rewriting(agent, jni);
	worker_start(agent, jni);
	begin_modes_begin(agent, 0);
	/* Commands may add modes from here on. */
	net_commands_start(agent, jni);
	atomic_store(&agent->stage, AGENT_LIVE);
}
