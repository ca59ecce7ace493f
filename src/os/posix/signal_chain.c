/*
 * signal_chain.c: see signal_chain.h. Runs in signal handlers on any thread; no
 * lock.
 */
#include "signal_chain.h"

#include <stddef.h>

bool signal_chain_call(const struct sigaction *previous, int signal, siginfo_t *info, void *context)
{
	if ((previous->sa_flags & SA_SIGINFO) != 0) {
		if (previous->sa_sigaction == NULL)
			return false;
		previous->sa_sigaction(signal, info, context);
		return true;
	}
	if (previous->sa_handler == SIG_DFL || previous->sa_handler == SIG_IGN)
		return false;
	previous->sa_handler(signal);
	return true;
}
