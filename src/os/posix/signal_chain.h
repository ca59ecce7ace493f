/*
 * signal_chain.h: passes a signal to the handler that was installed before ours.
 * Private to the platform layer.
 */
#ifndef HPROF_OS_SIGNAL_CHAIN_H
#define HPROF_OS_SIGNAL_CHAIN_H

#include <signal.h>
#include <stdbool.h>

/* Calls previous's function as the kernel would have. False when there is none
 * (SIG_DFL or SIG_IGN). Signal-safe. The signal mask is the caller's matter. */
bool signal_chain_call(const struct sigaction *previous, int signal, siginfo_t *info,
                       void *context);

#endif
