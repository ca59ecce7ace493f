/*
 * interrupts.c: requests to end that the hprof command answers itself. Its one thread; no lock.
 */
#include "interrupts.h"
#include "os_programs.h"

#include <signal.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

enum { CAUGHT_COUNT = sizeof(caught) / sizeof(caught[0]) };

static struct sigaction former[CAUGHT_COUNT];
static bool are_caught;

static volatile sig_atomic_t interrupted; /* the last request; 0: none */

static void on_interrupt(int number)
{
	interrupted = number;
}

void os_interrupts_catch(void)
{
	struct sigaction ours = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	interrupted = 0;
	(void)sigaction(SIGPIPE, &ignore, NULL);
	for (int i = 0; i < CAUGHT_COUNT; i++) {
		struct sigaction now;
		(void)sigaction(caught[i], NULL, &now);
		if (!are_caught)
			former[i] = now;
		/* A program that outlives its terminal (nohup). */
		if (caught[i] != SIGHUP || now.sa_handler != SIG_IGN)
			(void)sigaction(caught[i], &ours, NULL);
	}
	are_caught = true;
}

bool os_interrupted(void)
{
	return interrupted != 0;
}

bool interrupts_are_caught(void)
{
	return are_caught;
}

void interrupts_release(void)
{
	for (int i = 0; i < CAUGHT_COUNT; i++)
		(void)sigaction(caught[i], &former[i], NULL);
	are_caught = false;
	if (interrupted != 0)
		(void)raise(interrupted);
}
