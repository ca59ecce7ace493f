/*
 * cpu_timers.c: the system can't interrupt a thread when it has used an interval
 * of CPU time: its timers go by the wall clock and call back on other threads, or
 * on the thread's own only while it waits. These functions return OS_UNSUPPORTED, and CPU time is
 * sampled by a thread that reads the others' clocks. Any thread; no lock.
 */
#include "os.h"

int os_cpu_timers_install(enum os_cpu_timer_kind kind, os_cpu_timer_callback *callback)
{
	(void)kind;
	(void)callback;
	return OS_UNSUPPORTED;
}

const char *os_cpu_timers_name(uint64_t interval_ns)
{
	(void)interval_ns;
	return "none";
}

int os_cpu_timer_start(struct os_cpu_timer *timer, uint64_t first_ns, uint64_t interval_ns,
                       void *user)
{
	(void)first_ns;
	(void)interval_ns;
	timer->user = user;
	return OS_UNSUPPORTED;
}

int os_cpu_timer_start_on(struct os_cpu_timer *timer, os_thread thread, uint64_t first_ns,
                          uint64_t interval_ns, void *user)
{
	(void)thread;
	return os_cpu_timer_start(timer, first_ns, interval_ns, user);
}

bool os_cpu_timers_of_others(void)
{
	return false;
}

bool os_cpu_timer_runs(const struct os_cpu_timer *timer)
{
	(void)timer;
	return false;
}

bool os_cpu_timer_stop(struct os_cpu_timer *timer)
{
	(void)timer;
	return false;
}

void os_cpu_timers_pause(void)
{
}

void os_cpu_timers_resume(void)
{
}

bool os_cpu_timers_end(uint32_t timeout_ms)
{
	(void)timeout_ms;
	return true;
}

void os_cpu_timers_watch(struct os_cpu_timers_findings *findings)
{
	*findings = (struct os_cpu_timers_findings){.signal = "none"};
}

bool os_cpu_timers_taken(const char **signal)
{
	*signal = "none";
	return false;
}
