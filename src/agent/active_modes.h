/*
 * active_modes.h: the list of active modes and their parts, and loops over it. Entries are only
 * ever added, at the end, and are complete before count includes them: the loops need no lock,
 * in any thread and in the VM's pauses.
 */
#ifndef HPROF_AGENT_ACTIVE_MODES_H
#define HPROF_AGENT_ACTIVE_MODES_H

#include "profile/mode.h"

/* A mode, or a part of one, which follows its mode. */
struct active_mode {
	const struct mode_ops *ops; /* of a part: its hooks */
	void *state;
	bool is_part;
};

enum { ACTIVE_MODES_MAX = 16 };

struct active_modes {
	struct active_mode list[ACTIVE_MODES_MAX];
	_Atomic size_t count; /* with the parts */
};

/* Adds a mode that has been created, and the parts that are in its needs, from where they are
 * removed. There is room for them. One thread at a time. */
void active_modes_add(struct active_modes *modes, const struct mode_ops *ops, void *state,
                      struct mode_needs *needs);

/* Whether there is room for one more mode with its parts. */
bool active_modes_have_room(const struct active_modes *modes);

/* The number of modes, without their parts. */
size_t active_modes_count(const struct active_modes *modes);

/* Loops over the agent's entries numbered first to end - 1: mode is declared by the loop and points
 * to each in turn. end is evaluated again before each. */
#define EACH_ACTIVE_IN(agent, mode, first, end)                                                   \
	for (const struct active_mode *mode = (agent)->modes.list + (first); /* NOLINT: a name */ \
	     mode < (agent)->modes.list + (end); mode++)

/* Loops over all. */
#define EACH_ACTIVE(agent, mode) EACH_ACTIVE_IN(agent, mode, 0, (agent)->modes.count)

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
