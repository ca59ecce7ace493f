/*
 * run_queue.c: how long a thread has waited for a CPU, and how often the calling one gave one
 * up, from the kernel's microstate accounting. No lock.
 */
#include "lwp_files.h"

int os_run_queue_open(struct os_run_queue *queue, os_thread thread)
{
	prusage_t usage;

	queue->lwp = thread;
	return lwp_usage(queue->lwp, &usage);
}

bool os_run_queue_waited(const struct os_run_queue *queue, uint64_t *ns)
{
	prusage_t usage;

	if (lwp_usage(queue->lwp, &usage) != 0)
		return false;
	*ns = lwp_ns(&usage.pr_wtime);
	return true;
}

/* The file is open only while it is read. */
void os_run_queue_close(struct os_run_queue *queue)
{
	queue->lwp = 0;
}

bool os_self_voluntary_switches(uint64_t *count)
{
	prusage_t usage;

	if (lwp_usage(os_self_thread(), &usage) != 0)
		return false;
	*count = usage.pr_vctx;
	return true;
}
