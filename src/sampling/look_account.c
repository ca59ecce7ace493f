/*
 * look_account.c: see look_account.h.
 */
#include "sampling/look_account.h"

static int64_t least(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* The time off the CPU that is no wait for one. */
static int64_t rest_of(const struct look_times *times)
{
	return (int64_t)times->wall_ns - (int64_t)times->cpu_ns - (int64_t)times->queued_ns;
}

void look_account_run(struct look_account *account, const struct look_times *times)
{
	int64_t rest_ns = rest_of(times);
	int64_t stopped_ns = rest_ns < 0 ? 0 : least(rest_ns, (int64_t)times->paused_ns);

	account->queued_ns += (int64_t)times->queued_ns;
	account->stopped_ns += stopped_ns;
	account->waited_ns += rest_ns - stopped_ns;
}

uint64_t look_account_wait(struct look_account *account, const struct look_times *times)
{
	account->waited_ns += rest_of(times);
	return times->queued_ns;
}

void look_account_end(struct look_account *account)
{
	account->queued_ns += least(account->waited_ns, 0);
	account->waited_ns -= least(account->waited_ns, 0);
}

uint64_t look_account_take(int64_t *ns)
{
	if (*ns <= 0)
		return 0;
	uint64_t taken_ns = (uint64_t)*ns;
	*ns = 0;
	return taken_ns;
}
