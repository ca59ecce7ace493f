/*
 * threads.c: the agent's own threads. Called from any thread; no lock.
 */
#include "system.h"

#include "os.h"

#include <errno.h>
#include <process.h>
#include <stdlib.h>

struct start {
	void (*run)(void *);
	void *arg;
};

static unsigned __stdcall trampoline(void *arg)
{
	struct start *start = arg;
	void (*run)(void *) = start->run;
	void *run_arg = start->arg;
	free(start);
	run(run_arg);
	return 0;
}

int os_thread_start(struct os_thread_handle *handle, void (*run)(void *), void *arg)
{
	struct start *start = malloc(sizeof(*start));
	if (start == NULL)
		return ERROR_NOT_ENOUGH_MEMORY;
	start->run = run;
	start->arg = arg;
	/* The C library's call, which prepares it for the thread. */
	uintptr_t thread = _beginthreadex(NULL, 0, trampoline, start, 0, NULL);
	if (thread == 0) {
		free(start);
		return errno == EAGAIN ? ERROR_TOO_MANY_TCBS : ERROR_NOT_ENOUGH_MEMORY;
	}
	handle->thread = (void *)thread;
	return 0;
}

void os_thread_join(struct os_thread_handle *handle)
{
	(void)WaitForSingleObject(handle->thread, INFINITE);
	(void)CloseHandle(handle->thread);
}
