/*
 * cpu_timers.c: CPU-interval timers of threads, which deliver cpu_timer_signal().
 * Install, pause and end are the agent's; start and stop run on the threads that
 * are timed, or for them on another; the handler runs on any of them, and takes no
 * lock. What drives a timer is the platform's matter (cpu_timer.h).
 */
#include "cpu_timer.h"
#include "cpu_timer_list.h"
#include "cpu_timer_signal.h"
#include "guard.h"
#include "time_units.h"

#include <errno.h>
#include <string.h>

#define STOP_WAIT_MS 10

/* Process-wide, as the signal's handler is. All but the atomics is written by
 * os_cpu_timers_install() while no timer runs. */
static struct {
	os_cpu_timer_callback *callback;
	atomic_bool installed;
	atomic_bool paused;     /* no callback starts */
	atomic_bool ended;      /* no handler looks at a timer */
	atomic_uint generation; /* of timers: one for each installation */
	atomic_uint under_way;  /* handlers that may be in the callback */
} timers;

/* This thread's timer: the handler's only way to find it. A timer of an earlier
 * generation no longer exists: this can't be cleared for a thread that may
 * have ended. */
static __thread struct os_cpu_timer *_Atomic current __attribute__((tls_model("initial-exec")));
static __thread volatile unsigned current_generation __attribute__((tls_model("initial-exec")));

/* Timers that were started for other threads, until the first signal comes to
 * their thread. The places before end have been used. */
enum { LISTED_MAX = 16384 };
static struct os_cpu_timer *_Atomic listed[LISTED_MAX];
static atomic_uint listed_end;

static struct os_cpu_timer *own_timer(void)
{
	struct os_cpu_timer *timer = atomic_load(&current);
	return current_generation == atomic_load(&timers.generation) ? timer : NULL;
}

/* The thread that takes a listed timer out of its place owns it: its own thread, or one that
 * stops it. */
static bool unlist(struct os_cpu_timer *timer)
{
	struct os_cpu_timer *expected = timer;
	return timer->listed != NULL &&
	       atomic_compare_exchange_strong(timer->listed, &expected, NULL);
}

static void set_own(struct os_cpu_timer *timer)
{
	atomic_store(&current, NULL);
	current_generation = atomic_load(&timers.generation);
	timer->slot = &current;
	atomic_store(&current, timer);
}

/* Adopts a timer that another thread has started for this one. */
static void take_listed(void)
{
	unsigned end = atomic_load(&listed_end);
	os_thread self = os_self_thread();

	for (unsigned i = 0; i < end; i++) {
		struct os_cpu_timer *timer = atomic_load(&listed[i]);
		if (timer == NULL || timer->thread != self || !unlist(timer))
			continue;
		cpu_timer_taken(timer);
		set_own(timer);
		return;
	}
}

/* under_way goes up before anything else is looked at: after ended was set, or the
 * timer taken from its thread, an under_way of 0 means that no handler looks at it. A signal of
 * another source can have found the timer before it was armed: it is taken once more. */
static void find_own_timer(void)
{
	atomic_fetch_add(&timers.under_way, 1);
	if (!atomic_load(&timers.ended)) {
		struct os_cpu_timer *timer = own_timer();
		if (timer == NULL)
			take_listed();
		else
			cpu_timer_taken(timer);
	}
	atomic_fetch_sub(&timers.under_way, 1);
}

/* The callback's CPU time is measured in some of the calls: reading the CPU clock is a
 * system call. */
static void call_back(struct os_cpu_timer *timer, void *context)
{
	enum { MEASURED_ONE_IN = 8 };
	struct cpu_timer_meter *meter = &timer->meter;

	if (atomic_load(&meter->calls) % MEASURED_ONE_IN != 0) {
		timers.callback(timer->user, context);
		return;
	}
	uint64_t began_ns = os_self_cpu_ns();
	timers.callback(timer->user, context);
	atomic_fetch_add(&meter->spent_ns, (os_self_cpu_ns() - began_ns) * MEASURED_ONE_IN);
}

/* The timer gets its period also while callbacks are paused. */
static void expire(void *context)
{
	atomic_fetch_add(&timers.under_way, 1);
	struct os_cpu_timer *timer = atomic_load(&timers.ended) ? NULL : own_timer();
	if (timer != NULL) {
		cpu_timer_expired(timer);
		atomic_fetch_add(&timer->meter.calls, 1);
		if (!atomic_load(&timers.paused))
			call_back(timer, context);
	}
	atomic_fetch_sub(&timers.under_way, 1);
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	if (cpu_timer_signal_is_probe())
		return;
	int saved_errno = errno;
	struct guard *guard = guard_suspend();
	if (cpu_timer_may_be_sent(info))
		find_own_timer();
	if (cpu_timer_sent(info))
		expire(context);
	else
		cpu_timer_signal_pass_on(signal, info, context);
	guard_resume(guard);
	errno = saved_errno;
}

/* ---- life ----------------------------------------------------------------- */

int os_cpu_timers_install(enum os_cpu_timer_kind kind, os_cpu_timer_callback *callback)
{
	if (!cpu_timer_list_is_empty())
		return EBUSY;
	int error = cpu_timer_choose(kind);
	if (error != 0)
		return error;
	timers.callback = callback;
	atomic_fetch_add(&timers.generation, 1);
	error = guard_install();
	if (error == 0)
		error = cpu_timer_signal_install(on_signal);
	if (error == 0) {
		atomic_store(&timers.installed, true);
		atomic_store(&timers.ended, false);
		os_cpu_timers_resume();
		cpu_timer_list_open();
	}
	return error;
}

const char *os_cpu_timers_name(uint64_t interval_ns)
{
	return atomic_load(&timers.installed) ? cpu_timer_name(interval_ns) : "none";
}

static void init_timer(struct os_cpu_timer *timer, os_thread thread, uint64_t first_ns,
                       uint64_t interval_ns, void *user)
{
	memset(timer, 0, sizeof(*timer));
	timer->user = user;
	timer->thread = thread;
	timer->first_ns = first_ns != 0 ? first_ns : interval_ns;
	timer->interval_ns = interval_ns;
	atomic_store(&timer->meter.period_ns, interval_ns);
}

/* Of a timer that is in the list. */
static int arm(struct os_cpu_timer *timer, bool own)
{
	int error = cpu_timer_arm(timer, own);
	if (error != 0) {
		(void)cpu_timer_list_remove(timer);
		return error;
	}
	/* Timers may have ended meanwhile, without this one. */
	if (!cpu_timer_list_armed(timer)) {
		(void)unlist(timer);
		cpu_timer_disarm(timer, own);
	}
	return 0;
}

int os_cpu_timer_start(struct os_cpu_timer *timer, uint64_t first_ns, uint64_t interval_ns,
                       void *user)
{
	if (!atomic_load(&timers.installed))
		return OS_UNSUPPORTED;
	if (interval_ns == 0)
		return EINVAL;
	if (!atomic_load(&timers.ended) && own_timer() != NULL)
		return EBUSY;
	init_timer(timer, os_self_thread(), first_ns, interval_ns, user);
	if (!cpu_timer_list_add(timer))
		return 0;
	set_own(timer);
	int error = arm(timer, true);
	if (error != 0)
		atomic_store(&current, NULL);
	return error;
}

static bool list(struct os_cpu_timer *timer)
{
	for (unsigned i = 0; i < LISTED_MAX; i++) {
		struct os_cpu_timer *free_place = NULL;
		if (atomic_load(&listed[i]) != NULL)
			continue;
		timer->listed = &listed[i];
		if (!atomic_compare_exchange_strong(&listed[i], &free_place, timer))
			continue;
		unsigned end = atomic_load(&listed_end);
		while (end <= i && !atomic_compare_exchange_weak(&listed_end, &end, i + 1))
			continue;
		return true;
	}
	timer->listed = NULL;
	return false;
}

bool os_cpu_timers_of_others(void)
{
	return CPU_TIMER_OF_OTHERS;
}

int os_cpu_timer_start_on(struct os_cpu_timer *timer, os_thread thread, uint64_t first_ns,
                          uint64_t interval_ns, void *user)
{
	uint64_t cpu_ns;

	if (thread == os_self_thread())
		return os_cpu_timer_start(timer, first_ns, interval_ns, user);
	if (!atomic_load(&timers.installed) || !CPU_TIMER_OF_OTHERS)
		return OS_UNSUPPORTED;
	if (interval_ns == 0)
		return EINVAL;
	int error = os_thread_cpu_ns(thread, &cpu_ns);
	if (error != 0)
		return error;
	init_timer(timer, thread, first_ns, interval_ns, user);
	if (!cpu_timer_list_add(timer))
		return 0;
	if (!list(timer)) {
		(void)cpu_timer_list_remove(timer);
		return EAGAIN;
	}
	error = arm(timer, false);
	if (error != 0)
		(void)unlist(timer);
	return error;
}

/* Waits until no handler is under way on another thread. False when one still is after
 * timeout_ms. */
static bool wait_for_handlers(uint32_t timeout_ms)
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

/* On a thread other than the timer's: after this no handler uses the timer. If a
 * handler has taken it out of its place, timer->slot is where its thread keeps it. */
static void take_from_thread(struct os_cpu_timer *timer)
{
	if (!unlist(timer)) {
		if (timer->listed != NULL)
			(void)wait_for_handlers(STOP_WAIT_MS);
		if (timer->slot != NULL)
			atomic_store(timer->slot, NULL);
	}
	(void)wait_for_handlers(STOP_WAIT_MS);
}

bool os_cpu_timer_runs(const struct os_cpu_timer *timer)
{
	return cpu_timer_list_has(timer);
}

bool os_cpu_timer_stop(struct os_cpu_timer *timer)
{
	if (!cpu_timer_list_remove(timer))
		return false;
	bool own = timer->thread == os_self_thread();
	if (!own)
		take_from_thread(timer);
	else if (!unlist(timer))
		atomic_store(&current, NULL);
	cpu_timer_disarm(timer, own);
	return true;
}

void os_cpu_timers_pause(void)
{
	atomic_store(&timers.paused, true);
}

void os_cpu_timers_resume(void)
{
	atomic_store(&timers.paused, false);
}

static void disable(void *argument, struct os_cpu_timer *timer)
{
	(void)argument;
	cpu_timer_disable(timer);
}

static void disarm(void *argument, struct os_cpu_timer *timer)
{
	(void)argument;
	(void)unlist(timer);
	cpu_timer_disarm(timer, timer->thread == os_self_thread());
}

/* A timer that is armed after the list was closed may be freed at once: no handler looks at one
 * then. Descriptors are closed only when no handler can use one. */
bool os_cpu_timers_end(uint32_t timeout_ms)
{
	atomic_store(&timers.ended, true);
	cpu_timer_list_close();
	cpu_timer_list_each(disable, NULL);
	if (!wait_for_handlers(timeout_ms))
		return false;
	cpu_timer_list_take_all(disarm, NULL);
	return true;
}
