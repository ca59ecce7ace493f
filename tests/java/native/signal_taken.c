/*
 * signal_taken.c: the native methods of SignalTaken.java, which do with a signal what a
 * program's libraries do. Called on the program's main thread.
 */
#define _GNU_SOURCE

#include <jni.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct sigaction before;
static atomic_int received;

/* On a busy machine a timer expires again before its signal is delivered. */
static void keep(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	atomic_fetch_add(&received, 1 + (info->si_code == SI_TIMER ? info->si_overrun : 0));
}

/* Hands on what it gets, as a handler that shares its signal does. */
static void hand_on(int signal, siginfo_t *info, void *context)
{
	atomic_fetch_add(&received, 1);
	if ((before.sa_flags & SA_SIGINFO) != 0)
		before.sa_sigaction(signal, info, context);
}

static void set(int signal, void (*handler)(int, siginfo_t *, void *), void (*simple)(int))
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	if (handler != NULL) {
		action.sa_sigaction = handler;
		action.sa_flags = SA_SIGINFO | SA_RESTART;
	} else {
		action.sa_handler = simple;
	}
	(void)sigaction(signal, &action, &before);
}

/* A library that is there before the agent. */
__attribute__((constructor)) static void take_at_start(void)
{
	const char *signal = getenv("SIGNAL_TAKEN_AT_START");
	if (signal != NULL)
		set(atoi(signal), keep, NULL);
}

JNIEXPORT void JNICALL Java_SignalTaken_keep(JNIEnv *jni, jclass self, jint signal)
{
	(void)jni;
	(void)self;
	set(signal, keep, NULL);
}

JNIEXPORT void JNICALL Java_SignalTaken_handOn(JNIEnv *jni, jclass self, jint signal)
{
	(void)jni;
	(void)self;
	set(signal, hand_on, NULL);
}

JNIEXPORT void JNICALL Java_SignalTaken_ignore(JNIEnv *jni, jclass self, jint signal)
{
	(void)jni;
	(void)self;
	set(signal, NULL, SIG_IGN);
}

JNIEXPORT void JNICALL Java_SignalTaken_setDefault(JNIEnv *jni, jclass self, jint signal)
{
	(void)jni;
	(void)self;
	set(signal, NULL, SIG_DFL);
}

/* A timer of the program's own on its CPU time, each 10 ms. */
JNIEXPORT void JNICALL Java_SignalTaken_startTimer(JNIEnv *jni, jclass self)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
	struct itimerspec when = {{0, 10000000}, {0, 10000000}};
	timer_t timer;
	(void)jni;
	(void)self;
	if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 ||
	    timer_settime(timer, 0, &when, NULL) != 0)
		abort();
}

JNIEXPORT jint JNICALL Java_SignalTaken_received(JNIEnv *jni, jclass self)
{
	(void)jni;
	(void)self;
	return atomic_load(&received);
}
