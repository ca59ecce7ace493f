/*
 * agent.h: the agent of one VM: the profile, its active modes, and the functions that work on
 * them, by file. This room holds the entry points, events, options, dumps and the peer's
 * commands.
 *
 * At most one agent profiles at a time (stop.c). Callbacks run on any thread and read the
 * list of modes without a lock (modes.h). Dumps, polls, commands and the end take turns under
 * the profile's dump lock. Nothing is freed before all callbacks have returned
 * (active_callbacks.h) and all agent threads have ended.
 */
#ifndef HPROF_AGENT_AGENT_H
#define HPROF_AGENT_AGENT_H

#include "agent/modes.h"
#include "output/net_link.h"
#include "profile/profile.h"

enum { AGENT_MODES_MAX = 8, AGENT_OUTPUT_NAME_MAX = SETTING_FILE_MAX + 64 };

/* How far an agent is. Stages only advance. */
enum agent_stage {
	AGENT_CREATED,
	AGENT_BEGINNING, /* in agent_go_live(): modes count what exists already */
	AGENT_LIVE,      /* agent_go_live() has returned */
	AGENT_DISCARDED
};

struct agent {
	struct settings settings;
	struct profile profile;
	struct active_mode modes[AGENT_MODES_MAX];
	_Atomic size_t mode_count; /* only grows; see go_live.c */
	struct mode_needs needs;   /* of all modes */
	char output_name[AGENT_OUTPUT_NAME_MAX];
	struct net_link *link;         /* NULL without net= */
	struct sink *sink;             /* open, until the writer takes it over */
	struct message_file *messages; /* NULL without messages= */
	char *options;                 /* as given, printable; NULL without notes=y */
	uint64_t live_ns;              /* os_monotonic_ns() at agent_go_live() */
	bool attached;                 /* started in a running JVM */
	bool misses_threads;           /* that start before it receives events */
	const char *archive_option;    /* why modes are left out; NULL if none is */
	_Atomic int stage;             /* enum agent_stage */
	os_thread beginner;            /* the thread in agent_go_live(); set before the stage */
	unsigned reported_commands;    /* bit for each kind reported once; net_commands.c only */

	/* Under the profile's dump lock. */
	uint64_t update_due_ns; /* time of the next update of the file */
	bool modes_stopped;
	bool output_finished;
	unsigned refused_commands; /* bit for each kind whose mode did not start */
};

/* The agent that owns the environment jvmti; NULL after its end. Any thread, any phase,
 * within active_callbacks_enter() and _leave(). */
struct agent *agent_of(jvmtiEnv *jvmti);

/* ---- start.c */

/* What the options request. */
enum start_request {
	START_PROFILE,
	START_STOP,   /* end the running profile */
	START_HELP,   /* print the help text */
	START_REFUSED /* invalid; the reason has been printed */
};

/* A zeroed agent, freed by agent_free(). NULL if out of memory, with a message. */
struct agent *agent_create(void);

/* Parses the options into the agent's settings. hint is appended to the message about
 * invalid options. */
enum start_request agent_read_options(struct agent *agent, const char *text, const char *hint);

/* Opens the output; an existing file keeps its contents until agent_start(). False, with the
 * reason printed, on failure. */
bool agent_open_output(struct agent *agent);

/* Creates the profile in a JVM TI environment of its own, with modes, writer and
 * capabilities, and enables the first events. Opens the output if it is not open. False, with
 * the reason printed, on failure: the caller then discards the agent. OnLoad or live phase. */
bool agent_start(struct agent *agent, JavaVM *vm);

/* Frees an agent that no callback and no thread can reach. Live phase. */
void agent_free(struct agent *agent, JNIEnv *jni);

/* ---- stop.c */

/* The agent that profiles this VM, or NULL. Any thread. */
struct agent *agent_running(void);

/* Makes agent the running one; false if there is one already. Any thread. */
bool agent_claim(struct agent *agent);

/* Detaches an agent whose profile has ended, or that failed to start, from the VM and frees
 * it. If callbacks or threads do not return in time, the agent is not freed. Live phase, not
 * within a callback (active_callbacks.h). */
void agent_discard(struct agent *agent, JNIEnv *jni);

/* Ends the profile of the running agent while the VM continues: writes the last dump, closes
 * the output, restores classes, frees the agent. agent_go_live() must have returned. Live phase,
 * not within a callback (active_callbacks.h), one thread at a time. */
void agent_stop(struct agent *agent, JNIEnv *jni);

/* ---- capabilities.c */

/* Adds those of the requested capabilities that the VM has. False when the VM refuses.
 * OnLoad or live phase. */
bool agent_add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *requested);

/* ---- events.c */

/* Sets the callbacks and enables the events that are needed from the start. False when the
 * VM refuses. OnLoad or live phase. */
bool agent_enable_events(struct agent *agent);

/* Enables the events in agent->needs; those already enabled stay so. False when the VM
 * refuses. */
bool agent_enable_needed(struct agent *agent);

bool agent_enable_event(struct agent *agent, jvmtiEvent event);

/* Reports a prepared class to the modes from number first on. */
void agent_class_prepared(struct agent *agent, JNIEnv *jni, jclass class, size_t first);

/* Disables all events; callbacks already running are not waited for. */
void agent_disable_events(struct agent *agent);

/* ---- go_live.c */

/* Begins profiling, in the live phase: on the VM's main thread before main(), or on the
 * thread that attaches the agent. */
void agent_go_live(struct agent *agent, JNIEnv *jni);

#define AGENT_NO_LIMIT_MS UINT32_MAX

/* Waits until agent_go_live() has returned, at most that long. False after that time, or when the
 * agent has been discarded instead. Any thread except the one in agent_go_live(). */
bool agent_await_live(const struct agent *agent, uint32_t limit_ms);

/* Adds a mode to the running profile. False, with the reason printed by the mode, on failure.
 * On an agent thread, under the dump lock. */
bool agent_start_mode(struct agent *agent, JNIEnv *jni, const struct mode_ops *ops);

/* ---- late_modes.c */

/* Starts the mode that handles commands of that kind, unless it is active. A mode that failed
 * to start is not tried again. Thread and lock as for agent_start_mode(). */
void agent_start_mode_for(struct agent *agent, JNIEnv *jni, enum net_command_kind kind);

/* ---- transform.c */

/* Retransforms all loaded classes, so that they pass the ClassFileLoadHook again, if a mode
 * rewrites classes. what completes the message "N loaded classes ..." about those that the VM
 * refuses. Live phase; no lock. */
void agent_transform_classes(struct agent *agent, JNIEnv *jni, const char *what);

/* ---- dump.c */

/* Drains what the modes have collected and, when it is due, brings the file up to date. Called
 * every 100 ms by the worker thread. */
void agent_poll(struct agent *agent, JNIEnv *jni);

/* Writes all sections and resets the counts. Waits for the agent to be live: before that, sections
 * would be half filled. Any Java thread except the one in agent_go_live(). */
void agent_dump(struct agent *agent, JNIEnv *jni);

/* Passes a command of the peer to all modes that take commands, after starting the one that it
 * needs. name is for messages. True when a mode has carried it out. Any Java thread. */
bool agent_dispatch_command(struct agent *agent, JNIEnv *jni, const struct net_command *command,
                            const char *name);

/* Ends the profile while the program runs: stops the modes, delivers what was written, closes
 * the output. Any thread. */
void agent_end_output(struct agent *agent);

/* Writes the last dump (unless doe=n) and closes the output. While another thread is in
 * agent_go_live(), waits for it, up to 30 s; after that, and on that thread itself, there is no
 * last dump. At the VM's death or the stop of the profile, on a Java thread. */
void agent_end(struct agent *agent, JNIEnv *jni);

/* ---- net_commands.c */

/* Starts the thread that reads and carries out the peer's commands: with net= and binary format
 * only. Live phase. */
void net_commands_start(struct agent *agent, JNIEnv *jni);

/* ---- worker.c */

/* Starts the agent thread that polls the modes. Live phase. */
void worker_start(struct agent *agent, JNIEnv *jni);

#endif
