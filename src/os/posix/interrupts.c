/*
 * interrupts.c: requests to end that the hprof command answers itself. Its one thread; no lock.
 */
#include "os.h"

#include <signal.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

enum { CAUGHT_COUNT = sizeof(caught) / sizeof(caught[0]) };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

void os_interrupts_catch(void)
{
	struct sigaction ours = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction former;

	interrupted = 0;
	(void)sigaction(SIGPIPE, &ignore, NULL);
	for (int i = 0; i < CAUGHT_COUNT; i++) {
		(void)sigaction(caught[i], NULL, &former);
		/* A program that outlives its terminal (nohup). */
		if (caught[i] != SIGHUP || former.sa_handler != SIG_IGN)
			(void)sigaction(caught[i], &ours, NULL);
	}
}

bool os_interrupted(void)
{
	return interrupted != 0;
}
