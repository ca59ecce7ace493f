/*
 * thread_state.c: whether a thread runs or sleeps. Any thread; no lock.
 */
#include "proc_task.h"

enum os_answer os_thread_runnable(os_thread thread)
{
	char stat[PROC_TASK_TEXT_MAX];
	if (proc_task_read(thread, "stat", stat, sizeof(stat)) != 0)
		return OS_UNKNOWN;
	const char *state = proc_task_stat_field(stat, 3);
	if (state == NULL)
		return OS_UNKNOWN;
	return *state == 'R' ? OS_YES : OS_NO;
}
