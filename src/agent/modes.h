/*
 * modes.h: the table of modes, and loops over the modes that are active. Modes are only
 * ever added, at the end, and an entry is complete before mode_count includes it
 * (start_mode.c): the loops need no lock, in any thread and in the VM's pauses.
 */
#ifndef HPROF_AGENT_MODES_H
#define HPROF_AGENT_MODES_H

#include "profile/mode.h"

struct active_mode {
	const struct mode_ops *ops;
	void *state; /* of ops->create() */
};

/* The modes that options can select, in the order of their sections in the output: one that
 * others use comes before them. Ends with NULL. */
extern const struct mode_ops *const mode_table[];

/* Loops over the modes numbered first to end - 1: mode is declared by the loop and points to
 * each in turn. end is evaluated again before each. */
#define EACH_ACTIVE_IN(agent, mode, first, end)                                              \
	for (const struct active_mode *mode = (agent)->modes + (first); /* NOLINT: a name */ \
	     mode < (agent)->modes + (end); mode++)

/* Loops over all active modes. */
#define EACH_ACTIVE(agent, mode) EACH_ACTIVE_IN(agent, mode, 0, (agent)->mode_count)

/* The same for those that have the hook:
 *   EACH_MODE(agent, mode, poll)
 *           mode->ops->poll(mode->state, jni); */
#define EACH_MODE(agent, mode, hook) \
	EACH_ACTIVE(agent, mode)     \
		if (mode->ops->hook != NULL)

#define EACH_MODE_IN(agent, mode, first, end, hook) \
	EACH_ACTIVE_IN(agent, mode, first, end)     \
		if (mode->ops->hook != NULL)

#endif
