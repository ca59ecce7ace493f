/*
 * cpu_timers.c: CPU-interval timers of threads, which deliver SIGPROF. Install,
 * pause and quiesce are the agent's; start and stop run on the threads that are
 * timed; the handler runs on any of them. No lock: a handler could not take it.
 * What drives a timer is the platform's matter (cpu_timer.h).
 */
#include "cpu_timer.h"
#include "guard.h"
#include "signal_chain.h"

#include <errno.h>
#include <string.h>

#define NS_PER_MS UINT64_C(1000000)
#define STOP_WAIT_MS 10

/* Process-wide, as the signal's handler is. All but the atomics is written by
 * os_cpu_timers_install() before the handler is in place. */
static struct {
	os_cpu_timer_callback *callback;
	struct sigaction previous;
	atomic_bool installed;
	atomic_bool paused;
	atomic_uint under_way; /* handlers that may be in the callback */
} timers;

/* This thread's timer: all the handler has to find it by. */
static __thread struct os_cpu_timer *_Atomic current __attribute__((tls_model("initial-exec")));

/* under_way goes up before anything else is looked at: who has set paused, or
 * cleared current, and then finds under_way at 0 knows that no callback runs. */
static void expire(void *context)
{
	atomic_fetch_add(&timers.under_way, 1);
	struct os_cpu_timer *timer = atomic_load(&current);
	if (timer != NULL) {
		cpu_timer_expired(timer);
		if (!atomic_load(&timers.paused))
			timers.callback(timer->user, context);
	}
	atomic_fetch_sub(&timers.under_way, 1);
}

static void on_sigprof(int signal, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	struct guard *guard = guard_suspend();
	if (cpu_timer_sent(info))
		expire(context);
	else
		(void)signal_chain_call(&timers.previous, signal, info, context);
	guard_resume(guard);
	errno = saved_errno;
}

/* The previous handler is known before ours can run; SA_RESTART, since most
 * programs do not expect their system calls to be interrupted. */
static int install_handler(void)
{
	struct sigaction ours;
	if (sigaction(SIGPROF, NULL, &timers.previous) != 0)
		return errno;
	memset(&ours, 0, sizeof(ours));
	ours.sa_sigaction = on_sigprof;
	ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	ours.sa_mask = timers.previous.sa_mask;
	return sigaction(SIGPROF, &ours, NULL) == 0 ? 0 : errno;
}

int os_cpu_timers_install(enum os_cpu_timer_kind kind, os_cpu_timer_callback *callback)
{
	if (atomic_load(&timers.installed))
		return EALREADY;
	int error = cpu_timer_choose(kind);
	if (error != 0)
		return error;
	timers.callback = callback;
	error = guard_install();
	if (error == 0)
		error = install_handler();
	if (error == 0)
		atomic_store(&timers.installed, true);
	return error;
}

const char *os_cpu_timers_name(void)
{
	return atomic_load(&timers.installed) ? cpu_timer_name() : "none";
}

int os_cpu_timer_start(struct os_cpu_timer *timer, uint64_t first_ns, uint64_t interval_ns,
                       void *user)
{
	if (!atomic_load(&timers.installed))
		return OS_UNSUPPORTED;
	if (interval_ns == 0)
		return EINVAL;
	if (atomic_load(&current) != NULL)
		return EBUSY;
	memset(timer, 0, sizeof(*timer));
	timer->user = user;
	timer->first_ns = first_ns != 0 ? first_ns : interval_ns;
	timer->interval_ns = interval_ns;
	timer->slot = &current;
	atomic_store(&current, timer);
	int error = cpu_timer_arm(timer);
	if (error != 0) {
		atomic_store(&current, NULL);
		timer->slot = NULL;
	}
	return error;
}

void os_cpu_timer_stop(struct os_cpu_timer *timer)
{
	if (timer->slot == NULL)
		return;
	bool own = timer->slot == &current;
	atomic_store(timer->slot, NULL);
	timer->slot = NULL;
	/* A handler on the other thread may be about to use the timer. */
	if (!own)
		(void)os_cpu_timers_quiesce(STOP_WAIT_MS);
	cpu_timer_disarm(timer, own);
}

void os_cpu_timers_pause(void)
{
	atomic_store(&timers.paused, true);
}

void os_cpu_timers_resume(void)
{
	atomic_store(&timers.paused, false);
}

bool os_cpu_timers_quiesce(uint32_t timeout_ms)
{
	uint64_t deadline = os_monotonic_ns() + timeout_ms * NS_PER_MS;
	while (atomic_load(&timers.under_way) != 0) {
		uint64_t now = os_monotonic_ns();
		if (now >= deadline)
			return false;
		os_sleep_until(now + NS_PER_MS / 10);
	}
	return true;
}
