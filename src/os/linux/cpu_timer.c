/*
 * cpu_timer.c: a thread's CPU-interval timer: a perf software event where that is
 * permitted and the interval long enough, else a POSIX timer. Threads as in
 * cpu_timer.h; no lock.
 *
 * SIGURG: its default action is to be ignored, so a program that resets it does
 * not die from our timers; and other profilers, the JVM's among them, use SIGPROF. SIGSTKFLT
 * where SIGURG is the program's: the kernel never sends it, and hardly a program uses it. No
 * real-time signal: when the queue of one is full, the kernel reports perf overflows
 * by SIGIO, which kills the program; and the JDK has some for itself.
 */
#include "cpu_timer.h"
#include "cpu_timer_cost.h"
#include "cpu_timer_kinds.h"
#include "cpu_timer_signal.h"
#include "time_units.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST_MEASURED_PERIOD_NS NS_PER_MS

/* Written by cpu_timer_choose() before the first timer starts. The address of it
 * is the cookie that POSIX timers of ours carry. */
static bool use_perf;

/* What an expiration costs: whether it was measured, or failed to be since cpu_timer_choose(). */
static bool is_measured;
static bool was_tried;

/* The descriptor of this thread's latest perf timer, plus 1: a signal of it may
 * arrive after the timer was stopped and must still be known as ours. */
static __thread volatile int own_fd_plus_1 __attribute__((tls_model("initial-exec")));

/* Signals of perf timers that have come to this thread. */
static __thread volatile unsigned own_expirations __attribute__((tls_model("initial-exec")));

int cpu_timer_choose(enum os_cpu_timer_kind kind)
{
	was_tried = is_measured;
	use_perf = kind != OS_CPU_TIMER_POSIX && perf_timer_permitted();
	if (use_perf)
		return 0;
	return kind != OS_CPU_TIMER_PERF && posix_timer_permitted() ? 0 : OS_UNSUPPORTED;
}

static bool perf_serves(uint64_t interval_ns)
{
	return use_perf && interval_ns >= perf_timer_least_ns();
}

const char *cpu_timer_name(uint64_t interval_ns)
{
	return perf_serves(interval_ns) ? "perf task clock per thread"
	                                : "POSIX timer on each thread's CPU clock";
}

static bool is_readiness(const siginfo_t *info)
{
	return info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

bool cpu_timer_sent(const siginfo_t *info)
{
	if (info->si_code == SI_TIMER)
		return info->si_value.sival_ptr == &use_perf;
	if (!is_readiness(info) || own_fd_plus_1 == 0 || info->si_fd != own_fd_plus_1 - 1)
		return false;
	own_expirations++;
	return true;
}

bool cpu_timer_may_be_sent(const siginfo_t *info)
{
	return is_readiness(info) ||
	       (info->si_code == SI_TIMER && info->si_value.sival_ptr == &use_perf);
}

void cpu_timer_expired(struct os_cpu_timer *timer)
{
	if (!timer->period_pending)
		return;
	timer->period_pending = false;
	if (perf_timer_set_period(timer))
		return;
	perf_timer_disable(timer);
	atomic_store(&timer->failed, true);
}

void cpu_timer_taken(struct os_cpu_timer *timer)
{
	int fd = timer->perf_fd;
	if (fd >= 0)
		own_fd_plus_1 = fd + 1;
}

/* own: the calling thread must know the descriptor before the first signal. */
static int start_perf(struct os_cpu_timer *timer, bool own)
{
	int error = perf_timer_open(timer);
	if (error != 0)
		return error;
	if (own)
		cpu_timer_taken(timer);
	error = perf_timer_start(timer);
	if (error != 0) {
		perf_timer_close(timer);
		timer->perf_fd = -1;
	}
	return error;
}

/* Of a timer that runs. A first expiration shows how short the periods of the others may be, which
 * takes less than five long ones. 0 if it can't be measured. */
static uint64_t measure_cost(struct os_cpu_timer *timer)
{
	uint64_t assumed_ns = perf_timer_cost_ns();
	uint64_t estimate_ns = cpu_timer_cost_estimate(&own_expirations);

	if (estimate_ns > 0 && estimate_ns < assumed_ns) {
		perf_timer_set_cost_ns(estimate_ns);
		atomic_store(&timer->meter.period_ns, perf_timer_least_ns());
		(void)perf_timer_set_period(timer);
		perf_timer_set_cost_ns(assumed_ns);
	}
	return cpu_timer_cost_measure(&own_expirations);
}

void cpu_timer_calibrate(void)
{
	if (!use_perf || was_tried)
		return;
	was_tried = true;
	struct os_cpu_timer timer;
	memset(&timer, 0, sizeof(timer));
	timer.thread = os_self_thread();
	timer.first_ns = FIRST_MEASURED_PERIOD_NS;
	timer.interval_ns = FIRST_MEASURED_PERIOD_NS;
	timer.signal = cpu_timer_signal();
	if (start_perf(&timer, true) != 0)
		return;
	uint64_t cost_ns = measure_cost(&timer);
	perf_timer_close(&timer);
	is_measured = cost_ns > 0;
	if (is_measured)
		perf_timer_set_cost_ns(cost_ns);
}

static int start_posix(struct os_cpu_timer *timer)
{
	timer->period_pending = false;
	return posix_timer_start(timer, &use_perf);
}

int cpu_timer_arm(struct os_cpu_timer *timer, bool own)
{
	timer->perf_fd = -1;
	timer->signal = cpu_timer_signal();
	/* perf may fail for this thread alone, when descriptors run short. */
	if (perf_serves(timer->interval_ns) && start_perf(timer, own) == 0)
		return 0;
	return start_posix(timer);
}

void cpu_timer_disable(struct os_cpu_timer *timer)
{
	if (timer->perf_fd >= 0)
		perf_timer_disable(timer);
	else if (timer->posix_made)
		posix_timer_disable(timer);
}

void cpu_timer_disarm(struct os_cpu_timer *timer, bool own)
{
	(void)own;
	if (timer->perf_fd >= 0)
		perf_timer_close(timer);
	else if (timer->posix_made)
		posix_timer_close(timer);
}

uint64_t cpu_timer_cost_ns(void)
{
	return perf_timer_cost_ns();
}

uint64_t cpu_timer_ran_ns(const struct os_cpu_timer *timer)
{
	return timer->perf_fd >= 0 ? perf_timer_ran_ns(timer) : 0;
}

bool cpu_timer_set_period(struct os_cpu_timer *timer)
{
	if (timer->perf_fd >= 0)
		return perf_timer_set_period(timer);
	return timer->posix_made && posix_timer_set_period(timer);
}

static int restart_posix(struct os_cpu_timer *timer)
{
	timer->first_ns = atomic_load(&timer->meter.period_ns);
	return start_posix(timer);
}

/* A POSIX timer's signal can't be changed. */
static int change_signal(struct os_cpu_timer *timer)
{
	timer->signal = cpu_timer_signal();
	if (timer->perf_fd >= 0)
		return perf_timer_set_signal(timer);
	posix_timer_close(timer);
	return restart_posix(timer);
}

/* A handler that has set failed, or whose timer is lost, does not use the descriptor any more. */
int cpu_timer_mend(struct os_cpu_timer *timer)
{
	bool failed = atomic_exchange(&timer->failed, false);

	if (timer->perf_fd < 0 || !(failed || !perf_timer_is_ours(timer)))
		return timer->signal == cpu_timer_signal() ? 0 : change_signal(timer);
	perf_timer_close(timer);
	timer->signal = cpu_timer_signal();
	return restart_posix(timer);
}

/* A handler that passes on our timers' signals may look where they come from. */
void cpu_timer_send_to_self(int signal)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = signal;
	info.si_code = SI_TIMER;
	info.si_value.sival_ptr = &use_perf;
	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), (pid_t)os_self_thread(), signal, &info) != 0)
		(void)pthread_kill(pthread_self(), signal);
}
