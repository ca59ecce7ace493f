/*
 * agent.h: the agent of one VM: the profile, the modes that run, and the parts
 * of the door that work on them (events, dumps, the worker thread).
 */
#ifndef HPROF_AGENT_AGENT_H
#define HPROF_AGENT_AGENT_H

#include "agent/modes.h"
#include "output/net_link.h"
#include "profile/profile.h"

enum { AGENT_MODES_MAX = 8, AGENT_OUTPUT_NAME_MAX = SETTING_FILE_MAX + 64 };

struct agent {
	struct settings settings;
	struct profile profile;
	struct active_mode modes[AGENT_MODES_MAX];
	_Atomic size_t mode_count; /* only grows; see go_live.c */
	struct mode_needs needs;   /* of all modes */
	char output_name[AGENT_OUTPUT_NAME_MAX];
	struct net_link *link;      /* NULL without net= */
	struct sink *sink;          /* open, until the writer takes it over */
	bool attached;              /* to a JVM that was live */
	_Atomic bool is_live;       /* agent_go_live() has returned */
	unsigned reported_commands; /* kinds that have had their line: bits; net_commands.c alone */

	/* Under the profile's dump lock. */
	uint64_t update_due_ns; /* when the file is brought up to date next */
	bool modes_stopped;
	bool output_finished;
	unsigned refused_commands; /* kinds whose mode could not be started: bits */
};

/* The agent whose environment jvmti is, or NULL when it is no more. Any thread, any
 * phase, from inside (active_callbacks.h). */
struct agent *agent_of(jvmtiEnv *jvmti);

/* ---- start.c */

/* What options ask for. */
enum start_request {
	START_PROFILE,
	START_STOP,   /* end the profile that runs */
	START_HELP,   /* print the help text */
	START_REFUSED /* they can't be met: the reason has been printed */
};

/* NULL without memory (said). */
struct agent *agent_create(void);

/* Reads the options into the agent's settings. hint ends the line about options that
 * can't be read. */
enum start_request agent_read_options(struct agent *agent, const char *text, const char *hint);

/* Opens the output. What is in it stays until agent_start(). False, with the reason
 * printed, when it can't be had. */
bool agent_open_output(struct agent *agent);

/* Makes the profile in an environment of its own: its modes, its writer, its
 * capabilities, and enables the events that are needed from the start. Opens the
 * output if it is not open. False with the reason printed. OnLoad or live phase. */
bool agent_start(struct agent *agent, JavaVM *vm);

/* Frees an agent to which nothing leads any more. Live phase. */
void agent_free(struct agent *agent, JNIEnv *jni);

/* ---- stop.c */

/* The agent that profiles this VM, or NULL. Any thread. */
struct agent *agent_running(void);

/* Makes agent the one, when there is none; false when there is. */
bool agent_claim(struct agent *agent);

/* Takes away all that leads to an agent whose profile has ended, or that could not be
 * started, and frees it. Live phase, from outside (active_callbacks.h). */
void agent_discard(struct agent *agent, JNIEnv *jni);

/* Ends the profile of the agent that runs, of which agent_go_live() has returned,
 * while the VM lives on: the last dump, the end of the output, classes as they were.
 * There is no agent afterwards. Live phase, from outside (active_callbacks.h), one thread at
 * a time. */
void agent_stop(struct agent *agent, JNIEnv *jni);

/* ---- capabilities.c */

/* Asks for those of the wanted capabilities that the VM has. False when the VM
 * refuses. OnLoad or live phase. */
bool agent_add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *wanted);

/* ---- events.c */

/* Sets the callbacks and enables the events that are needed from the start.
 * OnLoad or live phase. */
bool agent_enable_events(struct agent *agent);

/* Enables the events that agent->needs has, besides those that are enabled. */
bool agent_enable_needed(struct agent *agent);

bool agent_enable_event(struct agent *agent, jvmtiEvent event);

/* Reports a prepared class to the modes from number first on. */
void agent_class_prepared(struct agent *agent, JNIEnv *jni, jclass class, size_t first);

/* No more events from now on, but for those that are under way. */
void agent_disable_events(struct agent *agent);

/* ---- go_live.c */

/* Profiling begins, in the live phase: on the VM's main thread before main(), or on
 * the thread that attaches the agent. */
void agent_go_live(struct agent *agent, JNIEnv *jni);

/* Starts one more mode of a profile that runs. False when it can't be, which the mode has
 * said. On a thread of the agent, under the dump lock. */
bool agent_start_mode(struct agent *agent, JNIEnv *jni, const struct mode_ops *ops);

/* ---- late_modes.c */

/* Starts the mode that carries out commands of that kind, if the options have not asked for
 * it. Once one could not be started it is not tried again. As agent_start_mode(). */
void agent_start_mode_for(struct agent *agent, JNIEnv *jni, enum net_command_kind kind);

/* ---- transform.c */

/* Has the classes that are there pass the ClassFileLoadHook again, if the modes
 * rewrite classes. what says in a message what becomes of those that
 * don't. */
void agent_transform_classes(struct agent *agent, JNIEnv *jni, const char *what);

/* ---- dump.c */

/* Takes in what was gathered and, when a while has passed since the last time,
 * brings the file up to date. Called often by the worker thread. */
void agent_poll(struct agent *agent, JNIEnv *jni);

/* Writes all sections, and starts counting anew. Any Java thread. */
void agent_dump(struct agent *agent, JNIEnv *jni);

/* Hands a command of the peer, whose name is for messages, to all modes that take
 * commands, one that it needs and that is not there being started. True when one has carried it
 * out. Any Java thread. */
bool agent_dispatch_command(struct agent *agent, JNIEnv *jni, const struct net_command *command,
                            const char *name);

/* Ends the profile in mid-run: what was written is delivered, the output closed, and
 * nothing more gathered. Any thread. */
void agent_end_output(struct agent *agent);

/* The VM dies: the last dump (unless doe=n), and the end of the output. */
void agent_end(struct agent *agent, JNIEnv *jni);

/* ---- net_commands.c */

/* Starts the thread that carries out the peer's commands, if there is a peer that may
 * command. Live phase. */
void net_commands_start(struct agent *agent, JNIEnv *jni);

/* ---- worker.c */

/* Starts the agent's own thread. Live phase. */
void worker_start(struct agent *agent, JNIEnv *jni);

#endif
