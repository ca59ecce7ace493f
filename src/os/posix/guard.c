/*
 * guard.c: calls that survive an access to invalid memory. Runs on any
 * thread, in and out of signal handlers.
 *
 * Our SIGSEGV and SIGBUS handlers run before the program's (in a JVM, the
 * VM's own, which rely on faults for null checks and stack growth), with the
 * same mask and flags, so that the kernel prepares the same frame for them as
 * it did. Installing takes a spin lock with all signals blocked, so that a
 * handler on the same thread never finds it held; everything else is
 * thread-local.
 */
#include "guard.h"
#include "os_machine.h"
#include "signal_chain.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

struct guard {
	struct guard *outer;
	jmp_buf recovery;
};

static __thread struct guard *volatile innermost __attribute__((tls_model("initial-exec")));

static const int fault_signals[] = {SIGSEGV, SIGBUS};
enum { FAULT_SIGNALS = sizeof(fault_signals) / sizeof(fault_signals[0]) };

/* Process-wide, as signal handlers are: what stood there before us. previous is
 * written before our handler is in place and constant from then on. */
static struct sigaction previous[FAULT_SIGNALS];
static atomic_flag installing = ATOMIC_FLAG_INIT;
static atomic_bool installed;
static guard_vm_handler *_Atomic vm_handler;

/* The code that Solaris gives for a signal of unknown origin, which the CPU did not
 * raise. No other code has this number. */
#ifndef SI_NOINFO
#define SI_NOINFO 32767
#endif

/* Raised by the CPU; kill() and similar calls give a code of 0 or below. */
static bool is_fault(const siginfo_t *info)
{
	return info->si_code > 0 && info->si_code != SI_NOINFO;
}

static void set_default(int signal)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	(void)sigaction(signal, &action, NULL);
}

/* The kernel's action for a signal without a handler. After the return a
 * fault occurs again and takes the default action; a signal that was sent
 * must be sent again. */
static void default_action(const struct sigaction *action, int signal, const siginfo_t *info)
{
	if (action->sa_handler == SIG_IGN && !is_fault(info))
		return;
	set_default(signal);
	if (!is_fault(info))
		(void)raise(signal);
}

static void pass_on(int signal, siginfo_t *info, void *context)
{
	for (int i = 0; i < FAULT_SIGNALS; i++) {
		if (fault_signals[i] != signal)
			continue;
		/* A handler for one signal only, as crash reporters are. */
		if ((previous[i].sa_flags & (int)SA_RESETHAND) != 0)
			set_default(signal);
		if (!signal_chain_call(&previous[i], signal, info, context))
			default_action(&previous[i], signal, info);
		return;
	}
}

/* Whether the fault is one by which the JVM probes memory, and dealt with. */
static bool vm_recovers(int signal, siginfo_t *info, void *context)
{
	guard_vm_handler *handler = atomic_load(&vm_handler);
	return handler != NULL && handler(signal, info, context, 0) != 0;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	struct guard *guard = innermost;
	if (guard == NULL || !is_fault(info)) {
		pass_on(signal, info, context);
		return;
	}
	if (vm_recovers(signal, info, context))
		return;
	/* The kernel blocked signals for this handler; only returning from it
	 * would bring back the mask, and a jump does not. */
	const ucontext_t *interrupted = context;
	innermost = guard->outer;
	(void)pthread_sigmask(SIG_SETMASK, &interrupted->uc_sigmask, NULL);
	_longjmp(guard->recovery, 1);
}

static int install_one(int i)
{
	int signal = fault_signals[i];
	struct sigaction replaced;
	if (sigaction(signal, NULL, &previous[i]) != 0)
		return errno;
	struct sigaction ours = previous[i];
	ours.sa_sigaction = on_fault;
	ours.sa_flags |= SA_SIGINFO;
	ours.sa_flags &= ~(int)SA_RESETHAND;
	if (sigaction(signal, &ours, &replaced) != 0)
		return errno;
	previous[i] = replaced;
	return 0;
}

static int install_all(void)
{
	for (int i = 0; i < FAULT_SIGNALS; i++) {
		int error = install_one(i);
		if (error != 0)
			return error;
	}
	atomic_store(&installed, true);
	return 0;
}

int guard_install(void)
{
	if (atomic_load(&installed))
		return 0;
	sigset_t all;
	sigset_t before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	while (atomic_flag_test_and_set(&installing))
		(void)sched_yield();
	int error = atomic_load(&installed) ? 0 : install_all();
	atomic_flag_clear(&installing);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

void guard_set_vm_handler(guard_vm_handler *handler)
{
	atomic_store(&vm_handler, handler);
}

struct guard *guard_suspend(void)
{
	struct guard *guard = innermost;
	innermost = NULL;
	return guard;
}

void guard_resume(struct guard *guard)
{
	innermost = guard;
}

bool os_call_guarded(void (*call)(void *), void *arg)
{
	if (!atomic_load_explicit(&installed, memory_order_acquire) && guard_install() != 0)
		return false;
	struct guard guard;
	guard.outer = innermost;
	if (_setjmp(guard.recovery) != 0)
		return false;
	innermost = &guard;
	call(arg);
	innermost = guard.outer;
	return true;
}
