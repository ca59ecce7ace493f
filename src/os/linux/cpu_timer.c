/*
 * cpu_timer.c: a thread's CPU-interval timer: a perf software event where that is
 * permitted, else a POSIX timer. Called as cpu_timer.h says; no lock.
 *
 * SIGPROF and not a real-time signal: when the queue of a real-time signal is
 * full, the kernel reports perf overflows by SIGIO, which kills the program.
 */
#include "cpu_timer.h"
#include "cpu_timer_kinds.h"

/* Written by cpu_timer_choose() before the first timer starts. The address of it
 * is the cookie that POSIX timers of ours carry. */
static bool use_perf;

/* The descriptor of this thread's latest perf timer, plus 1: a signal of it may
 * arrive after the timer was stopped and must still be known as ours. */
static __thread volatile int own_fd_plus_1 __attribute__((tls_model("initial-exec")));

int cpu_timer_choose(enum os_cpu_timer_kind kind)
{
	use_perf = kind != OS_CPU_TIMER_POSIX && perf_timer_permitted();
	return kind == OS_CPU_TIMER_PERF && !use_perf ? OS_UNSUPPORTED : 0;
}

const char *cpu_timer_name(void)
{
	return use_perf ? "perf task clock per thread" : "POSIX timer on each thread's CPU clock";
}

static bool is_readiness(const siginfo_t *info)
{
	return info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

bool cpu_timer_sent(const siginfo_t *info)
{
	if (info->si_code == SI_TIMER)
		return info->si_value.sival_ptr == &use_perf;
	return is_readiness(info) && own_fd_plus_1 != 0 && info->si_fd == own_fd_plus_1 - 1;
}

bool cpu_timer_may_be_sent(const siginfo_t *info)
{
	return is_readiness(info) || cpu_timer_sent(info);
}

void cpu_timer_expired(struct os_cpu_timer *timer)
{
	if (timer->period_pending)
		perf_timer_set_interval(timer);
}

void cpu_timer_taken(struct os_cpu_timer *timer)
{
	own_fd_plus_1 = timer->perf_fd + 1;
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

int cpu_timer_arm(struct os_cpu_timer *timer, bool own)
{
	timer->perf_fd = -1;
	/* perf may fail for this thread alone, when descriptors run short. */
	if (use_perf && start_perf(timer, own) == 0)
		return 0;
	timer->period_pending = false;
	return posix_timer_start(timer, &use_perf);
}

void cpu_timer_disarm(struct os_cpu_timer *timer, bool own)
{
	(void)own;
	if (timer->perf_fd >= 0)
		perf_timer_close(timer);
	else if (timer->posix_made)
		posix_timer_close(timer);
}
