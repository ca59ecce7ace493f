/*
 * agent.h: the agent of one VM: the profile, the modes that run, and the parts
 * of the door that work on them (events, dumps, the worker thread).
 */
#ifndef HPROF_AGENT_AGENT_H
#define HPROF_AGENT_AGENT_H

#include "output/net_link.h"
#include "profile/mode.h"
#include "profile/profile.h"

enum { AGENT_MODES_MAX = 8, AGENT_OUTPUT_NAME_MAX = SETTING_FILE_MAX + 64 };

struct active_mode {
	const struct mode_ops *ops;
	void *state;
};

struct agent {
	struct settings settings;
	struct profile profile;
	struct active_mode modes[AGENT_MODES_MAX];
	size_t mode_count;
	struct mode_needs needs; /* of all modes */
	char output_name[AGENT_OUTPUT_NAME_MAX];
	struct net_link *link; /* NULL without net= */

	/* Under the profile's dump lock. */
	uint64_t update_due_ns; /* when the file is brought up to date next */
	bool modes_stopped;
};

/* The agent whose environment jvmti is. Any thread, any phase. */
struct agent *agent_of(jvmtiEnv *jvmti);

/* ---- capabilities.c */

/* Asks for those of the wanted capabilities that the VM has. False when the VM
 * refuses. OnLoad or live phase. */
bool agent_add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *wanted);

/* ---- events.c */

/* Sets the callbacks and enables the events that are needed from the start.
 * OnLoad phase. */
bool agent_enable_events(struct agent *agent);

/* ---- dump.c */

/* Takes in what was gathered and, when a while has passed since the last time,
 * brings the file up to date. Called often by the worker thread. */
void agent_poll(struct agent *agent, JNIEnv *jni);

/* Writes all sections, and starts counting anew. Any Java thread. */
void agent_dump(struct agent *agent, JNIEnv *jni);

/* Hands a command of the peer, whose name is for messages, to all modes that take
 * commands. True when one has carried it out. Any Java thread. */
bool agent_ask_modes(struct agent *agent, JNIEnv *jni, const struct profile_command *command,
                     const char *name);

/* Ends the profile in mid-run: what was written is delivered, the output closed, and
 * nothing more gathered. Any thread. */
void agent_end_output(struct agent *agent);

/* The VM dies: the last dump (unless doe=n), and the end of the output. */
void agent_end(struct agent *agent, JNIEnv *jni);

/* ---- commands.c */

/* Starts the thread that carries out the peer's commands, if there is a peer that may
 * command. Live phase. */
void agent_start_commands(struct agent *agent, JNIEnv *jni);

/* ---- worker.c */

/* Starts the agent's own thread. Live phase. */
void agent_start_worker(struct agent *agent, JNIEnv *jni);

#endif
