/*
 * control_settings.c: see control_settings.h. No lock: both values are atomic.
 */
#include "profile/control_settings.h"

#include "profile/profile.h"

/* What room for so many costs a thread is little: 16 bytes a frame in each sample. */
enum { COMMANDED_DEPTH_MAX = 128 };

bool profile_is_commanded(const struct settings *settings)
{
	return settings->net_host[0] != '\0' && settings->format == FORMAT_BINARY;
}

uint32_t profile_depth_max(const struct settings *settings)
{
	bool commanded = profile_is_commanded(settings);

	return commanded && settings->depth < COMMANDED_DEPTH_MAX ? COMMANDED_DEPTH_MAX
	                                                          : settings->depth;
}

void profile_control_set(struct profile *profile, uint32_t flags, bool on)
{
	if (on)
		atomic_fetch_or(&profile->control.flags, flags);
	else
		atomic_fetch_and(&profile->control.flags, ~flags);
}

void profile_control_depth(struct profile *profile, uint32_t depth)
{
	atomic_store(&profile->control.depth, depth);
}

void profile_control_write(struct profile *profile)
{
	writer_control_settings(profile->writer, atomic_load(&profile->control.flags),
	                        (uint16_t)atomic_load(&profile->control.depth));
}
