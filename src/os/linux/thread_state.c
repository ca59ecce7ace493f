/*
 * thread_state.c: whether a thread runs. Any thread; no lock.
 */
#include "proc_task.h"

/* /proc reports R also for a thread that waits for a CPU. The CPU clock of a thread that
 * has one advances between two readings. */
enum os_answer os_thread_running(os_thread thread)
{
	uint64_t before_ns = 0;
	uint64_t after_ns = 0;

	if (os_thread_cpu_ns(thread, &before_ns) != 0 || os_thread_cpu_ns(thread, &after_ns) != 0)
		return OS_UNKNOWN;
	return after_ns != before_ns ? OS_YES : OS_NO;
}

enum os_answer os_thread_runnable(os_thread thread)
{
	enum { STAT_STATE = 3 };
	char stat[PROC_TASK_TEXT_MAX];

	if (proc_task_read(thread, "stat", stat, sizeof(stat)) != 0)
		return OS_UNKNOWN;
	const char *state = proc_task_stat_field(stat, STAT_STATE);
	if (state == NULL)
		return OS_UNKNOWN;
	return *state == 'R' ? OS_YES : OS_NO;
}
