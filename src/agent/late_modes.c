/*
 * late_modes.c: starts the mode that a command of the peer needs if no option selected it; it
 * costs nothing until then. On the thread that carries out commands, under the profile's dump
 * lock.
 *
 * CPU sampling and allocation traces, once started, continue as if selected by an option, at
 * the depth set by the peer. Modes that only answer commands have no part in dumps.
 */
#include "agent/late_modes.h"

#include "agent/start_mode.h"
#include "alloc/alloc_mode.h"
#include "heapdump/heap_dump_mode.h"
#include "sampling/sampling_mode.h"

static bool is_active(const struct agent *agent, const struct mode_ops *ops)
{
	EACH_ACTIVE(agent, mode) {
		if (mode->ops == ops)
			return true;
	}
	return false;
}

/* The mode that the command needs and that is not active; NULL if it needs none. */
static const struct mode_ops *missing_mode(const struct agent *agent, enum net_command_kind kind)
{
	/* The one that is started, and one that serves as well if active. */
	const struct mode_ops *needed = NULL;
	const struct mode_ops *equivalent = NULL;

	switch (kind) {
	case COMMAND_CPU_SAMPLING_ON:
		needed = &cpu_samples_mode;
		break;
	case COMMAND_ALLOC_TRACES_ON:
		needed = &alloc_mode;
		break;
	case COMMAND_DUMP_HEAP:
		needed = &heap_dump_answers_mode;
		equivalent = &heap_dump_mode;
		break;
	case COMMAND_ALLOC_SITES:
	case COMMAND_HEAP_SUMMARY:
		/* Without tracked allocations net_commands.c answers by itself. */
		if (agent->profile.alloc == NULL)
			return NULL;
		needed = &heap_sites_answers_mode;
		equivalent = &heap_sites_mode;
		break;
	default:
		return NULL;
	}
	return is_active(agent, needed) || is_active(agent, equivalent) ? NULL : needed;
}

static void send_command(const struct active_mode *mode, JNIEnv *jni,
                         const struct net_command *command)
{
	if (mode->ops->command != NULL)
		(void)mode->ops->command(mode->state, jni, command);
}

/* Brings a new mode to the settings of the peer: its depth, and nothing sampled until the
 * command that started it is carried out. */
static void set_up(struct agent *agent, JNIEnv *jni, const struct active_mode *mode)
{
	const struct net_command depth = {
	        .kind = COMMAND_MAX_DEPTH,
	        .depth = (uint16_t)atomic_load(&agent->profile.control.depth),
	};
	const struct net_command off = {.kind = COMMAND_CPU_SAMPLING_OFF};

	send_command(mode, jni, &depth);
	send_command(mode, jni, &off);
}

void agent_start_mode_for(struct agent *agent, JNIEnv *jni, enum net_command_kind kind)
{
	const struct mode_ops *ops = missing_mode(agent, kind);
	size_t number = agent->modes.count;
	unsigned bit = 1u << kind;

	if (ops == NULL || (agent->refused_commands & bit) != 0)
		return;
	if (agent_start_mode(agent, jni, ops))
		set_up(agent, jni, &agent->modes.list[number]);
	else
		agent->refused_commands |= bit;
}
