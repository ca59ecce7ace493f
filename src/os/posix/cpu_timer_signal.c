/*
 * cpu_timer_signal.c: see cpu_timer_signal.h. No lock: one thread at a time chooses, and handlers
 * only read.
 */
#include "cpu_timer_signal.h"

#include "cpu_timer.h"
#include "signal_chain.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* A signal that timers may send. */
struct candidate {
	int number;
	const char *name;
};

#define CANDIDATE(signal) {.number = (signal), .name = #signal},
static const struct candidate candidates[] = {CPU_TIMER_SIGNALS(CANDIDATE)};
enum { CANDIDATES = sizeof(candidates) / sizeof(candidates[0]) };

/* What each had before our handler; written before that can run. */
static struct sigaction previous[CANDIDATES];

static cpu_timer_handler *ours;
static atomic_int chosen; /* a place in candidates */

/* Those that the program has taken since the installation; it may have set SIG_IGN. */
static bool taken[CANDIDATES];

/* The handler calls the program's, which calls it. */
static __thread volatile bool passing_on __attribute__((tls_model("initial-exec")));

/* This thread sends itself the signal; our handler has been called for it. */
static __thread volatile bool probing __attribute__((tls_model("initial-exec")));
static __thread volatile bool reached __attribute__((tls_model("initial-exec")));

int cpu_timer_signal(void)
{
	return candidates[atomic_load(&chosen)].number;
}

const char *cpu_timer_signal_name(void)
{
	return candidates[atomic_load(&chosen)].name;
}

static bool is_handled(const struct sigaction *action)
{
	if ((action->sa_flags & SA_SIGINFO) != 0)
		return action->sa_sigaction != NULL;
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == ours;
}

/* The previous handler is known before ours can run; SA_RESTART, since most
 * programs do not expect their system calls to be interrupted. */
static int set_handler(int place)
{
	struct sigaction action;
	struct sigaction there;

	if (sigaction(candidates[place].number, NULL, &there) != 0)
		return errno;
	if (is_ours(&there))
		return 0;
	previous[place] = there;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = ours;
	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	action.sa_mask = there.sa_mask;
	return sigaction(candidates[place].number, &action, NULL) == 0 ? 0 : errno;
}

/* Whether the program does not handle the signal. */
static bool is_free(int place)
{
	struct sigaction there;
	return sigaction(candidates[place].number, NULL, &there) == 0 &&
	       (is_ours(&there) || !is_handled(&there));
}

/* A free place, or -1. */
static int find_free(void)
{
	for (int i = 0; i < CANDIDATES; i++) {
		if (!taken[i] && is_free(i))
			return i;
	}
	return -1;
}

int cpu_timer_signal_install(cpu_timer_handler *handler)
{
	ours = handler;
	memset(taken, 0, sizeof(taken));
	int place = find_free();
	if (place < 0)
		place = 0;
	int error = set_handler(place);
	if (error == 0)
		atomic_store(&chosen, place);
	return error;
}

bool cpu_timer_signal_change(void)
{
	taken[atomic_load(&chosen)] = true;
	int place = find_free();
	if (place < 0 || set_handler(place) != 0)
		return false;
	atomic_store(&chosen, place);
	return true;
}

enum cpu_timer_signal_owner cpu_timer_signal_owner(cpu_timer_handler **handler)
{
	struct sigaction now;

	*handler = NULL;
	if (sigaction(cpu_timer_signal(), NULL, &now) != 0 || is_ours(&now))
		return CPU_TIMER_SIGNAL_OURS;
	if (!is_handled(&now))
		return CPU_TIMER_SIGNAL_UNHANDLED;
	*handler = now.sa_sigaction;
	return CPU_TIMER_SIGNAL_FOREIGN;
}

/* A thread that has the signal unblocked gets it before the sending returns. */
bool cpu_timer_signal_reaches_us(void (*send)(int signal))
{
	sigset_t set;
	sigset_t before;
	int signal = cpu_timer_signal();

	(void)sigemptyset(&set);
	(void)sigaddset(&set, signal);
	reached = false;
	probing = true;
	(void)pthread_sigmask(SIG_UNBLOCK, &set, &before);
	send(signal);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	probing = false;
	return reached;
}

bool cpu_timer_signal_is_probe(void)
{
	if (!probing)
		return false;
	reached = true;
	return true;
}

/* A handler that was set after ours may call ours when it is called by it. */
void cpu_timer_signal_pass_on(int signal, siginfo_t *info, void *context)
{
	if (passing_on)
		return;
	passing_on = true;
	for (int i = 0; i < CANDIDATES; i++) {
		if (candidates[i].number == signal)
			(void)signal_chain_call(&previous[i], signal, info, context);
	}
	passing_on = false;
}
