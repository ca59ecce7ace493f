/*
 * agent.h: the main header of the room agent: the agent of one VM, which is the profile and its
 * active modes. This room holds the entry points, events, options, dumps and the peer's commands.
 * Each unit has a header of its own; they call one another in one direction:
 *
 *   load, attach -> start, stop -> events -> go_live -> worker, net_commands -> dump, late_modes
 *
 * and all of these use event_set, begin_modes, active_modes and stage.
 *
 * At most one agent profiles at a time (stop.c). Callbacks run on any thread and read the
 * list of modes without a lock (active_modes.h). Dumps, polls, commands and the end take turns
 * under the profile's dump lock. Nothing is freed before all callbacks have returned
 * (active_callbacks.h) and all agent threads have ended.
 */
#ifndef HPROF_AGENT_AGENT_H
#define HPROF_AGENT_AGENT_H

#include "agent/active_modes.h"
#include "output/net_link.h"
#include "profile/profile.h"

enum { AGENT_OUTPUT_NAME_MAX = SETTING_FILE_MAX + 64 };

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
	struct active_modes modes;
	struct mode_needs needs; /* of all modes */
	char output_name[AGENT_OUTPUT_NAME_MAX];
	struct net_link *link;         /* NULL without net= */
	struct sink *sink;             /* open, until the writer takes it over */
	struct message_file *messages; /* NULL without messages= */
	char *options;                 /* as given, printable; NULL without notes=y */
	uint64_t live_ns;              /* os_monotonic_ns() at agent_go_live() */
	bool attached;                 /* started in a running JVM */
	bool misses_threads;           /* that start before it receives events */
	jvmtiExtensionEvent on_mount;  /* set by agent_enable_events(), for event_set.c */
	jvmtiExtensionEvent on_unmount;
	const char *archive_option; /* why modes are left out; NULL if none is */
	_Atomic int stage;          /* enum agent_stage */
	os_thread beginner;         /* the thread in agent_go_live(); set before the stage */
	unsigned reported_commands; /* bit for each kind reported once; net_commands.c only */

	/* Under the profile's dump lock. */
	uint64_t update_due_ns; /* time of the next update of the file */
	bool modes_stopped;
	bool output_finished;
	unsigned refused_commands; /* bit for each kind whose mode did not start */
};

#endif
