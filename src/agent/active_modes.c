/*
 * active_modes.c: see active_modes.h.
 */
#include "agent/active_modes.h"

void active_modes_add(struct active_modes *modes, const struct mode_ops *ops, void *state,
                      struct mode_needs *needs)
{
	size_t count = modes->count;

	modes->list[count++] = (struct active_mode){.ops = ops, .state = state};
	for (size_t i = 0; i < needs->part_count; i++)
		modes->list[count++] = (struct active_mode){.ops = needs->parts[i].hooks,
		                                            .state = needs->parts[i].state,
		                                            .is_part = true};
	needs->part_count = 0;
	modes->count = count;
}

bool active_modes_have_room(const struct active_modes *modes)
{
	return modes->count + 1 + MODE_PARTS_MAX <= ACTIVE_MODES_MAX;
}

size_t active_modes_count(const struct active_modes *modes)
{
	size_t count = 0;

	for (size_t i = 0; i < modes->count; i++)
		count += !modes->list[i].is_part;
	return count;
}
