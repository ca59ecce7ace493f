/*
 * cpu_timer_perf.c: a thread's CPU-interval timer as a perf software event.
 * The kernel runs it on a high-resolution timer while the thread is on a
 * CPU, so that it is not bound to the scheduler's tick. Costs one file
 * descriptor per thread. Threads as in cpu_timer_kinds.h; no lock.
 *
 * Where an interrupt takes longer than the period, the thread only handles
 * interrupts: no signal handler runs, and no signal ends it. So no period is shorter than
 * a multiple of what an expiration costs (kernel_period()).
 */
#include "cpu_timer_kinds.h"
#include "descriptor.h"
#include "time_units.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROBE_PERIOD_NS (10 * NS_PER_MS)
#define LEAST_PERIOD_NS (100 * NS_PER_US)
#define LEAST_PERIOD_COSTS 8

/* Before it is measured: with it periods are at least a millisecond. */
#define ASSUMED_COST_NS (125 * NS_PER_US)

static _Atomic uint64_t cost_ns = ASSUMED_COST_NS;

/* A period that may be given to the kernel. */
struct kernel_period {
	uint64_t ns;
};

uint64_t perf_timer_cost_ns(void)
{
	return atomic_load(&cost_ns);
}

void perf_timer_set_cost_ns(uint64_t ns)
{
	atomic_store(&cost_ns, ns);
}

uint64_t perf_timer_least_ns(void)
{
	uint64_t least_ns = perf_timer_cost_ns() * LEAST_PERIOD_COSTS;
	return least_ns > LEAST_PERIOD_NS ? least_ns : LEAST_PERIOD_NS;
}

/* The only function that creates a period. Signal-safe. */
static struct kernel_period kernel_period(uint64_t requested_ns)
{
	uint64_t least_ns = perf_timer_least_ns();
	return (struct kernel_period){.ns = requested_ns > least_ns ? requested_ns : least_ns};
}

/* Counts the thread (0: the calling one) wherever it runs, in the kernel too: CPU time spent
 * in system calls is the program's. */
static int open_event(struct kernel_period period, pid_t thread)
{
	struct perf_event_attr event;
	memset(&event, 0, sizeof(event));
	event.type = PERF_TYPE_SOFTWARE;
	event.size = sizeof(event);
	event.config = PERF_COUNT_SW_TASK_CLOCK;
	event.sample_period = period.ns;
	event.wakeup_events = 1;
	event.disabled = 1;
	event.exclude_hv = 1;
	return descriptor_above_standard(
	        (int)syscall(SYS_perf_event_open, &event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

bool perf_timer_permitted(void)
{
	int fd = open_event(kernel_period(PROBE_PERIOD_NS), 0);
	if (fd < 0)
		return false;
	(void)close(fd);
	return true;
}

/* The kernel hands out the lowest number that is free: a number in the upper
 * half means that the lower half is taken. */
static bool too_few_left(int fd)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)fd > limit.rlim_cur / 2;
}

/* Overflows become the signal for that thread and no other. */
static int direct_signals_to(pid_t thread, int fd, int signal)
{
	struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = thread};
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETOWN_EX, &owner) < 0 || fcntl(fd, F_SETSIG, signal) < 0 ||
	    fcntl(fd, F_SETFL, flags | O_ASYNC) < 0)
		return errno;
	return 0;
}

/* All anonymous files of the kernel have the same identity, but each event has its own number. */
static int identify(int fd, struct os_cpu_timer *timer)
{
	int error = descriptor_identify(fd, &timer->identity);
	if (error == 0 && ioctl(fd, PERF_EVENT_IOC_ID, &timer->perf_id) != 0)
		error = errno;
	return error;
}

bool perf_timer_is_ours(const struct os_cpu_timer *timer)
{
	uint64_t id;
	return descriptor_check(timer->perf_fd, &timer->identity) == 0 &&
	       ioctl(timer->perf_fd, PERF_EVENT_IOC_ID, &id) == 0 && id == timer->perf_id;
}

int perf_timer_set_signal(struct os_cpu_timer *timer)
{
	if (!perf_timer_is_ours(timer))
		return OS_DESCRIPTOR_LOST;
	return fcntl(timer->perf_fd, F_SETSIG, timer->signal) == 0 ? 0 : errno;
}

int perf_timer_open(struct os_cpu_timer *timer)
{
	int fd = open_event(kernel_period(timer->first_ns), (pid_t)timer->thread);
	if (fd < 0)
		return errno;
	int error = too_few_left(fd) ? EMFILE
	                             : direct_signals_to((pid_t)timer->thread, fd, timer->signal);
	if (error == 0)
		error = identify(fd, timer);
	if (error != 0) {
		(void)close(fd);
		return error;
	}
	timer->perf_fd = fd;
	timer->failed = false;
	timer->period_pending = timer->first_ns != timer->interval_ns;
	return 0;
}

int perf_timer_start(struct os_cpu_timer *timer)
{
	if (!perf_timer_is_ours(timer))
		return OS_DESCRIPTOR_LOST;
	return ioctl(timer->perf_fd, PERF_EVENT_IOC_ENABLE, 0) == 0 ? 0 : errno;
}

bool perf_timer_set_period(struct os_cpu_timer *timer)
{
	struct kernel_period period = kernel_period(atomic_load(&timer->meter.period_ns));
	return perf_timer_is_ours(timer) &&
	       ioctl(timer->perf_fd, PERF_EVENT_IOC_PERIOD, &period.ns) == 0;
}

uint64_t perf_timer_ran_ns(const struct os_cpu_timer *timer)
{
	uint64_t ns;
	return perf_timer_is_ours(timer) &&
	                       read(timer->perf_fd, &ns, sizeof(ns)) == (ssize_t)sizeof(ns)
	               ? ns
	               : 0;
}

void perf_timer_disable(struct os_cpu_timer *timer)
{
	if (perf_timer_is_ours(timer))
		(void)ioctl(timer->perf_fd, PERF_EVENT_IOC_DISABLE, 0);
}

void perf_timer_close(struct os_cpu_timer *timer)
{
	if (perf_timer_is_ours(timer)) {
		(void)ioctl(timer->perf_fd, PERF_EVENT_IOC_DISABLE, 0);
		(void)close(timer->perf_fd);
	}
	timer->perf_fd = -1;
}
