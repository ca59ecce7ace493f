/*
 * control_settings.c: see control_settings.h.
 */
#include "profile/control_settings.h"

#include "options/settings.h"

/* The memory for this depth is small: 16 bytes per frame in each sample. */
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
