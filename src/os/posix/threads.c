/*
 * threads.c: the agent's own threads. Called from any thread; no lock.
 */
#include "os.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

struct start {
	void (*run)(void *);
	void *arg;
};

static void *trampoline(void *arg)
{
	struct start *start = arg;
	void (*run)(void *) = start->run;
	void *run_arg = start->arg;
	free(start);
	run(run_arg);
	return NULL;
}

/* All signals except those that a fault of the thread itself raises: a fault whose signal
 * is blocked kills the process without calling any handler. */
static void program_signals(sigset_t *set)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	(void)sigfillset(set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		(void)sigdelset(set, faults[i]);
}

int os_thread_start(struct os_thread_handle *handle, void (*run)(void *), void *arg)
{
	struct start *start = malloc(sizeof(*start));
	if (start == NULL)
		return ENOMEM;
	start->run = run;
	start->arg = arg;

	/* The new thread inherits the mask, so no signal reaches it in between. */
	sigset_t blocked;
	sigset_t before;
	program_signals(&blocked);
	int error = pthread_sigmask(SIG_BLOCK, &blocked, &before);
	if (error == 0) {
		error = pthread_create(&handle->thread, NULL, trampoline, start);
		(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (error != 0)
		free(start);
	return error;
}

void os_thread_join(struct os_thread_handle *handle)
{
	(void)pthread_join(handle->thread, NULL);
}
