/* microstates_since.c: see microstates_since.h. */
#include "sampling/microstates_since.h"

static uint64_t least(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static uint64_t cpu_ns(const struct os_microstates *states)
{
	return states->ns[OS_USR] + states->ns[OS_SYS];
}

/* Before the first tick all CPU time is usr, and sys is unknown. */
static void split_cpu_time(struct os_microstates *states, uint64_t ns)
{
	bool has_split = (states->known & 1U << OS_SYS) != 0;

	states->ns[OS_USR] = has_split ? least(states->ns[OS_USR], ns) : ns;
	states->ns[OS_SYS] = ns - states->ns[OS_USR];
}

void microstates_since(struct os_microstates *states, const struct os_microstates *begun)
{
	uint64_t used_ns = cpu_ns(states) - least(cpu_ns(states), cpu_ns(begun));

	for (int i = 0; i < OS_MICROSTATES; i++)
		states->ns[i] -= least(states->ns[i], begun->ns[i]);
	split_cpu_time(states, used_ns);
	states->life_ns = 0;
	for (int i = 0; i < OS_MICROSTATES; i++)
		states->life_ns += states->ns[i];
	states->voluntary_switches -= least(states->voluntary_switches, begun->voluntary_switches);
	states->involuntary_switches -=
	        least(states->involuntary_switches, begun->involuntary_switches);
}
