/*
 * stage.c: see stage.h. No lock: the stage is atomic.
 */
#include "agent/stage.h"

#include "os/time_units.h"

/* Time between two looks at the stage. */
#define LIVE_POLL_NS NS_PER_MS

bool agent_await_live(const struct agent *agent, uint32_t limit_ms)
{
	uint64_t deadline_ns = os_monotonic_ns() + (uint64_t)limit_ms * NS_PER_MS;
	int stage;

	while ((stage = atomic_load(&agent->stage)) < AGENT_LIVE) {
		uint64_t now_ns = os_monotonic_ns();
		if (now_ns >= deadline_ns)
			return false;
		os_sleep_until(now_ns + LIVE_POLL_NS);
	}
	return stage == AGENT_LIVE;
}
