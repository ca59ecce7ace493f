/*
 * thread_state.c: whether a thread runs. Any thread; no lock.
 */
#include "lwp_files.h"

/* ps(1) shows O for a thread on a CPU, R for one that waits for a CPU. */
enum os_answer os_thread_running(os_thread thread)
{
	lwpsinfo_t info;
	if (lwp_info(thread, &info) != 0)
		return OS_UNKNOWN;
	return info.pr_sname == 'O' ? OS_YES : OS_NO;
}

enum os_answer os_thread_runnable(os_thread thread)
{
	lwpsinfo_t info;
	if (lwp_info(thread, &info) != 0)
		return OS_UNKNOWN;
	return info.pr_sname == 'O' || info.pr_sname == 'R' ? OS_YES : OS_NO;
}
