/*
 * cpu_timer_signal.h: the signal that CPU-interval timers send: chosen from those that os_types.h
 * names, CPU_TIMER_SIGNALS, so that the program keeps what it handles. Private to the platform
 * layer.
 */
#ifndef HPROF_OS_CPU_TIMER_SIGNAL_H
#define HPROF_OS_CPU_TIMER_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

typedef void cpu_timer_handler(int signal, siginfo_t *info, void *context);

/* The signal that timers are to send, and its name. Any thread; signal-safe. */
int cpu_timer_signal(void);
const char *cpu_timer_signal_name(void);

/* Chooses the first signal that has our handler or none, and sets the handler. When the program
 * handles all of them, the first, whose handler gets what is not ours. While no timer runs;
 * always with the same handler. 0 or errno. */
int cpu_timer_signal_install(cpu_timer_handler *handler);

/* The program has taken the signal: changes to another that has our handler or none. False when
 * there is none. Not at the same time as itself or the installation. */
bool cpu_timer_signal_change(void);

enum cpu_timer_signal_owner {
	CPU_TIMER_SIGNAL_OURS,
	CPU_TIMER_SIGNAL_UNHANDLED, /* SIG_IGN or SIG_DFL */
	CPU_TIMER_SIGNAL_FOREIGN    /* another handler, which may call ours */
};

/* Who handles cpu_timer_signal() now, and a foreign handler; else *handler is NULL. */
enum cpu_timer_signal_owner cpu_timer_signal_owner(cpu_timer_handler **handler);

/* Calls send, which sends the calling thread the signal. Whether our handler was called for it,
 * perhaps by the program's. */
bool cpu_timer_signal_reaches_us(void (*send)(int signal));

/* In our handler: whether this is for cpu_timer_signal_reaches_us(). Signal-safe. */
bool cpu_timer_signal_is_probe(void);

/* In our handler: calls the one that was there before, for a signal that is not of a timer.
 * Signal-safe. */
void cpu_timer_signal_pass_on(int signal, siginfo_t *info, void *context);

#endif
